// SPDX-License-Identifier: Apache-2.0

#include "text.h"

#include <hb-ot.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Pixels per em of Noto Color Emoji's bitmaps: at this size they are drawn unscaled.
#define COLOR_BITMAP_EM 109.0

// Colour glyphs are drawn this many times finer than the picture before they are set between
// pixels.
#define COLOR_OVERSAMPLING 2.0

text_shaper *text_shaper_create(const char *language) {
  text_load_fonts();
  text_shaper *shaper = g_new0(text_shaper, 1);
  shaper->font_map = pango_cairo_font_map_new();
  shaper->context = pango_font_map_create_context(shaper->font_map);
  shaper->descriptions = g_hash_table_new_full(
    g_str_hash, g_str_equal, g_free, (GDestroyNotify)pango_font_description_free);
  cairo_font_options_t *options = cairo_font_options_create();
  cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
  cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
  pango_cairo_context_set_font_options(shaper->context, options);
  cairo_font_options_destroy(options);
  pango_context_set_round_glyph_positions(shaper->context, FALSE);
  // Pango would otherwise take the language and the direction from the process's environment.
  pango_context_set_language(shaper->context, pango_language_from_string(language));
  pango_context_set_base_dir(shaper->context, PANGO_DIRECTION_WEAK_LTR);
  return shaper;
}

void text_shaper_destroy(text_shaper *shaper) {
  g_hash_table_unref(shaper->descriptions);
  g_object_unref(shaper->context);
  g_object_unref(shaper->font_map);
  g_free(shaper);
}

static bool has_family(text_shaper *shaper, const char *family) {
  PangoFontFamily **families = NULL;
  int count = 0;
  pango_font_map_list_families(shaper->font_map, &families, &count);
  bool found = false;
  for (int i = 0; i < count && !found; i++) {
    found = g_ascii_strcasecmp(pango_font_family_get_name(families[i]), family) == 0;
  }
  g_free(families);
  return found;
}

// Adds a family's own fonts for other scripts ("Noto Sans Arabic") where they exist. They then come
// before other families, which fontconfig would prefer otherwise.
static void add_scripts(text_shaper *shaper, PangoFontDescription *description) {
  static const char *const scripts[] = {
    "Arabic", "Armenian", "Bengali", "Devanagari", "Georgian", "Hebrew", "Tamil", "Thai",
  };
  const char *family = pango_font_description_get_family(description);
  if (!family || strchr(family, ',')) return;
  GString *families = g_string_new(family);
  for (size_t i = 0; i < G_N_ELEMENTS(scripts); i++) {
    char *name = g_strconcat(family, " ", scripts[i], NULL);
    if (has_family(shaper, name)) g_string_append_printf(families, ",%s", name);
    g_free(name);
  }
  pango_font_description_set_family(description, families->str);
  g_string_free(families, TRUE);
}

// The shaper owns the result.
static const PangoFontDescription *describe(text_shaper *shaper, const char *font) {
  PangoFontDescription *description = g_hash_table_lookup(shaper->descriptions, font);
  if (description) return description;
  description = pango_font_description_from_string(font);
  pango_font_description_set_absolute_size(
    description, pango_font_description_get_size(description));
  add_scripts(shaper, description);
  g_hash_table_insert(shaper->descriptions, g_strdup(font), description);
  return description;
}

bool text_shaper_has_font(text_shaper *shaper, const char *font) {
  PangoFontDescription *description = pango_font_description_from_string(font);
  const char *names = pango_font_description_get_family(description);
  char **families = g_strsplit(names ? names : "", ",", -1);
  bool found = false;
  for (char **family = families; *family && !found; family++) {
    char *name = g_strstrip(*family);
    found = *name != 0 && has_family(shaper, name);
    if (!found && *name != 0) {
      // A family's second name is not in the list, but fontconfig loads it.
      PangoFont *loaded = pango_context_load_font(shaper->context, description);
      if (loaded) {
        PangoFontDescription *actual = pango_font_describe(loaded);
        const char *actual_name = pango_font_description_get_family(actual);
        found = actual_name && g_ascii_strcasecmp(actual_name, name) == 0;
        pango_font_description_free(actual);
        g_object_unref(loaded);
      }
    }
  }
  g_strfreev(families);
  pango_font_description_free(description);
  return found;
}

