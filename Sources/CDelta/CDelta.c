// SPDX-License-Identifier: Apache-2.0

#include "CDelta.h"
#include "Versioned.h"

#include <string.h>

delta_isa delta_best_isa(void) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("x86-64-v3")) return DELTA_AVX2;
#endif
  return DELTA_BASELINE;
}

// 1.5 * 2^23: the sum with it has no bits for fractions, and its lower bits are those of the nearest whole number.
static const float rounder = 0x1.8p23f;

INLINE uint16_t zigzag_16(uint16_t n) { return (uint16_t)(n << 1) ^ (uint16_t)((int16_t)n >> 15); }
INLINE uint16_t unzigzag_16(uint16_t n) { return (uint16_t)(n >> 1) ^ (uint16_t)-(n & 1); }

INLINE delta_residuals delta_from_multiples_loop(
  const void *values, const uint16_t *last, uint16_t *before, uint16_t *residuals) {
  uint16_t now[N], used = 0;
  memcpy(now, values, sizeof now);
  for (int i = 0; i < N; i++) {
    const uint16_t r = zigzag_16((uint16_t)(now[i] - 2 * last[i] + before[i]));
    before[i] = now[i];
    residuals[i] = r;
    used |= r;
  }
  return (delta_residuals){used, 0};
}
VERSIONED(
  delta_residuals, delta_from_multiples, (values, last, before, residuals), const void *values, const uint16_t *last, uint16_t *before, uint16_t *residuals)

INLINE delta_residuals delta_from_rounded_loop(
  const void *values, float units, const uint16_t *last, uint16_t *before, uint16_t *residuals) {
  uint16_t used = 0;
  uint32_t bad = 0;
  for (int i = 0; i < N; i++) {
    float value;
    memcpy(&value, (const char *)values + 4 * i, 4);
    const float scaled = value * units;
    uint32_t size, bits;
    memcpy(&size, &scaled, 4);
    bad |= 0x46fffe00u - (size & 0x7fffffff);
    const float sum = scaled + rounder;
    memcpy(&bits, &sum, 4);
    const uint16_t now = (uint16_t)bits;
    const uint16_t r = zigzag_16((uint16_t)(now - 2 * last[i] + before[i]));
    before[i] = now;
    residuals[i] = r;
    used |= r;
  }
  return (delta_residuals){used, bad >> 31};
}
VERSIONED(
  delta_residuals, delta_from_rounded, (values, units, last, before, residuals), const void *values, float units, const uint16_t *last, uint16_t *before, uint16_t *residuals)

// The bits of the float that is expected after two others: on a line through both, or the last one where that is no number.
INLINE uint32_t predicted(uint32_t before, uint32_t last) {
  float a, b;
  memcpy(&a, &before, 4);
  memcpy(&b, &last, 4);
  const float step = b - a;
  const float next = b + step;
  uint32_t bits;
  memcpy(&bits, &next, 4);
  return (bits & 0x7f800000) == 0x7f800000 ? last : bits;
}

INLINE uint32_t delta_round_loop(const void *values, intptr_t count, float units, uint16_t *multiples) {
  uint32_t bad = 0;
  for (intptr_t i = 0; i < count; i++) {
    float value;
    memcpy(&value, (const char *)values + 4 * i, 4);
    const float scaled = value * units;
    uint32_t size, bits;
    memcpy(&size, &scaled, 4);
    bad |= 0x46fffe00u - (size & 0x7fffffff);
    const float sum = scaled + rounder;
    memcpy(&bits, &sum, 4);
    multiples[i] = (uint16_t)bits;
  }
  return bad >> 31;
}
VERSIONED(
  uint32_t, delta_round, (values, count, units, multiples), const void *values, intptr_t count, float units, uint16_t *multiples)

INLINE uint32_t delta_greatest_loop(const void *values, intptr_t count) {
  int32_t greatest = 0;
  for (intptr_t i = 0; i < count; i++) {
    int32_t bits;
    memcpy(&bits, (const char *)values + 4 * i, 4);
    bits &= 0x7fffffff;
    greatest = bits > greatest ? bits : greatest;
  }
  return (uint32_t)greatest;
}
VERSIONED(
  uint32_t, delta_greatest, (values, count), const void *values, intptr_t count)

