// SPDX-License-Identifier: Apache-2.0
//
// Kernels by hand, for AVX-512 or AVX2: one pass over columns, fused multiplications and additions, each
// with ordinary and with non-temporal stores.
//
//   orbit     phase += step, one polynomial each for sine and cosine          24 bytes
//             or phase + ticks * step, or the position rotated in place
//   marquee   offset += step, minus the span at its end, in place             16 bytes
//   flow      the same, once a block's entities have started                  16 bytes
//   tween     phase += step, two Newton iterations, or a table in registers   24 bytes
//   spring    closed form from the elapsed time                               36 bytes
//             or the exact matrix of a tick, and a calendar of restarts       40 bytes
//   keyframes both segments in columns, or the current one, at eight ticks     9 bytes

#include "lanes.h"
#include "peer.h"
#include "springs.h"
#include "tracks.h"

template <bool past_caches>
static inline void put(float *at, Lanes v) {
  if (past_caches)
    stream(at, v);
  else
    store(at, v);
}

template <bool past_caches>
static inline void finish() {
  if (past_caches) _mm_sfence();
}

// x, y = (centre +) radius * (cos, sin)(phase).
template <bool past_caches, bool has_center>
struct Orbit : Peer {
  size_t count;
  Array<uint32_t> phase, step;
  Array<float> radius, cx, cy;

  explicit Orbit(const Input &in)
      : count(in.padded()), phase(count), step(count), radius(count), cx(has_center ? count : 1),
        cy(has_center ? count : 1) {
    for (size_t i = 0; i < count; i++) {
      phase[i] = fixed_turns(in.at(4, i));
      step[i] = fixed_turns(in.tick_seconds / in.at(3, i));
      radius[i] = float(in.at(2, i));
      if (has_center) cx[i] = float(in.at(0, i)), cy[i] = float(in.at(1, i));
    }
  }

  void tick(float *const *columns) override {
    float *__restrict x = columns[0], *__restrict y = columns[1];
    uint32_t *__restrict ph = phase;
    const uint32_t *__restrict st = step;
    const float *__restrict ra = radius, *__restrict a = cx, *__restrict b = cy;
#pragma GCC unroll 2
    for (size_t i = 0; i < count; i += lane_count) {
      const Words p = add(load(ph + i), load(st + i));
      store(ph + i, p);
      Lanes sine, cosine;
      sine_and_cosine(turns(p), sine, cosine);
      const Lanes r = load(ra + i);
      put<past_caches>(x + i, has_center ? fma(r, cosine, load(a + i)) : r * cosine);
      put<past_caches>(y + i, has_center ? fma(r, sine, load(b + i)) : r * sine);
    }
    finish<past_caches>();
  }
};

// The phase computed from the tick's number: no state from tick to tick.
template <bool past_caches>
struct StatelessOrbit : Orbit<past_caches, false> {
  uint32_t now = 0;
  using Orbit<past_caches, false>::Orbit;

  void tick(float *const *columns) override {
    float *__restrict x = columns[0], *__restrict y = columns[1];
    const uint32_t *__restrict ph = this->phase, *__restrict st = this->step;
    const float *__restrict ra = this->radius;
    const Words elapsed = all_words(++now);
#pragma GCC unroll 2
    for (size_t i = 0; i < this->count; i += lane_count) {
      Lanes sine, cosine;
      sine_and_cosine(turns(add(load(ph + i), multiply(load(st + i), elapsed))), sine, cosine);
      const Lanes r = load(ra + i);
      put<past_caches>(x + i, r * cosine);
      put<past_caches>(y + i, r * sine);
    }
    finish<past_caches>();
  }
};

// The position itself is rotated by the angle of a tick: only four columns, two of them in place. In
// the long run, rounding turns circles into spirals.
struct TurningOrbit : Peer {
  size_t count;
  Array<float> px, py, cosine, sine;

