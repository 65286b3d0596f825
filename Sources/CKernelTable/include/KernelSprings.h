// SPDX-License-Identifier: Apache-2.0
//
// Springs that are set to the exact solution's state within a tile.

#ifndef ORRERY_KERNEL_SPRINGS_H
#define ORRERY_KERNEL_SPRINGS_H

#include "KernelTile.h"
#include <stdint.h>

// Entities of a block, at most; each is placed at most once in a tile.
#define KERNEL_PLACED_MAX 2048

// Lane groups of a block, at most.
#define KERNEL_PLACED_GROUPS (KERNEL_PLACED_MAX / 16)

// The step of an entity that is not placed.
#define KERNEL_NOT_PLACED 0x7fffffff

// All columns are aligned to 64 bytes, and so is the structure.
typedef struct kernel_placed_springs {
  // Of each entity of a block: the step of the tile after which it gets a new state, or KERNEL_NOT_PLACED,
  // and what that is.
  uint32_t step[KERNEL_PLACED_MAX];
  float displacement[KERNEL_PLACED_MAX];
  float change[KERNEL_PLACED_MAX];
  float base[KERNEL_PLACED_MAX];
  // Not 0: some entity of the lane group is placed.
  uint8_t group[KERNEL_PLACED_GROUPS];
} kernel_placed_springs;

// States to be computed, one after the other. With the ticks t since a spring was let go at rest:
//
//   turn >= 0:   e = 2^(-decay t),  c = cos(turn t),  s = sin(turn t)        turn in quarter turns
//   turn < 0:    e = 2^(-decay t),  c = 1,            s = 1 - 2^(turn t)
//   displacement = distance * e (c + lag s)        change = distance * e (drop c + pull s)
//
// All columns are aligned to 64 bytes, and so is the structure.
typedef struct kernel_spring_states {
  double ticks[KERNEL_PLACED_MAX];
  double turn[KERNEL_PLACED_MAX];
  float decay[KERNEL_PLACED_MAX];
  float lag[KERNEL_PLACED_MAX];
  float drop[KERNEL_PLACED_MAX];
  float pull[KERNEL_PLACED_MAX];
  // Where it was let go, and then where it is.
  float displacement[KERNEL_PLACED_MAX];
  float change[KERNEL_PLACED_MAX];
} kernel_spring_states;

// Both, for one block at a time, with a note of the entity that each state is for, and a tile without
// columns.
typedef struct kernel_spring_scratch {
  kernel_placed_springs placed;
  kernel_spring_states states;
  kernel_tile blank;
  uint16_t entity[KERNEL_PLACED_MAX];
} kernel_spring_scratch;

static inline kernel_placed_springs *_Nonnull kernel_placed(kernel_spring_scratch *_Nonnull desk) {
  return &desk->placed;
}

static inline kernel_spring_states *_Nonnull kernel_states(kernel_spring_scratch *_Nonnull desk) {
  return &desk->states;
}

static inline kernel_tile *_Nonnull kernel_blank(kernel_spring_scratch *_Nonnull desk) {
  return &desk->blank;
}

// The calling thread's own, where nothing is placed.
kernel_spring_scratch *_Nonnull kernel_own_spring_scratch(void);

// Swift sees arrays in structures as tuples.
#define KERNEL_COLUMN(owner, type, name)                                           \
  static inline type *_Nonnull owner##_##name(const owner *_Nonnull columns) {    \
    return (type *)columns->name;                                                   \
  }
KERNEL_COLUMN(kernel_placed_springs, uint32_t, step)
KERNEL_COLUMN(kernel_placed_springs, float, displacement)
KERNEL_COLUMN(kernel_placed_springs, float, change)
KERNEL_COLUMN(kernel_placed_springs, float, base)
KERNEL_COLUMN(kernel_placed_springs, uint8_t, group)
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
