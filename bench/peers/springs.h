// SPDX-License-Identifier: Apache-2.0
//
// Shared by spring peers: the exact solution of an underdamped spring, and a calendar of restarts.

#ifndef ORRERY_PEER_SPRINGS_H
#define ORRERY_PEER_SPRINGS_H

#include "peer.h"

#include <vector>

// Displacement and velocity per unit of displacement at time 0, with velocity 0 at time 0.
struct Motion {
  double displacement, velocity;
};

// Frequency w in 1/s, damping ratio z < 1, time in s.
inline Motion released(double w, double z, double time) {
  const double root = std::sqrt(1 - z * z);
  const double angle = w * root * time;
  const double decay = std::exp(-z * w * time), sine = std::sin(angle) / root;
  return {decay * (std::cos(angle) + z * sine), -decay * w * sine};
}

// The same as a power series, for times of up to 0.4 radians forward or back. A restart needs it,
// because it lies between two ticks.
inline Motion released_just_now(float w, float z, float time) {
  const float a = w * time;
  if (std::fabs(a) > 0.4f) return released(w, z, time);
  // y'' = -2 z y' - y, with time in radians; d2 ... d6 are y's derivatives at 0.
  const float b = 2 * z;
  const float d2 = -1, d3 = -b * d2, d4 = -b * d3 - d2, d5 = -b * d4 - d3, d6 = -b * d5 - d4;
  const float y =
    1 + a * a * (d2 / 2 + a * (d3 / 6 + a * (d4 / 24 + a * (d5 / 120 + a * d6 / 720))));
  const float v = a * (d2 + a * (d3 / 2 + a * (d4 / 6 + a * (d5 / 24 + a * d6 / 120))));
  return {y, v * w};
}

// The entities that restart in each tick, for each block: lists in a ring of ticks.
struct Calendar {
  static constexpr size_t block = 1024, ticks = 512;
  static constexpr uint16_t nobody = 0xffff;

  explicit Calendar(size_t count)
      : heads((count + block - 1) / block * ticks, nobody), next(count, nobody) {}

  // Adds an entity that is due at a later tick. A tick beyond the ring becomes the ring's last, where
  // the entity is added again.
  void add(size_t entity, uint64_t now, double due_tick) {
    const uint64_t at = uint64_t(std::ceil(due_tick));
    const uint64_t tick = at <= now ? now + 1 : at < now + ticks ? at : now + ticks - 1;
    uint16_t &head = heads[entity / block * ticks + tick % ticks];
    next[entity] = head;
    head = uint16_t(entity % block);
  }

  // Takes the list of a block's tick: entities of the block, chained by `next`.
  uint16_t take(size_t block_index, uint64_t tick) {
    uint16_t &head = heads[block_index * ticks + tick % ticks];
    const uint16_t first = head;
    head = nobody;
    return first;
  }

private:
  std::vector<uint16_t> heads;

public:
  std::vector<uint16_t> next;
};

// The parameters of a spring that only a restart needs.
struct Leg {
  float from, to, w, z;
  // Ticks: when the next leg begins, and from one to the next.
  double due, period;
};

inline Leg first_leg(const Input &input, size_t entity, bool &is_back, double &elapsed) {
  const double period = input.at(4, entity), phase = input.at(5, entity);
  is_back = phase >= 1;
  elapsed = (phase - std::floor(phase)) * period;
  return {float(input.at(0, entity)), float(input.at(1, entity)),
          float(2 * M_PI / input.at(2, entity)), float(input.at(3, entity)),
          (period - elapsed) / input.tick_seconds, period / input.tick_seconds};
}

#endif
