// SPDX-License-Identifier: Apache-2.0
//
// How a loop is compiled once for each instruction set.

#ifndef CDELTA_VERSIONED_H
#define CDELTA_VERSIONED_H

#define N DELTA_BLOCK_VALUES
#define INLINE static inline __attribute__((always_inline))

// Compiles a loop once for each instruction set, and calls the one that is asked for. Bits are the same in all: nothing
// here rounds differently.
#if defined(__x86_64__)
#define VERSIONED(RESULT, NAME, ARGUMENTS, ...)                                                     \
  __attribute__((target("arch=x86-64-v3"))) static RESULT NAME##_avx2(__VA_ARGS__) {                \
    return NAME##_loop ARGUMENTS;                                                                   \
  }                                                                                                 \
  RESULT NAME(delta_isa isa, __VA_ARGS__) {                                                         \
    switch (isa) {                                                                                  \
      case DELTA_AVX2: return NAME##_avx2 ARGUMENTS;                                                \
      default: return NAME##_loop ARGUMENTS;                                                        \
    }                                                                                               \
  }
#else
#define VERSIONED(RESULT, NAME, ARGUMENTS, ...) \
  RESULT NAME(delta_isa isa, __VA_ARGS__) {     \
    (void)isa;                                  \
    return NAME##_loop ARGUMENTS;               \
  }
#endif

INLINE uint32_t zigzag_32(uint32_t n) { return n << 1 ^ (uint32_t)((int32_t)n >> 31); }
INLINE uint32_t unzigzag_32(uint32_t n) { return n >> 1 ^ -(n & 1); }

// The bits of a float as a number that rises with it.
INLINE uint32_t ordered(uint32_t bits) { return bits ^ (uint32_t)((int32_t)bits >> 31) >> 1; }

#endif
