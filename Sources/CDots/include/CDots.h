// SPDX-License-Identifier: Apache-2.0
//
// The loops that draw small discs: where each is in the picture, then its 4 x 4 pixels over what is there. Nothing here
// allocates or checks an index, and pictures do not depend on the instruction set.

#ifndef CDOTS_H
#define CDOTS_H

#include <stdbool.h>
#include <stdint.h>

// Instruction sets that the loops are compiled for; elsewhere than on x86-64 all are the baseline.
typedef enum dots_isa { DOTS_BASELINE, DOTS_AVX2, DOTS_AVX512 } dots_isa;

// The widest that this machine has. A loop that is called with a wider one ends the process.
dots_isa dots_best_isa(void);

// Positions of a dot's centre between two pixels, on each axis.
#define DOTS_PHASES 16

// Pixels of a dot, in four rows.
#define DOTS_PIXELS 16

// A small disc of one colour.
typedef struct dots_dot {
  // Coverage of each pixel, 0 ... 255, each twice, for 16 x 16 positions; vertical ones vary slowest.
  const uint16_t *_Nonnull masks;
  // The premultiplied colour.
  uint32_t pixel;
} dots_dot;

// Entities that are dots, in points. What is shared has one value for all of them.
typedef struct dots_batch {
  const float *_Nonnull origin_x;
  const float *_Nonnull origin_y;
  // Added to the origins; null: nothing is.
  const float *_Nullable x;
  const float *_Nullable y;
  // Indices of their dots.
  const uint32_t *_Nonnull sprites;
  const dots_dot *_Nonnull dots;
  bool origin_x_is_shared;
  bool origin_y_is_shared;
  bool sprites_are_shared;
} dots_batch;

// A part of a picture: nothing outside of it is drawn.
typedef struct dots_area {
  // The whole picture's, row by row.
  uint32_t *_Nonnull pixels;
  intptr_t width;
  intptr_t left;
  intptr_t top;
  intptr_t right;
  intptr_t bottom;
} dots_area;

// Where points are in the picture.
typedef struct dots_place {
  // Pixels per point.
  float scale;
  // The first of the pixels of a dot at 0, from the picture's left and top.
  float left;
  float top;
} dots_place;

// Draws the dots of `count` entities in their order: those whose position is finite and that have pixels in the area.
void dots_draw(
  dots_isa isa, intptr_t count, const dots_batch *_Nonnull batch, const dots_place *_Nonnull place,
  const dots_area *_Nonnull area);

// Draws one dot. `x` and `y` are the place of the first of its pixels, in sixteenths.
void dots_draw_one(
  const dots_dot *_Nonnull dot, int32_t x, int32_t y, const dots_area *_Nonnull area);

#endif
