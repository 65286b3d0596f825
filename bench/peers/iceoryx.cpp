// SPDX-License-Identifier: Apache-2.0
//
// iceoryx 2: a publisher and a subscriber in two processes; from publish to the stamp read in place.
//
//   iceoryx roudi                      the required daemon; it ends with its parent
//   iceoryx spin|waitset <bytes>

#include "handover.h"

#include "iceoryx_posh/popo/untyped_publisher.hpp"
#include "iceoryx_posh/popo/untyped_subscriber.hpp"
#include "iceoryx_posh/popo/wait_set.hpp"
#include "iceoryx_posh/runtime/posh_runtime.hpp"

#include <memory>

struct iceoryx_way : plain_way {
  bool waits;
  uint32_t bytes;
  pid_t owner = getpid();
  std::unique_ptr<iox::popo::UntypedPublisher> publisher;
  std::unique_ptr<iox::popo::UntypedSubscriber> subscriber;
  std::unique_ptr<iox::popo::WaitSet<>> waitset;
  void *loaned = nullptr;
  const void *taken = nullptr;

  static iox::RuntimeName_t name(const char *role, pid_t pid) {
    return iox::RuntimeName_t(iox::cxx::TruncateToCapacity, std::string("orrery-bench-") + role + std::to_string(pid));
  }
  iox::capro::ServiceDescription service() {
    return {"orrery", "bench", iox::capro::IdString_t(iox::cxx::TruncateToCapacity, std::to_string(owner))};
  }

  std::string name() { return waits ? "waitset" : "spin"; }
  void writer_opens() {
    iox::runtime::PoshRuntime::initRuntime(name("writer", owner));
    publisher = std::make_unique<iox::popo::UntypedPublisher>(service());
    while (!publisher->hasSubscribers()) usleep(1000);
  }
  void reader_opens(int) {
    iox::runtime::PoshRuntime::initRuntime(name("reader", owner));
    subscriber = std::make_unique<iox::popo::UntypedSubscriber>(service());
    while (subscriber->getSubscriptionState() != iox::SubscribeState::SUBSCRIBED) usleep(1000);
    if (!waits) return;
    waitset = std::make_unique<iox::popo::WaitSet<>>();
    waitset->attachState(*subscriber, iox::popo::SubscriberState::HAS_DATA).or_else([](auto) {
      handover_memory::fail("the waitset takes no subscriber");
    });
  }
  void fill(uint64_t n) {
    publisher->loan(bytes)
      .and_then([&](void *memory) { loaned = memory; })
      .or_else([](auto) { handover_memory::fail("no memory was lent"); });
    memset(loaned, int(n), bytes);
  }
  void send(uint64_t) {
    *static_cast<volatile uint64_t *>(loaned) = stamp_before();
    publisher->publish(loaned);
  }
  uint64_t receive(int, uint64_t) {
    taken = nullptr;
    while (!taken) {
      if (waits) waitset->wait();
      subscriber->take().and_then([&](const void *memory) { taken = memory; });
    }
    return *static_cast<const volatile uint64_t *>(taken);
  }
  void release(int) { subscriber->release(taken); }
};

int main(int count, char **words) {
  if (count == 2 && !strcmp(words[1], "roudi")) {
    // It cleans up on SIGTERM, so unblock signals that the bench's parent may have blocked.
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    // With monitoring, it would take slow programs on a busy machine for dead ones.
    execlp("iox-roudi", "iox-roudi", "--monitoring-mode", "off", nullptr);
    return 127;
  }
  if (count < 3) return 64;
  iceoryx_way way;
  way.waits = !strcmp(words[1], "waitset");
  way.bytes = uint32_t(strtoull(words[2], nullptr, 10));
  return measure_latency(way, 1, way.waits, true);
}
