// SPDX-License-Identifier: Apache-2.0
//
// How the processor treats denormals: numbers too small to keep all their digits.

#ifndef ORRERY_KERNEL_MODE_H
#define ORRERY_KERNEL_MODE_H

#include <stdint.h>
#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

// Makes denormals count as zero, as operands and as results, in the calling thread. Kernels run this way:
// values that decay into denormals would cost ten times as much.
//
// Returns the mode to give to `kernel_restore_mode`.
static inline uint64_t kernel_flush_to_zero(void) {
#if defined(__SSE2__)
  const uint32_t mode = _mm_getcsr();
  _mm_setcsr(mode | 0x8040);
  return mode;
#elif defined(__aarch64__)
  uint64_t mode;
  __asm__ volatile("mrs %0, fpcr" : "=r"(mode));
  __asm__ volatile("msr fpcr, %0" : : "r"(mode | UINT64_C(1) << 24));
  return mode;
#else
  return 0;
#endif
}

static inline void kernel_restore_mode(uint64_t mode) {
#if defined(__SSE2__)
  _mm_setcsr((uint32_t)mode);
#elif defined(__aarch64__)
  __asm__ volatile("msr fpcr, %0" : : "r"(mode));
#else
  (void)mode;
#endif
}

#endif
