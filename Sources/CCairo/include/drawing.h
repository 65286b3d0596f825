// SPDX-License-Identifier: Apache-2.0
//
// Pictures of lines and text that are written once, as PNG or SVG. Included by CCairo.h.

#ifndef ORRERY_CCAIRO_DRAWING_H
#define ORRERY_CCAIRO_DRAWING_H

#include <stdint.h>

// A picture that is being drawn; its unit is the pixel of a PNG and the user unit of an SVG.
typedef struct drawing drawing;

typedef enum drawing_format { DRAWING_PNG, DRAWING_SVG } drawing_format;

// Starts a transparent picture to be written to `file`, which stays open and belongs to the caller.
// NULL: no memory, or sizes that Cairo refuses.
drawing *_Nullable drawing_create(
  drawing_format format, int32_t width, int32_t height, int file);
void drawing_destroy(drawing *_Nonnull target);

// Writes the rest of the file. Returns 0 or an errno; nothing can be drawn afterwards.
int drawing_finish(drawing *_Nonnull target);

// Draws nothing outside the rectangle until `drawing_unclip`; there is one clip at a time.
void drawing_clip(drawing *_Nonnull target, double x, double y, double width, double height);
void drawing_unclip(drawing *_Nonnull target);

// A line through `count` points (x, y), with round joints. Dashes and gaps are `dash` long; 0 draws
// a solid line.
void drawing_line(
  drawing *_Nonnull target, const double *_Nonnull points, int32_t count, double width, double dash,
  uint32_t color);

// The area inside `count` points (x, y).
void drawing_area(
  drawing *_Nonnull target, const double *_Nonnull points, int32_t count, uint32_t color);

void drawing_disc(
  drawing *_Nonnull target, double x, double y, double radius, uint32_t color);

// Draws a line of text with the left top corner of its logical box at (x, y).
void drawing_text(
  drawing *_Nonnull target, const struct text_line *_Nonnull line, double x, double y,
  uint32_t color);

#endif
