// SPDX-License-Identifier: Apache-2.0
//
// Shared by peers of keyframes: rounds whose segments are cubics that begin and end at rest.

#ifndef ORRERY_PEER_TRACKS_H
#define ORRERY_PEER_TRACKS_H

#include "peer.h"

// The courses of an input; see peer.h.
struct Rounds {
  const Input &in;
  int segments;
  size_t count;

  Rounds(const Input &in, int segments) : in(in), segments(segments), count(0) {
    for (size_t i = 0; i < in.count; i++) count = std::max(count, course(i) + 1);
  }

  size_t course(size_t entity) const { return size_t(in.at(0, entity)); }
  double seconds(size_t course) const { return in.columns[1][course]; }
  // In turns; the keyframe after the last segment ends the round, with the first one's value.
  double start(size_t course, int key) const {
    return key == segments ? 1 : in.columns[2][course * segments + key];
  }
  double value(size_t course, int key) const {
    return in.columns[3][course * segments + key % segments];
  }
  // The value at a part of the round.
  double at(size_t course, double turn) const {
    int key = 0;
    while (key + 1 < segments && start(course, key + 1) <= turn) key++;
    const double from = start(course, key), u = (turn - from) / (start(course, key + 1) - from);
    const double change = value(course, key + 1) - value(course, key);
    return value(course, key) + change * u * u * (3 - 2 * u);
  }
};

// A segment: c0 + c1 u + c2 u^2 + c3 u^3, where u is the turns since its start.
struct Segment {
  float start, end, c[4];
  Segment(const Rounds &rounds, size_t course, int key)
      : start(float(rounds.start(course, key))), end(float(rounds.start(course, key + 1))) {
    const double length = rounds.start(course, key + 1) - rounds.start(course, key);
    const double change = rounds.value(course, key + 1) - rounds.value(course, key);
    c[0] = float(rounds.value(course, key)), c[1] = 0;
    c[2] = float(3 * change / (length * length));
    c[3] = float(-2 * change / (length * length * length));
  }
};

#endif
