// SPDX-License-Identifier: Apache-2.0
//
// A copy that takes a CRC-32 on its way.
//
// The bytes are a polynomial over GF(2). Eight registers of 256 bits hold a remainder of the bytes so
// far; each step multiplies it by x^2048 and adds the next 256 bytes, modulo the polynomial:
//
//     (h·x^64 + l)·x^2048  ≡  h·(x^(2048+64) mod P) + l·(x^2048 mod P)
//
// in reflected bit order, where a carry-less product is one bit short, so the powers are 32 off
// (docs/reference/trace.md, "Checksums"). The last 256 bytes of remainder are then summed as bytes.
// Bound by memory: 7.0 to 7.7 GB/s where a copy and libdeflate's checksum, one after the other
// in blocks of 16 to 1024 KiB, reached 3.7 to 4.2, and a copy alone 6.5 to 7.4
// (one core of an AMD EPYC, Zen 3, 24 MiB frames from memory to memory, other programs running).

#include "CTrace.h"

#include <libdeflate.h>
#include <string.h>

// Blocks of a copy and a checksum one after the other: a quarter of a common second-level cache.
#define BLOCK_BYTES (256 << 10)

// Shorter copies stay in the caches.
#define PAST_CACHES_BYTES (64 << 10)

static uint32_t copy_in_blocks(uint8_t *to, const uint8_t *from, size_t count, uint32_t checksum) {
  while (count > 0) {
    size_t block = count < BLOCK_BYTES ? count : BLOCK_BYTES;
    memcpy(to, from, block);
    checksum = libdeflate_crc32(checksum, to, block);
    to += block;
    from += block;
    count -= block;
  }
  return checksum;
}

#if defined(__x86_64__)

#include <immintrin.h>

#define STEP_BYTES 256
#define REGISTERS 8
// How far ahead the next bytes are fetched: 1 KiB, the fastest of 512, 1024 and 2048.
#define AHEAD_BYTES 1024

// x^(2048+32) mod P and x^(2048-32) mod P, reflected and shifted by one bit.
#define POWER_LOW 0x11542778AULL
#define POWER_HIGH 0x1322D1430ULL

#define WIDE __attribute__((target("avx2,vpclmulqdq,pclmul")))

WIDE static inline __m256i folded(__m256i remainder, __m256i powers, __m256i next) {
  return _mm256_xor_si256(
    next, _mm256_xor_si256(
            _mm256_clmulepi64_epi128(remainder, powers, 0x00),
            _mm256_clmulepi64_epi128(remainder, powers, 0x11)));
}

WIDE static uint32_t finished(const __m256i *remainder) {
  uint8_t rest[STEP_BYTES];
  memcpy(rest, remainder, STEP_BYTES);
  // libdeflate inverts before and after: with this start, its own begins at 0.
  return libdeflate_crc32(0xFFFFFFFFu, rest, STEP_BYTES);
}

// Copies whole steps, at least one, to a place that is aligned to 32 bytes.
#define COPY_STEPS(name, store)                                                                     \
  WIDE static uint32_t name(                                                                        \
    uint8_t *to, const uint8_t *from, size_t count, uint32_t checksum) {                            \
    const __m256i powers = _mm256_set_epi64x(POWER_HIGH, POWER_LOW, POWER_HIGH, POWER_LOW);         \
    __m256i remainder[REGISTERS];                                                                   \
    for (int i = 0; i < REGISTERS; i++) {                                                           \
      remainder[i] = _mm256_loadu_si256((const __m256i *)(from + 32 * i));                          \
      store((__m256i *)(to + 32 * i), remainder[i]);                                                \
    }                                                                                               \
    remainder[0] =                                                                                  \
      _mm256_xor_si256(remainder[0], _mm256_set_epi32(0, 0, 0, 0, 0, 0, 0, (int)~checksum));        \
    for (size_t done = STEP_BYTES; done < count; done += STEP_BYTES) {                              \
      for (int i = 0; i < STEP_BYTES; i += 64)                                                      \
        _mm_prefetch((const char *)(from + done + AHEAD_BYTES + i), _MM_HINT_T0);                   \
      for (int i = 0; i < REGISTERS; i++) {                                                         \
        __m256i next = _mm256_loadu_si256((const __m256i *)(from + done + 32 * i));                 \
        store((__m256i *)(to + done + 32 * i), next);                                               \
        remainder[i] = folded(remainder[i], powers, next);                                          \
      }                                                                                             \
    }                                                                                               \
    return finished(remainder);                                                                     \
  }

COPY_STEPS(copy_steps, _mm256_store_si256)
COPY_STEPS(copy_steps_past_caches, _mm256_stream_si256)

int trace_copies_in_one_pass(void) {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("vpclmulqdq");
}

static uint32_t copy_in_one_pass(
  uint8_t *to, const uint8_t *from, size_t count, uint32_t checksum, int past_caches) {
  size_t before = -(uintptr_t)to & 31;
  checksum = copy_in_blocks(to, from, before, checksum);
  size_t middle = (count - before) / STEP_BYTES * STEP_BYTES;
  if (past_caches && count >= PAST_CACHES_BYTES) {
    checksum = copy_steps_past_caches(to + before, from + before, middle, checksum);
    _mm_sfence();
  } else {
    checksum = copy_steps(to + before, from + before, middle, checksum);
  }
  size_t done = before + middle;
  return copy_in_blocks(to + done, from + done, count - done, checksum);
}

#else

int trace_copies_in_one_pass(void) { return 0; }

#endif

uint32_t trace_copy(
  void *to, const void *from, size_t count, uint32_t checksum, int past_caches) {
#if defined(__x86_64__)
  // Below this, what stands before and after the steps is as much as the steps.
  if (count >= 4 * STEP_BYTES && trace_copies_in_one_pass())
    return copy_in_one_pass(to, from, count, checksum, past_caches);
#else
  (void)past_caches;
#endif
  return copy_in_blocks(to, from, count, checksum);
}
