// SPDX-License-Identifier: Apache-2.0
//
// The files of the live page, embedded by the compiler.

#ifndef ORRERY_LIVE_PAGE_H
#define ORRERY_LIVE_PAGE_H

#include <stddef.h>

// One file of the page.
typedef struct live_page_file {
  // Where it is asked for: "/" or "/main.js".
  const char *_Nonnull path;
  // Its media type.
  const char *_Nonnull type;
  const unsigned char *_Nonnull bytes;
  size_t count;
} live_page_file;

// How many there are.
size_t live_page_file_count(void);

// The file at an index below that.
live_page_file live_page_file_at(size_t index);

#endif
