// SPDX-License-Identifier: Apache-2.0
//
// Bytes that every Orrery process on a host agrees on. Little-endian. See docs/reference/frame.md.
// Change a field here and FRAME_LAYOUT_VERSION must change with it.
//
// The segment, a file that subscribers map for reading only; a memory file is sealed as well:
//
//   0                  ring_header         one page
//   columns_offset     ring_column[]       where each column's values lie in a frame
//   directory_offset   ring_slot[]         which frame each slot holds, and where; one cache line each
//   static_offset      orrery.SceneLayout  what does not change for the whole run
//   places_offset      places              each is exactly one orrery.Frame, place_stride bytes apart
//
// Frame n is in slot n mod slot_count; the slot says which place holds its bytes. If frames may be
// sent from the ring, there are more places than slots: a frame that is being sent keeps its place,
// and its slot takes a spare one.

#ifndef ORRERY_FRAME_LAYOUT_H
#define ORRERY_FRAME_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

// Swift reads it; gcc does not know it.
#ifndef __clang__
#define _Nonnull
#endif

#define FRAME_LAYOUT_VERSION 3

// "ORRYRING" read as a little-endian word: it also marks the byte order.
#define RING_MAGIC 0x474e49525952524full

#define DELIVERY_LIVE 0
#define DELIVERY_LOCKSTEP 1

#define COLUMN_FLOAT32 0
#define COLUMN_FIXED16 1

// Head of the segment.
//
//   offset  size  field              written    meaning
//        0     8  magic              plain      RING_MAGIC
//        8     4  layout_version     plain      FRAME_LAYOUT_VERSION
//       12     4  delivery           plain      DELIVERY_LIVE or DELIVERY_LOCKSTEP
//       16     8  segment_bytes      plain      size of the whole segment
//       24     8  generation         plain      drawn at random for each run
//       32     8  layout_hash        plain      hash of the column table
//       40     8  columns_offset     plain      of the column table
//       48     4  column_count       plain      columns in a frame
//       52     4  slot_count         plain      slots in the ring
//       56     8  directory_offset   plain      of the slot directory
//       64     8  static_offset      plain      of the SceneLayout message
//       72     8  static_bytes       plain      its length
//       80     8  places_offset      plain      of the first place
//       88     8  place_stride       plain      from one place to the next; 640 modulo 4096
//       96     8  frame_bytes        plain      length of the Frame message in a place
//      104     4  look_ahead         plain      slots after the next one that the writer may write early
//      108     4  spare_count        plain      places beyond slot_count
//      112     8  clock_offset_ns    plain      publish_time_ns of frames less the sim's CLOCK_MONOTONIC
//      120     8  reserved           plain      zero
//      128     8  published          release    sequence of the newest whole frame; 0 before the first
//      136    56  reserved_published plain      keeps the line to itself
//      192     8  ended              release    0 while running; 1 when no frame will follow
//      200    56  reserved_ended     plain      zero
//
// Plain fields are written once, before a subscriber gets the descriptor.
typedef struct ring_header {
  uint64_t magic;
  uint32_t layout_version;
  uint32_t delivery;
  uint64_t segment_bytes;
  uint64_t generation;
  uint64_t layout_hash;
  uint64_t columns_offset;
  uint32_t column_count;
  uint32_t slot_count;
  uint64_t directory_offset;
  uint64_t static_offset;
  uint64_t static_bytes;
  uint64_t places_offset;
  uint64_t place_stride;
  uint64_t frame_bytes;
  uint32_t look_ahead;
  uint32_t spare_count;
  int64_t clock_offset_ns;
  uint8_t reserved[8];
  uint64_t published;
  uint8_t reserved_published[56];
  uint64_t ended;
  uint8_t reserved_ended[56];
} ring_header;

_Static_assert(sizeof(ring_header) == 256, "a ring header is four cache lines");
_Static_assert(offsetof(ring_header, clock_offset_ns) == 112, "docs/reference/frame.md says 112");
_Static_assert(offsetof(ring_header, published) == 128, "published has a cache line of its own");
_Static_assert(offsetof(ring_header, ended) == 192, "ended has a cache line of its own");

