// SPDX-License-Identifier: Apache-2.0
//
// Orbit and spring with a library's `sincos_of` and `exponential` of `Lanes`.

#ifndef ORRERY_PEER_CLOSED_H
#define ORRERY_PEER_CLOSED_H

#include "lanes.h"
#include "peer.h"

// Phases are integers: whole turns vanish by overflow.
template <bool past_caches>
struct Orbit : Peer {
  size_t count;
  Array<uint32_t> phase, step;
  Array<float> radius;

  explicit Orbit(const Input &in)
      : count(in.padded()), phase(count), step(count), radius(count) {
    for (size_t i = 0; i < count; i++) {
      phase[i] = fixed_turns(in.at(4, i));
      step[i] = fixed_turns(in.tick_seconds / in.at(3, i));
      radius[i] = float(in.at(2, i));
    }
  }

  void tick(float *const *columns) override {
    float *__restrict x = columns[0], *__restrict y = columns[1];
    uint32_t *__restrict ph = phase;
    const uint32_t *__restrict st = step;
    const float *__restrict ra = radius;
    for (size_t i = 0; i < count; i += lane_count) {
      const Words p = add(load(ph + i), load(st + i));
      store(ph + i, p);
      Lanes sine, cosine;
      sincos_of(number(p) * all(float(2 * M_PI * 0x1p-32)), sine, cosine);
      const Lanes r = load(ra + i);
      if (past_caches) {
        stream(x + i, r * cosine);
        stream(y + i, r * sine);
      } else {
        store(x + i, r * cosine);
        store(y + i, r * sine);
      }
    }
    if (past_caches) _mm_sfence();
  }
};

// target + displacement * exp(-k s) * (cos + q sin)(w s), s the elapsed part of the period.
template <bool past_caches>
struct ClosedSpring : Peer {
  size_t count;
  Array<uint32_t> phase, step;
  Array<float> from, span, decay, frequency, quotient;

  explicit ClosedSpring(const Input &in)
      : count(in.padded()), phase(count), step(count), from(count), span(count), decay(count),
        frequency(count), quotient(count) {
    for (size_t i = 0; i < count; i++) {
      const double w = 2 * M_PI / in.at(2, i), z = in.at(3, i), period = in.at(4, i);
      const double root = std::sqrt(1 - z * z);
      phase[i] = fixed_turns(in.at(5, i) / 2);
      step[i] = fixed_turns(in.tick_seconds / period / 2);
      from[i] = float(in.at(0, i));
      span[i] = float(in.at(1, i) - in.at(0, i));
      decay[i] = float(-z * w * period * 0x1p-31);
      frequency[i] = float(w * root * period * 0x1p-31);
      quotient[i] = float(z / root);
    }
  }

  void tick(float *const *columns) override {
    float *__restrict x = columns[0];
    uint32_t *__restrict ph = phase;
    const uint32_t *__restrict st = step;
    const float *__restrict fr = from, *__restrict sp = span, *__restrict de = decay;
    const float *__restrict om = frequency, *__restrict qu = quotient;
    for (size_t i = 0; i < count; i += lane_count) {
      const Words p = add(load(ph + i), load(st + i));
      store(ph + i, p);
      const Lanes s = number(both(p, all_words(0x7fffffff)));
      Lanes sine, cosine;
      sincos_of(s * load(om + i), sine, cosine);
      const Lanes shape = fma(load(qu + i), sine, cosine) * exponential(s * load(de + i));
      const Lanes value =
        fma(load(sp + i), choose(p, shape, all(1.0f) - shape), load(fr + i));
      if (past_caches)
        stream(x + i, value);
      else
        store(x + i, value);
    }
    if (past_caches) _mm_sfence();
  }
};

const Variant variants[] = {
  {"orbit", "", 8, 4, 8, 0, false, create<Orbit<false>>},
  {"orbit", "streamed", 8, 4, 8, 0, false, create<Orbit<true>>},
  {"spring", "closed form", 24, 4, 4, 0, false, create<ClosedSpring<false>>},
  {"spring", "closed form, streamed", 24, 4, 4, 0, false, create<ClosedSpring<true>>},
};
const int32_t variant_count = sizeof(variants) / sizeof(*variants);

#endif
