// SPDX-License-Identifier: Apache-2.0

#include "CDots.h"

#include <string.h>

// A multiplication and an addition in one instruction would round once, and give other positions.
#pragma STDC FP_CONTRACT OFF

#define INLINE static inline __attribute__((always_inline))

// MARK: - Pixels

// The pixels of a dot: one register of AVX-512, two of AVX2, four of the baseline.
typedef uint32_t pixels __attribute__((ext_vector_type(DOTS_PIXELS)));
// Two channels of each pixel, blue and red or green and alpha, with room for a product.
typedef uint16_t channels __attribute__((ext_vector_type(2 * DOTS_PIXELS)));
typedef uint32_t wide_channels __attribute__((ext_vector_type(2 * DOTS_PIXELS)));

// Macros, because a function of vectors would be called in another way by each instruction set.
#define BLUE_RED(p) ((channels)((p) & 0x00ff00ff))
#define GREEN_ALPHA(p) ((channels)((p) >> 8 & 0x00ff00ff))

// v / 255, rounded, for each product v of two bytes: the upper half of (v + 128) * 257, which is one instruction.
#define BY_255(v) \
  __builtin_convertvector(__builtin_convertvector((v) + (uint16_t)128, wide_channels) * 257 >> 16, channels)

// Pixels times a factor of 0 ... 255 for each channel of a pair, by 255.
#define WEAKENED(p, factors) \
  ((pixels)BY_255(BLUE_RED(p) * (factors)) | (pixels)BY_255(GREEN_ALPHA(p) * (factors)) << 8)

// Blends a dot's pixels over others: source + below * (255 - alpha) / 255. No sum of two channels is above 255, and an
// opaque pixel stays opaque, however much is drawn over it.
INLINE void blend(const dots_dot *dot, intptr_t phase, uint32_t *target, intptr_t width) {
  pixels below;
  channels coverage;
  memcpy(&coverage, dot->masks + 2 * DOTS_PIXELS * phase, sizeof coverage);
  const pixels colour = dot->pixel, source = WEAKENED(colour, coverage);
  for (int row = 0; row < 4; row++) memcpy((uint32_t *)&below + 4 * row, target + row * width, 16);
  const pixels rest = (source ^ 0xff000000) >> 24;
  below = source + WEAKENED(below, (channels)(rest | rest << 16));
  for (int row = 0; row < 4; row++) memcpy(target + row * width, (uint32_t *)&below + 4 * row, 16);
}

// Blends those pixels of a dot that are inside of the area, in a copy of what is there.
static void blend_at_edge(
  const dots_dot *dot, intptr_t phase, intptr_t column, intptr_t row, const dots_area *area) {
  uint32_t copy[DOTS_PIXELS] = {0};
  for (int is_done = 0; is_done < 2; is_done++) {
    for (int i = 0; i < DOTS_PIXELS; i++) {
      const intptr_t x = column + i % 4, y = row + i / 4;
      if (x < area->left || x >= area->right || y < area->top || y >= area->bottom) continue;
      uint32_t *pixel = area->pixels + y * area->width + x;
      if (is_done) *pixel = copy[i];
      else copy[i] = *pixel;
    }
    if (!is_done) blend(dot, phase, copy, 4);
  }
}

INLINE void draw_one(const dots_dot *dot, int32_t x, int32_t y, const dots_area *area) {
  const intptr_t column = x >> 4, row = y >> 4, phase = (y & 15) << 4 | (x & 15);
  if (column < area->left || column + 4 > area->right || row < area->top || row + 4 > area->bottom) {
    blend_at_edge(dot, phase, column, row, area);
  } else {
    blend(dot, phase, area->pixels + row * area->width + column, area->width);
  }
}

void dots_draw_one(const dots_dot *dot, int32_t x, int32_t y, const dots_area *area) { draw_one(dot, x, y, area); }

// MARK: - Positions

// Entities whose positions are computed at once, which then stay in the first-level cache.
#define BLOCK 1024

// Marks a dot without a pixel in the area.
#define OUTSIDE INT32_MIN

