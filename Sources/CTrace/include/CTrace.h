// SPDX-License-Identifier: Apache-2.0
//
// What writing a trace needs below Swift: a copy that takes a checksum on its way, and writes that are
// under way while the next ones are prepared.

#ifndef ORRERY_TRACE_H
#define ORRERY_TRACE_H

#include <stddef.h>
#include <stdint.h>

// Whether this processor multiplies carry-less in 256-bit registers: trace_copy then takes one pass.
int trace_copies_in_one_pass(void);

// Copies `count` bytes and returns the CRC-32 of all bytes so far: `checksum` is that of the bytes
// before, 0 for none. With `past_caches` a large copy bypasses the caches, so that their contents stay:
// for bytes that no processor reads soon. The two places must not overlap.
uint32_t trace_copy(
  void *_Nonnull to, const void *_Nonnull from, size_t count, uint32_t checksum, int past_caches);

// A queue of writes to one file: the kernel's io_uring. One thread uses it.
typedef struct trace_ring trace_ring;

// Makes a queue for up to `depth` writes to the descriptor. Returns NULL with errno set if the kernel
// has none, or refuses it to this process.
trace_ring *_Nullable trace_ring_make(int descriptor, unsigned depth);

// Begins to write `count` bytes; they must stay where they are until trace_ring_wait returns `tag`.
// Returns 0, or an error number: then nothing was begun.
int trace_ring_begin(
  trace_ring *_Nonnull ring, const void *_Nonnull bytes, uint32_t count, uint64_t offset,
  uint64_t tag);

// Waits for one write to end. Returns its count of bytes or its negative error number. Call it only
// while a write is under way.
int trace_ring_wait(trace_ring *_Nonnull ring, uint64_t *_Nonnull tag);

// Frees the queue. No write may be under way.
void trace_ring_free(trace_ring *_Nonnull ring);

// Lets writes of a descriptor bypass the page cache, or go through it again. Returns 0, or -1 with
// errno set, EINVAL where the file system cannot bypass it.
int trace_bypass_cache(int descriptor, int bypasses);

// Free bytes of the descriptor's file system for this user, and its size in bytes. Returns 0, or -1
// with errno set.
int trace_free_space(int descriptor, uint64_t *_Nonnull available, uint64_t *_Nonnull size);

#endif
