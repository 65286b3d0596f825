// SPDX-License-Identifier: Apache-2.0
//
// The one call under a trace that glibc hides from Swift.

#ifndef CTRACEFILE_H
#define CTRACEFILE_H

#include <sys/types.h>

// fallocate(2) with FALLOC_FL_KEEP_SIZE: takes disk space for `count` bytes from `offset` on, and
// leaves the file's size alone. Returns -1 with errno set where it failed.
int trace_reserve(int descriptor, off_t offset, off_t count);

#endif
