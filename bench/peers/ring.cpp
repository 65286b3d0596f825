// SPDX-License-Identifier: Apache-2.0
//
// The smallest ring that hands messages over and detects torn ones: two words and the message, without
// layout, join or account. A lapped reader continues at the oldest message left, and counts whole
// messages.
//
//   ring handed|copied free|window <readers> <bytes> <slots>
//
// Free: the writer never waits. Window: it waits until every reader has finished the message to
// overwrite; readers report this in cache lines of their own.

#include "handover.h"

struct alignas(64) slot_head {
  std::atomic<uint64_t> begin, end;
  uint64_t stamp;
};

struct ring {
  char *memory;
  size_t stride, bytes;
  uint64_t slots;

  slot_head *at(uint64_t n) { return reinterpret_cast<slot_head *>(memory + n % slots * stride); }
};

// Messages between two reports of a reader.
constexpr uint64_t report_interval = 8;

static void write(ring &r, uint64_t n, const char *from) {
  slot_head *slot = r.at(n);
  slot->begin.store(n, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_release);
  if (from) memcpy(reinterpret_cast<char *>(slot + 1), from, r.bytes);
  slot->stamp = n;
  slot->end.store(n, std::memory_order_release);
}

// Reads up to and including `last`.
static void read(
  ring &r, uint64_t n, uint64_t last, char *to, bool yields, std::atomic<uint64_t> &had, uint64_t &received,
  uint64_t &missed
) {
  received = missed = 0;
  while (n <= last) {
    slot_head *slot = r.at(n);
    uint64_t found = slot->end.load(std::memory_order_acquire);
    if (found < n) {
      // Readers may share a processor: let the others run.
      if (yields) sched_yield(); else spin_hint();
      continue;
    }
    bool whole = false;
    if (found == n) {
      if (to) memcpy(to, slot + 1, r.bytes);
      uint64_t stamp = *const_cast<volatile uint64_t *>(&slot->stamp);
      std::atomic_thread_fence(std::memory_order_acquire);
      whole = slot->begin.load(std::memory_order_relaxed) == n && stamp == n;
    }
    if (whole) {
      received++;
      n++;
    } else {
      // The writer may be overwriting the slot after the newest message's.
      uint64_t oldest = std::max(found, n + 1);
      oldest = std::max(oldest > r.slots ? oldest - r.slots + 2 : 0, n + 1);
      missed += std::min(oldest, last + 1) - n;
      n = oldest;
    }
    if (n % report_interval == 0 || n > last) had.store(n - 1, std::memory_order_release);
  }
}

int main(int count, char **words) {
  if (count < 6) return 64;
  bool copies = !strcmp(words[1], "copied"), waits = !strcmp(words[2], "window");
  int readers = std::min(std::max(atoi(words[3]), 1), readers_max);
  ring r;
  r.bytes = strtoull(words[4], nullptr, 10);
  r.slots = strtoull(words[5], nullptr, 10);
  // Not a multiple of a page: slots would share cache sets.
  r.stride = (sizeof(slot_head) + r.bytes + 63) / 64 * 64 + 640;
  r.memory = static_cast<char *>(shared_memory(r.stride * r.slots));
  handover_memory *b = shared_handover_memory();
  std::vector<char> own(r.bytes, 1);
  pid_t parent = getpid();
  std::vector<pid_t> children;
  for (int reader = 0; reader < readers; reader++) {
    pid_t pid = fork();
    if (pid < 0) handover_memory::fail("fork");
    if (pid == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (getppid() != parent) _exit(1);
      run_on(1 + reader);
      uint64_t n = 1;
      for (uint32_t round = 0;; round++) {
        while (b->round.load(std::memory_order_acquire) == round) futex_wait(b->round, round);
        uint64_t last = n + b->count - 1;
        b->ready++;
        read(
          r, n, last, copies ? own.data() : nullptr, readers > 1, b->had[reader].number, b->received[reader],
          b->missed[reader]);
        n = last + 1;
        b->done++;
      }
    }
    children.push_back(pid);
  }
  run_on(0);
  uint64_t n = 1;
  round_request request;
  while (next_round(request)) {
    b->ready = 0;
    b->done = 0;
    b->count = request.count;
    b->round++;
    futex_wake(b->round);
    b->wait_for(b->ready, uint32_t(readers));
    uint64_t begin = monotonic_ns();
    uint64_t free_to = n + r.slots - 1;
    for (uint64_t i = 0; i < request.count; i++, n++) {
      while (waits && n > free_to) {
        uint64_t slowest = n;
        for (int reader = 0; reader < readers; reader++)
          slowest = std::min(slowest, b->had[reader].number.load(std::memory_order_acquire));
        free_to = slowest + r.slots;
        if (n > free_to) spin_hint();
      }
      write(r, n, copies ? own.data() : nullptr);
    }
    double seconds = double(monotonic_ns() - begin) / 1e9;
    b->wait_for(b->done, uint32_t(readers));
    uint64_t received = 0, missed = 0;
    for (int reader = 0; reader < readers; reader++) {
      received += b->received[reader];
      missed += b->missed[reader];
    }
    std::vector<double> none;
    answer(
      std::string(copies ? "copied" : "handed") + (waits ? " window" : " free"), none, received, missed, seconds);
  }
  for (pid_t pid : children) {
    kill(pid, SIGKILL);
    waitpid(pid, nullptr, 0);
  }
  return 0;
}
