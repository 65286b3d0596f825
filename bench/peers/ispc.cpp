// SPDX-License-Identifier: Apache-2.0
//
// Layouts for kernels.ispc; see there.

#include "peer.h"

extern "C" {
void ispc_orbit(int64_t, float *, float *, uint32_t *, const uint32_t *, const float *);
void ispc_marquee(int64_t, float *, const float *, const float *);
void ispc_flow(int64_t, float *, float *, const float *, const float *);
void ispc_tween(
  int64_t, float *, uint32_t *, const uint32_t *, const float *, const float *, const float *);
void ispc_spring(
  int64_t, float *, uint32_t *, const uint32_t *, const float *, const float *, const float *,
  const float *, const float *);
}

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
    ispc_orbit(int64_t(count), columns[0], columns[1], phase, step, radius);
  }
};

struct Marquee : Peer {
  size_t count;
  Array<float> offset, step, span;
  explicit Marquee(const Input &in)
      : count(in.padded()), offset(count), step(count), span(count) {
    for (size_t i = 0; i < count; i++) {
      span[i] = float(in.at(1, i));
      step[i] = float(std::fmod(in.at(0, i) * in.tick_seconds, in.at(1, i)));
      offset[i] = float(in.at(2, i) * in.at(1, i));
    }
  }
  void tick(float *const *) override { ispc_marquee(int64_t(count), offset, step, span); }
  void values(float *const *columns) const override {
    std::memcpy(columns[0], offset, count * sizeof(float));
  }
};

struct Flow : Marquee {
  explicit Flow(const Input &in) : Marquee(in) {
    for (size_t i = 0; i < count; i++)
      offset[i] = float(-in.at(2, i) / in.tick_seconds * step[i]);
  }
  void tick(float *const *columns) override {
    ispc_flow(int64_t(count), columns[0], offset, step, span);
  }
  void values(float *const *) const override {}
};

struct Tween : Peer {
  size_t count;
  Array<uint32_t> phase, step;
  Array<float> from, span;
  float curve[6];
  explicit Tween(const Input &in)
      : count(in.padded()), phase(count), step(count), from(count), span(count) {
    for (int k = 0; k < 2; k++) {
      const double p1 = in.columns[4][k], p2 = in.columns[4][k + 2];
      curve[3 * k] = float(1 + 3 * (p1 - p2));
      curve[3 * k + 1] = float(3 * (p2 - 2 * p1));
      curve[3 * k + 2] = float(3 * p1);
    }
    for (size_t i = 0; i < count; i++) {
      phase[i] = fixed_turns(in.at(3, i));
      step[i] = fixed_turns(in.tick_seconds / in.at(2, i));
      from[i] = float(in.at(0, i));
      span[i] = float(in.at(1, i) - in.at(0, i));
    }
  }
  void tick(float *const *columns) override {
    ispc_tween(int64_t(count), columns[0], phase, step, from, span, curve);
  }
};

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
    ispc_spring(
      int64_t(count), columns[0], phase, step, from, span, decay, frequency, quotient);
  }
};

const Variant variants[] = {
  {"orbit", "", 8, 4, 8, 0, false, create<Orbit>},
  {"marquee", "in place", 8, 4, 0, 2, false, create<Marquee>},
  {"flow", "", 8, 4, 4, 3, false, create<Flow>},
  {"tween", "Newton", 12, 4, 4, 28, false, create<Tween>},
  {"spring", "closed form", 24, 4, 4, 0, false, create<ClosedSpring>},
};
const int32_t variant_count = sizeof(variants) / sizeof(*variants);