INLINE void delta_to_multiples_loop(const uint16_t *residuals, const uint16_t *last, uint16_t *before) {
  for (int i = 0; i < N; i++)
    before[i] = (uint16_t)(2 * last[i] - before[i] + unzigzag_16(residuals[i]));
}
VERSIONED(
  void, delta_to_multiples, (residuals, last, before), const uint16_t *residuals, const uint16_t *last, uint16_t *before)

INLINE void delta_to_floats_loop(const uint32_t *residuals, const uint32_t *last, uint32_t *before) {
  for (int i = 0; i < N; i++)
    before[i] = ordered(ordered(predicted(before[i], last[i])) + unzigzag_32(residuals[i]));
}
VERSIONED(
  void, delta_to_floats, (residuals, last, before), const uint32_t *residuals, const uint32_t *last, uint32_t *before)

// One lane of a vector holds every eighth 16-bit number, or every fourth of 32 bits: row r of a block has the numbers
// from 8 r or 4 r on. The bits of a lane's numbers follow each other, lowest first, through `width` words.
#define PACKING(BITS, TYPE)                                                                        \
  INLINE void pack_##BITS(const TYPE *in, const int width, char *out) {                            \
    enum { lanes = 128 / BITS };                                                                   \
    TYPE words[lanes] = {0};                                                                       \
    const TYPE mask = (TYPE)(((uint64_t)1 << width) - 1);                                          \
    int used = 0;                                                                                  \
    _Pragma("clang loop unroll(full)") for (int row = 0; row < BITS; row++) {                      \
      for (int lane = 0; lane < lanes; lane++)                                                     \
        words[lane] |= (TYPE)((in[row * lanes + lane] & mask) << used);                            \
      used += width;                                                                               \
      if (used >= BITS) {                                                                          \
        memcpy(out, words, 16);                                                                    \
        out += 16;                                                                                 \
        used -= BITS;                                                                              \
        for (int lane = 0; lane < lanes; lane++)                                                   \
          words[lane] = used ? (TYPE)((in[row * lanes + lane] & mask) >> (width - used)) : 0;      \
      }                                                                                            \
    }                                                                                              \
  }                                                                                                \
  INLINE void unpack_##BITS(const char *in, const int width, TYPE *out) {                          \
    enum { lanes = 128 / BITS };                                                                   \
    TYPE words[lanes];                                                                             \
    const TYPE mask = (TYPE)(((uint64_t)1 << width) - 1);                                          \
    int used = 0;                                                                                  \
    memcpy(words, in, 16);                                                                         \
    _Pragma("clang loop unroll(full)") for (int row = 0; row < BITS; row++) {                      \
      TYPE numbers[lanes];                                                                         \
      for (int lane = 0; lane < lanes; lane++) numbers[lane] = (TYPE)(words[lane] >> used);        \
      used += width;                                                                               \
      if (used >= BITS && row < BITS - 1) {                                                        \
        in += 16;                                                                                  \
        memcpy(words, in, 16);                                                                     \
        used -= BITS;                                                                              \
        if (used)                                                                                  \
          for (int lane = 0; lane < lanes; lane++)                                                 \
            numbers[lane] |= (TYPE)(words[lane] << (width - used));                                \
      }                                                                                            \
      for (int lane = 0; lane < lanes; lane++) numbers[lane] &= mask;                              \
      memcpy(out + row * lanes, numbers, 16);                                                      \
    }                                                                                              \
  }

PACKING(16, uint16_t)
PACKING(32, uint32_t)

#define EACH_16(DO) \
  DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8) DO(9) DO(10) DO(11) DO(12) DO(13) DO(14) DO(15) DO(16)
#define EACH_32(DO)                                                                        \
  EACH_16(DO) DO(17) DO(18) DO(19) DO(20) DO(21) DO(22) DO(23) DO(24) DO(25) DO(26) DO(27) \
  DO(28) DO(29) DO(30) DO(31) DO(32)

void delta_pack_16(const uint16_t *residuals, uint32_t width, void *packed) {
#define DO(W) case W: pack_16(residuals, W, packed); return;
  switch (width) { EACH_16(DO) }
#undef DO
}

void delta_pack_32(const uint32_t *residuals, uint32_t width, void *packed) {
#define DO(W) case W: pack_32(residuals, W, packed); return;
  switch (width) { EACH_32(DO) }
#undef DO
}

