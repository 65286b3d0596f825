// SPDX-License-Identifier: Apache-2.0
//
// "C++ players": rounds of keyframes as players of animations keep them. -O3 -march=native.
//
//   plain            an array of structures; each track looks for its segment, and solves the cubic Bézier curve of
//                    its easing by Newton's method, at every tick
//   sorted keys      in the manner of ozz-animation: the keys of sixteen tracks sorted by the time at which they are
//                    needed, and a cache of the two keys around now, for vectors
//   uniform samples  in the manner of ACL: sixteen tracks sampled at every tick, 16 bits a sample
//
// The last two are made for files of many tracks of one length; here a file has sixteen.

#include "peer.h"
#include "tracks.h"

#include <map>

template <int segments>
struct Plain : Peer {
  struct Key {
    float start, value, x1, y1, x2, y2;
  };
  struct Track {
    const Key *keys;
    int at;
    double rounds_per_second;
    float value;
  };
  std::vector<Key> keys;
  std::vector<Track> tracks;
  double tick_seconds;
  uint64_t now = 0;

  explicit Plain(const Input &in) : tracks(in.count), tick_seconds(in.tick_seconds) {
    const Rounds rounds(in, segments);
    for (size_t course = 0; course < rounds.count; course++)
      for (int k = 0; k <= segments; k++)
        // Keyframes that begin and end at rest: a cubic whose easing in time is 1/3 and 2/3.
        keys.push_back(
          {float(rounds.start(course, k)), float(rounds.value(course, k)), 1 / 3.0f, 0, 2 / 3.0f, 1});
    for (size_t i = 0; i < in.count; i++) {
      const size_t course = rounds.course(i);
      tracks[i] = {&keys[course * (segments + 1)], 0, 1 / rounds.seconds(course), 0};
    }
  }

  void tick(float *const *) override {
    const double seconds = double(++now) * tick_seconds;
    for (Track &t : tracks) {
      const double rounds = seconds * t.rounds_per_second;
      const float turn = float(rounds - std::floor(rounds));
      if (turn < t.keys[t.at].start) t.at = 0;
      while (t.at + 1 < segments && t.keys[t.at + 1].start <= turn) t.at++;
      const Key &from = t.keys[t.at], &to = t.keys[t.at + 1];
      const float progress = (turn - from.start) / (to.start - from.start);
      t.value = from.value + (to.value - from.value) * eased(from, progress);
    }
  }

  static float eased(const Key &k, float progress) {
    const float cx = 3 * k.x1, bx = 3 * (k.x2 - k.x1) - cx, ax = 1 - cx - bx;
    const float cy = 3 * k.y1, by = 3 * (k.y2 - k.y1) - cy, ay = 1 - cy - by;
    float s = progress;
    for (int i = 0; i < 8; i++) {
      const float miss = ((ax * s + bx) * s + cx) * s - progress;
      if (std::fabs(miss) < 1e-6f) break;
      s -= miss / ((3 * ax * s + 2 * bx) * s + cx);
    }
    return ((ay * s + by) * s + cy) * s;
  }

  void values(float *const *columns) const override {
    for (size_t i = 0; i < tracks.size(); i++) columns[0][i] = tracks[i].value;
  }
};

// Sixteen tracks of one length make a file; instances of the same courses share it.
constexpr size_t file_tracks = 16;

// Instances of files. `File` is made of its first entity; equal first courses have equal files.
template <class File>
struct Instances {
  std::vector<File> files;
  std::vector<uint32_t> file_of;
  std::vector<double> rounds_per_second;

  Instances(const Input &in, const Rounds &rounds) {
    std::map<size_t, uint32_t> known;
    for (size_t i = 0; i < in.count; i += file_tracks) {
      const auto entry = known.emplace(rounds.course(i), uint32_t(files.size()));
      if (entry.second) files.emplace_back(in, rounds, i);
      file_of.push_back(entry.first->second);
      rounds_per_second.push_back(1 / rounds.seconds(rounds.course(i)));
    }
  }
};

template <int segments>
struct SortedKeys : Peer {
  struct Key {
    float turn, value;
    uint16_t track;
  };
  struct File {
    // The first two keys of each track, then each key when the one before it is passed.
    std::vector<Key> keys;

    File(const Input &, const Rounds &rounds, size_t first) {
      std::vector<std::pair<float, Key>> all;
      for (size_t track = 0; track < file_tracks; track++)
        for (int k = 0; k <= segments; k++) {
          const size_t course = rounds.course(first + track);
          const float needed = k < 2 ? float(k - 2) : float(rounds.start(course, k - 1));
          all.push_back(
            {needed,
             {float(rounds.start(course, k)), float(rounds.value(course, k)), uint16_t(track)}});
        }
      std::stable_sort(
        all.begin(), all.end(), [](const auto &a, const auto &b) { return a.first < b.first; });
      for (const auto &key : all) keys.push_back(key.second);
    }
  };
  struct alignas(64) Context {
    float start[file_tracks], scale[file_tracks], from[file_tracks], change[file_tracks];
    uint16_t right[file_tracks];
    uint32_t cursor;
    float turn;
  };