// Where one column's values lie in every frame.
//
//   offset  size  field           written  meaning
//        0     4  batch           plain    index into SceneLayout.batches
//        4     4  field           plain    orrery.Field
//        8     4  first_entity    plain    number of the entity of the first value
//       12     4  value_count     plain    values, one for each entity
//       16     8  values_offset   plain    of the first value from the frame's start; a multiple of 64
//       24     4  format          plain    COLUMN_FLOAT32 or COLUMN_FIXED16
//       28     4  unit            plain    COLUMN_FIXED16: a value is a 16-bit number times this power of
//                                          two; 0 otherwise
typedef struct ring_column {
  uint32_t batch;
  uint32_t field;
  uint32_t first_entity;
  uint32_t value_count;
  uint64_t values_offset;
  uint32_t format;
  float unit;
} ring_column;

_Static_assert(sizeof(ring_column) == 32, "a column takes 32 bytes");
_Static_assert(offsetof(ring_column, format) == 24, "docs/reference/frame.md says 24");

// State of one slot: one cache line, apart from the frame so that a place holds a Frame and nothing
// else.
//
//   offset  size  field            written    meaning
//        0     8  sequence_begin   store,     frame that the slot is for; set before its first byte is
//                                  fence      written, with a fence after the store
//        8     8  sequence_end     release    frame complete; set after the frame's last byte
//       16     8  place            store      number of the place where its bytes lie; set after the fence
//       24    40  reserved         plain      zero
//
// Reader of frame n: load sequence_end (acquire), load place, read there, acquire fence, load
// sequence_begin. The bytes read are one whole frame if and only if both sequences are n.
typedef struct ring_slot {
  uint64_t sequence_begin;
  uint64_t sequence_end;
  uint64_t place;
  uint8_t reserved[40];
} ring_slot;

_Static_assert(sizeof(ring_slot) == 64, "a slot's state is one cache line");
_Static_assert(offsetof(ring_slot, sequence_end) == 8, "docs/reference/frame.md says 8");
_Static_assert(offsetof(ring_slot, place) == 16, "docs/reference/frame.md says 16");

// Topics of announcements: the first eight bytes of the message, which subscribers filter by.
#define ANNOUNCEMENT_TOPIC_FRAME "frame\0\0"
#define ANNOUNCEMENT_TOPIC_END "end\0\0\0\0"

// The ZeroMQ message that announces a frame.
//
//   offset  size  field              meaning
//        0     8  topic              ANNOUNCEMENT_TOPIC_FRAME or ANNOUNCEMENT_TOPIC_END
//        8     8  generation         of the run
//       16     8  sequence           of the frame; of the last one for "end"
//       24     8  tick               of the frame
//       32     8  sim_time_ns        of the frame
//       40     8  publish_clock_ns   CLOCK_MONOTONIC when the frame became visible
//       48     8  state_hash         of the frame
//       56     4  layout_version     FRAME_LAYOUT_VERSION
//       60     4  reserved           zero
typedef struct announcement {
  uint8_t topic[8];
  uint64_t generation;
  uint64_t sequence;
  uint64_t tick;
  uint64_t sim_time_ns;
  uint64_t publish_clock_ns;
  uint64_t state_hash;
  uint32_t layout_version;
  uint32_t reserved;
} announcement;

_Static_assert(sizeof(announcement) == 64, "an announcement is one cache line");

// The first message of a subscriber on the join socket, and the reply, with the segment's
// descriptor attached. The open connection is the subscriber's lease.
#define JOIN_MAGIC 0x4e494f4a5952524full

#define JOIN_ACCEPTED 0
#define JOIN_REFUSED_VERSION 1
#define JOIN_REFUSED_FULL 2
#define JOIN_REFUSED_ENDED 3
#define JOIN_REFUSED_SILENT 4

#define CARRIER_MEMORY 0
#define CARRIER_NAMED 1