  explicit TurningOrbit(const Input &in)
      : count(in.padded()), px(count), py(count), cosine(count), sine(count) {
    for (size_t i = 0; i < count; i++) {
      const double angle = 2 * M_PI * in.at(4, i), turn = 2 * M_PI * in.tick_seconds / in.at(3, i);
      px[i] = float(in.at(2, i) * std::cos(angle));
      py[i] = float(in.at(2, i) * std::sin(angle));
      cosine[i] = float(std::cos(turn));
      sine[i] = float(std::sin(turn));
    }
  }

  void tick(float *const *) override {
    float *__restrict x = px, *__restrict y = py;
    const float *__restrict co = cosine, *__restrict si = sine;
#pragma GCC unroll 4
    for (size_t i = 0; i < count; i += lane_count) {
      const Lanes ox = load(x + i), oy = load(y + i), c = load(co + i), s = load(si + i);
      store(x + i, fma(ox, c, all(0) - oy * s));
      store(y + i, fma(ox, s, oy * c));
    }
  }

  void values(float *const *columns) const override {
    std::memcpy(columns[0], px, count * sizeof(float));
    std::memcpy(columns[1], py, count * sizeof(float));
  }
};

// offset += step, wrapped into [0, span). Ordinary stores are in place. Stores past the caches go from
// one buffer to the other, because they should not write a line that was just read.
template <bool past_caches>
struct Marquee : Peer {
  size_t count;
  Array<float> step, span, offset, other;
  bool is_other = false;

  explicit Marquee(const Input &in)
      : count(in.padded()), step(count), span(count), offset(count), other(past_caches ? count : 1) {
    for (size_t i = 0; i < count; i++) {
      span[i] = float(in.at(1, i));
      step[i] = float(std::fmod(in.at(0, i) * in.tick_seconds, in.at(1, i)));
      offset[i] = float(in.at(2, i) * in.at(1, i));
    }
  }

  void tick(float *const *) override {
    const float *from = past_caches && is_other ? other : offset;
    float *to = past_caches && !is_other ? other : offset;
    is_other = past_caches && !is_other;
    move(from, to, 0, count);
    finish<past_caches>();
  }

  void move(const float *from, float *to, size_t first, size_t last) {
    const float *__restrict st = step, *__restrict sp = span;
#pragma GCC unroll 4
    for (size_t i = first; i < last; i += lane_count)
      put<past_caches>(to + i, wrapped(load(from + i) + load(st + i), load(sp + i)));
  }

  void values(float *const *columns) const override {
    std::memcpy(columns[0], is_other ? other : offset, count * sizeof(float));
  }
};

// A marquee after a start time: blocks with entities that have not started go entity by entity.
struct Flow : Marquee<false> {
  static constexpr size_t block = 1024;
  Array<float> delay;
  std::vector<uint32_t> last_start;
  uint32_t now = 0;
  double tick_seconds;

  explicit Flow(const Input &in)
      : Marquee<false>(in), delay(count), last_start((count + block - 1) / block),
        tick_seconds(in.tick_seconds) {
    for (size_t i = 0; i < count; i++) {
      const double start = in.at(2, i) / in.tick_seconds;
      delay[i] = float(start);
      offset[i] = 0;
      last_start[i / block] = std::max(last_start[i / block], uint32_t(std::ceil(start)));
    }
  }

  void tick(float *const *) override {
    now++;
    for (size_t b = 0, first = 0; first < count; b++, first += block) {
      const size_t last = std::min(count, first + block);
      if (now > last_start[b]) {
        move(offset, offset, first, last);
        continue;
      }
      for (size_t i = first; i < last; i++)
        if (float(now) >= delay[i])
          offset[i] = std::fmod((float(now) - delay[i]) * step[i], float(span[i]));
    }
  }
};

// from + span * y, where y is the curve's height at the progress of the phase, there and back.
struct TweenColumns {
  size_t count;
  Array<uint32_t> phase, step;
  Array<float> from, span;

  explicit TweenColumns(const Input &in)
      : count(in.padded()), phase(count), step(count), from(count), span(count) {
    for (size_t i = 0; i < count; i++) {
      phase[i] = fixed_turns(in.at(3, i));
      step[i] = fixed_turns(in.tick_seconds / in.at(2, i));
      from[i] = float(in.at(0, i));
      span[i] = float(in.at(1, i) - in.at(0, i));
    }
  }
};

