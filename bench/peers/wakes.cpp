// SPDX-License-Identifier: Apache-2.0
//
// The smallest ways to notify another process of a message: a cache line that it polls, and the
// kernel's ways to wake it.
//
//   wakes line|swapped|futex|eventfd|pipe|socket
//
// Swapped exchanges the two processors: if their counters disagree, one of the two figures is too high.

#include "handover.h"

#include <sys/eventfd.h>
#include <sys/socket.h>

// Number and stamp on one line.
struct alignas(64) message_line {
  std::atomic<uint64_t> number;
  uint64_t stamp;
};

struct line_way : plain_way {
  message_line *line = new (shared_memory(4096)) message_line{};

  std::string name() { return "line"; }
  void send(uint64_t n) {
    line->stamp = stamp_before();
    line->number.store(n, std::memory_order_release);
  }
  uint64_t receive(int, uint64_t n) {
    while (line->number.load(std::memory_order_acquire) < n) spin_hint();
    return line->stamp;
  }
};

struct futex_way : plain_way {
  struct alignas(64) words {
    std::atomic<uint32_t> number;
    uint64_t stamp;
  } *line = new (shared_memory(4096)) words{};

  std::string name() { return "futex"; }
  void send(uint64_t n) {
    line->stamp = stamp_before();
    line->number.store(uint32_t(n), std::memory_order_release);
    futex_wake(line->number);
  }
  uint64_t receive(int, uint64_t n) {
    uint32_t seen;
    while ((seen = line->number.load(std::memory_order_acquire)) != uint32_t(n)) futex_wait(line->number, seen);
    return line->stamp;
  }
};

// The message is the stamp itself.
struct descriptor_way : plain_way {
  int ends[2];
  bool is_pipe;

  descriptor_way(const std::string &kind) : is_pipe(kind == "pipe") {
    int failed = is_pipe ? pipe(ends) : socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends);
    if (failed) handover_memory::fail("no descriptors");
  }
  std::string name() { return is_pipe ? "pipe" : "socket"; }
  void send(uint64_t) {
    uint64_t stamp = stamp_before();
    if (write(ends[1], &stamp, sizeof stamp) != sizeof stamp) handover_memory::fail("write");
  }
  uint64_t receive(int, uint64_t) {
    uint64_t stamp = 0;
    if (read(ends[0], &stamp, sizeof stamp) != sizeof stamp) handover_memory::fail("read");
    return stamp;
  }
};

struct eventfd_way : line_way {
  int descriptor = eventfd(0, 0);

  std::string name() { return "eventfd"; }
  void send(uint64_t) {
    uint64_t one = 1;
    line->stamp = stamp_before();
    if (write(descriptor, &one, sizeof one) != sizeof one) handover_memory::fail("write");
  }
  uint64_t receive(int, uint64_t) {
    uint64_t number;
    if (read(descriptor, &number, sizeof number) != sizeof number) handover_memory::fail("read");
    return line->stamp;
  }
};

int main(int count, char **words) {
  std::string kind = count > 1 ? words[1] : "line";
  if (kind == "line") {
    line_way way;
    return measure_latency(way, 1, false, true);
  }
  if (kind == "swapped") {
    line_way way;
    return measure_latency(way, 1, false, true, true);
  }
  if (kind == "futex") {
    futex_way way;
    return measure_latency(way, 1, true, true);
  }
  if (kind == "eventfd") {
    eventfd_way way;
    return measure_latency(way, 1, true, true);
  }
  descriptor_way way(kind);
  return measure_latency(way, 1, true, true);
}