void delta_unpack_16(const void *packed, uint32_t width, uint16_t *residuals) {
#define DO(W) case W: unpack_16(packed, W, residuals); return;
  switch (width) { EACH_16(DO) }
#undef DO
  memset(residuals, 0, N * sizeof *residuals);
}

void delta_unpack_32(const void *packed, uint32_t width, uint32_t *residuals) {
#define DO(W) case W: unpack_32(packed, W, residuals); return;
  switch (width) { EACH_32(DO) }
#undef DO
  memset(residuals, 0, N * sizeof *residuals);
}

// Counts in four tables, since neighbours often need the same number of bits.
void delta_count_widths_16(const uint16_t *residuals, uint16_t counts[17]) {
  uint16_t tables[4][17] = {{0}};
  for (int i = 0; i < N; i++) tables[i & 3][residuals[i] ? 32 - __builtin_clz(residuals[i]) : 0]++;
  for (int width = 0; width <= 16; width++)
    counts[width] =
      (uint16_t)(tables[0][width] + tables[1][width] + tables[2][width] + tables[3][width]);
}

#define COUNTING(BITS)                                                                             \
  INLINE uint32_t delta_count_above_##BITS##_loop(                                                 \
    const uint##BITS##_t *residuals, uint##BITS##_t limit) {                                       \
    uint##BITS##_t count = 0;                                                                      \
    for (int i = 0; i < N; i++) count += residuals[i] > limit;                                     \
    return count;                                                                                  \
  }                                                                                                \
  VERSIONED(                                                                                       \
    uint32_t, delta_count_above_##BITS, (residuals, limit), const uint##BITS##_t *residuals,       \
    uint##BITS##_t limit)

COUNTING(16)
COUNTING(32)

uint32_t delta_store_exceptions_16(const uint16_t *residuals, uint32_t width, void *exceptions) {
  uint8_t *next = exceptions;
  for (int i = 0; i < N; i++) {
    next[0] = (uint8_t)i;
    memcpy(next + 1, &residuals[i], 2);
    next += residuals[i] >> width ? 3 : 0;
  }
  return (uint32_t)(next - (uint8_t *)exceptions) / 3;
}

INLINE uint32_t delta_store_exceptions_32_loop(
  const uint32_t *residuals, uint32_t width, void *exceptions) {
  const uint32_t limit = (uint32_t)(((uint64_t)1 << width) - 1);
  uint8_t *next = exceptions;
  for (int first = 0; first < N; first += 32) {
    // Where the exceptions are, found in vectors: which of a block's values they are cannot be guessed.
    uint32_t above = 0;
    for (int i = 0; i < 32; i++) above |= (uint32_t)(residuals[first + i] > limit) << i;
    for (; above; above &= above - 1) {
      const int i = first + __builtin_ctz(above);
      const uint32_t high = (uint32_t)((uint64_t)residuals[i] >> width);
      const uint32_t bits = high > 255 ? residuals[i] : high;
      next[0] = (uint8_t)(i | (high > 255 ? DELTA_LONG : 0));
      memcpy(next + 1, &bits, 4);
      next += high > 255 ? 5 : 2;
    }
  }
  return (uint32_t)(next - (uint8_t *)exceptions);
}
VERSIONED(
  uint32_t, delta_store_exceptions_32, (residuals, width, exceptions), const uint32_t *residuals,
  uint32_t width, void *exceptions)

void delta_pack_few(const uint32_t *residuals, uint32_t count, uint32_t width, void *packed) {
  uint8_t *next = packed;
  uint64_t word = 0;
  uint32_t used = 0;
  for (uint32_t i = 0; i < count; i++) {
    word |= (residuals[i] & (((uint64_t)1 << width) - 1)) << used;
    for (used += width; used >= 8; used -= 8, word >>= 8) *next++ = (uint8_t)word;
  }
  if (used) *next = (uint8_t)word;
}

void delta_unpack_few(const void *packed, uint32_t count, uint32_t width, uint32_t *residuals) {
  const uint8_t *next = packed;
  uint64_t word = 0;
  uint32_t known = 0;
  memset(residuals, 0, N * sizeof *residuals);
  for (uint32_t i = 0; i < count; i++) {
    for (; known < width; known += 8) word |= (uint64_t)*next++ << known;
    residuals[i] = (uint32_t)(word & (((uint64_t)1 << width) - 1));
    word >>= width;
    known -= width;
  }
}
