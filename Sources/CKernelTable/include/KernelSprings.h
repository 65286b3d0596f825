// SPDX-License-Identifier: Apache-2.0
//
// Springs that restart within a tile: they are set to the exact solution's state, and go on from there.
// docs/explained/kernels.md tells how a restart is computed.

#ifndef ORRERY_KERNEL_SPRINGS_H
#define ORRERY_KERNEL_SPRINGS_H

#include "KernelLookup.h"
#include "KernelTile.h"
#include <stddef.h>
#include <stdint.h>

// Largest number of springs in a block; each restarts at most once in a tile.
#define KERNEL_SPRINGS_MAX 2048

// Largest number of lane groups in a block.
#define KERNEL_SPRING_GROUPS (KERNEL_SPRINGS_MAX / 16)

// Springs whose restarts are looked for at once: columns of ticks are padded to a multiple of it.
#define KERNEL_DUE_LANES 64

// Largest number of ticks from one restart of a spring to its next.
#define KERNEL_SPRING_WINDOW 256

// The step of a spring that does not restart.
#define KERNEL_NOT_RESTARTED 0xffff

// Added to an origin, see `kernel_spring_pull`: 2 to the power of this, in units of 2^-64.
#define KERNEL_PHASE_SLACK_BITS 24

// How a spring is pulled, there and back: what a restart needs to know of it, in half a cache line.
typedef struct kernel_spring_pull {
  // Its phase in two periods, there and back, is origin + step * tick, in units of 2^-64. The origin
  // has a slack added: a period that is to begin exactly at a tick begins there, although 64 bits round
  // the step. This holds for 2^25 ticks.
  uint64_t origin;
  uint64_t step;
  // Its targets on the way back and on the way there.
  float from;
  float to;
  // Index of its coefficients.
  uint32_t coefficients;
  // Most ticks to its next restart: KERNEL_SPRING_WINDOW, or 1.
  uint32_t window;
} kernel_spring_pull;

_Static_assert(sizeof(kernel_spring_pull) == 32, "restarts load it as one row of four words");

// The coefficients of a spring's exact states, see `kernel_spring_states`.
typedef struct kernel_spring_coefficients {
  double turn;
  float decay;
  float lag;
  float drop;
  float pull;
  uint64_t reserved;
} kernel_spring_coefficients;

_Static_assert(sizeof(kernel_spring_coefficients) == 32, "restarts load it as one row of four words");

// All columns are aligned to 64 bytes, and so is the structure.
typedef struct kernel_restarted_springs {
  // The new state and base.
  float displacement[KERNEL_SPRINGS_MAX];
  float change[KERNEL_SPRINGS_MAX];
  float base[KERNEL_SPRINGS_MAX];
  // For each spring of a block: the step of the tile after which it gets a new state and base, or
  // KERNEL_NOT_RESTARTED.
  uint16_t step[KERNEL_SPRINGS_MAX];
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

// The springs that restart, in order of their lanes: what is not one of their states. Columns are aligned
// to 64 bytes.
typedef struct kernel_due_springs {
  // The lane in the block; with room for what is written past the last one.
  uint32_t lane[KERNEL_SPRINGS_MAX + KERNEL_DUE_LANES];
  // Index of the coefficients.
  uint32_t coefficients[KERNEL_SPRINGS_MAX];
  // The new base.
  float base[KERNEL_SPRINGS_MAX];
  // The step after which the spring restarts, and ticks from there to its next restart.
  uint16_t step[KERNEL_SPRINGS_MAX];
  uint16_t next[KERNEL_SPRINGS_MAX];
} kernel_due_springs;

// Scratch memory for one block at a time: all of the above, and a tile without columns.
typedef struct kernel_spring_scratch {
  kernel_restarted_springs restarted;
  kernel_spring_states states;
  kernel_due_springs due;
  kernel_tile blank;
} kernel_spring_scratch;

// What `spring_restarts` found.
typedef struct kernel_spring_restarts {
  // Ticks to step: as many as it was asked for, or fewer, so that no spring restarts a second time.
  uint32_t ticks;
  // Springs that restart in them.
  uint32_t count;
} kernel_spring_restarts;

KERNEL_INLINE kernel_restarted_springs *_Nonnull kernel_restarted(
  kernel_spring_scratch *_Nonnull scratch) {
  return &scratch->restarted;
}

KERNEL_INLINE kernel_spring_states *_Nonnull kernel_states(kernel_spring_scratch *_Nonnull scratch) {
  return &scratch->states;
}

KERNEL_INLINE kernel_due_springs *_Nonnull kernel_due(kernel_spring_scratch *_Nonnull scratch) {
  return &scratch->due;
}

KERNEL_INLINE kernel_tile *_Nonnull kernel_blank(kernel_spring_scratch *_Nonnull scratch) {
  return &scratch->blank;
}

// The calling thread's own, with no spring to restart.
kernel_spring_scratch *_Nonnull kernel_own_spring_scratch(void);

// Swift imports arrays in structures as tuples: these give pointers to them.
#define KERNEL_COLUMN(owner, type, name)                                           \
  KERNEL_INLINE type *_Nonnull owner##_##name(const owner *_Nonnull columns) {    \
    return (type *)columns->name;                                                   \
  }
KERNEL_COLUMN(kernel_restarted_springs, float, displacement)
KERNEL_COLUMN(kernel_restarted_springs, float, change)
KERNEL_COLUMN(kernel_restarted_springs, float, base)
KERNEL_COLUMN(kernel_restarted_springs, uint16_t, step)
KERNEL_COLUMN(kernel_restarted_springs, uint8_t, group)
KERNEL_COLUMN(kernel_spring_states, double, ticks)
KERNEL_COLUMN(kernel_spring_states, double, turn)
KERNEL_COLUMN(kernel_spring_states, float, decay)
KERNEL_COLUMN(kernel_spring_states, float, lag)
KERNEL_COLUMN(kernel_spring_states, float, drop)
KERNEL_COLUMN(kernel_spring_states, float, pull)
KERNEL_COLUMN(kernel_spring_states, float, displacement)
KERNEL_COLUMN(kernel_spring_states, float, change)
KERNEL_COLUMN(kernel_due_springs, uint32_t, lane)
KERNEL_COLUMN(kernel_due_springs, uint32_t, coefficients)
KERNEL_COLUMN(kernel_due_springs, float, base)
KERNEL_COLUMN(kernel_due_springs, uint16_t, step)
KERNEL_COLUMN(kernel_due_springs, uint16_t, next)
#undef KERNEL_COLUMN

#endif
