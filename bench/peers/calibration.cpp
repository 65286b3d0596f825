// SPDX-License-Identifier: Apache-2.0
//
// The machine's limits: bandwidth of simple streams, bandwidth of a kernel's streams without its
// arithmetic, and the rate of independent additions and multiplications. One instruction set per
// build; WIDTH is the bytes of a vector.
//
// Built with -ffp-contract=off: if the compiler fused, separate and fused operations would be equal.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#ifdef __x86_64__
#include <immintrin.h>
#endif

typedef float Floats __attribute__((vector_size(WIDTH), may_alias));
typedef int Ints __attribute__((vector_size(WIDTH), may_alias));

template <bool past_caches>
static inline void put(char *at, Ints v) {
#if defined(__AVX512F__) && WIDTH == 64
  if (past_caches) return _mm512_stream_si512((__m512i *)at, (__m512i)v);
#elif defined(__AVX__) && WIDTH == 32
  if (past_caches) return _mm256_stream_si256((__m256i *)at, (__m256i)v);
#elif defined(__x86_64__)
  if (past_caches) return _mm_stream_si128((__m128i *)at, (__m128i)v);
#endif
  *(Ints *)at = v;
}

static inline void finish() {
#ifdef __x86_64__
  _mm_sfence();
#endif
}

// Uses a value, so that the compiler does not remove its computation.
static inline void keep(Ints v) {
#ifdef __x86_64__
  __asm__ volatile("" ::"x"(v));
#else
  __asm__ volatile("" ::"w"(v));
#endif
}

static void read(const char *from, size_t bytes) {
  Ints a{}, b{}, c{}, d{};
  size_t i = 0;
  for (; i + 4 * WIDTH <= bytes; i += 4 * WIDTH) {
    a ^= *(const Ints *)(from + i);
    b ^= *(const Ints *)(from + i + WIDTH);
    c ^= *(const Ints *)(from + i + 2 * WIDTH);
    d ^= *(const Ints *)(from + i + 3 * WIDTH);
  }
  for (; i < bytes; i += WIDTH) a ^= *(const Ints *)(from + i);
  keep(a ^ b ^ c ^ d);
}

template <bool past_caches>
static void write(char *to, size_t bytes) {
  const Ints v = Ints{} + int(bytes);
#pragma GCC unroll 4
  for (size_t i = 0; i < bytes; i += WIDTH) put<past_caches>(to + i, v);
}

static void update(char *at, size_t bytes) {
#pragma GCC unroll 4
  for (size_t i = 0; i < bytes; i += WIDTH) *(Ints *)(at + i) += 1;
}

// All streams at once, a vector of each in turn.
template <int reads, int updates, int writes, bool past_caches>
static void fused(char *const *arrays, size_t bytes) {
  char *at[reads + updates + writes];
  for (int k = 0; k < reads + updates + writes; k++) at[k] = arrays[k];
#pragma GCC unroll 2
  for (size_t i = 0; i < bytes; i += WIDTH) {
    Ints sum{};
#pragma GCC unroll 8
    for (int k = 0; k < reads; k++) sum ^= *(const Ints *)(at[k] + i);
#pragma GCC unroll 8
    for (int k = reads; k < reads + updates; k++) {
      const Ints v = *(const Ints *)(at[k] + i) + 1;
      *(Ints *)(at[k] + i) = v;
      sum ^= v;
    }
#pragma GCC unroll 8
    for (int k = reads + updates; k < reads + updates + writes; k++) put<past_caches>(at[k] + i, sum);
    if (writes == 0) keep(sum);
  }
  if (past_caches) finish();
}

typedef void (*Fused)(char *const *, size_t);
constexpr int reads_max = 8, updates_max = 2, writes_max = 2;

template <bool past_caches, int... shape>
static Fused find(int wanted, std::integer_sequence<int, shape...>) {
  constexpr int w = writes_max + 1, u = updates_max + 1;
  static constexpr Fused all[] = {fused<shape / (w * u), shape / w % u, shape % w, past_caches>...};
  return all[wanted];
}

