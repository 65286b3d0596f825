// SPDX-License-Identifier: Apache-2.0
//
// Between this module's C files.

#ifndef ORRERY_CCAIRO_TEXT_H
#define ORRERY_CCAIRO_TEXT_H

#include <pango/pangocairo.h>

#include "CCairo.h"

struct text_shaper {
  PangoFontMap *font_map;
  PangoContext *context;
  // PangoFontDescription by its source string.
  GHashTable *descriptions;
};

struct text_line {
  PangoLayout *layout;
};

struct glyph_picture {
  cairo_surface_t *surface;
};

struct png_picture {
  cairo_surface_t *surface;
};

// Has the fonts of this machine found; what fontconfig finds wrong is on standard error once.
void text_load_fonts(void);

// Draws a line with its logical box at the origin, under the current transform and source.
void text_line_draw(cairo_t *cairo, const text_line *line);

#endif
