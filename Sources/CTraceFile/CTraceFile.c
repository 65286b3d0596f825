// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE

#include "CTraceFile.h"

#include <fcntl.h>

int trace_reserve(int descriptor, off_t offset, off_t count) {
  return fallocate(descriptor, FALLOC_FL_KEEP_SIZE, offset, count);
}
