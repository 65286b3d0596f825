// SPDX-License-Identifier: Apache-2.0
//
// "C++ changes": springs that are all interrupted in one tick, and animations that all end in one, for `bench views`.
// Each call is such a tick, a fifth of a second after the one before it.
//
//   retarget   objects         on the heap, closed form: value and velocity now, then the coefficients of what comes
//              closed form     the same in arrays, for the compiler's vectors
//              stepped         arrays that are stepped at every tick: a change is a store, each tick costs more
//   complete   objects         each calls its completion, and is handed to a free list
//              column          the number of each is appended to a column, and its lane is cleared

#include "peer.h"

#include <functional>
#include <memory>

namespace {

constexpr double response = 0.5, call_seconds = 0.2;
constexpr double damping_ratio = 0.8;

// A spring to `target`: displacement d and velocity v at `start`.
//   x(t) = target + e^(-a t) (d cos(q t) + s sin(q t)),   s = (v + a d) / q
struct ClosedForm {
  double start, target, d, s, end;

  static constexpr double w = 2 * M_PI / response, a = damping_ratio * w;
  static double q() { return w * std::sqrt(1 - damping_ratio * damping_ratio); }

  double at(double now) const {
    const double t = now - start;
    return target + std::exp(-a * t) * (d * std::cos(q() * t) + s * std::sin(q() * t));
  }

  // Goes on from its value and velocity; a thousandth of the way remains at `end`.
  void retarget(double now, double next) {
    const double t = now - start, e = std::exp(-a * t), c = std::cos(q() * t), i = std::sin(q() * t);
    const double x = target + e * (d * c + s * i);
    const double v = e * ((s * q() - a * d) * c - (d * q() + a * s) * i);
    start = now, target = next, d = x - next, s = (v + a * d) / q();
    end = now + std::log((std::fabs(d) + std::fabs(s)) * 1000 / (std::fabs(d) + 1e-9)) / a;
  }
};

struct Animation {
  virtual ~Animation() {}
  virtual void retarget(double now, double next) = 0;
  virtual double at(double now) const = 0;
};

struct SpringAnimation : Animation {
  ClosedForm spring{0, 0, -100, 0, 0};
  void retarget(double now, double next) override { spring.retarget(now, next); }
  double at(double now) const override { return spring.at(now); }
};

// The target of a call: springs turn round at each.
double target(size_t entity, uint64_t call) { return call % 2 ? 0 : 100 + double(entity % 97); }

struct Objects : Peer {
  std::vector<std::unique_ptr<Animation>> all;
  uint64_t calls = 0;
  explicit Objects(const Input &in) {
    for (size_t k = 0; k < in.count; k++) all.push_back(std::make_unique<SpringAnimation>());
  }
  void tick(float *const *) override {
    const double now = double(++calls) * call_seconds;
    for (size_t k = 0; k < all.size(); k++) all[k]->retarget(now, target(k, calls));
  }
  void values(float *const *columns) const override {
    for (size_t k = 0; k < all.size(); k++)
      columns[0][k] = float(all[k]->at(double(calls) * call_seconds));
  }
};

struct Arrays : Peer {
  size_t count;
  Array<double> start, to, d, s, end;
  uint64_t calls = 0;
  explicit Arrays(const Input &in)
      : count(in.padded()), start(count), to(count), d(count), s(count), end(count) {
    for (size_t k = 0; k < count; k++) d[k] = -100;
  }
  void tick(float *const *) override {
    const double now = double(++calls) * call_seconds;
    double *__restrict st = start, *__restrict ta = to, *__restrict di = d, *__restrict si = s,
                       *__restrict en = end;
    for (size_t k = 0; k < count; k++) {
      ClosedForm spring{st[k], ta[k], di[k], si[k], en[k]};
      spring.retarget(now, target(k, calls));
      st[k] = spring.start, ta[k] = spring.target, di[k] = spring.d, si[k] = spring.s;
      en[k] = spring.end;
    }
  }
  void values(float *const *columns) const override {
    for (size_t k = 0; k < count; k++)
      columns[0][k] =
        float(ClosedForm{start[k], to[k], d[k], s[k], end[k]}.at(double(calls) * call_seconds));
  }
};

struct Stepped : Peer {
  size_t count;
  Array<float> to, x, v;
  uint64_t calls = 0;
  explicit Stepped(const Input &in) : count(in.padded()), to(count), x(count), v(count) {
    for (size_t k = 0; k < count; k++) x[k] = -100;
  }
  void tick(float *const *) override {
    calls++;
    float *__restrict target_of = to;
    for (size_t k = 0; k < count; k++) target_of[k] = float(target(k, calls));
  }
  // Its ticks are not timed: they would be a row of springs.
  void values(float *const *columns) const override {
    for (size_t k = 0; k < count; k++) columns[0][k] = x[k];
  }
};

struct CompleteObjects : Peer {
  struct Running {
    std::function<void()> completion;
    bool is_running = true;
  };
  std::vector<std::unique_ptr<Running>> all;
  std::vector<Running *> idle;
  size_t completed = 0;
  explicit CompleteObjects(const Input &in) {
    for (size_t k = 0; k < in.count; k++) {
      all.push_back(std::make_unique<Running>());
      all.back()->completion = [this, k] { completed += k | 1; };
    }
    idle.reserve(in.count);
  }
  void tick(float *const *) override {
    idle.clear();
    for (auto &running : all) {
      running->completion();
      running->is_running = false;
      idle.push_back(running.get());
    }
  }
  void values(float *const *columns) const override { columns[0][0] = float(completed); }
};

struct CompleteColumn : Peer {
  struct Completed {
    double time;
    uint32_t completion, view;
  };
  size_t count;
  Array<Completed> column;
  Array<float> span;
  Array<uint32_t> completion_of;
  uint64_t calls = 0;
  explicit CompleteColumn(const Input &in)
      : count(in.padded()), column(count), span(count), completion_of(count) {
    for (size_t k = 0; k < count; k++) completion_of[k] = uint32_t(k);
  }
  void tick(float *const *) override {
    const double now = double(++calls) * call_seconds;
    Completed *__restrict to = column;
    float *__restrict sp = span;
    const uint32_t *__restrict of = completion_of;
    for (size_t k = 0; k < count; k++) {
      to[k] = {now, of[k], uint32_t(k)};
      sp[k] = 0;
    }
  }
  void values(float *const *columns) const override {
    for (size_t k = 0; k < count; k++) columns[0][k] = float(column[k].view);
  }
};

}  // namespace

const Variant variants[] = {
  {"retarget", "objects", 0, 0, 0, 40, false, create<Objects>},
  {"retarget", "closed form", 0, 40, 0, 40, false, create<Arrays>},
  {"retarget", "stepped", 0, 0, 4, 2, false, create<Stepped>},
  {"complete", "objects", 0, 0, 0, 1, false, create<CompleteObjects>},
  {"complete", "column", 4, 0, 20, 0, false, create<CompleteColumn>},
};
const int32_t variant_count = sizeof(variants) / sizeof(*variants);