char *text_font_family(const char *font) {
  PangoFontDescription *description = pango_font_description_from_string(font);
  const char *family = pango_font_description_get_family(description);
  char *copy = strdup(family ? family : "");
  pango_font_description_free(description);
  return copy;
}

double text_font_size(const char *font) {
  PangoFontDescription *description = pango_font_description_from_string(font);
  double size = (double)pango_font_description_get_size(description) / PANGO_SCALE;
  pango_font_description_free(description);
  return size;
}

text_line *text_line_create(
  text_shaper *shaper, const char *utf8, int32_t byte_count, const char *font
) {
  text_line *line = g_new0(text_line, 1);
  line->layout = pango_layout_new(shaper->context);
  pango_layout_set_font_description(line->layout, describe(shaper, font));
  pango_layout_set_text(line->layout, utf8, byte_count);
  return line;
}

void text_line_destroy(text_line *line) {
  g_object_unref(line->layout);
  g_free(line);
}

static bool is_color_font(PangoFont *font) {
  hb_face_t *face = hb_font_get_face(pango_font_get_hb_font(font));
  return hb_ot_color_has_png(face) || hb_ot_color_has_layers(face) || hb_ot_color_has_svg(face);
}

text_extents text_line_extents(const text_line *line) {
  PangoRectangle ink, logical;
  pango_layout_get_extents(line->layout, &ink, &logical);
  text_extents extents = {
    .width = (double)logical.width / PANGO_SCALE,
    .height = (double)logical.height / PANGO_SCALE,
    .baseline = (double)pango_layout_get_baseline(line->layout) / PANGO_SCALE,
    .ink_x = (double)(ink.x - logical.x) / PANGO_SCALE,
    .ink_y = (double)(ink.y - logical.y) / PANGO_SCALE,
    .ink_width = (double)ink.width / PANGO_SCALE,
    .ink_height = (double)ink.height / PANGO_SCALE,
    .unknown_count = pango_layout_get_unknown_glyphs_count(line->layout),
  };
  PangoLayoutIter *iterator = pango_layout_get_iter(line->layout);
  do {
    PangoGlyphItem *run = pango_layout_iter_get_run_readonly(iterator);
    if (!run) continue;
    for (int i = 0; i < run->glyphs->num_glyphs; i++) {
      PangoGlyph glyph = run->glyphs->glyphs[i].glyph;
      if (glyph == PANGO_GLYPH_EMPTY) continue;
      if (extents.glyph_count++ == 0) extents.first_glyph = glyph;
    }
    if (is_color_font(run->item->analysis.font)) extents.has_color = true;
  } while (pango_layout_iter_next_run(iterator));
  pango_layout_iter_free(iterator);
  return extents;
}

