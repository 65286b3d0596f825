// SPDX-License-Identifier: Apache-2.0
//
// The kernels of one instruction set, as plain function pointers: no generic code is shared
// between modules that were compiled for different instruction sets.
//
// Every pointer is aligned to 64 bytes, a table to 16. Counts are in entities and need not be a multiple of
// the lane count: the last, partial lane group is loaded whole (columns are padded) and stored value by
// value (frames are not padded).

#ifndef ORRERY_KERNEL_TABLE_H
#define ORRERY_KERNEL_TABLE_H

#include "KernelLookup.h"
#include "KernelMode.h"
#include "KernelSprings.h"
#include "KernelTile.h"
#include <stdint.h>

// Columns of views' values.
typedef struct kernel_view_columns {
  float *_Nonnull x;
  float *_Nonnull y;
  float *_Nonnull opacity;
  float *_Nonnull scale;
  float *_Nonnull blur;
} kernel_view_columns;

// Kernels of tiles. `elapsed`, and whatever else is not a column, is a field of the tile.
typedef struct kernel_table {
  // x = (phase + elapsed * step) * span. A turn is 2^32.
  void (*_Nonnull marquee)(
    kernel_tile *_Nonnull tile, const uint32_t *_Nonnull phase, const uint32_t *_Nonnull step,
    const float *_Nonnull span);

  // x = base + (phase + elapsed * step) * span. In a tile of one tick, base may be x, here and below.
  void (*_Nonnull tween)(
    kernel_tile *_Nonnull tile, const uint32_t *_Nonnull phase, const uint32_t *_Nonnull step,
    const float *_Nonnull base, const float *_Nonnull span);

  // x = base + table(phase + elapsed * step) * span. The table has 2^bits rows of four floats.
  void (*_Nonnull tween_table)(
    kernel_tile *_Nonnull tile, const float *_Nonnull table, uint32_t bits,
    const uint32_t *_Nonnull phase, const uint32_t *_Nonnull step, const float *_Nonnull base,
    const float *_Nonnull span);

  // The same with a table for each lane: its entry is 16 times the index of its first row, plus bits.
  void (*_Nonnull tween_mixed)(
    kernel_tile *_Nonnull tile, const float *_Nonnull tables, const uint32_t *_Nonnull entry,
    const uint32_t *_Nonnull phase, const uint32_t *_Nonnull step, const float *_Nonnull base,
    const float *_Nonnull span);

  // The same with tables of 1 to 1024 rows; `kernel_grid_entry` makes entries. A row begins up to 2^-21 turns early,
  // and never late, although phases are rounded.
  void (*_Nonnull tween_grid)(
    kernel_tile *_Nonnull tile, const float *_Nonnull tables, const uint32_t *_Nonnull entry,
    const uint32_t *_Nonnull phase, const uint32_t *_Nonnull step, const float *_Nonnull base,
    const float *_Nonnull span);

  // `elapsed` times: displacement += change, change -= stiffness * displacement + damping * change. Then,
  // and after each further step, x = base + displacement. A spring in `restarted` gets its new state and
  // base after its step, and its entry is cleared. With null, no spring restarts and no base changes.
  void (*_Nonnull spring)(
    kernel_tile *_Nonnull tile, const float *_Nonnull stiffness, const float *_Nonnull damping,
    float *_Nonnull displacement, float *_Nonnull change, float *_Nonnull base,
    kernel_restarted_springs *_Nullable restarted);

  // Finds the springs of a block that restart in the `ticks` ticks, 1 ... KERNEL_SPRING_WINDOW, after
  // `tick`, computes their states and puts them into the scratch memory for `spring`. `due` is the tick
  // of each spring's next restart, modulo 256, and is brought up to date. Several restarts of a spring
  // shorten the ticks.
  kernel_spring_restarts (*_Nonnull spring_restarts)(
    uint32_t count, uint8_t *_Nonnull due, const kernel_spring_pull *_Nonnull pulls,
    const kernel_spring_coefficients *_Nonnull coefficients, uint64_t tick, uint32_t ticks,
    kernel_spring_scratch *_Nonnull scratch);

  // Computes `count` states.
  void (*_Nonnull spring_states)(uint32_t count, kernel_spring_states *_Nonnull states);

  // x, y = radius * (cos, sin)(phase + elapsed * step), turned `skipped` times, then once more for each
  // further tick. `less` and `sine` are the cosine minus 1 and the sine of the angle of one tick. If the
  // tile has previous values, those are turned instead.
  void (*_Nonnull orbit)(
    kernel_tile *_Nonnull tile, const uint32_t *_Nonnull phase, const uint32_t *_Nonnull step,
    const float *_Nonnull radius, const float *_Nonnull less, const float *_Nonnull sine);

  // Applies transitions to views' own values. `away` is 0 for a view at identity and 1 for one that is
  // gone. `coefficients` are twenty columns, `stride` floats from each to the next: those of away, away^2,
  // away^3 and away^4 in x, then in y, opacity, scale and blur. If `stride` is that of one lane group, the group is for
  // all views. `own` may be `result`, and `away` a column of it.
  void (*_Nonnull transition)(
    uint32_t count, const float *_Nonnull away, const float *_Nonnull coefficients, uint32_t stride,
    kernel_view_columns own, kernel_view_columns result);

  // x = start + increment * (timerTicks mod loopTicks).
  void (*_Nonnull timer)(
    uint32_t count, const uint64_t *_Nonnull timer_ticks, const uint64_t *_Nonnull loop_ticks,
    const float *_Nonnull start, const float *_Nonnull increment, float *_Nonnull x);

  // Adds the hash terms of the values in the tile's columns; docs/explained/determinism.md defines them.
  void (*_Nonnull hash)(kernel_tile *_Nonnull tile, uint32_t field_count);
} kernel_table;

// An entry for `tween_grid`: 0 to 2^25 - 1 is the index of the table's first row, a multiple of 16 if there are more than
// 64 rows.
//
//   bit 0            1: more than 64 rows
//   bits 1 ... 6     rows minus 1, and the index from bit 7 on
//   bits 1 ... 10    of a large table, and a sixteenth of the index from bit 11 on
static inline uint32_t kernel_grid_entry(uint32_t first, uint32_t count) {
  const uint32_t large = count > 64;
  return (large ? first >> 4 << 11 : first << 7) | (count - 1) << 1 | large;
}

// The x86-64 micro-architecture level of this machine, 1 to 4; 0 on other architectures.
int kernel_processor_level(void);

#endif
