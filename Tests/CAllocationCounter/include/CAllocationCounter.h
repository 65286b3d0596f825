// SPDX-License-Identifier: Apache-2.0
//
// Counts allocations of the whole process, for tests: malloc and its relatives are replaced by
// functions that count and then call those of the C library.

#ifndef ORRERY_ALLOCATION_COUNTER_H
#define ORRERY_ALLOCATION_COUNTER_H

#include <stdint.h>

// Calls of malloc, calloc, realloc, aligned_alloc, memalign and posix_memalign so far, by all threads.
uint64_t allocation_count(void);

#endif
