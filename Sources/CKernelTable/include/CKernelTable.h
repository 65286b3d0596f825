// SPDX-License-Identifier: Apache-2.0
//
// The kernels of one instruction set, as plain function pointers: no generic code is shared
// between modules that were compiled for different instruction sets.
//
// Every pointer is aligned to 64 bytes. `count` is in entities and need not be a multiple of the
// lane count: the last, partial lane group is loaded whole (columns are padded) and stored lane
// by lane (frames are not).

#ifndef ORRERY_KERNEL_TABLE_H
#define ORRERY_KERNEL_TABLE_H

#include <stdint.h>

typedef struct kernel_table {
  // x = (phase + elapsed * step) * span, in turns of 2^32.
  void (*_Nonnull marquee)(
    uint32_t count, uint32_t elapsed, const uint32_t *_Nonnull phase, const uint32_t *_Nonnull step,
    const float *_Nonnull span, float *_Nonnull x);

  // x = from + (phase + elapsed * step) * span.
  void (*_Nonnull tween)(
    uint32_t count, uint32_t elapsed, const uint32_t *_Nonnull phase, const uint32_t *_Nonnull step,
    const float *_Nonnull from, const float *_Nonnull span, float *_Nonnull x);

  // x = start + increment * (timerTicks mod loopTicks).
  void (*_Nonnull timer)(
    uint32_t count, const uint64_t *_Nonnull timer_ticks, const uint64_t *_Nonnull loop_ticks,
    const float *_Nonnull start, const float *_Nonnull increment, float *_Nonnull x);

  // x, y = radius * (cos, sin)(phase + elapsed * step).
  void (*_Nonnull orbit)(
    uint32_t count, uint32_t elapsed, const uint32_t *_Nonnull phase, const uint32_t *_Nonnull step,
    const float *_Nonnull radius, float *_Nonnull x, float *_Nonnull y);

  // Sum over the values of their hash terms; docs/determinism.md defines them.
  uint64_t (*_Nonnull hash)(
    uint32_t count, const float *_Nonnull values, uint32_t first_entity, uint32_t field_key);
} kernel_table;

// The x86-64 micro-architecture level of this machine, 1 to 4; 0 on other architectures.
int kernel_processor_level(void);

#endif
