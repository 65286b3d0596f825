// SPDX-License-Identifier: Apache-2.0
//
// Prints the first value of each frame of a run, from the memory that its sim shares as a file in /dev/shm.

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include "CFrameLayout.h"

int main(int argc, char **argv) {
  if (argc != 3) return 64;
  int file = open(argv[1], O_RDONLY);
  struct stat status;
  if (file < 0 || fstat(file, &status) != 0 || status.st_size < 4096) {
    fprintf(stderr, "%s: no frames of a run\n", argv[1]);
    return 69;
  }
  const char *ring = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_SHARED, file, 0);
  if (ring == MAP_FAILED) return 69;
  const ring_header *header = (const ring_header *)ring;
  if (header->magic != RING_MAGIC || header->layout_version != FRAME_LAYOUT_VERSION) return 76;
  const ring_column *column = (const ring_column *)(ring + header->columns_offset);  // the first one
  const ring_slot *slots = (const ring_slot *)(ring + header->directory_offset);

  uint64_t last = word_load_acquire(&header->published);
  unsigned long received = 0, missed = 0, wanted = strtoul(argv[2], NULL, 10);
  while (received < wanted) {
    uint64_t ended = word_load_acquire(&header->ended);  // before `published`, so that no frame is lost
    if (word_load_acquire(&header->published) == last) {
      if (ended) break;
      nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
      continue;
    }
    last += 1;
    const ring_slot *slot = &slots[last % header->slot_count];
    if (word_load_acquire(&slot->sequence_end) != last) {  // it holds a later frame already
      missed += 1;
      continue;
    }
    const char *frame = ring + header->places_offset + word_load_relaxed(&slot->place) * header->place_stride;
    uint64_t tick;
    float value;
    memcpy(&tick, frame + 10, sizeof tick);  // number 2 of the seven
    memcpy(&value, frame + column->values_offset, sizeof value);
    fence_acquire();
    if (word_load_relaxed(&slot->sequence_begin) != last) {  // overwritten meanwhile
      missed += 1;
      continue;
    }
    received += 1;
    printf("frame %lu, tick %lu: entity %u, field %u is %.9g\n", (unsigned long)last, (unsigned long)tick,
           column->first_entity, column->field, value);
  }
  printf("%lu received, %lu missed\n", received, missed);
}