// Cairo puts glyphs on whole pixels. So a colour run is drawn on its own finer surface, which is
// then drawn as a picture, also between pixels.
static void draw_color_run(cairo_t *cairo, PangoGlyphItem *run, double x, double y) {
  PangoRectangle ink;
  pango_glyph_string_extents(run->glyphs, run->item->analysis.font, &ink, NULL);
  cairo_matrix_t matrix;
  cairo_get_matrix(cairo, &matrix);
  double fineness = COLOR_OVERSAMPLING * hypot(matrix.xx, matrix.yx);
  double left = (double)ink.x / PANGO_SCALE, top = (double)ink.y / PANGO_SCALE;
  int width = (int)ceil((double)ink.width / PANGO_SCALE * fineness) + 4;
  int height = (int)ceil((double)ink.height / PANGO_SCALE * fineness) + 4;
  cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, width, height);
  cairo_t *fine = cairo_create(surface);
  cairo_scale(fine, fineness, fineness);
  double dx = 2 / fineness - left, dy = 2 / fineness - top;
  // A whole pixel, so that Cairo has nothing to round.
  dx = round(dx * fineness) / fineness;
  dy = round(dy * fineness) / fineness;
  cairo_move_to(fine, dx, dy);
  pango_cairo_show_glyph_string(fine, run->item->analysis.font, run->glyphs);
  cairo_destroy(fine);
  cairo_save(cairo);
  cairo_translate(cairo, x - dx, y - dy);
  cairo_scale(cairo, 1 / fineness, 1 / fineness);
  cairo_set_source_surface(cairo, surface, 0, 0);
  cairo_pattern_set_filter(cairo_get_source(cairo), CAIRO_FILTER_BEST);
  cairo_paint(cairo);
  cairo_restore(cairo);
  cairo_surface_destroy(surface);
}

// Draws the line, or only adds the outlines of its glyphs to the path, without those that have colours of their own.
static void trace_line(cairo_t *cairo, const text_line *line, bool draws) {
  PangoRectangle logical;
  pango_layout_get_extents(line->layout, NULL, &logical);
  PangoLayoutIter *iterator = pango_layout_get_iter(line->layout);
  do {
    PangoGlyphItem *run = pango_layout_iter_get_run_readonly(iterator);
    if (!run) continue;
    PangoRectangle box;
    pango_layout_iter_get_run_extents(iterator, NULL, &box);
    double x = (double)(box.x - logical.x) / PANGO_SCALE;
    double y = (double)(pango_layout_iter_get_baseline(iterator) - logical.y) / PANGO_SCALE;
    if (is_color_font(run->item->analysis.font)) {
      if (draws) draw_color_run(cairo, run, x, y);
      continue;
    }
    // As a path, because glyph images would be moved to whole pixels.
    if (draws) cairo_new_path(cairo);
    cairo_move_to(cairo, x, y);
    pango_cairo_glyph_string_path(cairo, run->item->analysis.font, run->glyphs);
    if (draws) cairo_fill(cairo);
  } while (pango_layout_iter_next_run(iterator));
  pango_layout_iter_free(iterator);
}

void text_line_draw(cairo_t *cairo, const text_line *line) { trace_line(cairo, line, true); }

// Appends a command and its points in hundredths of a unit.
static void append_points(GString *text, char command, const cairo_path_data_t *points, int count) {
  g_string_append_printf(text, "%c", command);
  for (int i = 0; i < count; i++) {
    g_string_append_printf(
      text, i == 0 ? "%ld %ld" : " %ld %ld", lround(100 * points[i].point.x),
      lround(100 * points[i].point.y));
  }
}

char *text_line_path(const text_line *line) {
  // Without bounds: glyphs beyond those of a surface would be left out.
  cairo_surface_t *surface =
    cairo_recording_surface_create(CAIRO_CONTENT_COLOR_ALPHA, NULL);
  cairo_t *cairo = cairo_create(surface);
  // Cairo keeps points as 256ths of a pixel.
  cairo_scale(cairo, 16, 16);
  trace_line(cairo, line, false);
  cairo_path_t *path = cairo_copy_path(cairo);
  GString *text = g_string_new("");
  for (int i = 0; i < path->num_data; i += path->data[i].header.length) {
    const cairo_path_data_t *points = &path->data[i + 1];
    switch (path->data[i].header.type) {
      case CAIRO_PATH_MOVE_TO:
        // Pango moves to where a text begins, and nothing follows there.
        if (i + 2 < path->num_data && path->data[i + 2].header.type != CAIRO_PATH_MOVE_TO) {
          append_points(text, 'M', points, 1);
        }
        break;
      case CAIRO_PATH_LINE_TO: append_points(text, 'L', points, 1); break;
      case CAIRO_PATH_CURVE_TO: append_points(text, 'C', points, 3); break;
      case CAIRO_PATH_CLOSE_PATH: append_points(text, 'Z', points, 0); break;
    }
  }
  cairo_path_destroy(path);
  cairo_destroy(cairo);
  cairo_surface_destroy(surface);
  return g_string_free(text, FALSE);
}