// x(s) = ((a s + b) s + c) s of a cubic Bézier curve from 0 to 1, for one coordinate.
struct Cubic {
  double a, b, c;
  Cubic(double p1, double p2) : a(1 + 3 * (p1 - p2)), b(3 * (p2 - 2 * p1)), c(3 * p1) {}
  double operator()(double s) const { return ((a * s + b) * s + c) * s; }
  double slope(double s) const { return (3 * a * s + 2 * b) * s + c; }
};

template <bool past_caches>
struct NewtonTween : Peer, TweenColumns {
  Cubic cx, cy;

  explicit NewtonTween(const Input &in)
      : TweenColumns(in), cx(in.columns[4][0], in.columns[4][2]),
        cy(in.columns[4][1], in.columns[4][3]) {}

  void tick(float *const *columns) override {
    float *__restrict x = columns[0];
    uint32_t *__restrict ph = phase;
    const uint32_t *__restrict st = step;
    const float *__restrict fr = from, *__restrict sp = span;
    const Lanes a = all(float(cx.a)), b = all(float(cx.b)), c = all(float(cx.c));
    const Lanes a3 = all(float(3 * cx.a)), b2 = all(float(2 * cx.b));
    const Lanes ya = all(float(cy.a)), yb = all(float(cy.b)), yc = all(float(cy.c));
#pragma GCC unroll 2
    for (size_t i = 0; i < count; i += lane_count) {
      const Words p = add(load(ph + i), load(st + i));
      store(ph + i, p);
      const Lanes progress = absolute(number(p)) * all(0x1p-31f);
      Lanes s = progress;
      // Two iterations leave 4·10^-8 of ease-in-out; the slope's reciprocal may be rough.
      for (int iteration = 0; iteration < 2; iteration++) {
        const Lanes miss = fma(fma(fma(a, s, b), s, c), s, all(0) - progress);
        const Lanes slope = fma(fma(a3, s, b2), s, c);
        s = s - miss * reciprocal(slope);
      }
      const Lanes height = fma(fma(ya, s, yb), s, yc) * s;
      put<past_caches>(x + i, fma(load(sp + i), height, load(fr + i)));
    }
    finish<past_caches>();
  }
};

#ifdef __AVX512F__
// The curve as 32 parabolas in six registers, looked up by permutations: off by 7·10^-6.
constexpr int segment_bits = 5, coefficient_count = 3;
struct Table {
  Lanes low[coefficient_count], high[coefficient_count];
  explicit Table(const float (*t)[1 << segment_bits]) {
    for (int k = 0; k < coefficient_count; k++) {
      low[k] = _mm512_loadu_ps(t[k]);
      high[k] = _mm512_loadu_ps(t[k] + 16);
    }
  }
  Lanes operator()(int k, Words index) const {
    return _mm512_permutex2var_ps(low[k], index, high[k]);
  }
};
#else
// The curve as 16 cubics, because registers are half as wide: each is two permutations and a choice.
constexpr int segment_bits = 4, coefficient_count = 4;
struct Table {
  Lanes low[coefficient_count], high[coefficient_count];
  explicit Table(const float (*t)[1 << segment_bits]) {
    for (int k = 0; k < coefficient_count; k++) {
      low[k] = _mm256_loadu_ps(t[k]);
      high[k] = _mm256_loadu_ps(t[k] + 8);
    }
  }
  Lanes operator()(int k, Words index) const {
    return choose(
      left(index, 28), _mm256_permutevar8x32_ps(high[k], index),
      _mm256_permutevar8x32_ps(low[k], index));
  }
};
#endif

template <bool past_caches, bool has_state>
struct TableTween : Peer, TweenColumns {
  float table[coefficient_count][1 << segment_bits];
  uint32_t now = 0;

