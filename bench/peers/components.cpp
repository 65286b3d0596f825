// SPDX-License-Identifier: Apache-2.0
//
// "Entity-component arrays": the way of entity-component systems such as flecs and EnTT, with typical
// components. Entities with the same components form an archetype; each component is an array of
// structures; a system is a function that is called for each entity, with std::sin, std::exp and
// natural branches. No library: Debian has neither. -O3 -march=native.
//
//   orbit 28 bytes of components in, 12 out; marquee 12 in place; tween 24; spring 36; keyframes 24

#include "peer.h"
#include "springs.h"
#include "tracks.h"

#include <tuple>

// All entities with exactly these components.
template <class... Components>
struct Archetype {
  size_t count;
  std::tuple<std::vector<Components>...> arrays;
  explicit Archetype(size_t count) : count(count), arrays(std::vector<Components>(count)...) {}

  template <class C>
  C &get(size_t entity) {
    return std::get<std::vector<C>>(arrays)[entity];
  }
  template <class System>
  void each(const System &system) {
    for (size_t i = 0; i < count; i++) system(std::get<std::vector<Components>>(arrays)[i]...);
  }
};

struct Position {
  float x, y;
};
struct Velocity {
  float value;
};
struct Circle {
  float cx, cy, radius, angle, speed;
};
struct Window {
  float span;
};
struct Start {
  float time;
};
struct Clock {
  float time, duration;
};
struct Ends {
  float from, to;
};
struct Damping {
  float decay, frequency, quotient;
};

struct OrbitPeer : Peer {
  Archetype<Position, Circle> world;
  float seconds;
  explicit OrbitPeer(const Input &in) : world(in.count), seconds(float(in.tick_seconds)) {
    for (size_t i = 0; i < in.count; i++)
      world.get<Circle>(i) = {float(in.at(0, i)), float(in.at(1, i)), float(in.at(2, i)),
                              float(2 * M_PI * in.at(4, i)), float(2 * M_PI / in.at(3, i))};
  }
  void tick(float *const *) override {
    world.each([dt = seconds](Position &p, Circle &c) {
      c.angle += c.speed * dt;
      if (c.angle >= float(2 * M_PI)) c.angle -= float(2 * M_PI);
      p.x = c.cx + c.radius * std::cos(c.angle);
      p.y = c.cy + c.radius * std::sin(c.angle);
    });
  }
  void values(float *const *columns) const override {
    const auto &positions = std::get<0>(world.arrays);
    for (size_t i = 0; i < world.count; i++)
      columns[0][i] = positions[i].x, columns[1][i] = positions[i].y;
  }
};

// Base of kinds that only move x.
template <class... Components>
struct SidewaysPeer : Peer {
  Archetype<Position, Components...> world;
  float seconds;
  explicit SidewaysPeer(const Input &in) : world(in.count), seconds(float(in.tick_seconds)) {}
  void values(float *const *columns) const override {
    const auto &positions = std::get<0>(world.arrays);
    for (size_t i = 0; i < world.count; i++) columns[0][i] = positions[i].x;
  }
};

struct MarqueePeer : SidewaysPeer<Velocity, Window> {
  explicit MarqueePeer(const Input &in) : SidewaysPeer(in) {
    for (size_t i = 0; i < in.count; i++) {
      world.get<Velocity>(i) = {float(in.at(0, i))};
      world.get<Window>(i) = {float(in.at(1, i))};
      world.get<Position>(i).x = float(in.at(2, i) * in.at(1, i));
    }
  }
  void tick(float *const *) override {
    world.each([dt = seconds](Position &p, const Velocity &v, const Window &w) {
      p.x += v.value * dt;
      if (p.x >= w.span) p.x -= w.span;
    });
  }
};

struct FlowPeer : SidewaysPeer<Velocity, Window, Start> {
  explicit FlowPeer(const Input &in) : SidewaysPeer(in) {
    for (size_t i = 0; i < in.count; i++) {
      world.get<Velocity>(i) = {float(in.at(0, i))};
      world.get<Window>(i) = {float(in.at(1, i))};
      world.get<Start>(i) = {float(in.at(2, i))};
    }
  }
  void tick(float *const *) override {
    world.each([dt = seconds](Position &p, const Velocity &v, const Window &w, Start &s) {
      if (s.time > dt) {
        s.time -= dt;
        return;
      }
      p.x += v.value * (dt - s.time);
      s.time = 0;
      if (p.x >= w.span) p.x -= w.span;
    });
  }
};

