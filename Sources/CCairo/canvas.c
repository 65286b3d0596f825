// SPDX-License-Identifier: Apache-2.0

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "text.h"

struct canvas {
  cairo_t *cairo;
};

canvas *canvas_create(void *pixels, int32_t width, int32_t height, int32_t stride) {
  cairo_surface_t *surface = cairo_image_surface_create_for_data(
    pixels, CAIRO_FORMAT_ARGB32, width, height, stride);
  cairo_t *cairo = cairo_create(surface);
  cairo_surface_destroy(surface);
  canvas *target = cairo_status(cairo) == CAIRO_STATUS_SUCCESS ? malloc(sizeof *target) : NULL;
  if (!target) {
    cairo_destroy(cairo);
    return NULL;
  }
  cairo_set_antialias(cairo, CAIRO_ANTIALIAS_BEST);
  // In pixels. With Cairo's default of a tenth, a disc of radius 5 lacks a hundredth of its area.
  cairo_set_tolerance(cairo, 0.02);
  target->cairo = cairo;
  return target;
}

void canvas_destroy(canvas *target) {
  cairo_surface_flush(cairo_get_target(target->cairo));
  cairo_destroy(target->cairo);
  free(target);
}

void canvas_clip(canvas *target, int32_t x, int32_t y, int32_t width, int32_t height) {
  cairo_matrix_t matrix;
  cairo_get_matrix(target->cairo, &matrix);
  cairo_identity_matrix(target->cairo);
  cairo_rectangle(target->cairo, x, y, width, height);
  cairo_clip(target->cairo);
  cairo_set_matrix(target->cairo, &matrix);
}

void canvas_clip_box(canvas *target, double x, double y, double width, double height) {
  cairo_rectangle(target->cairo, x, y, width, height);
  cairo_clip(target->cairo);
}

void canvas_set_transform(
  canvas *target, double xx, double yx, double xy, double yy, double x0, double y0
) {
  cairo_matrix_t matrix = {.xx = xx, .yx = yx, .xy = xy, .yy = yy, .x0 = x0, .y0 = y0};
  cairo_set_matrix(target->cairo, &matrix);
}

void canvas_begin_group(canvas *target) { cairo_push_group(target->cairo); }

void canvas_end_group(canvas *target, double opacity) {
  cairo_pop_group_to_source(target->cairo);
  cairo_paint_with_alpha(target->cairo, opacity);
}

void canvas_begin_sum(canvas *target) {
  cairo_push_group(target->cairo);
  cairo_set_operator(target->cairo, CAIRO_OPERATOR_ADD);
}

static void set_color(canvas *target, uint32_t color) {
  cairo_set_source_rgba(
    target->cairo, (color >> 24) / 255.0, (color >> 16 & 255) / 255.0, (color >> 8 & 255) / 255.0,
    (color & 255) / 255.0);
}

void canvas_disc(canvas *target, double x, double y, double radius, uint32_t color) {
  set_color(target, color);
  cairo_new_path(target->cairo);
  cairo_arc(target->cairo, x, y, radius, 0, 2 * G_PI);
  cairo_fill(target->cairo);
}

void canvas_box(
  canvas *target, double x, double y, double width, double height, double corner_radius,
  uint32_t color
) {
  cairo_t *cairo = target->cairo;
  double radius = fmin(corner_radius, fmin(width, height) / 2);
  double right = x + width, bottom = y + height;
  set_color(target, color);
  cairo_new_path(cairo);
  if (radius > 0) {
    cairo_arc(cairo, right - radius, y + radius, radius, -G_PI / 2, 0);
    cairo_arc(cairo, right - radius, bottom - radius, radius, 0, G_PI / 2);
    cairo_arc(cairo, x + radius, bottom - radius, radius, G_PI / 2, G_PI);
    cairo_arc(cairo, x + radius, y + radius, radius, G_PI, 3 * G_PI / 2);
    cairo_close_path(cairo);
  } else {
    cairo_rectangle(cairo, x, y, width, height);
  }
  cairo_fill(cairo);
}

void canvas_text(
  canvas *target, const text_line *line, double x, double y, double scale, uint32_t color
) {
  cairo_save(target->cairo);
  cairo_translate(target->cairo, x, y);
  cairo_scale(target->cairo, scale, scale);
  set_color(target, color);
  text_line_draw(target->cairo, line);
  cairo_restore(target->cairo);
}

