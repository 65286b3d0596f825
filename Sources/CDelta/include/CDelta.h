// SPDX-License-Identifier: Apache-2.0
//
// The loops of a delta: what a column's values changed from what was predicted, in blocks of 128 values, packed as bits.
// docs/reference/trace.md, "Deltas", explains the bytes. Nothing here allocates or checks a length: that is
// the part of the module OrreryDelta.

#ifndef CDELTA_H
#define CDELTA_H

#include <stdint.h>

// Instruction sets that the loops are compiled for; elsewhere than on x86-64 both are the baseline. Results do not
// depend on them. AVX2 makes rounding a fifth faster: these loops are bound by memory.
typedef enum delta_isa { DELTA_BASELINE, DELTA_AVX2 } delta_isa;

// The widest that this machine has. A loop that is called with a wider one ends the process.
delta_isa delta_best_isa(void);

// Values of a block.
#define DELTA_BLOCK_VALUES 128

// Where a block's residuals need attention: the head of the block is made from it.
typedef struct delta_residuals {
  // All residuals of the block, combined by or: its bits are those that any residual needs.
  uint32_t used_bits;
  // Not 0 if a value is no number, or none that 16 bits hold.
  uint32_t is_out_of_range;
} delta_residuals;

// Predicts a block of 16-bit numbers and gives what was wrong, zigzag-coded. `before` and `last` are the numbers of the
// two frames before; afterwards `before` holds those of this one. `values` may be `last`' successor in place of floats.
delta_residuals delta_from_multiples(
  delta_isa isa, const void *_Nonnull values, const uint16_t *_Nonnull last, uint16_t *_Nonnull before,
  uint16_t *_Nonnull residuals);

// The same of floats, of which each is rounded to the nearest multiple of 1 / `units`.
delta_residuals delta_from_rounded(
  delta_isa isa, const void *_Nonnull values, float units, const uint16_t *_Nonnull last,
  uint16_t *_Nonnull before, uint16_t *_Nonnull residuals);

// Rounds `count` floats; returns as `is_out_of_range` does.
uint32_t delta_round(
  delta_isa isa, const void *_Nonnull values, intptr_t count, float units, uint16_t *_Nonnull multiples);

// The largest finite absolute value's bits of `count` floats, or the bits of infinity or of some NaN if there is one.
uint32_t delta_greatest(
  delta_isa isa, const void *_Nonnull values, intptr_t count);

// The opposite of delta_from_multiples: `before` becomes the block's values.
void delta_to_multiples(
  delta_isa isa, const uint16_t *_Nonnull residuals, const uint16_t *_Nonnull last, uint16_t *_Nonnull before);

// The same of floats in messages of the older form, which are predicted on a line through two frames, in binary32.
void delta_to_floats(
  delta_isa isa, const uint32_t *_Nonnull residuals, const uint32_t *_Nonnull last, uint32_t *_Nonnull before);

// Frames from which floats are predicted.
#define DELTA_FRAMES 5

// How floats are predicted. 1 ... 5 are the orders: on the polynomial through as many frames.
enum {
  // By the middle one of the last three steps: a jump disturbs one prediction only.
  DELTA_MEDIAN = 6,
  // By the linear recurrence of two steps that the last five frames give for each value: springs and circles follow one.
  DELTA_RECURRENCE = 7,
};

// Predicts a block of floats and gives what was wrong, zigzag-coded, in `residuals`; returns all of them, combined by or.
// `frames` are the bits of the last five frames, the last first.
uint32_t delta_from_predicted(
  delta_isa isa, uint32_t predictor, const void *_Nonnull values,
  const uint32_t *_Nonnull const *_Nonnull frames, uint32_t *_Nonnull residuals);

// The opposite of delta_from_predicted; `values` are apart from all else.
void delta_to_predicted(
  delta_isa isa, uint32_t predictor, const uint32_t *_Nonnull residuals,
  const uint32_t *_Nonnull const *_Nonnull frames, uint32_t *_Nonnull values);

// Packs the lowest `width` bits of each residual, 1 ... 16 or 1 ... 32: 16 * width bytes. Nothing for 0.
void delta_pack_16(
  const uint16_t *_Nonnull residuals, uint32_t width, void *_Nonnull packed);
void delta_pack_32(
  const uint32_t *_Nonnull residuals, uint32_t width, void *_Nonnull packed);

// The opposite.
void delta_unpack_16(
  const void *_Nonnull packed, uint32_t width, uint16_t *_Nonnull residuals);
void delta_unpack_32(
  const void *_Nonnull packed, uint32_t width, uint32_t *_Nonnull residuals);

// The same for `count` residuals, fewer than a block: (count * width + 7) / 8 bytes. The opposite sets the others to 0.
void delta_pack_few(
  const uint32_t *_Nonnull residuals, uint32_t count, uint32_t width, void *_Nonnull packed);
void delta_unpack_few(
  const void *_Nonnull packed, uint32_t count, uint32_t width, uint32_t *_Nonnull residuals);

// Counts how many residuals need how many bits.
void delta_count_widths_16(const uint16_t *_Nonnull residuals, uint16_t counts[_Nonnull 17]);

// Counts the residuals that are larger than `limit`.
uint32_t delta_count_above_16(
  delta_isa isa, const uint16_t *_Nonnull residuals, uint16_t limit);
uint32_t delta_count_above_32(
  delta_isa isa, const uint32_t *_Nonnull residuals, uint32_t limit);

// Stores index and value of each residual that needs more than `width` bits, and returns their count. Writes up to 3
// bytes more than it counts.
uint32_t delta_store_exceptions_16(
  const uint16_t *_Nonnull residuals, uint32_t width, void *_Nonnull exceptions);

// With an index: all four bytes of a residual follow, not one byte of its bits above the width.
#define DELTA_LONG 0x80

// Stores index and the bits above `width` of each residual that needs more, or all its bits, where 8 are too few; returns
// their bytes. Writes up to 3 bytes more than it counts.
uint32_t delta_store_exceptions_32(
  delta_isa isa, const uint32_t *_Nonnull residuals, uint32_t width, void *_Nonnull exceptions);

#endif
