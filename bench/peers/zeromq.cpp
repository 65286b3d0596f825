// SPDX-License-Identifier: Apache-2.0
//
// libzmq's own measurements, with the library that Orrery uses: the latency of a request and its reply
// (local_lat and remote_lat), and the throughput of PUSH to PULL (local_thr and remote_thr).
//
//   zeromq latency <endpoint> <bytes>         half of each round trip
//   zeromq paced <endpoint> <bytes>           PAIR, one way
//   zeromq throughput <endpoint> <bytes>      each message allocated, as remote_thr does
//   zeromq inplace <endpoint> <bytes>         zmq_msg_init_data over a ring
//
// An endpoint may leave the port to the system; one that ends in a dash gets a number.

#include "handover.h"

#include <zmq.h>

static void must(bool is_right) {
  if (!is_right) handover_memory::fail(zmq_strerror(zmq_errno()));
}

// The endpoint to which the reader's socket is bound.
struct bound_endpoint {
  std::atomic<uint32_t> is_bound;
  char endpoint[252];
};
static bound_endpoint *bound = nullptr;

static void *open_socket(int type, const char *endpoint, bool binds, int high_water) {
  void *socket = zmq_socket(zmq_ctx_new(), type);
  must(socket);
  zmq_setsockopt(socket, ZMQ_SNDHWM, &high_water, sizeof high_water);
  zmq_setsockopt(socket, ZMQ_RCVHWM, &high_water, sizeof high_water);
  if (binds) {
    must(zmq_bind(socket, endpoint) == 0);
    size_t length = sizeof bound->endpoint;
    must(zmq_getsockopt(socket, ZMQ_LAST_ENDPOINT, bound->endpoint, &length) == 0);
    bound->is_bound.store(1, std::memory_order_release);
    return socket;
  }
  uint64_t end = monotonic_ns() + 10'000'000'000;
  while (!bound->is_bound.load(std::memory_order_acquire)) {
    if (monotonic_ns() > end) handover_memory::fail("nobody is bound");
    usleep(1000);
  }
  must(zmq_connect(socket, bound->endpoint) == 0);
  return socket;
}

static void send_own(void *socket, size_t bytes) {
  zmq_msg_t message;
  must(zmq_msg_init_size(&message, bytes) == 0);
  must(zmq_sendmsg(socket, &message, 0) >= 0);
}

static void receive(void *socket, zmq_msg_t *message, size_t bytes) {
  must(zmq_recvmsg(socket, message, 0) >= 0);
  if (zmq_msg_size(message) != bytes) handover_memory::fail("a message of another size");
}

static pid_t start(void (*child)(const char *, size_t), const char *endpoint, size_t bytes) {
  pid_t parent = getpid();
  pid_t pid = fork();
  if (pid == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(1);
    child(endpoint, bytes);
    _exit(0);
  }
  return pid;
}

static void reply(const char *endpoint, size_t bytes) {
  void *socket = open_socket(ZMQ_REP, endpoint, true, 1000);
  zmq_msg_t message;
  must(zmq_msg_init(&message) == 0);
  while (true) {
    receive(socket, &message, bytes);
    must(zmq_sendmsg(socket, &message, 0) >= 0);
  }
}

static void latency(const char *endpoint, size_t bytes) {
  counter_scale scale;
  void *socket = open_socket(ZMQ_REQ, endpoint, false, 1000);
  round_request request;
  while (next_round(request)) {
    std::vector<double> ns;
    zmq_msg_t message;
    must(zmq_msg_init_size(&message, bytes) == 0);
    memset(zmq_msg_data(&message), 0, bytes);
    uint64_t slept_before = sleep_count(), begin = monotonic_ns();
    for (uint64_t i = 0; i < request.count; i++) {
      uint64_t stamp = stamp_before();
      must(zmq_sendmsg(socket, &message, 0) >= 0);
      receive(socket, &message, bytes);
      if (i >= request.count / 20) ns.push_back(scale.ns(int64_t(stamp_after() - stamp)) / 2);
    }
    zmq_msg_close(&message);
    double seconds = double(monotonic_ns() - begin) / 1e9;
    answer("request", ns, request.count, 0, seconds, sleep_count() - slept_before);
  }
}

struct paced_way : plain_way {
  const char *endpoint;
  size_t bytes;
  void *socket = nullptr;
  zmq_msg_t received;
  bool has_received = false;