  explicit TableTween(const Input &in) : TweenColumns(in) {
    const Cubic cx(in.columns[4][0], in.columns[4][2]), cy(in.columns[4][1], in.columns[4][3]);
    const int segments = 1 << segment_bits;
    for (int k = 0; k < segments; k++) fit(cx, cy, k, segments);
  }

  static double height(const Cubic &cx, const Cubic &cy, double progress) {
    double s = progress;
    for (int i = 0; i < 30; i++) s -= (cx(s) - progress) / cx.slope(s);
    return cy(s);
  }

  // A polynomial through Chebyshev's points of a segment, in powers of 1 + its fraction: a float in
  // [1, 2) is made from bits without a subtraction.
  void fit(const Cubic &cx, const Cubic &cy, int k, int segments) {
    const int n = coefficient_count;
    double at[n], rest[n], newton[n];
    for (int j = 0; j < n; j++) {
      at[j] = 1.5 - 0.5 * std::cos(M_PI * (j + 0.5) / n);
      rest[j] = height(cx, cy, (k + at[j] - 1) / segments);
    }
    for (int j = 0; j < n; j++) {
      newton[j] = rest[0];
      for (int m = 0; m + 1 < n - j; m++) rest[m] = (rest[m + 1] - rest[m]) / (at[m + j + 1] - at[m]);
    }
    double power[n] = {newton[n - 1]};
    for (int j = n - 2; j >= 0; j--) {
      for (int m = n - 1; m > 0; m--) power[m] = power[m - 1] - at[j] * power[m];
      power[0] = newton[j] - at[j] * power[0];
    }
    for (int m = 0; m < n; m++) table[m][k] = float(power[m]);
  }

  void tick(float *const *columns) override {
    float *__restrict x = columns[0];
    uint32_t *__restrict ph = phase;
    const uint32_t *__restrict st = step;
    const float *__restrict fr = from, *__restrict sp = span;
    const Table t(table);
    const Words elapsed = all_words(++now);
#pragma GCC unroll 2
    for (size_t i = 0; i < count; i += lane_count) {
      const Words p = has_state ? add(load(ph + i), load(st + i))
                                : add(load(ph + i), multiply(load(st + i), elapsed));
      if (has_state) store(ph + i, p);
      // There and back in 31 bits: the segment's number above, the fraction below.
      const Words way = differ(p, signs(p));
      const Words index = right(way, 31 - segment_bits);
      const Words bits = both(right(way, 8 - segment_bits), all_words(0x007fffff));
      const Lanes f = as_lanes(either(bits, all_words(0x3f800000)));
      Lanes height = t(coefficient_count - 1, index);
      for (int k = coefficient_count - 2; k >= 0; k--) height = fma(height, f, t(k, index));
      put<past_caches>(x + i, fma(load(sp + i), height, load(fr + i)));
    }
    finish<past_caches>();
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
      // In powers of two and in turns, for each 2^-31 of a period.
      decay[i] = float(-z * w * period * M_LOG2E * 0x1p-31);
      frequency[i] = float(w * root * period / (2 * M_PI) * 0x1p-31);
      quotient[i] = float(z / root);
    }
  }

  void tick(float *const *columns) override {
    float *__restrict x = columns[0];
    uint32_t *__restrict ph = phase;
    const uint32_t *__restrict st = step;
    const float *__restrict fr = from, *__restrict sp = span, *__restrict de = decay;
    const float *__restrict om = frequency, *__restrict qu = quotient;
    const Lanes magic = all(0x1.8p23f);
#pragma GCC unroll 2
    for (size_t i = 0; i < count; i += lane_count) {
      const Words p = add(load(ph + i), load(st + i));
      store(ph + i, p);
      const Lanes s = number(both(p, all_words(0x7fffffff)));
      const Lanes angle = s * load(om + i);
      Lanes sine, cosine;
      sine_and_cosine(angle - ((angle + magic) - magic), sine, cosine);
      const Lanes shape = fma(load(qu + i), sine, cosine) * power_of_two(s * load(de + i));
      // On the way there 1 - shape of the span, on the way back shape.
      const Lanes part = choose(p, shape, all(1.0f) - shape);
      put<past_caches>(x + i, fma(load(sp + i), part, load(fr + i)));
    }
    finish<past_caches>();
  }
};

