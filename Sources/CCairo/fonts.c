// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CLinux.h"
#include "text.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// Has fontconfig read its configuration and look through all directories, which it does once a process.
static void load(void) {
  PangoFontMap *map = pango_cairo_font_map_new();
  PangoFontFamily **families = NULL;
  int count = 0;
  pango_font_map_list_families(map, &families, &count);
  g_free(families);
  g_object_unref(map);
}

static bool is_repeated(const char *text, const char *line, size_t length) {
  for (const char *other = text; other < line; other = strchr(other, '\n') + 1) {
    if (strncmp(other, line, length) == 0) return true;
  }
  return false;
}

// Writes each line once. A program that another one of Orrery's has started leaves fontconfig's lines
// to that one, which has loaded the same fonts.
static void write_lines(const char *text) {
  bool is_child = getenv("ORRERY_PARENT") != NULL;
  for (const char *line = text, *end; (end = strchr(line, '\n')); line = end + 1) {
    size_t length = (size_t)(end - line) + 1;
    bool is_left = is_child && strncmp(line, "Fontconfig ", strlen("Fontconfig ")) == 0;
    if (is_left || is_repeated(text, line, length)) continue;
    ssize_t written = write(STDERR_FILENO, line, length);
    (void)written;
  }
}

// fontconfig repeats its errors on standard error for each directory of fonts: they go to a file in
// memory first.
static void load_quietly(void) {
  int file = memfd_create("font-messages", MFD_CLOEXEC);
  int standard_error = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
  if (file >= 0 && standard_error >= 0 && dup2(file, STDERR_FILENO) >= 0) {
    linux_last_words = standard_error;
    load();
    dup2(standard_error, STDERR_FILENO);
    linux_last_words = STDERR_FILENO;
    off_t length = lseek(file, 0, SEEK_END);
    char *text = length > 0 ? calloc((size_t)length + 2, 1) : NULL;
    if (text && pread(file, text, (size_t)length, 0) == length) {
      if (text[length - 1] != '\n') text[length] = '\n';
      write_lines(text);
    }
    free(text);
  }
  if (standard_error >= 0) close(standard_error);
  if (file >= 0) close(file);
}

void text_load_fonts(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load_quietly);
}
