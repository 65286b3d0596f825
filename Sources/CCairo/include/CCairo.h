// SPDX-License-Identifier: Apache-2.0
//
// Drawing and text, limited to what Orrery needs: no type of Cairo, Pango or GLib is visible
// outside this module's C files. Nothing here is thread-safe: a shaper and everything made from it
// belong to one thread. Lengths are doubles in the picture's units; colours are 0xRRGGBBAA.

#ifndef ORRERY_CCAIRO_H
#define ORRERY_CCAIRO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// ---- Text ----------------------------------------------------------------------------------

// Whether Pango, and what it needs, is installed. Without it, whatever else is called here ends the program.
bool text_is_there(void);

// Fonts, and the rules that turn text into glyphs. Metrics are never hinted or rounded, so sizes do
// not depend on the scale of later drawing.
typedef struct text_shaper text_shaper;

// Shaped text in one font.
typedef struct text_line text_line;

typedef struct text_extents {
  // The logical box, whose left and top are 0.
  double width;
  double height;
  // From the box's top to the first line's baseline.
  double baseline;
  // The ink box, relative to the logical box; colour fonts report their whole bitmap.
  double ink_x;
  double ink_y;
  double ink_width;
  double ink_height;
  int32_t glyph_count;
  // Number of the first glyph in its font; 0 if there is none.
  uint32_t first_glyph;
  // Count of characters that no font has; they are drawn as boxes.
  int32_t unknown_count;
  // Whether some glyphs come from a colour font.
  bool has_color;
} text_extents;

// `language` is a tag such as "en" or "zh_CN"; it chooses between Han forms.
text_shaper *_Nonnull text_shaper_create(const char *_Nonnull language);
void text_shaper_destroy(text_shaper *_Nonnull shaper);

// Whether one of the font description's families is installed.
bool text_shaper_has_font(text_shaper *_Nonnull shaper, const char *_Nonnull font);

// The families of a font description, "" if it names none; the caller frees them. NULL: no memory.
char *_Nullable text_font_family(const char *_Nonnull font);

// The size in a font description, 0 if it has none.
double text_font_size(const char *_Nonnull font);

// `utf8` is valid UTF-8 without a NUL before `byte_count`. The size in `font` is in the picture's
// units, whatever the resolution of a screen.
text_line *_Nonnull text_line_create(
  text_shaper *_Nonnull shaper, const char *_Nonnull utf8, int32_t byte_count,
  const char *_Nonnull font);
void text_line_destroy(text_line *_Nonnull line);
text_extents text_line_extents(const text_line *_Nonnull line);

// The outlines of the glyphs that have no colours of their own, as an SVG path in hundredths of a unit from the logical
// box's left top; the caller frees it.
char *_Nonnull text_line_path(const text_line *_Nonnull line);

// ---- Pictures of glyphs --------------------------------------------------------------------

// A line of colour glyphs, drawn at the resolution of its font's bitmaps and cropped to the visible
// pixels.
typedef struct glyph_picture glyph_picture;

// NULL: nothing is visible, or there is no memory.
glyph_picture *_Nullable glyph_picture_create(const text_line *_Nonnull line);
void glyph_picture_destroy(glyph_picture *_Nonnull picture);

// The picture as a PNG file; the caller frees it.
char *_Nonnull glyph_picture_png(
  const glyph_picture *_Nonnull picture, size_t *_Nonnull byte_count);
int32_t glyph_picture_width(const glyph_picture *_Nonnull picture);
int32_t glyph_picture_height(const glyph_picture *_Nonnull picture);

// ---- PNG files -----------------------------------------------------------------------------

// The pixels of a PNG file.
typedef struct png_picture png_picture;

// NULL: the file is damaged, cut off or of an unsupported kind, or there is no memory. The file's
// own size in pixels decides how much memory is allocated, so check that size first.
png_picture *_Nullable png_picture_create(const void *_Nonnull bytes, size_t byte_count);
void png_picture_destroy(png_picture *_Nonnull picture);

// ---- Canvas --------------------------------------------------------------------------------

// Draws into the caller's premultiplied ARGB32 pixels (in memory B, G, R, A), which must outlive
// the canvas.
typedef struct canvas canvas;

// NULL: no memory, or sizes that Cairo refuses (32767 pixels are its limit).
canvas *_Nullable canvas_create(
  void *_Nonnull pixels, int32_t width, int32_t height, int32_t stride);
void canvas_destroy(canvas *_Nonnull target);

// Clips to whole pixels.
void canvas_clip(canvas *_Nonnull target, int32_t x, int32_t y, int32_t width, int32_t height);

// Clips to a rectangle under the current transform.
void canvas_clip_box(
  canvas *_Nonnull target, double x, double y, double width, double height);

// Maps a unit point (x, y) to pixel (xx * x + xy * y + x0, yx * x + yy * y + y0).
void canvas_set_transform(
  canvas *_Nonnull target, double xx, double yx, double xy, double yy, double x0, double y0);

// Drawing between the two calls is composed first, then shown with this opacity.
void canvas_begin_group(canvas *_Nonnull target);
void canvas_end_group(canvas *_Nonnull target, double opacity);

// Drawing from here to the end of the group is added up, so that shapes that meet inside a pixel
// cover it fully.
void canvas_begin_sum(canvas *_Nonnull target);

void canvas_disc(canvas *_Nonnull target, double x, double y, double radius, uint32_t color);
void canvas_box(
  canvas *_Nonnull target, double x, double y, double width, double height, double corner_radius,
  uint32_t color);

// Draws a line of text, scaled by `scale`, with the left top corner of its logical box at (x, y).
void canvas_text(
  canvas *_Nonnull target, const text_line *_Nonnull line, double x, double y, double scale,
  uint32_t color);

// Draws the picture so that it fills the rectangle.
void canvas_picture(
  canvas *_Nonnull target, const glyph_picture *_Nonnull picture, double x, double y, double width,
  double height);

// Draws the picture, stretched over the rectangle.
void canvas_png(
  canvas *_Nonnull target, const png_picture *_Nonnull picture, double x, double y, double width,
  double height);

// Fills the rectangle with colours at equal distances along a line through its middle. The line
// points `angle` clockwise from the right, and is just long enough for its end colours to reach the
// outermost corners.
void canvas_gradient(
  canvas *_Nonnull target, double x, double y, double width, double height,
  const uint32_t *_Nonnull colors, int32_t color_count, double angle);

// Whether all drawing so far succeeded.
bool canvas_succeeded(const canvas *_Nonnull target);

// Writes premultiplied ARGB32 pixels as a PNG file. Returns 0 or an errno.
int canvas_write_png(
  const void *_Nonnull pixels, int32_t width, int32_t height, int32_t stride, int file);

// ---- Drawings ------------------------------------------------------------------------------

#include "drawing.h"

#endif
