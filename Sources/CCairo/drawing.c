// SPDX-License-Identifier: Apache-2.0

#include <cairo-svg.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "text.h"

struct drawing {
  cairo_surface_t *surface;
  cairo_t *cairo;
  drawing_format format;
  int file;
  // The first errno of a write.
  int error;
};

static cairo_status_t write_bytes(void *closure, const unsigned char *bytes, unsigned int count) {
  drawing *target = closure;
  while (count > 0) {
    ssize_t written = write(target->file, bytes, count);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      if (!target->error) target->error = errno;
      return CAIRO_STATUS_WRITE_ERROR;
    }
    bytes += written;
    count -= (unsigned int)written;
  }
  return CAIRO_STATUS_SUCCESS;
}

drawing *drawing_create(drawing_format format, int32_t width, int32_t height, int file) {
  drawing *target = calloc(1, sizeof *target);
  if (!target) return NULL;
  target->format = format;
  target->file = file;
  if (format == DRAWING_SVG) {
    target->surface = cairo_svg_surface_create_for_stream(write_bytes, target, width, height);
    cairo_svg_surface_set_document_unit(target->surface, CAIRO_SVG_UNIT_USER);
  } else {
    target->surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, width, height);
  }
  target->cairo = cairo_create(target->surface);
  if (cairo_status(target->cairo) != CAIRO_STATUS_SUCCESS) {
    drawing_destroy(target);
    return NULL;
  }
  cairo_set_line_join(target->cairo, CAIRO_LINE_JOIN_ROUND);
  cairo_set_antialias(target->cairo, CAIRO_ANTIALIAS_BEST);
  return target;
}

void drawing_destroy(drawing *target) {
  cairo_destroy(target->cairo);
  cairo_surface_destroy(target->surface);
  free(target);
}

int drawing_finish(drawing *target) {
  cairo_status_t status = cairo_status(target->cairo);
  if (status == CAIRO_STATUS_SUCCESS && target->format == DRAWING_PNG) {
    status = cairo_surface_write_to_png_stream(target->surface, write_bytes, target);
  }
  cairo_surface_finish(target->surface);
  if (status == CAIRO_STATUS_SUCCESS) status = cairo_surface_status(target->surface);
  if (target->error) return target->error;
  return status == CAIRO_STATUS_SUCCESS ? 0 : status == CAIRO_STATUS_NO_MEMORY ? ENOMEM : EIO;
}

void drawing_clip(drawing *target, double x, double y, double width, double height) {
  cairo_rectangle(target->cairo, x, y, width, height);
  cairo_clip(target->cairo);
}

void drawing_unclip(drawing *target) { cairo_reset_clip(target->cairo); }

static void set_color(drawing *target, uint32_t color) {
  cairo_set_source_rgba(
    target->cairo, (color >> 24) / 255.0, (color >> 16 & 255) / 255.0, (color >> 8 & 255) / 255.0,
    (color & 255) / 255.0);
}

static void set_path(drawing *target, const double *points, int32_t count) {
  cairo_new_path(target->cairo);
  for (int32_t i = 0; i < count; i++) {
    cairo_line_to(target->cairo, points[2 * i], points[2 * i + 1]);
  }
}

void drawing_line(
  drawing *target, const double *points, int32_t count, double width, double dash, uint32_t color
) {
  set_path(target, points, count);
  set_color(target, color);
  cairo_set_line_width(target->cairo, width);
  cairo_set_dash(target->cairo, &dash, dash > 0 ? 1 : 0, 0);
  cairo_stroke(target->cairo);
}

void drawing_area(drawing *target, const double *points, int32_t count, uint32_t color) {
  set_path(target, points, count);
  cairo_close_path(target->cairo);
  set_color(target, color);
  cairo_fill(target->cairo);
}

void drawing_disc(drawing *target, double x, double y, double radius, uint32_t color) {
  cairo_new_path(target->cairo);
  cairo_arc(target->cairo, x, y, radius, 0, 2 * G_PI);
  set_color(target, color);
  cairo_fill(target->cairo);
}

void drawing_text(
  drawing *target, const struct text_line *line, double x, double y, uint32_t color
) {
  cairo_save(target->cairo);
  cairo_translate(target->cairo, x, y);
  set_color(target, color);
  text_line_draw(target->cairo, line);
  cairo_restore(target->cairo);
}