struct TweenPeer : SidewaysPeer<Clock, Ends> {
  float ax, bx, cx, ay, by, cy;
  explicit TweenPeer(const Input &in) : SidewaysPeer(in) {
    const double *curve = in.columns[4];
    cx = float(3 * curve[0]), bx = float(3 * (curve[2] - curve[0])) - cx, ax = 1 - cx - bx;
    cy = float(3 * curve[1]), by = float(3 * (curve[3] - curve[1])) - cy, ay = 1 - cy - by;
    for (size_t i = 0; i < in.count; i++) {
      world.get<Clock>(i) = {float(in.at(3, i) * in.at(2, i)), float(in.at(2, i))};
      world.get<Ends>(i) = {float(in.at(0, i)), float(in.at(1, i))};
    }
  }
  void tick(float *const *) override {
    world.each([this](Position &p, Clock &c, const Ends &e) {
      c.time += seconds;
      if (c.time >= c.duration) c.time -= c.duration;
      const float turns = 2 * c.time / c.duration;
      const float progress = turns <= 1 ? turns : 2 - turns;
      float s = progress;
      for (int k = 0; k < 8; k++) {
        const float miss = ((ax * s + bx) * s + cx) * s - progress;
        if (std::fabs(miss) < 1e-6f) break;
        s -= miss / ((3 * ax * s + 2 * bx) * s + cx);
      }
      p.x = e.from + (e.to - e.from) * (((ay * s + by) * s + cy) * s);
    });
  }
};

struct SpringPeer : SidewaysPeer<Clock, Ends, Damping> {
  explicit SpringPeer(const Input &in) : SidewaysPeer(in) {
    for (size_t i = 0; i < in.count; i++) {
      const double w = 2 * M_PI / in.at(2, i), z = in.at(3, i), phase = in.at(5, i);
      const double root = std::sqrt(1 - z * z);
      world.get<Clock>(i) = {
        float((phase - std::floor(phase)) * in.at(4, i)), float(in.at(4, i))};
      Ends &e = world.get<Ends>(i) = {float(in.at(0, i)), float(in.at(1, i))};
      if (phase >= 1) std::swap(e.from, e.to);
      world.get<Damping>(i) = {float(z * w), float(root * w), float(z / root)};
    }
  }
  void tick(float *const *) override {
    world.each([dt = seconds](Position &p, Clock &c, Ends &e, const Damping &d) {
      c.time += dt;
      if (c.time >= c.duration) {
        c.time -= c.duration;
        std::swap(e.from, e.to);
      }
      const float angle = d.frequency * c.time;
      const float shape =
        std::exp(-d.decay * c.time) * (std::cos(angle) + d.quotient * std::sin(angle));
      p.x = e.to + (e.from - e.to) * shape;
    });
  }
};

struct Course {
  uint32_t first, at;
};

template <int segments>
struct KeyframePeer : SidewaysPeer<Clock, Course> {
  std::vector<Segment> all;
  explicit KeyframePeer(const Input &in) : SidewaysPeer(in) {
    const Rounds rounds(in, segments);
    for (size_t course = 0; course < rounds.count; course++)
      for (int key = 0; key < segments; key++) all.emplace_back(rounds, course, key);
    for (size_t i = 0; i < in.count; i++) {
      world.get<Clock>(i) = {0, float(rounds.seconds(rounds.course(i)))};
      world.get<Course>(i) = {uint32_t(rounds.course(i) * segments), 0};
    }
  }
  void tick(float *const *) override {
    world.each([this](Position &p, Clock &c, Course &course) {
      c.time += seconds;
      if (c.time >= c.duration) c.time -= c.duration, course.at = 0;
      const float turn = c.time / c.duration;
      while (course.at + 1 < segments && all[course.first + course.at].end <= turn) course.at++;
      const Segment &s = all[course.first + course.at];
      const float u = turn - s.start;
      p.x = ((s.c[3] * u + s.c[2]) * u + s.c[1]) * u + s.c[0];
    });
  }
};

const Variant variants[] = {
  {"orbit", "", 16, 12, 0, 0, true, create<OrbitPeer>},
  {"marquee", "", 8, 8, 0, 3, false, create<MarqueePeer>},
  {"flow", "", 8, 12, 0, 4, false, create<FlowPeer>},
  {"tween", "Newton", 8, 16, 0, 28, false, create<TweenPeer>},
  {"spring", "closed form", 12, 24, 0, 0, false, create<SpringPeer>},
  {"keyframes-2", "", 8, 20, 0, 7, false, create<KeyframePeer<2>>},
  {"keyframes-4", "", 8, 20, 0, 7, false, create<KeyframePeer<4>>},
  {"keyframes-16", "", 8, 20, 0, 7, false, create<KeyframePeer<16>>},
  {"own-keyframes-2", "", 8, 20, 0, 7, false, create<KeyframePeer<2>>},
  {"own-keyframes-4", "", 8, 20, 0, 7, false, create<KeyframePeer<4>>},
  {"own-keyframes-16", "", 8, 20, 0, 7, false, create<KeyframePeer<16>>},
};
const int32_t variant_count = sizeof(variants) / sizeof(*variants);