// displacement and velocity times the exact matrix of a tick; restarts are set entity by entity, while a
// block's columns are in the cache, to the state of a tick earlier.
template <bool past_caches>
struct MatrixSpring : Peer {
  size_t count;
  Array<float> displacement, velocity, target, xx, xv, vx, vv;
  Array<Leg> legs;
  Calendar calendar;
  uint64_t now = 0;
  double tick_seconds;

  explicit MatrixSpring(const Input &in)
      : count(in.padded()), displacement(count), velocity(count), target(count), xx(count),
        xv(count), vx(count), vv(count), legs(count), calendar(count),
        tick_seconds(in.tick_seconds) {
    for (size_t i = 0; i < count; i++) {
      bool is_back;
      double elapsed;
      Leg &leg = legs[i] = first_leg(in, i, is_back, elapsed);
      if (is_back) std::swap(leg.from, leg.to);
      const double w = 2 * M_PI / in.at(2, i), z = in.at(3, i);
      const Motion start = released(w, z, elapsed), step = released(w, z, tick_seconds);
      const double distance = double(leg.from) - leg.to;
      target[i] = leg.to;
      displacement[i] = float(distance * start.displacement);
      velocity[i] = float(distance * start.velocity);
      // A unit of velocity is what a displacement of -1/w² would be, a quarter turn on.
      const double v = -step.velocity / (w * w);
      xx[i] = float(step.displacement);
      xv[i] = float(v);
      vx[i] = float(step.velocity);
      vv[i] = float(step.displacement - 2 * z * w * v);
      if (i < in.count) calendar.add(i, 0, leg.due);
    }
  }

  void restart(size_t i) {
    Leg &leg = legs[i];
    if (leg.due <= double(now)) {
      std::swap(leg.from, leg.to);
      const float elapsed = float((double(now) - leg.due - 1) * tick_seconds);
      const Motion motion = released_just_now(leg.w, leg.z, elapsed);
      target[i] = leg.to;
      displacement[i] = (leg.from - leg.to) * float(motion.displacement);
      velocity[i] = (leg.from - leg.to) * float(motion.velocity);
      leg.due += leg.period;
    }
    calendar.add(i, now, leg.due);
  }

  void tick(float *const *columns) override {
    now++;
    float *__restrict x = columns[0], *__restrict d = displacement, *__restrict v = velocity;
    const float *__restrict ta = target, *__restrict a = xx, *__restrict b = xv;
    const float *__restrict c = vx, *__restrict e = vv;
    for (size_t first = 0; first < count; first += Calendar::block) {
      uint16_t entity = calendar.take(first / Calendar::block, now);
      while (entity != Calendar::nobody) {
        const size_t i = first + entity;
        entity = calendar.next[i];
        restart(i);
      }
      const size_t last = std::min(count, first + Calendar::block);
#pragma GCC unroll 2
      for (size_t i = first; i < last; i += lane_count) {
        const Lanes od = load(d + i), ov = load(v + i);
        const Lanes nd = fma(load(a + i), od, load(b + i) * ov);
        store(d + i, nd);
        store(v + i, fma(load(c + i), od, load(e + i) * ov));
        put<past_caches>(x + i, load(ta + i) + nd);
      }
    }
    finish<past_caches>();
  }
};

// Keyframes at eight ticks at once, into frames of its own. Phases are set again from exact ones once in 256 ticks, so
// they do not drift.
struct TrackColumns : Peer {
  static constexpr size_t ticks = 8;
  size_t count;
  uint64_t now = 0;
  Array<uint32_t> phase, step;
  Array<uint64_t> exact;
  Array<float> frames;

  TrackColumns(const Input &in, const Rounds &rounds)
      : count(in.padded()), phase(count), step(count), exact(count), frames(count * ticks) {
    for (size_t i = 0; i < count; i++) {
      const double turns = in.tick_seconds / rounds.seconds(rounds.course(i));
      exact[i] = uint64_t(turns * 0x1p64);
      step[i] = uint32_t((exact[i] + 0x80000000u) >> 32);
    }
  }

