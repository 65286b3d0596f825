// SPDX-License-Identifier: Apache-2.0

#include <stdlib.h>
#include <string.h>

#include "text.h"

// The unread rest of a file in memory.
typedef struct png_source {
  const unsigned char *bytes;
  size_t byte_count;
} png_source;

static cairo_status_t read_bytes(void *closure, unsigned char *bytes, unsigned int count) {
  png_source *source = closure;
  if (count > source->byte_count) return CAIRO_STATUS_READ_ERROR;
  memcpy(bytes, source->bytes, count);
  source->bytes += count;
  source->byte_count -= count;
  return CAIRO_STATUS_SUCCESS;
}

png_picture *png_picture_create(const void *bytes, size_t byte_count) {
  png_source source = {.bytes = bytes, .byte_count = byte_count};
  cairo_surface_t *surface = cairo_image_surface_create_from_png_stream(read_bytes, &source);
  png_picture *picture =
    cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS ? malloc(sizeof *picture) : NULL;
  if (!picture) {
    cairo_surface_destroy(surface);
    return NULL;
  }
  picture->surface = surface;
  return picture;
}

void png_picture_destroy(png_picture *picture) {
  cairo_surface_destroy(picture->surface);
  free(picture);
}
