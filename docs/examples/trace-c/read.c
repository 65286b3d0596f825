// SPDX-License-Identifier: Apache-2.0
//
// Prints the first value of each frame of a trace. A trace is an MCAP file of protobuf messages: docs/reference/trace.md.

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

// Bytes that are read from their start; a length is compared with the rest before it is used.
typedef struct bytes {
  const uint8_t *at, *end;
} bytes;

static void fail(const char *what) {
  fprintf(stderr, "read: %s\n", what);
  exit(65);
}

static bytes take(bytes *from, uint64_t count) {
  if (count > (uint64_t)(from->end - from->at)) fail("the trace stops here");
  bytes taken = {from->at, from->at + count};
  from->at += count;
  return taken;
}

// A little-endian number, as both MCAP and protobuf have them.
static uint64_t number(bytes *from, unsigned width) {
  uint64_t value = 0;
  memcpy(&value, take(from, width).at, width);
  return value;
}

static uint64_t varint(bytes *from) {
  uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    uint8_t byte = *take(from, 1).at;
    value |= (uint64_t)(byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
  fail("a varint does not end");
  return 0;
}

// The next field of a message: its number, and its value or its content.
static unsigned field(bytes *message, uint64_t *value, bytes *content) {
  uint64_t tag = varint(message);
  *value = 0;
  *content = (bytes){0};
  switch (tag & 7) {
    case 0: *value = varint(message); break;
    case 1: *value = number(message, 8); break;
    case 2: *content = take(message, varint(message)); break;
    case 5: *value = number(message, 4); break;
    default: fail("no protobuf message");
  }
  return (unsigned)(tag >> 3);
}

// orrery.Frame and orrery.Column, as Sources/OrreryMessages/orrery.proto has them.
static void print_frame(bytes frame) {
  uint64_t value, sequence = 0, tick = 0;
  bytes content;
  while (frame.at < frame.end) {
    unsigned number_of_field = field(&frame, &value, &content);
    if (number_of_field == 1) sequence = value;
    if (number_of_field == 2) tick = value;
    if (number_of_field != 8) continue;
    uint64_t entity = 0, kind = 0;
    float unit = 0, first = 0;
    for (bytes column = content; column.at < column.end;) {
      unsigned part = field(&column, &value, &content);
      if (part == 2) entity = value;
      if (part == 3) kind = value;
      if (part == 6) memcpy(&unit, &value, 4);
      if (part == 5 && content.at < content.end) memcpy(&first, take(&content, 4).at, 4);
      if (part == 7 && content.at < content.end) first = (float)(int16_t)number(&content, 2) * unit;
    }
    printf("frame %lu, tick %lu: entity %lu, field %lu is %.9g\n", (unsigned long)sequence, (unsigned long)tick,
           (unsigned long)entity, (unsigned long)kind, first);
    return;
  }
}

// Records of a file, or of a chunk in it. Returns how many frames there were.
static unsigned long read_records(bytes records, int is_chunk) {
  static const char topic[] = "/orrery/frames";
  static int frames_channel = -1;
  unsigned long count = 0;
  while (records.at < records.end) {
    uint64_t kind = number(&records, 1);
    bytes record = take(&records, number(&records, 8));
    if (kind == 0x0f) break;  // DataEnd: what follows is the summary
    if (kind == 0x04) {       // Channel: id, schema, topic, …
      int channel = (int)number(&record, 2);
      take(&record, 2);
      bytes name = take(&record, number(&record, 4));
      if (name.end - name.at == sizeof topic - 1 && memcmp(name.at, topic, sizeof topic - 1) == 0)
        frames_channel = channel;
    } else if (kind == 0x05) {  // Message: channel, sequence, log time, publish time, data
      int channel = (int)number(&record, 2);
      take(&record, 4 + 8 + 8);
      if (channel != frames_channel) continue;
      print_frame(record);
      count += 1;
    } else if (kind == 0x06 && !is_chunk) {  // Chunk: first and last time, size, CRC, compression, records
      take(&record, 8 + 8 + 8 + 4);
      bytes compression = take(&record, number(&record, 4));
      if (compression.at < compression.end) fail("compressed; orrery trace filter --compression none makes a plain one");
      count += read_records(take(&record, number(&record, 8)), 1);
    }
  }
  return count;
}

int main(int argc, char **argv) {
  static const uint8_t magic[8] = {0x89, 'M', 'C', 'A', 'P', '0', '\r', '\n'};
  if (argc != 2) {
    fprintf(stderr, "usage: read TRACE\n");
    return 64;
  }
  int file = open(argv[1], O_RDONLY);
  struct stat status;
  if (file < 0 || fstat(file, &status) != 0) {
    perror(argv[1]);
    return 66;
  }
  const uint8_t *data = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
  if (data == MAP_FAILED || status.st_size < 8 || memcmp(data, magic, 8) != 0) fail("no MCAP file");
  printf("%lu frames\n", read_records((bytes){data + 8, data + status.st_size}, 0));
}
