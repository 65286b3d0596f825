// SPDX-License-Identifier: Apache-2.0
//
// Shared by all programs that hand messages over: a writer and its readers in processes of their own,
// rounds requested on standard input, one line of JSON as the answer to each.
//
//   asks     <messages> <pause before each, ns>
//   answers  {"p50":…,"p90":…,"p99":…,"max":…,"received":…,"missed":…,"seconds":…,"way":"…","slept":…}   ns
//            {"error":"…"}
//
// The way is a word of bench/Transport/HandoverWay.swift, reported by the code that handed over. slept is the
// count of the readers' sleeps, as the kernel counts them; it is left out if not counted.
//
// Between rounds every process sleeps, so programs can stay alive and take turns.

#pragma once

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <vector>

#include <linux/futex.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __x86_64__
#include <x86intrin.h>
#endif

inline uint64_t monotonic_ns() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return uint64_t(t.tv_sec) * 1'000'000'000 + uint64_t(t.tv_nsec);
}

inline void spin_hint() {
#ifdef __x86_64__
  _mm_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

// The processors' common counter: the stamp in a message, and the time to compare it with.
inline uint64_t stamp_before() {
#ifdef __x86_64__
  return __rdtsc();
#elif defined(__aarch64__)
  uint64_t v;
  asm volatile("mrs %0, cntvct_el0" : "=r"(v));
  return v;
#else
  return monotonic_ns();
#endif
}

// The counter, read after all earlier instructions have completed.
inline uint64_t stamp_after() {
#ifdef __x86_64__
  unsigned processor;
  return __rdtscp(&processor);
#elif defined(__aarch64__)
  asm volatile("isb");
  return stamp_before();
#else
  return stamp_before();
#endif
}

// The counter in nanoseconds.
struct counter_scale {
  double ns_per_tick;
  // Time between two readings in a row, subtracted from every figure.
  double own_ns;

  counter_scale() {
    uint64_t ns = monotonic_ns(), ticks = stamp_before();
    while (monotonic_ns() < ns + 20'000'000) {}
    ns_per_tick = double(monotonic_ns() - ns) / double(stamp_before() - ticks);
    uint64_t least = ~0ull;
    for (int i = 0; i < 10'000; i++) {
      uint64_t a = stamp_before();
      least = std::min(least, stamp_after() - a);
    }
    own_ns = double(least) * ns_per_tick;
  }

  double ns(int64_t ticks) const { return double(ticks) * ns_per_tick - own_ns; }
};

// Pins to the n-th processor that this process may use. Beyond the last, it wraps to the second: the
// first is the writer's alone.
inline void run_on(int n) {
  cpu_set_t all, one;
  if (sched_getaffinity(0, sizeof all, &all) != 0) return;
  std::vector<int> have;
  for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
    if (CPU_ISSET(cpu, &all)) have.push_back(cpu);
  if (have.size() < 2) return;
  CPU_ZERO(&one);
  CPU_SET(n == 0 ? have[0] : have[1 + size_t(n - 1) % (have.size() - 1)], &one);
  sched_setaffinity(0, sizeof one, &one);
}

inline void futex_wait(std::atomic<uint32_t> &word, uint32_t expected) {
  syscall(SYS_futex, &word, FUTEX_WAIT, expected, nullptr, nullptr, 0);
}
inline void futex_wake(std::atomic<uint32_t> &word) {
  syscall(SYS_futex, &word, FUTEX_WAKE, INT32_MAX, nullptr, nullptr, 0);
}

// Memory that parent and children share.
inline void *shared_memory(size_t bytes) {
  void *p = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
  if (p == MAP_FAILED) {
    printf("{\"error\":\"no memory\"}\n");
    exit(0);
  }
  return p;
}

constexpr int readers_max = 8;
constexpr uint64_t messages_max = 1 << 18;

// Shared memory for the writer and readers of a program, used between messages.
struct handover_memory {
  alignas(64) std::atomic<uint32_t> round;
  std::atomic<uint64_t> count;
  // Counts of readers that wait for the first message, and that have read the last.
  alignas(64) std::atomic<uint32_t> ready;
  std::atomic<uint32_t> done;
  std::atomic<uint32_t> failed;
  alignas(64) uint64_t received[readers_max], missed[readers_max], slept[readers_max];
  // The last message that a reader has finished.
  struct alignas(64) {
    std::atomic<uint64_t> number;
  } had[readers_max];
  int64_t ticks[readers_max][messages_max];

  void wait_for(std::atomic<uint32_t> &what, uint32_t number) {
    uint64_t end = monotonic_ns() + 20'000'000'000;
    while (what.load(std::memory_order_acquire) < number && !failed) {
      if (monotonic_ns() > end) fail("a reader is silent");
      usleep(200);
    }
  }

  static void await(std::atomic<uint64_t> &what, uint64_t number, bool sleeps) {
    uint64_t end = monotonic_ns() + 10'000'000'000;
    while (what.load(std::memory_order_acquire) < number) {
      if (monotonic_ns() > end) fail("a message got lost");
      if (sleeps) usleep(20); else spin_hint();
    }
  }

  [[noreturn]] static void fail(const char *why) {
    printf("{\"error\":\"%s\"}\n", why);
    fflush(stdout);
    exit(0);
  }
};

inline handover_memory *shared_handover_memory() {
  return new (shared_memory(sizeof(handover_memory))) handover_memory{};
}

struct round_request {
  uint64_t count, pause_ns;
};

inline bool next_round(round_request &request) {
  char line[128];
  if (!fgets(line, sizeof line, stdin)) return false;
  unsigned long long count = 0, pause = 0;
  if (sscanf(line, "%llu %llu", &count, &pause) != 2 || count == 0) return false;
  request = {count, pause};
  return true;
}

inline double part(const std::vector<double> &sorted, double p) {
  return sorted.empty() ? 0 : sorted[size_t(double(sorted.size() - 1) * p + 0.5)];
}

// Count of this thread's sleeps.
inline uint64_t sleep_count() {
  rusage usage;
  return getrusage(RUSAGE_THREAD, &usage) == 0 ? uint64_t(usage.ru_nvcsw) : 0;
}

// The readers' sleeps were not counted.
constexpr uint64_t not_counted = ~0ull;

inline void answer(
  const std::string &way, std::vector<double> &ns, uint64_t received, uint64_t missed, double seconds,
  uint64_t slept = not_counted
) {
  std::sort(ns.begin(), ns.end());
  printf(
    "{\"p50\":%.1f,\"p90\":%.1f,\"p99\":%.1f,\"max\":%.1f,\"received\":%llu,\"missed\":%llu,\"seconds\":%.6f,"
    "\"way\":\"%s\"",
    part(ns, 0.5), part(ns, 0.9), part(ns, 0.99), part(ns, 1), (unsigned long long)received,
    (unsigned long long)missed, seconds, way.c_str());
  if (slept != not_counted) printf(",\"slept\":%llu", (unsigned long long)slept);
  printf("}\n");
  fflush(stdout);
}

inline void pause(uint64_t ns, bool sleeps) {
  // A sim computes before it publishes, so its processor is awake: spin for this time.
  constexpr uint64_t busy_ns = 20'000;
  uint64_t end = monotonic_ns() + ns;
  if (sleeps && ns > busy_ns) {
    timespec t{time_t((ns - busy_ns) / 1'000'000'000), long((ns - busy_ns) % 1'000'000'000)};
    nanosleep(&t, nullptr);
  }
  while (monotonic_ns() < end) spin_hint();
}

// Default operations of a way: they do nothing.
struct plain_way {
  void writer_opens() {}
  void reader_opens(int) {}
  void fill(uint64_t) {}
  void release(int) {}
};

// Measures latencies of a way to hand messages over, in one direction, paced.
//
// A way has: name(), its word in answers; writer_opens(); reader_opens(r); fill(n), which fills message n; send(n),
// which stamps and sends it; receive(r, n), which waits for message n and returns its stamp, read in place; and
// release(r), which frees it.
template <class Way>
int measure_latency(Way &way, int readers, bool sleeps, bool pinned, bool swapped = false) {
  counter_scale scale;
  handover_memory *b = shared_handover_memory();
  pid_t parent = getpid();
  std::vector<pid_t> children;
  for (int r = 0; r < readers; r++) {
    pid_t pid = fork();
    if (pid < 0) handover_memory::fail("fork");
    if (pid == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (getppid() != parent) _exit(1);
      if (pinned) run_on(swapped ? 0 : 1 + r);
      way.reader_opens(r);
      b->ready++;
      uint64_t n = 1;
      for (uint32_t round = 0;; round++) {
        while (b->round.load(std::memory_order_acquire) == round) futex_wait(b->round, round);
        uint64_t count = b->count;
        // The last round is empty: end normally, so that libraries clean up.
        if (count == 0) exit(0);
        b->ready++;
        uint64_t slept_before = sleep_count();
        for (uint64_t i = 0; i < count; i++, n++) {
          uint64_t stamp = way.receive(r, n);
          b->ticks[r][i] = int64_t(stamp_after() - stamp);
          way.release(r);
          b->had[r].number.store(n, std::memory_order_release);
        }
        b->received[r] = count;
        b->slept[r] = sleep_count() - slept_before;
        b->done++;
      }
    }
    children.push_back(pid);
  }
  if (pinned) run_on(swapped ? 1 : 0);
  way.writer_opens();
  b->wait_for(b->ready, uint32_t(readers));
  round_request request;
  uint64_t n = 1;
  while (next_round(request)) {
    request.count = std::min(request.count, messages_max);
    b->ready = 0;
    b->done = 0;
    b->count = request.count;
    b->round++;
    futex_wake(b->round);
    b->wait_for(b->ready, uint32_t(readers));
    // Gives the readers time to begin their first wait.
    usleep(2000);
    uint64_t begin = monotonic_ns();
    for (uint64_t i = 0; i < request.count; i++, n++) {
      way.fill(n);
      pause(request.pause_ns, sleeps);
      way.send(n);
      // Wait for the readers, so that messages never queue, whatever else the machine does.
      for (int r = 0; r < readers; r++) b->await(b->had[r].number, n, sleeps);
    }
    double seconds = double(monotonic_ns() - begin) / 1e9;
    b->wait_for(b->done, uint32_t(readers));
    std::vector<double> ns;
    uint64_t received = 0, slept = 0;
    for (int r = 0; r < readers; r++) {
      received += b->received[r];
      slept += b->slept[r];
      // Skip the first messages: caches are cold, and readers may start late.
      for (uint64_t i = std::min<uint64_t>(request.count / 20, 100); i < request.count; i++)
        ns.push_back(scale.ns(b->ticks[r][i]));
    }
    answer(swapped ? "swapped" : way.name(), ns, received, 0, seconds, slept);
  }
  b->count = 0;
  b->round++;
  futex_wake(b->round);
  for (pid_t pid : children) {
    uint64_t end = monotonic_ns() + 500'000'000;
    while (waitpid(pid, nullptr, WNOHANG) == 0) {
      if (monotonic_ns() > end) kill(pid, SIGKILL);
      usleep(1000);
    }
  }
  return 0;
}