  std::string name() { return "pair"; }
  void writer_opens() { socket = open_socket(ZMQ_PAIR, endpoint, false, 1000); }
  void reader_opens(int) { socket = open_socket(ZMQ_PAIR, endpoint, true, 1000); }
  void send(uint64_t) {
    zmq_msg_t message;
    must(zmq_msg_init_size(&message, bytes) == 0);
    uint64_t stamp = stamp_before();
    memcpy(zmq_msg_data(&message), &stamp, sizeof stamp);
    must(zmq_sendmsg(socket, &message, 0) >= 0);
  }
  uint64_t receive(int, uint64_t) {
    if (!has_received) must(zmq_msg_init(&received) == 0);
    has_received = true;
    ::receive(socket, &received, bytes);
    uint64_t stamp;
    memcpy(&stamp, zmq_msg_data(&received), sizeof stamp);
    return stamp;
  }
};

// Receives messages and reports the time from the first to the last message of each round.
static handover_memory *shared = nullptr;

static void pull(const char *endpoint, size_t bytes) {
  int high_water = bytes >= 64 << 10 ? 8 : 1000;
  void *socket = open_socket(ZMQ_PULL, endpoint, true, high_water);
  zmq_msg_t message;
  must(zmq_msg_init(&message) == 0);
  for (uint32_t round = 0;; round++) {
    while (shared->round.load(std::memory_order_acquire) == round) futex_wait(shared->round, round);
    uint64_t count = shared->count;
    receive(socket, &message, bytes);
    uint64_t begin = monotonic_ns();
    for (uint64_t i = 1; i < count; i++) receive(socket, &message, bytes);
    shared->received[0] = monotonic_ns() - begin;
    shared->done++;
  }
}

static std::atomic<long> in_flight;
static void release(void *, void *) { in_flight--; }

static void throughput(const char *endpoint, size_t bytes, bool in_place) {
  int high_water = bytes >= 64 << 10 ? 8 : 1000;
  void *socket = open_socket(ZMQ_PUSH, endpoint, false, high_water);
  // As many slots as fit in 64 MiB, but always some.
  long slots = std::min<long>(std::max<long>(long((64 << 20) / bytes), 16), 4096);
  char *ring = nullptr;
  if (in_place) {
    ring = static_cast<char *>(shared_memory(size_t(slots) * bytes));
    memset(ring, 1, size_t(slots) * bytes);
  }
  round_request request;
  while (next_round(request)) {
    shared->done = 0;
    shared->count = std::max<uint64_t>(request.count, 2);
    shared->round++;
    futex_wake(shared->round);
    for (uint64_t i = 0; i < shared->count; i++) {
      if (!in_place) {
        send_own(socket, bytes);
        continue;
      }
      while (in_flight >= slots) spin_hint();
      in_flight++;
      zmq_msg_t message;
      must(zmq_msg_init_data(&message, ring + size_t(i) % size_t(slots) * bytes, bytes, release, nullptr) == 0);
      must(zmq_sendmsg(socket, &message, 0) >= 0);
    }
    shared->wait_for(shared->done, 1);
    std::vector<double> none;
    // The first message only starts the clock.
    answer(
      in_place ? "push in place" : "push", none, shared->count - 1, 0, double(shared->received[0]) / 1e9);
  }
}

int main(int count, char **words) {
  if (count < 4) return 64;
  std::string kind = words[1];
  std::string wanted = words[2];
  if (wanted.back() == '-') wanted += std::to_string(getpid());
  const char *endpoint = wanted.c_str();
  bound = new (shared_memory(4096)) bound_endpoint{};
  size_t bytes = strtoull(words[3], nullptr, 10);
  if (kind == "paced") {
    paced_way way;
    way.endpoint = endpoint;
    way.bytes = bytes;
    return measure_latency(way, 1, true, false);
  }
  shared = shared_handover_memory();
  pid_t pid = start(kind == "latency" ? reply : pull, endpoint, bytes);
  if (pid < 0) handover_memory::fail("fork");
  if (kind == "latency") {
    latency(endpoint, bytes);
  } else {
    throughput(endpoint, bytes, kind == "inplace");
  }
  kill(pid, SIGKILL);
  waitpid(pid, nullptr, 0);
  return 0;
}