// Positions of dots on one axis, in sixteenths of a pixel.
INLINE void find_positions(
  intptr_t count, const float *origin, bool is_shared, const float *values, float scale, float offset, intptr_t start,
  intptr_t end, int32_t *positions) {
  // The sum with 1.5 * 2^23 has no bits for fractions, and its lower bits are those of the nearest whole number.
  const float rounder = 0x1.8p23f, first = (float)(start - 4), last = (float)end;
  int32_t zero;
  memcpy(&zero, &rounder, sizeof zero);
  float points[BLOCK];
  if (is_shared) {
    for (intptr_t i = 0; i < count; i++) points[i] = *origin;
  } else {
    memcpy(points, origin, (size_t)count * sizeof *origin);
  }
  if (values) {
    for (intptr_t i = 0; i < count; i++) points[i] += values[i];
  }
  for (intptr_t i = 0; i < count; i++) {
    const float pixel = points[i] * scale + offset, sum = pixel * DOTS_PHASES + rounder;
    int32_t bits;
    memcpy(&bits, &sum, sizeof bits);
    positions[i] = ((pixel >= first) & (pixel <= last)) ? bits - zero : OUTSIDE;
  }
}

INLINE void dots_draw_loop(
  intptr_t count, const dots_batch *whole, const dots_place *place, const dots_area *target) {
  // Copies: what is drawn could otherwise change them.
  const dots_batch batch = *whole;
  const dots_area area = *target;
  for (intptr_t start = 0; start < count; start += BLOCK) {
    const intptr_t size = count - start < BLOCK ? count - start : BLOCK;
    int32_t xs[BLOCK], ys[BLOCK];
    find_positions(
      size, batch.origin_x + (batch.origin_x_is_shared ? 0 : start), batch.origin_x_is_shared,
      batch.x ? batch.x + start : batch.x, place->scale, place->left, area.left, area.right, xs);
    find_positions(
      size, batch.origin_y + (batch.origin_y_is_shared ? 0 : start), batch.origin_y_is_shared,
      batch.y ? batch.y + start : batch.y, place->scale, place->top, area.top, area.bottom, ys);
    // Without a branch: in a part of a picture many dots are outside, in no order.
    uint16_t inside[BLOCK];
    intptr_t inside_count = 0;
    for (intptr_t i = 0; i < size; i++) {
      inside[inside_count] = (uint16_t)i;
      inside_count += (xs[i] != OUTSIDE) & (ys[i] != OUTSIDE);
    }
    const uint32_t *sprites = batch.sprites + (batch.sprites_are_shared ? 0 : start);
    for (intptr_t i = 0; i < inside_count; i++) {
      const intptr_t entity = inside[i];
      draw_one(batch.dots + sprites[batch.sprites_are_shared ? 0 : entity], xs[entity], ys[entity], &area);
    }
  }
}

// MARK: - Instruction sets

#if defined(__x86_64__)
__attribute__((target("arch=x86-64-v3"))) static void draw_avx2(
  intptr_t count, const dots_batch *batch, const dots_place *place, const dots_area *area) {
  dots_draw_loop(count, batch, place, area);
}

// Without the attribute of the width, clang takes registers of AVX2.
__attribute__((target("arch=x86-64-v4"), min_vector_width(512))) static void draw_avx512(
  intptr_t count, const dots_batch *batch, const dots_place *place, const dots_area *area) {
  dots_draw_loop(count, batch, place, area);
}
#endif

dots_isa dots_best_isa(void) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("x86-64-v4")) return DOTS_AVX512;
  if (__builtin_cpu_supports("x86-64-v3")) return DOTS_AVX2;
#endif
  return DOTS_BASELINE;
}

void dots_draw(
  dots_isa isa, intptr_t count, const dots_batch *batch, const dots_place *place, const dots_area *area) {
  switch (isa) {
#if defined(__x86_64__)
    case DOTS_AVX512: draw_avx512(count, batch, place, area); break;
    case DOTS_AVX2: draw_avx2(count, batch, place, area); break;
#endif
    default: dots_draw_loop(count, batch, place, area);
  }
}