// Left, top, right and bottom of the pixels that are not transparent; false if there are none.
static bool visible_box(cairo_surface_t *surface, int box[4]) {
  int width = cairo_image_surface_get_width(surface);
  int height = cairo_image_surface_get_height(surface);
  int stride = cairo_image_surface_get_stride(surface);
  const unsigned char *pixels = cairo_image_surface_get_data(surface);
  box[0] = width, box[1] = height, box[2] = 0, box[3] = 0;
  for (int y = 0; pixels && y < height; y++) {
    const uint32_t *row = (const uint32_t *)(pixels + (size_t)y * (size_t)stride);
    for (int x = 0; x < width; x++) {
      // An eighth of full coverage: below it an edge is not seen.
      if (row[x] >> 24 < 32) continue;
      if (x < box[0]) box[0] = x;
      if (x >= box[2]) box[2] = x + 1;
      if (y < box[1]) box[1] = y;
      if (y >= box[3]) box[3] = y + 1;
    }
  }
  return box[0] < box[2];
}

glyph_picture *glyph_picture_create(const text_line *line) {
  const PangoFontDescription *description = pango_layout_get_font_description(line->layout);
  double size = (double)pango_font_description_get_size(description) / PANGO_SCALE;
  double scale = COLOR_BITMAP_EM / size;
  text_extents extents = text_line_extents(line);
  double width = ceil((extents.ink_width + 2) * scale) + 8;
  double height = ceil((extents.ink_height + 2) * scale) + 8;
  if (!(width < 8192 && height < 8192)) return NULL;
  cairo_surface_t *whole =
    cairo_image_surface_create(CAIRO_FORMAT_ARGB32, (int)width, (int)height);
  cairo_t *cairo = cairo_create(whole);
  cairo_translate(cairo, 4 - extents.ink_x * scale, 4 - extents.ink_y * scale);
  cairo_scale(cairo, scale, scale);
  pango_cairo_show_layout(cairo, line->layout);
  cairo_destroy(cairo);
  cairo_surface_flush(whole);
  int box[4];
  if (!visible_box(whole, box)) {
    cairo_surface_destroy(whole);
    return NULL;
  }
  glyph_picture *picture = g_new0(glyph_picture, 1);
  picture->surface =
    cairo_image_surface_create(CAIRO_FORMAT_ARGB32, box[2] - box[0], box[3] - box[1]);
  cairo_t *copy = cairo_create(picture->surface);
  cairo_set_source_surface(copy, whole, -box[0], -box[1]);
  cairo_set_operator(copy, CAIRO_OPERATOR_SOURCE);
  cairo_paint(copy);
  cairo_destroy(copy);
  cairo_surface_destroy(whole);
  return picture;
}

void glyph_picture_destroy(glyph_picture *picture) {
  cairo_surface_destroy(picture->surface);
  g_free(picture);
}

static cairo_status_t append_bytes(void *closure, const unsigned char *bytes, unsigned int count) {
  g_string_append_len(closure, (const char *)bytes, count);
  return CAIRO_STATUS_SUCCESS;
}

char *glyph_picture_png(const glyph_picture *picture, size_t *byte_count) {
  GString *bytes = g_string_new("");
  cairo_surface_write_to_png_stream(picture->surface, append_bytes, bytes);
  *byte_count = bytes->len;
  return g_string_free(bytes, FALSE);
}

int32_t glyph_picture_width(const glyph_picture *picture) {
  return cairo_image_surface_get_width(picture->surface);
}

int32_t glyph_picture_height(const glyph_picture *picture) {
  return cairo_image_surface_get_height(picture->surface);
}