void canvas_picture(
  canvas *target, const glyph_picture *picture, double x, double y, double width, double height
) {
  cairo_t *cairo = target->cairo;
  cairo_save(cairo);
  cairo_translate(cairo, x, y);
  cairo_scale(
    cairo, width / cairo_image_surface_get_width(picture->surface),
    height / cairo_image_surface_get_height(picture->surface));
  cairo_set_source_surface(cairo, picture->surface, 0, 0);
  cairo_pattern_set_filter(cairo_get_source(cairo), CAIRO_FILTER_BEST);
  cairo_paint(cairo);
  cairo_restore(cairo);
}

void canvas_png(
  canvas *target, const png_picture *picture, double x, double y, double width, double height
) {
  cairo_t *cairo = target->cairo;
  cairo_save(cairo);
  cairo_translate(cairo, x, y);
  cairo_new_path(cairo);
  cairo_rectangle(cairo, 0, 0, width, height);
  cairo_scale(
    cairo, width / cairo_image_surface_get_width(picture->surface),
    height / cairo_image_surface_get_height(picture->surface));
  cairo_set_source_surface(cairo, picture->surface, 0, 0);
  // The rectangle cuts off the picture, so its edge is not mixed with what lies outside. The best
  // filter would overshoot: colours could exceed their alpha.
  cairo_pattern_set_extend(cairo_get_source(cairo), CAIRO_EXTEND_PAD);
  cairo_pattern_set_filter(cairo_get_source(cairo), CAIRO_FILTER_GOOD);
  cairo_fill(cairo);
  cairo_restore(cairo);
}

void canvas_gradient(
  canvas *target, double x, double y, double width, double height, const uint32_t *colors,
  int32_t color_count, double angle
) {
  cairo_t *cairo = target->cairo;
  double dx = cos(angle), dy = sin(angle);
  double half = (fabs(width * dx) + fabs(height * dy)) / 2;
  double middle_x = x + width / 2, middle_y = y + height / 2;
  cairo_pattern_t *line = cairo_pattern_create_linear(
    middle_x - dx * half, middle_y - dy * half, middle_x + dx * half, middle_y + dy * half);
  for (int32_t i = 0; i < color_count; i++) {
    uint32_t color = colors[i];
    cairo_pattern_add_color_stop_rgba(
      line, color_count > 1 ? i / (color_count - 1.0) : 0, (color >> 24) / 255.0,
      (color >> 16 & 255) / 255.0, (color >> 8 & 255) / 255.0, (color & 255) / 255.0);
  }
  cairo_set_source(cairo, line);
  cairo_pattern_destroy(line);
  cairo_new_path(cairo);
  cairo_rectangle(cairo, x, y, width, height);
  cairo_fill(cairo);
}

bool canvas_succeeded(const canvas *target) {
  return cairo_status(target->cairo) == CAIRO_STATUS_SUCCESS;
}

typedef struct png_sink {
  int file;
  int error;
} png_sink;

static cairo_status_t write_bytes(void *closure, const unsigned char *bytes, unsigned int count) {
  png_sink *sink = closure;
  while (count > 0) {
    ssize_t written = write(sink->file, bytes, count);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      sink->error = errno;
      return CAIRO_STATUS_WRITE_ERROR;
    }
    bytes += written;
    count -= (unsigned int)written;
  }
  return CAIRO_STATUS_SUCCESS;
}

int canvas_write_png(const void *pixels, int32_t width, int32_t height, int32_t stride, int file) {
  // Cairo only reads them.
  cairo_surface_t *surface = cairo_image_surface_create_for_data(
    (unsigned char *)pixels, CAIRO_FORMAT_ARGB32, width, height, stride);
  png_sink sink = {.file = file};
  cairo_status_t status = cairo_surface_write_to_png_stream(surface, write_bytes, &sink);
  cairo_surface_destroy(surface);
  if (sink.error) return sink.error;
  return status == CAIRO_STATUS_SUCCESS ? 0 : status == CAIRO_STATUS_NO_MEMORY ? ENOMEM : EIO;
}
