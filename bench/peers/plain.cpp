// SPDX-License-Identifier: Apache-2.0
//
// Structure of arrays in plain C++ that compilers can vectorise: floats, no aliases, no calls but sin,
// cos and exp. Built with -O3 -march=native -ffast-math: g++ then calls glibc's libmvec for sixteen or
// eight values at a time. Cosines are written as sines: sine and cosine of one angle would become one
// scalar call.
//
//   orbit 28 bytes (36 with its centre), marquee 16 and flow 20 in place, tween 24, spring 36

#include "peer.h"
#include "springs.h"

template <bool has_center>
struct Orbit : Peer {
  size_t count;
  Array<float> angle, step, radius, cx, cy;

  explicit Orbit(const Input &in)
      : count(in.padded()), angle(count), step(count), radius(count), cx(count), cy(count) {
    for (size_t i = 0; i < count; i++) {
      angle[i] = float(2 * M_PI * in.at(4, i));
      step[i] = float(2 * M_PI * std::fmod(in.tick_seconds / in.at(3, i), 1));
      radius[i] = float(in.at(2, i));
      cx[i] = float(in.at(0, i));
      cy[i] = float(in.at(1, i));
    }
  }

  void tick(float *const *columns) override {
    move(count, columns[0], columns[1], angle, step, radius, cx, cy);
  }

  static void move(
    size_t count, float *__restrict x, float *__restrict y, float *__restrict a,
    const float *__restrict s, const float *__restrict r, const float *__restrict ox,
    const float *__restrict oy) {
    const float turn = float(2 * M_PI);
    for (size_t i = 0; i < count; i++) {
      float next = a[i] + s[i];
      next = next >= turn ? next - turn : next;
      a[i] = next;
      x[i] = r[i] * std::sin(next + float(M_PI / 2)) + (has_center ? ox[i] : 0);
      y[i] = r[i] * std::sin(next) + (has_center ? oy[i] : 0);
    }
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

  void tick(float *const *) override { move(count, offset, step, span); }

  static void move(
    size_t count, float *__restrict o, const float *__restrict s, const float *__restrict w) {
    for (size_t i = 0; i < count; i++) {
      const float next = o[i] + s[i];
      o[i] = next >= w[i] ? next - w[i] : next;
    }
  }

  void values(float *const *columns) const override {
    std::memcpy(columns[0], offset, count * sizeof(float));
  }
};

// Before its start, the offset is negative and counts up.
struct Flow : Peer {
  size_t count;
  Array<float> offset, step, span;

  explicit Flow(const Input &in) : count(in.padded()), offset(count), step(count), span(count) {
    for (size_t i = 0; i < count; i++) {
      span[i] = float(in.at(1, i));
      step[i] = float(std::fmod(in.at(0, i) * in.tick_seconds, in.at(1, i)));
      offset[i] = float(-in.at(2, i) / in.tick_seconds * step[i]);
    }
  }

  void tick(float *const *columns) override { move(count, columns[0], offset, step, span); }

  static void move(
    size_t count, float *__restrict x, float *__restrict o, const float *__restrict s,
    const float *__restrict w) {
    for (size_t i = 0; i < count; i++) {
      float next = o[i] + s[i];
      next = next >= w[i] ? next - w[i] : next;
      o[i] = next;
      x[i] = next > 0 ? next : 0;
    }
  }
};

struct Tween : Peer {
  size_t count;
  Array<float> time, step, from, span;
  float ax, bx, cx, ay, by, cy;

  explicit Tween(const Input &in)
      : count(in.padded()), time(count), step(count), from(count), span(count) {
    const double *curve = in.columns[4];
    cx = float(3 * curve[0]), bx = float(3 * (curve[2] - curve[0])) - cx, ax = 1 - cx - bx;
    cy = float(3 * curve[1]), by = float(3 * (curve[3] - curve[1])) - cy, ay = 1 - cy - by;
    for (size_t i = 0; i < count; i++) {
      time[i] = float(2 * in.at(3, i));
      step[i] = float(std::fmod(2 * in.tick_seconds / in.at(2, i), 2));
      from[i] = float(in.at(0, i));
      span[i] = float(in.at(1, i) - in.at(0, i));
    }
  }

  void tick(float *const *columns) override { move(columns[0], time, step, from, span); }

  void move(
    float *__restrict x, float *__restrict t, const float *__restrict st,
    const float *__restrict fr, const float *__restrict sp) const {
    const float ax = this->ax, bx = this->bx, cx = this->cx;
    const float ay = this->ay, by = this->by, cy = this->cy;
    for (size_t i = 0, n = count; i < n; i++) {
      float now = t[i] + st[i];
      now = now >= 2 ? now - 2 : now;
      t[i] = now;
      const float progress = now <= 1 ? now : 2 - now;
      float s = progress;
      // Two iterations leave 4·10^-8 of ease-in-out.
      for (int k = 0; k < 2; k++)
        s -= (((ax * s + bx) * s + cx) * s - progress) / ((3 * ax * s + 2 * bx) * s + cx);
      x[i] = fr[i] + sp[i] * (((ay * s + by) * s + cy) * s);
    }
  }
};

// The closed form from the elapsed part of the period; -k s and w s are kept multiplied out.
struct ClosedSpring : Peer {
  size_t count;
  Array<float> time, step, from, span, decay, frequency, quotient;

  explicit ClosedSpring(const Input &in)
      : count(in.padded()), time(count), step(count), from(count), span(count), decay(count),
        frequency(count), quotient(count) {
    for (size_t i = 0; i < count; i++) {
      const double w = 2 * M_PI / in.at(2, i), z = in.at(3, i), period = in.at(4, i);
      const double root = std::sqrt(1 - z * z);
      time[i] = float(in.at(5, i));
      step[i] = float(std::fmod(in.tick_seconds / period, 2));
      from[i] = float(in.at(0, i));
      span[i] = float(in.at(1, i) - in.at(0, i));
      decay[i] = float(-z * w * period);
      frequency[i] = float(w * root * period);
      quotient[i] = float(z / root);
    }
  }

  void tick(float *const *columns) override {
    move(count, columns[0], time, step, from, span, decay, frequency, quotient);
  }

  static void move(
    size_t count, float *__restrict x, float *__restrict t, const float *__restrict st,
    const float *__restrict fr, const float *__restrict sp, const float *__restrict de,
    const float *__restrict om, const float *__restrict qu) {
    for (size_t i = 0; i < count; i++) {
      float now = t[i] + st[i];
      now = now >= 2 ? now - 2 : now;
      t[i] = now;
      // 1 on the way back: arithmetic, because two branches on it would keep the loop from being vectorised.
      const float back = std::trunc(now), s = now - back;
      const float angle = om[i] * s;
      const float swing = std::sin(angle + float(M_PI / 2)) + qu[i] * std::sin(angle);
      const float shape = std::exp(de[i] * s) * swing;
      x[i] = fr[i] + sp[i] * (1 - shape + back * (2 * shape - 1));
    }
  }
};

const Variant variants[] = {
  {"orbit", "", 8, 4, 8, 0, false, create<Orbit<false>>},
  {"orbit", "with centre", 16, 4, 8, 0, true, create<Orbit<true>>},
  {"marquee", "in place", 8, 4, 0, 2, false, create<Marquee>},
  {"flow", "", 8, 4, 4, 3, false, create<Flow>},
  {"tween", "Newton", 12, 4, 4, 28, false, create<Tween>},
  {"spring", "closed form", 24, 4, 4, 0, false, create<ClosedSpring>},
};
const int32_t variant_count = sizeof(variants) / sizeof(*variants);