  void begin_tile() {
    if (now % 256 == 0)
      for (size_t i = 0; i < count; i++) phase[i] = uint32_t(exact[i] * now >> 32);
    now += ticks;
  }

  void values(float *const *columns) const override {
    std::memcpy(columns[0], frames + (ticks - 1) * count, count * sizeof(float));
  }

  // The upper 24 bits of phases, in turns.
  static Lanes turns24(Words phase) { return number(right(phase, 8)) * all(0x1p-24f); }
};

// Both segments of a round are in columns: a choice between them for each coefficient.
template <bool past_caches>
struct TwoSegments : TrackColumns {
  Array<float> border, coefficients;

  explicit TwoSegments(const Input &in) : TwoSegments(in, Rounds(in, 2)) {}
  TwoSegments(const Input &in, const Rounds &rounds)
      : TrackColumns(in, rounds), border(count), coefficients(count * 8) {
    for (size_t i = 0; i < count; i++)
      for (int key = 0; key < 2; key++) {
        const Segment segment(rounds, rounds.course(i), key);
        border[i] = segment.start;
        for (int k = 0; k < 4; k++) coefficients[(key * 4 + k) * count + i] = segment.c[k];
      }
  }

  void tick(float *const *) override {
    begin_tile();
    uint32_t *__restrict ph = phase;
    const uint32_t *__restrict st = step;
    const float *__restrict bo = border, *__restrict co = coefficients;
    float *__restrict out = frames;
    for (size_t i = 0; i < count; i += lane_count) {
      Words p = load(ph + i);
      const Words s = load(st + i);
      const Lanes b = load(bo + i);
      Lanes first[4], second[4];
      for (size_t k = 0; k < 4; k++)
        first[k] = load(co + k * count + i), second[k] = load(co + (k + 4) * count + i);
#pragma GCC unroll 8
      for (size_t t = 0; t < ticks; t++) {
        p = add(p, s);
        const Lanes turn = turns24(p), since = turn - b;
        const Words is_first = as_words(since);
        const Lanes u = choose(is_first, turn, since);
        Lanes v = choose(is_first, first[3], second[3]);
        for (int k = 2; k >= 0; k--) v = fma(v, u, choose(is_first, first[k], second[k]));
        put<past_caches>(out + t * count + i, v);
      }
      store(ph + i, p);
    }
    finish<past_caches>();
  }
};

// The segment of each track is in columns, and taken anew where it has ended.
template <int segments, bool past_caches>
struct CachedSegments : TrackColumns {
  std::vector<Segment> all;
  std::vector<uint32_t> first_segment;
  std::vector<uint8_t> key;
  Array<float> start, end, coefficients;

  explicit CachedSegments(const Input &in) : CachedSegments(in, Rounds(in, segments)) {}
  CachedSegments(const Input &in, const Rounds &rounds)
      : TrackColumns(in, rounds), first_segment(count), key(count), start(count), end(count),
        coefficients(count * 4) {
    for (size_t course = 0; course < rounds.count; course++)
      for (int k = 0; k < segments; k++) all.emplace_back(rounds, course, k);
    for (size_t i = 0; i < count; i++) {
      first_segment[i] = uint32_t(rounds.course(i) * segments);
      take(i, 0);
    }
  }

  void take(size_t i, int k) {
    const Segment &segment = all[first_segment[i] + k];
    key[i] = uint8_t(k), start[i] = segment.start, end[i] = segment.end;
    for (int c = 0; c < 4; c++) coefficients[c * count + i] = segment.c[c];
  }

  void find(size_t first, uint32_t lanes, Words phases) {
    alignas(64) uint32_t turns[lane_count];
    store(turns, right(phases, 8));
    for (; lanes; lanes &= lanes - 1) {
      const size_t lane = __builtin_ctz(lanes), i = first + lane;
      const float turn = float(turns[lane]) * 0x1p-24f;
      const Segment *segment = &all[first_segment[i]];
      int k = turn < start[i] ? 0 : key[i];
      while (k + 1 < segments && segment[k].end <= turn) k++;
      take(i, k);
    }
  }

