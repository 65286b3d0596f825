// SPDX-License-Identifier: Apache-2.0
//
// Springs that restart within a tile: they are set to the exact solution's state, and go on from there.

#ifndef ORRERY_KERNEL_SPRINGS_H
#define ORRERY_KERNEL_SPRINGS_H

#include "KernelTile.h"
#include <stdint.h>

// Largest number of springs in a block; each restarts at most once in a tile.
#define KERNEL_SPRINGS_MAX 2048

// Largest number of lane groups in a block.
#define KERNEL_SPRING_GROUPS (KERNEL_SPRINGS_MAX / 16)

// The step of a spring that does not restart.
#define KERNEL_NOT_RESTARTED 0x7fffffff

// All columns are aligned to 64 bytes, and so is the structure.
typedef struct kernel_restarted_springs {
  // For each spring of a block: the step of the tile after which it gets a new state and base, or
  // KERNEL_NOT_RESTARTED.
  uint32_t step[KERNEL_SPRINGS_MAX];
  // The new state and base.
  float displacement[KERNEL_SPRINGS_MAX];
  float change[KERNEL_SPRINGS_MAX];
  float base[KERNEL_SPRINGS_MAX];
  // Not 0: some spring of the lane group restarts.
  uint8_t group[KERNEL_SPRING_GROUPS];
} kernel_restarted_springs;

// States to compute, in columns. With t the ticks since a spring was released at rest:
//
//   turn >= 0:   e = 2^(-decay t),  c = cos(turn t),  s = sin(turn t)        turn in quarter turns
//   turn < 0:    e = 2^(-decay t),  c = 1,            s = 1 - 2^(turn t)
//   displacement = distance * e (c + lag s)        change = distance * e (drop c + pull s)
//
// All columns are aligned to 64 bytes, and so is the structure.
typedef struct kernel_spring_states {
  double ticks[KERNEL_SPRINGS_MAX];
  double turn[KERNEL_SPRINGS_MAX];
  float decay[KERNEL_SPRINGS_MAX];
  float lag[KERNEL_SPRINGS_MAX];
  float drop[KERNEL_SPRINGS_MAX];
  float pull[KERNEL_SPRINGS_MAX];
  // Before: where it was released, the distance. After: where it is.
  float displacement[KERNEL_SPRINGS_MAX];
  float change[KERNEL_SPRINGS_MAX];
} kernel_spring_states;

// Scratch memory for one block at a time: both of the above, the lane in the block that each state is
// for, and a tile without columns.
typedef struct kernel_spring_scratch {
  kernel_restarted_springs restarted;
  kernel_spring_states states;
  kernel_tile blank;
  uint16_t entity[KERNEL_SPRINGS_MAX];
} kernel_spring_scratch;

static inline kernel_restarted_springs *_Nonnull kernel_restarted(
  kernel_spring_scratch *_Nonnull scratch) {
  return &scratch->restarted;
}

static inline kernel_spring_states *_Nonnull kernel_states(kernel_spring_scratch *_Nonnull scratch) {
  return &scratch->states;
}

static inline kernel_tile *_Nonnull kernel_blank(kernel_spring_scratch *_Nonnull scratch) {
  return &scratch->blank;
}

// The calling thread's own, with no spring to restart.
kernel_spring_scratch *_Nonnull kernel_own_spring_scratch(void);

// Swift imports arrays in structures as tuples: these give pointers to them.
#define KERNEL_COLUMN(owner, type, name)                                           \
  static inline type *_Nonnull owner##_##name(const owner *_Nonnull columns) {    \
    return (type *)columns->name;                                                   \
  }
KERNEL_COLUMN(kernel_restarted_springs, uint32_t, step)
KERNEL_COLUMN(kernel_restarted_springs, float, displacement)
KERNEL_COLUMN(kernel_restarted_springs, float, change)
KERNEL_COLUMN(kernel_restarted_springs, float, base)
KERNEL_COLUMN(kernel_restarted_springs, uint8_t, group)
KERNEL_COLUMN(kernel_spring_states, double, ticks)
KERNEL_COLUMN(kernel_spring_states, double, turn)
KERNEL_COLUMN(kernel_spring_states, float, decay)
KERNEL_COLUMN(kernel_spring_states, float, lag)
KERNEL_COLUMN(kernel_spring_states, float, drop)
KERNEL_COLUMN(kernel_spring_states, float, pull)
KERNEL_COLUMN(kernel_spring_states, float, displacement)
KERNEL_COLUMN(kernel_spring_states, float, change)
KERNEL_COLUMN(kernel_spring_scratch, uint16_t, entity)
#undef KERNEL_COLUMN

#endif