extern "C" {

// Simple streams: 0 read, 1 write, 2 copy, 3 triad (two read, one written), over arrays of `bytes`
// each, a multiple of 256.
void calibration_stream(int32_t which, int32_t past_caches, char *const *arrays, uint64_t bytes) {
  switch (which * 2 + (past_caches ? 1 : 0)) {
  case 0:
  case 1: return read(arrays[0], bytes);
  case 2: return write<false>(arrays[0], bytes);
  case 3: return write<true>(arrays[0], bytes), finish();
  case 4: return fused<1, 0, 1, false>(arrays, bytes);
  case 5: return fused<1, 0, 1, true>(arrays, bytes);
  case 6: return fused<2, 0, 1, false>(arrays, bytes);
  default: return fused<2, 0, 1, true>(arrays, bytes);
  }
}

// The streams of a kernel: its arrays of each sort, of `bytes` each, a multiple of 64. False if there
// are too many.
bool calibration_fused(
  int32_t reads, int32_t updates, int32_t writes, int32_t past_caches, char *const *arrays,
  uint64_t bytes) {
  if (reads > reads_max || updates > updates_max || writes > writes_max) return false;
  if (reads + updates + writes == 0) return false;
  const int shape = (reads * (updates_max + 1) + updates) * (writes_max + 1) + writes;
  constexpr auto shapes = std::make_integer_sequence<
    int, (reads_max + 1) * (updates_max + 1) * (writes_max + 1)>();
  (past_caches ? find<true>(shape, shapes) : find<false>(shape, shapes))(arrays, bytes);
  return true;
}

// The same in blocks of entities, one array after the other; an entity takes `sizes` bytes of each
// array. Kernels that compute several ticks at once do so.
void calibration_blocks(
  int32_t reads, int32_t updates, int32_t writes, int32_t past_caches, char *const *arrays,
  const uint32_t *sizes, uint64_t count, uint64_t block) {
  for (uint64_t first = 0; first < count; first += block) {
    const uint64_t size = count - first < block ? count - first : block;
    for (int k = 0; k < reads + updates + writes; k++) {
      char *at = arrays[k] + first * sizes[k];
      // Whole vectors: arrays have room for them.
      const size_t bytes = (size * sizes[k] + 63) / 64 * 64;
      if (k < reads)
        read(at, bytes);
      else if (k < reads + updates)
        update(at, bytes);
      else if (past_caches)
        write<true>(at, bytes);
      else
        write<false>(at, bytes);
    }
  }
  if (past_caches) finish();
}

// Chains of `rounds` multiplications and additions, separate or fused. Returns the count of
// operations; 0 if the instruction set does not fuse.
double calibration_arithmetic(int32_t is_fused, uint64_t rounds) {
  constexpr int chains = 12, lanes = WIDTH / 4;
  Floats value[chains];
  Floats factor = Floats{} + 0.999f, term = Floats{} + 0.001f;
  for (int k = 0; k < chains; k++) value[k] = Floats{} + 1.0f + 0.01f * float(k);
  if (is_fused) {
#if defined(__AVX512F__) && WIDTH == 64
    for (uint64_t i = 0; i < rounds; i++)
#pragma GCC unroll 12
      for (int k = 0; k < chains; k++)
        value[k] = (Floats)_mm512_fmadd_ps((__m512)value[k], (__m512)factor, (__m512)term);
#elif defined(__FMA__) && WIDTH == 32
    for (uint64_t i = 0; i < rounds; i++)
#pragma GCC unroll 12
      for (int k = 0; k < chains; k++)
        value[k] = (Floats)_mm256_fmadd_ps((__m256)value[k], (__m256)factor, (__m256)term);
#else
    return 0;
#endif
  } else {
    for (uint64_t i = 0; i < rounds; i++)
#pragma GCC unroll 12
      for (int k = 0; k < chains; k++) value[k] = value[k] * factor + term;
  }
  for (int k = 0; k < chains; k++) keep((Ints)value[k]);
  return double(rounds) * chains * 2 * lanes;
}
}