  void tick(float *const *) override {
    begin_tile();
    uint32_t *ph = phase;
    const uint32_t *st = step;
    const float *from = start, *to = end, *co = coefficients;
    float *out = frames;
    for (size_t i = 0; i < count; i += lane_count) {
      Words p = load(ph + i);
      const Words s = load(st + i);
      Lanes a = load(from + i), b = load(to + i), c[4];
      for (size_t k = 0; k < 4; k++) c[k] = load(co + k * count + i);
      for (size_t t = 0; t < ticks; t++) {
        p = add(p, s);
        const Lanes turn = turns24(p), u = turn - a;
        const uint32_t others = ~sign_mask(as_words(turn - b)) | sign_mask(as_words(u));
        if (others & all_lanes) {
          find(i, others & all_lanes, p);
          a = load(from + i), b = load(to + i);
          for (size_t k = 0; k < 4; k++) c[k] = load(co + k * count + i);
        }
        const Lanes since = turn - a;
        put<past_caches>(
          out + t * count + i, fma(fma(fma(c[3], since, c[2]), since, c[1]), since, c[0]));
      }
      store(ph + i, p);
    }
    finish<past_caches>();
  }
};

#define TRACKS(kind, segments)                                                     \
  {kind, "", 1, 4, 4, 6, false, create<CachedSegments<segments, false>>, 8},       \
    {kind, "streamed", 1, 4, 4, 6, false, create<CachedSegments<segments, true>>, 8}
#define TWO_SEGMENTS(kind)                                                         \
  {kind, "", 5, 1, 4, 6, false, create<TwoSegments<false>>, 8},                    \
    {kind, "streamed", 5, 1, 4, 6, false, create<TwoSegments<true>>, 8}

const Variant variants[] = {
  {"orbit", "", 8, 4, 8, 25, false, create<Orbit<false, false>>},
  {"orbit", "streamed", 8, 4, 8, 25, false, create<Orbit<true, false>>},
  {"orbit", "with centre", 16, 4, 8, 27, true, create<Orbit<false, true>>},
  {"orbit", "stateless", 12, 0, 8, 26, false, create<StatelessOrbit<false>>},
  {"orbit", "stateless, streamed", 12, 0, 8, 26, false, create<StatelessOrbit<true>>},
  {"orbit", "turned in place", 8, 8, 0, 6, false, create<TurningOrbit>},
  {"marquee", "in place", 8, 4, 0, 2, false, create<Marquee<false>>},
  {"marquee", "streamed", 12, 0, 4, 2, false, create<Marquee<true>>},
  {"flow", "in place", 8, 4, 0, 2, false, create<Flow>},
  {"tween", "table", 12, 4, 4, 8, false, create<TableTween<false, true>>},
  {"tween", "table, streamed", 12, 4, 4, 8, false, create<TableTween<true, true>>},
  {"tween", "table, stateless", 16, 0, 4, 9, false, create<TableTween<false, false>>},
  {"tween", "table, stateless, streamed", 16, 0, 4, 9, false, create<TableTween<true, false>>},
  {"tween", "Newton", 12, 4, 4, 28, false, create<NewtonTween<false>>},
  {"spring", "matrix", 20, 8, 4, 8, false, create<MatrixSpring<false>>},
  {"spring", "matrix, streamed", 20, 8, 4, 8, false, create<MatrixSpring<true>>},
  {"spring", "closed form", 24, 4, 4, 44, false, create<ClosedSpring<false>>},
  TWO_SEGMENTS("keyframes-2"), TRACKS("keyframes-4", 4), TRACKS("keyframes-16", 16),
  TWO_SEGMENTS("own-keyframes-2"), TRACKS("own-keyframes-4", 4), TRACKS("own-keyframes-16", 16),
};
const int32_t variant_count = sizeof(variants) / sizeof(*variants);