#define WAIT_SPIN 0
#define WAIT_FUTEX 1
#define WAIT_ANNOUNCEMENT 2

#define READ_EVERY 0
#define READ_NEWEST 1
#define READ_NOTHING 2

//   offset  size  field            meaning
//        0     8  magic            JOIN_MAGIC
//        8     4  layout_version   FRAME_LAYOUT_VERSION of the subscriber
//       12     4  process_id       of the subscriber, for reports only
//       16    32  name             UTF-8, padded with zeros: "renderer", "logger", …
//       48     4  waiting          WAIT_SPIN, WAIT_FUTEX or WAIT_ANNOUNCEMENT: who must be woken how
//       52     4  reading          READ_EVERY or READ_NEWEST, for reports; READ_NOTHING: it
//                                  prepares, and sends a second request when it is ready
//       56     8  from             first frame that is wanted; 0 for the next one
typedef struct join_request {
  uint64_t magic;
  uint32_t layout_version;
  uint32_t process_id;
  char name[32];
  uint32_t waiting;
  uint32_t reading;
  uint64_t from;
} join_request;

_Static_assert(sizeof(join_request) == 64, "a join request is 64 bytes");

//   offset  size  field            meaning
//        0     8  magic            JOIN_MAGIC
//        8     4  layout_version   FRAME_LAYOUT_VERSION of the sim
//       12     4  status           JOIN_ACCEPTED or the reason of the refusal
//       16     8  generation       of the run
//       24     8  segment_bytes    size of the segment whose descriptor is attached
//       32     8  sequence         the frame before the first to read, if none was asked for
//       40     8  layout_hash      as in the ring's header
//       48     4  delivery         as in the ring's header
//       52     4  carrier          CARRIER_MEMORY, which is sealed, or CARRIER_NAMED, which cannot be
//       56     8  reserved         zero
typedef struct join_reply {
  uint64_t magic;
  uint32_t layout_version;
  uint32_t status;
  uint64_t generation;
  uint64_t segment_bytes;
  uint64_t sequence;
  uint64_t layout_hash;
  uint32_t delivery;
  uint32_t carrier;
  uint8_t reserved[8];
} join_reply;

_Static_assert(sizeof(join_reply) == 64, "a join reply is 64 bytes");

// The later messages of a subscriber, for lockstep delivery and for statistics.
//
//   offset  size  field      meaning
//        0     8  sequence   every frame up to this one was read or given up
//        8     8  missed     how many of them were given up
//       16     4  leaving    1 in the last report, before it hangs up; else 0
//       20     4  reserved   zero
typedef struct progress_report {
  uint64_t sequence;
  uint64_t missed;
  uint32_t leaving;
  uint32_t reserved;
} progress_report;

_Static_assert(sizeof(progress_report) == 24, "a progress report is 24 bytes");

#define NOTICE_STALLED 1
#define NOTICE_BROKE_PROTOCOL 2

// The last message to a subscriber that the sim drops while the run goes on.
//
//   offset  size  field      meaning
//        0     8  magic      JOIN_MAGIC
//        8     4  reason     NOTICE_STALLED or NOTICE_BROKE_PROTOCOL
//       12     4  reserved   zero
//       16     8  sequence   last frame that it reported
typedef struct join_notice {
  uint64_t magic;
  uint32_t reason;
  uint32_t reserved;
  uint64_t sequence;
} join_notice;

_Static_assert(sizeof(join_notice) == 24, "a notice is 24 bytes");

#define COUNTERS_LAYOUT_VERSION 1

// "ORRYCNTR" read as a little-endian word: it also marks the byte order.
#define COUNTERS_MAGIC 0x52544e435952524full

// Where the parts of a counters page begin that are at the same offset in every page.
#define COUNTERS_TEXT_OFFSET 128
#define COUNTERS_LABELS_OFFSET 1024

