// SPDX-License-Identifier: Apache-2.0
//
// The pipeline as one would put it together from parts: components in dense arrays, as EnTT's groups keep them, one
// pass of each system in a tick; the frame as a protobuf message; ZeroMQ's PUB.
//
//   whole <endpoint> <entities> <rate> <seconds>
//
// Half of the entities are marquees and half orbits, as in the scene `stress`. It waits for a subscriber (XPUB tells of
// it), then ticks until the seconds are over, sends an empty message, and prints a line of JSON: ticks, late ones, and
// the nanoseconds of computing, encoding and sending as medians.
//
//   message Frame { uint64 tick = 1; uint64 due_ns = 2; repeated float offset = 3; repeated float x = 4;
//                   repeated float y = 5; }
//
// The fields are packed: generated code copies them as here, a tag, a length and the floats as they lie in memory.

#include <time.h>
#include <zmq.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

struct Marquee { float speed, span, phase; };
struct Offset { float value; };
struct Orbit { float centerX, centerY, radius, turnsPerSecond, phase; };
struct Position { float x, y; };

/// All entities that have the same components, in dense arrays of the same order: what a full-owning group is.
struct Marquees { std::vector<Marquee> specs; std::vector<Offset> offsets; };
struct Orbits { std::vector<Orbit> specs; std::vector<Position> positions; };

uint64_t now() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return uint64_t(time.tv_sec) * 1'000'000'000u + uint64_t(time.tv_nsec);
}

void sleepUntil(uint64_t ns) {
  timespec time{time_t(ns / 1'000'000'000u), long(ns % 1'000'000'000u)};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nullptr) != 0) {}
}

void check(bool isRight) {
  if (isRight) return;
  std::fprintf(stderr, "whole: %s\n", zmq_strerror(zmq_errno()));
  std::exit(69);
}

void update(Marquees &all, float seconds) {
  for (size_t index = 0; index < all.specs.size(); ++index) {
    const Marquee &spec = all.specs[index];
    const float way = spec.phase + spec.speed * seconds;
    all.offsets[index].value = way - spec.span * std::floor(way / spec.span);
  }
}

void update(Orbits &all, float seconds) {
  for (size_t index = 0; index < all.specs.size(); ++index) {
    const Orbit &spec = all.specs[index];
    const float angle = 6.2831853f * (spec.phase + spec.turnsPerSecond * seconds);
    all.positions[index] = {spec.centerX + spec.radius * std::cos(angle), spec.centerY + spec.radius * std::sin(angle)};
  }
}

void varint(std::string &out, uint64_t value) {
  for (; value >= 128; value >>= 7) out.push_back(char(value | 128));
  out.push_back(char(value));
}

/// Begins a packed field of floats, and returns where they go; they need not be aligned.
float *packed(std::string &out, int field, size_t count) {
  varint(out, uint64_t(field) << 3 | 2);
  varint(out, count * 4);
  const size_t at = out.size();
  out.resize(at + count * 4);
  return reinterpret_cast<float *>(out.data() + at);
}

void encode(std::string &out, uint64_t tick, uint64_t due, const Marquees &marquees, const Orbits &orbits) {
  out.clear();
  varint(out, 1 << 3);
  varint(out, tick);
  varint(out, 2 << 3);
  varint(out, due);
  std::memcpy(packed(out, 3, marquees.offsets.size()), marquees.offsets.data(), marquees.offsets.size() * 4);
  for (int axis = 0; axis < 2; ++axis) {
    float *to = packed(out, 4 + axis, orbits.positions.size());
    for (size_t index = 0; index < orbits.positions.size(); ++index) {
      // Floats of a message are not aligned.
      std::memcpy(to + index, axis == 0 ? &orbits.positions[index].x : &orbits.positions[index].y, 4);
    }
  }
}

uint64_t median(std::vector<uint64_t> values) {
  if (values.empty()) return 0;
  std::nth_element(values.begin(), values.begin() + long(values.size() / 2), values.end());
  return values[values.size() / 2];
}

}  // namespace

int main(int count, char **words) {
  if (count != 5) {
    std::fprintf(stderr, "usage: whole ENDPOINT ENTITIES RATE SECONDS\n");
    return 64;
  }
  const size_t entities = std::strtoul(words[2], nullptr, 10);
  const double rate = std::atof(words[3]), seconds = std::atof(words[4]);
  uint32_t state = 1;
  const auto random = [&state](float from, float to) {
    state = state * 1664525u + 1013904223u;
    return from + (to - from) * float(state >> 8) / float(1 << 24);
  };
  Marquees marquees;
  Orbits orbits;
  for (size_t index = 0; index < entities / 2; ++index) {
    marquees.specs.push_back({random(10, 120), random(40, 400), random(0, 40)});
    orbits.specs.push_back({random(0, 1280), random(0, 720), random(4, 60), 1 / random(10, 100), random(0, 1)});
  }
  marquees.offsets.resize(entities / 2);
  orbits.positions.resize(entities / 2);

  void *context = zmq_ctx_new();
  void *socket = zmq_socket(context, ZMQ_XPUB);
  check(socket != nullptr);
  // Room for a second of frames: as a ring has, more would only be later.
  const int room = int(rate);
  check(zmq_setsockopt(socket, ZMQ_SNDHWM, &room, sizeof room) == 0);
  check(zmq_bind(socket, words[1]) == 0);
  char joined[16];
  check(zmq_recv(socket, joined, sizeof joined, 0) > 0);

  std::string frame;
  std::vector<uint64_t> computed, encoded, sent;
  const uint64_t tickNs = uint64_t(1e9 / rate), ticks = uint64_t(seconds * rate), begin = now() + tickNs;
  uint64_t late = 0;
  for (uint64_t tick = 0; tick < ticks; ++tick) {
    const uint64_t due = begin + tick * tickNs;
    sleepUntil(due);
    const uint64_t first = now();
    late += first > due + tickNs;
    const float at = float(double(tick) / rate);
    update(marquees, at);
    update(orbits, at);
    const uint64_t second = now();
    encode(frame, tick, due, marquees, orbits);
    const uint64_t third = now();
    check(zmq_send(socket, frame.data(), frame.size(), 0) >= 0);
    computed.push_back(second - first);
    encoded.push_back(third - second);
    sent.push_back(now() - third);
  }
  check(zmq_send(socket, "", 0, 0) >= 0);
  std::printf("{\"ticks\":%lu,\"late\":%lu,\"compute_ns\":%lu,\"encode_ns\":%lu,\"send_ns\":%lu,\"bytes\":%zu}\n", ticks,
              late, median(computed), median(encoded), median(sent), frame.size());
  zmq_close(socket);
  zmq_ctx_term(context);
  return 0;
}
