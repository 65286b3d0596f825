// SPDX-License-Identifier: Apache-2.0
//
// The kernel's io_uring by its system calls: writes only, one thread, no polling.
//
// The two queues are memory shared with the kernel. We write the tail of the submissions and the head
// of the completions; the kernel writes the other two. A release store of ours pairs with an acquire
// load of the kernel, and the other way round.

#define _GNU_SOURCE
#include "CTrace.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/io_uring.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

struct trace_ring {
  int descriptor; // of the file
  int ring;       // of the io_uring

  void *submissions; // the mapped queues and their sizes; both queues may be one mapping
  size_t submissions_bytes;
  void *completions;
  size_t completions_bytes;
  struct io_uring_sqe *entries;
  size_t entries_bytes;

  uint32_t *submission_tail, *submission_mask, *submission_indexes;
  uint32_t *completion_head, *completion_tail, *completion_mask;
  struct io_uring_cqe *completion_entries;
};

static void *map(int ring, size_t bytes, off_t what) {
  void *mapped =
    mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, ring, what);
  return mapped == MAP_FAILED ? NULL : mapped;
}

static int map_queues(trace_ring *ring, const struct io_uring_params *sizes) {
  ring->submissions_bytes = sizes->sq_off.array + sizes->sq_entries * sizeof(uint32_t);
  ring->completions_bytes = sizes->cq_off.cqes + sizes->cq_entries * sizeof(struct io_uring_cqe);
  ring->entries_bytes = sizes->sq_entries * sizeof(struct io_uring_sqe);
  ring->submissions = map(ring->ring, ring->submissions_bytes, IORING_OFF_SQ_RING);
  ring->completions = map(ring->ring, ring->completions_bytes, IORING_OFF_CQ_RING);
  ring->entries = map(ring->ring, ring->entries_bytes, IORING_OFF_SQES);
  if (!ring->submissions || !ring->completions || !ring->entries) return -1;
  uint8_t *submissions = ring->submissions, *completions = ring->completions;
  ring->submission_tail = (uint32_t *)(submissions + sizes->sq_off.tail);
  ring->submission_mask = (uint32_t *)(submissions + sizes->sq_off.ring_mask);
  ring->submission_indexes = (uint32_t *)(submissions + sizes->sq_off.array);
  ring->completion_head = (uint32_t *)(completions + sizes->cq_off.head);
  ring->completion_tail = (uint32_t *)(completions + sizes->cq_off.tail);
  ring->completion_mask = (uint32_t *)(completions + sizes->cq_off.ring_mask);
  ring->completion_entries = (struct io_uring_cqe *)(completions + sizes->cq_off.cqes);
  return 0;
}

trace_ring *trace_ring_make(int descriptor, unsigned depth) {
  trace_ring *ring = calloc(1, sizeof *ring);
  if (!ring) return NULL;
  struct io_uring_params sizes;
  memset(&sizes, 0, sizeof sizes);
  ring->descriptor = descriptor;
  ring->ring = (int)syscall(__NR_io_uring_setup, depth, &sizes);
  if (ring->ring < 0 || map_queues(ring, &sizes) != 0) {
    int failure = errno;
    trace_ring_free(ring);
    errno = failure;
    return NULL;
  }
  return ring;
}

int trace_ring_begin(
  trace_ring *ring, const void *bytes, uint32_t count, uint64_t offset, uint64_t tag) {
  uint32_t tail = *ring->submission_tail;
  uint32_t index = tail & *ring->submission_mask;
  struct io_uring_sqe *entry = &ring->entries[index];
  memset(entry, 0, sizeof *entry);
  entry->opcode = IORING_OP_WRITE;
  entry->fd = ring->descriptor;
  entry->addr = (uintptr_t)bytes;
  entry->len = count;
  entry->off = offset;
  entry->user_data = tag;
  ring->submission_indexes[index] = index;
  __atomic_store_n(ring->submission_tail, tail + 1, __ATOMIC_RELEASE);
  for (;;) {
    long submitted = syscall(__NR_io_uring_enter, ring->ring, 1, 0, 0, NULL, 0);
    if (submitted == 1) return 0;
    if (submitted < 0 && errno == EINTR) continue;
    int failure = submitted < 0 ? errno : EAGAIN;
    // The kernel did not take the entry.
    __atomic_store_n(ring->submission_tail, tail, __ATOMIC_RELEASE);
    return failure;
  }
}

int trace_ring_wait(trace_ring *ring, uint64_t *tag) {
  uint32_t head = *ring->completion_head;
  while (head == __atomic_load_n(ring->completion_tail, __ATOMIC_ACQUIRE)) {
    if (syscall(__NR_io_uring_enter, ring->ring, 0, 1, IORING_ENTER_GETEVENTS, NULL, 0) < 0
        && errno != EINTR) {
      // The kernel cannot wait now, for lack of memory for example, but the writes are under way, and
      // the queue shows when one has ended.
      struct timespec pause = {.tv_nsec = 1000000};
      nanosleep(&pause, NULL);
    }
  }
  struct io_uring_cqe *entry = &ring->completion_entries[head & *ring->completion_mask];
  int result = entry->res;
  *tag = entry->user_data;
  __atomic_store_n(ring->completion_head, head + 1, __ATOMIC_RELEASE);
  return result;
}

void trace_ring_free(trace_ring *ring) {
  if (ring->entries) munmap(ring->entries, ring->entries_bytes);
  if (ring->completions) munmap(ring->completions, ring->completions_bytes);
  if (ring->submissions) munmap(ring->submissions, ring->submissions_bytes);
  if (ring->ring >= 0) close(ring->ring);
  free(ring);
}

int trace_bypass_cache(int descriptor, int bypasses) {
  int flags = fcntl(descriptor, F_GETFL);
  if (flags < 0) return -1;
  return fcntl(descriptor, F_SETFL, bypasses ? flags | O_DIRECT : flags & ~O_DIRECT);
}

int trace_free_space(int descriptor, uint64_t *available, uint64_t *size) {
  struct statvfs status;
  if (fstatvfs(descriptor, &status) != 0) return -1;
  *available = (uint64_t)status.f_bavail * status.f_frsize;
  *size = (uint64_t)status.f_blocks * status.f_frsize;
  return 0;
}