// Head of a counters page: what one process counts, a memory file that others map for reading only.
//
//   0       counters_header
//   128     text             lines of a key, a blank and words: what does not change
//   1024    counter_label[]  the name of each counter, and where its words are
//   …       words            64 bits each
//
//   offset  size  field              written  meaning
//        0     8  magic              plain    COUNTERS_MAGIC
//        8     4  layout_version     plain    COUNTERS_LAYOUT_VERSION
//       12     4  process_id         plain    the process that counts
//       16     8  page_bytes         plain    size of the whole page
//       24     8  started_ns         plain    when the page was made, by CLOCK_MONOTONIC
//       32     4  label_count        plain    counters
//       36     4  text_bytes         plain    length of the text
//       40     8  generation         store    of the run that is counted; 0 while it is not known
//       48    16  reserved           plain    zero
//       64     8  sequence           release  odd while words are being stored, and then even
//       72    56  reserved_sequence  plain    keeps the line to itself
//
// One thread stores words. Reader: load sequence (acquire), load words, acquire fence, load sequence again.
// The words belong together if and only if both are the same even number; each alone is always whole.
typedef struct counters_header {
  uint64_t magic;
  uint32_t layout_version;
  uint32_t process_id;
  uint64_t page_bytes;
  uint64_t started_ns;
  uint32_t label_count;
  uint32_t text_bytes;
  uint64_t generation;
  uint8_t reserved[16];
  uint64_t sequence;
  uint8_t reserved_sequence[56];
} counters_header;

_Static_assert(sizeof(counters_header) == COUNTERS_TEXT_OFFSET, "the text follows the header");
_Static_assert(offsetof(counters_header, sequence) == 64, "sequence has a cache line of its own");

#define COUNTER_TOTAL 0
#define COUNTER_GAUGE 1
#define COUNTER_HISTOGRAM 2

// The name of a counter, and where its words are.
//
//   offset  size  field       written  meaning
//        0    40  name        plain    ASCII, zero-padded; its end says the unit
//       40     4  kind        plain    COUNTER_TOTAL: only grows; COUNTER_GAUGE; COUNTER_HISTOGRAM
//       44     4  word_count  plain    words: 1, or of a histogram the sum of its values, then a count for each bucket
//       48     8  offset      plain    of the first word from the page's start; a multiple of 8
//       56     8  reserved    plain    zero
typedef struct counter_label {
  char name[40];
  uint32_t kind;
  uint32_t word_count;
  uint64_t offset;
  uint8_t reserved[8];
} counter_label;

_Static_assert(sizeof(counter_label) == 64, "a label is one cache line");
_Static_assert(offsetof(counter_label, offset) == 48, "docs/reference/counters.md says 48");

// Atomic access to the words above, which are plain memory to Swift.

static inline uint64_t word_load_acquire(const uint64_t *_Nonnull word) {
  return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

static inline uint64_t word_load_relaxed(const uint64_t *_Nonnull word) {
  return __atomic_load_n(word, __ATOMIC_RELAXED);
}

static inline void word_store_release(uint64_t *_Nonnull word, uint64_t value) {
  __atomic_store_n(word, value, __ATOMIC_RELEASE);
}

static inline void word_store_relaxed(uint64_t *_Nonnull word, uint64_t value) {
  __atomic_store_n(word, value, __ATOMIC_RELAXED);
}

static inline void fence_acquire(void) { __atomic_thread_fence(__ATOMIC_ACQUIRE); }

static inline void fence_release(void) { __atomic_thread_fence(__ATOMIC_RELEASE); }

// Orders an earlier store before a later load, which the other two fences do not.
static inline void fence_full(void) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

// Adds 1 to a word if it still holds `expected`. Returns 0 if it does not.
static inline int word_raise(uint64_t *_Nonnull word, uint64_t expected) {
  return __atomic_compare_exchange_n(
    word, &expected, expected + 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
}

// Subtracts 1 and returns the new value.
static inline uint64_t word_lower(uint64_t *_Nonnull word) {
  return __atomic_sub_fetch(word, 1, __ATOMIC_SEQ_CST);
}

#endif
