// SPDX-License-Identifier: Apache-2.0
//
// The interface of every peer library of `bench kernels`, and memory for it.
//
// A library holds variants: implementations of a kind of motion. A variant makes its own layout from
// parameters in columns of doubles, advances all entities by a tick at each call, and states its
// bytes per entity, to be compared with the machine's bandwidth.

#ifndef ORRERY_PEER_H
#define ORRERY_PEER_H

#include <sys/mman.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

// The parameters of a variant. Columns by kind, one number for each entity:
//
//   orbit     0 centre x   1 centre y   2 radius          3 period, s     4 phase, turns
//   marquee   0 speed, 1/s 1 span       2 phase, turns
//   flow      0 speed, 1/s 1 span       2 start, s
//   tween     0 from       1 to         2 cycle, s        3 phase, turns  4 x1 y1 x2 y2 of the curve
//   spring    0 from       1 to         2 response, s     3 damping ratio, < 1
//             4 period, s  5 phase, periods in [0, 2): odd ones lead back
//   keyframes 0 course     and by course, or by course and segment of a round:
//             1 round, s   2 start, turns      3 value there; see tracks.h
struct Input {
  size_t count;
  double tick_seconds;
  const double *const *columns;

  // Entities rounded up to whole cache lines: arrays have room for them.
  size_t padded() const { return (count + 15) / 16 * 16; }
  // A column's number of an entity; for the padding, that of the first entity.
  double at(int column, size_t entity) const { return columns[column][entity < count ? entity : 0]; }
};

// A running variant.
struct Peer {
  virtual ~Peer() {}
  // Advances by a variant's ticks. Columns have room for padded entities and are aligned to 64 bytes.
  virtual void tick(float *const *columns) = 0;
  // Copies the values of the last tick to columns, if `tick` leaves them in memory of its own.
  virtual void values(float *const *) const {}
};

// A variant's description and constructor. Bytes are per entity and tick.
struct Variant {
  const char *kind;
  const char *name;
  // Read only, read and written in place, and written only.
  int reads, updates, writes;
  // Additions and multiplications of an entity and a tick, about; 0: unknown.
  int operations;
  // Whether an orbit's centre is in its values.
  bool has_center;
  Peer *(*create)(const Input &);
  // Ticks that one call computes.
  int ticks = 1;
};

template <class P>
Peer *create(const Input &input) {
  return new P(input);
}

// An array in huge pages, if the machine has any. Arrays begin at different offsets in a page:
// streams whose addresses are equal in the lowest 12 bits slow each other down.
template <class T>
struct Array {
  explicit Array(size_t count) {
    static size_t number = 0;
    constexpr size_t page = size_t(2) << 20;
    const size_t skew = (number++ % 13) * 320;
    size_ = (count * sizeof(T) + skew + 128 + page - 1) / page * page;
    base_ = size_ > page ? std::aligned_alloc(page, size_)
                         : std::aligned_alloc(64, size_ = (count * sizeof(T) + skew + 191) / 64 * 64);
    if (!base_) std::abort();
    if (size_ >= page) madvise(base_, size_, MADV_HUGEPAGE);
    std::memset(base_, 0, size_);
    data_ = reinterpret_cast<T *>(static_cast<char *>(base_) + skew);
  }
  Array(const Array &) = delete;
  ~Array() { std::free(base_); }
  operator T *() const { return data_; }

private:
  void *base_;
  size_t size_;
  T *data_;
};

// Turns in units of 2^-32.
inline uint32_t fixed_turns(double turns) {
  return uint32_t(int64_t((turns - std::floor(turns)) * 4294967296.0 + 0.5));
}

extern const Variant variants[];
extern const int32_t variant_count;

// The C interface that the bench looks up; it names variants by their indexes.
extern "C" {
int32_t peer_count(void) { return variant_count; }
const char *peer_kind(int32_t variant) { return variants[variant].kind; }
const char *peer_name(int32_t variant) { return variants[variant].name; }

// 0: bytes read, 1: updated, 2: written, 3: operations, 4: whether the centre is in the values, 5: ticks of a call.
int32_t peer_number(int32_t variant, int32_t which) {
  const Variant &v = variants[variant];
  const int32_t numbers[] = {v.reads, v.updates, v.writes, v.operations, v.has_center, v.ticks};
  return numbers[which];
}

void *peer_create(
  int32_t variant, uint64_t count, double tick_seconds, const double *const *columns) {
  return variants[variant].create(Input{count, tick_seconds, columns});
}
void peer_tick(void *peer, float *const *columns) { static_cast<Peer *>(peer)->tick(columns); }
void peer_values(void *peer, float *const *columns) { static_cast<Peer *>(peer)->values(columns); }
void peer_destroy(void *peer) { delete static_cast<Peer *>(peer); }
}

#endif