  Instances<File> instances;
  std::vector<Context> contexts;
  double tick_seconds;
  uint64_t now = 0;

  explicit SortedKeys(const Input &in)
      : instances(in, Rounds(in, segments)), contexts(instances.file_of.size()),
        tick_seconds(in.tick_seconds) {
    for (Context &context : contexts) context.turn = 2;
  }

  void tick(float *const *columns) override {
    const double seconds = double(++now) * tick_seconds;
    float *__restrict x = columns[0];
    for (size_t i = 0; i < contexts.size(); i++, x += file_tracks) {
      Context &c = contexts[i];
      const double rounds = seconds * instances.rounds_per_second[i];
      const float turn = float(rounds - std::floor(rounds));
      move(c, instances.files[instances.file_of[i]].keys, turn);
      for (size_t track = 0; track < file_tracks; track++) {
        const float u = (turn - c.start[track]) * c.scale[track];
        x[track] = c.from[track] + c.change[track] * (u * u * (3 - 2 * u));
      }
    }
  }

  static void move(Context &c, const std::vector<Key> &keys, float turn) {
    if (turn < c.turn) {
      for (size_t track = 0; track < file_tracks; track++)
        put(c, keys, track, track, file_tracks + track);
      c.cursor = 2 * file_tracks;
    }
    c.turn = turn;
    for (; c.cursor < keys.size(); c.cursor++) {
      const size_t track = keys[c.cursor].track;
      if (keys[c.right[track]].turn > turn) break;
      put(c, keys, track, c.right[track], c.cursor);
    }
  }

  static void put(
    Context &c, const std::vector<Key> &keys, size_t track, size_t left, size_t right) {
    c.right[track] = uint16_t(right);
    c.start[track] = keys[left].turn;
    c.scale[track] = 1 / (keys[right].turn - keys[left].turn);
    c.from[track] = keys[left].value;
    c.change[track] = keys[right].value - keys[left].value;
  }
};

template <int segments>
struct UniformSamples : Peer {
  struct File {
    // Rows of sixteen samples, one for each tick of a round and one more.
    std::vector<uint16_t> samples;
    float low[file_tracks], unit[file_tracks];
    double frames;

    File(const Input &in, const Rounds &rounds, size_t first) {
      const double seconds = rounds.seconds(rounds.course(first));
      frames = std::round(seconds / in.tick_seconds);
      samples.resize((size_t(frames) + 1) * file_tracks);
      for (size_t track = 0; track < file_tracks; track++) {
        const size_t course = rounds.course(first + track);
        double high = low[track] = float(rounds.value(course, 0));
        for (int k = 1; k < segments; k++) {
          low[track] = std::min(low[track], float(rounds.value(course, k)));
          high = std::max(high, rounds.value(course, k));
        }
        unit[track] = float(std::max(high - low[track], 1e-9) / 65535);
        for (size_t frame = 0; frame <= size_t(frames); frame++)
          samples[frame * file_tracks + track] =
            uint16_t((rounds.at(course, double(frame) / frames) - low[track]) / unit[track] + 0.5);
      }
    }
  };

  Instances<File> instances;
  double tick_seconds;
  uint64_t now = 0;

  explicit UniformSamples(const Input &in)
      : instances(in, Rounds(in, segments)), tick_seconds(in.tick_seconds) {}

  void tick(float *const *columns) override {
    const double seconds = double(++now) * tick_seconds;
    float *__restrict x = columns[0];
    for (size_t i = 0; i < instances.file_of.size(); i++, x += file_tracks) {
      const File &file = instances.files[instances.file_of[i]];
      const double rounds = seconds * instances.rounds_per_second[i];
      const double position = (rounds - std::floor(rounds)) * file.frames;
      const size_t frame = size_t(position);
      const float part = float(position - double(frame));
      const uint16_t *__restrict a = &file.samples[frame * file_tracks], *__restrict b = a + file_tracks;
      for (size_t track = 0; track < file_tracks; track++) {
        const float left = float(a[track]), right = float(b[track]);
        x[track] = file.low[track] + file.unit[track] * (left + part * (right - left));
      }
    }
  }
};

#define PLAYERS(kind, segments)                                                             \
  {kind, "plain, Newton", 28, 4, 0, 0, false, create<Plain<segments>>},                      \
    {kind, "sorted keys", 16, 0, 4, 8, false, create<SortedKeys<segments>>},                \
    {kind, "uniform samples", 4, 0, 4, 4, false, create<UniformSamples<segments>>}

const Variant variants[] = {
  PLAYERS("keyframes-2", 2),     PLAYERS("keyframes-4", 4),     PLAYERS("keyframes-16", 16),
  PLAYERS("own-keyframes-2", 2), PLAYERS("own-keyframes-4", 4), PLAYERS("own-keyframes-16", 16),
};
const int32_t variant_count = sizeof(variants) / sizeof(*variants);
