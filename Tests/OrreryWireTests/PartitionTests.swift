// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase
import OrreryFrame
import OrreryWire
import Synchronization
import TestSupport
import Testing

/// A TCP relay on the loopback address that a test can slow down, stop, or cut.
private final class Relay: @unchecked Sendable {
  let endpoint: String
  private let listener: CInt

  /// The port that new connections are passed on to.
  let target: Atomic<UInt16>
  private let thread = Monitor<[TestThread]>([])
  private let connections = Monitor<[(client: CInt, server: CInt)]>([])
  private let isStopping = Atomic(false)

  /// Whether bytes are passed on: false is a half-open connection.
  let isOpen = Atomic(true)

  /// Bytes per second, each way; 0 is no limit.
  let rate = Atomic<Int>(0)

  /// Delay of what is passed on, ms.
  let delayMs = Atomic<Int>(0)

  init(to target: UInt16) throws {
    self.target = Atomic(target)
    let (listener, endpoint) = try RawListener.listen()
    (self.listener, self.endpoint) = (listener, endpoint.text)
    let accepting = try TestThread("the relay's end") { [self] in accept() }
    thread.change { $0.append(accepting) }
  }

  /// Breaks every connection; new ones are let through.
  func cut() {
    for (client, server) in connections.read({ $0 }) {
      shutdown(client, Int32(SHUT_RDWR))
      shutdown(server, Int32(SHUT_RDWR))
    }
  }

  /// Ends everything.
  func stop() {
    isStopping.store(true, ordering: .sequentiallyConsistent)
    for thread in thread.change({ threads in
      defer { threads = [] }
      return threads
    }) {
      do { try thread.join() } catch { Issue.record("\(error)") }
    }
    cut()
    for (client, server) in connections.read({ $0 }) {
      close(client)
      close(server)
    }
    close(listener)
  }

  private func accept() {
    while !isStopping.load(ordering: .relaxed) {
      var polled = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
      guard poll(&polled, 1, 20) > 0 else { continue }
      let client = Glibc.accept(listener, nil, nil)
      let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = target.load(ordering: .relaxed).bigEndian
      address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
      _ = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(server, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
      // Small buffers: what is under way is to be in the relay's hands.
      var buffer: CInt = 32 << 10
      for socket in [client, server] {
        setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &buffer, socklen_t(MemoryLayout<CInt>.size))
      }
      connections.change { $0.append((client, server)) }
      for (from, to) in [(client, server), (server, client)] {
        if let passing = try? TestThread("a relay's end", { [self] in pass(from, to) }) {
          thread.change { $0.append(passing) }
        }
      }
    }
  }

  private func pass(_ from: CInt, _ to: CInt) {
    var bytes = [UInt8](repeating: 0, count: 4096)
    while !isStopping.load(ordering: .relaxed) {
      guard isOpen.load(ordering: .relaxed) else {
        usleep(5000)
        continue
      }
      var polled = pollfd(fd: from, events: Int16(POLLIN), revents: 0)
      guard poll(&polled, 1, 20) > 0 else { continue }
      let count = recv(from, &bytes, bytes.count, 0)
      guard count > 0 else { break }
      usleep(UInt32(delayMs.load(ordering: .relaxed) * 1000))
      // Asked again: nothing that was sent after the relay had been closed passes it.
      while !isOpen.load(ordering: .relaxed), !isStopping.load(ordering: .relaxed) { usleep(5000) }
      guard send(to, bytes, count, Int32(MSG_NOSIGNAL)) == count else { break }
      let rate = rate.load(ordering: .relaxed)
      if rate > 0 { usleep(UInt32(count * 1_000_000 / rate)) }
    }
    shutdown(from, Int32(SHUT_RDWR))
    shutdown(to, Int32(SHUT_RDWR))
  }
}

/// Goal: a network that is slow, stops or breaks costs frames that are counted, and the run nothing.
///
/// Method: a relay between the subscriber and the server.
@Suite struct PartitionTests {
  /// A run behind a relay, and its subscriber.
  private static func follow(
    _ reading: Reading = .every, slots: UInt64 = 64, values: UInt32 = 64,
    body: (ServedRun, Relay, RemoteSubscription) throws -> Void
  ) throws {
    let run = try ServedRun(slots: slots, spares: slots, values: values)
    let relay = try Relay(to: WireEndpoint(#require(run.server.endpoint)).port)
    defer { relay.stop() }
    var options = RemoteOptions(name: "far")
    options.reading = reading
    let address = WireAddress.tcp(try WireEndpoint(relay.endpoint), keys: nil)
    let subscription = try RemoteSubscription(
      RemoteSubscription.connect(to: address, waitSeconds: 10), address, options, waitSeconds: 30)
    try body(run, relay, subscription)
    #expect(subscription.isExact)
  }

  @Test func fault28HalfOpenConnectionIsNoticedAndTheGapCounted() throws {
    try Self.follow { run, relay, subscription in
      run.publish(5)
      for sequence in UInt64(1)...5 {
        #expect(subscription.nextEvent() == .frame(sequence: sequence))
      }
      relay.isOpen.store(false, ordering: .relaxed)
      let began = Clock.monotonicNs()
      run.publish(200)
      while subscription.rejoinCount == 0 {
        _ = subscription.next(timeoutNs: 10_000_000) { _ in true }
        try #require(Clock.monotonicNs() < began + patienceNs)
      }
      relay.isOpen.store(true, ordering: .relaxed)
      try waitUntil("frame 205") {
        _ = subscription.nextEvent(seconds: 1)
        return subscription.losses.last >= 205
      }
      // What the ring still had came; the rest is one gap.
      let losses = subscription.losses
      #expect(losses.receivedCount >= 67, "\(losses)")
      #expect(losses.gaps.count == 1, "\(losses)")
      #expect(losses.receivedCount + losses.missedCount == 205)
      run.publish(1)
      #expect(subscription.nextEvent() == .frame(sequence: 206))
    }
  }

  @Test func fault28RunThatWasReplacedMeanwhileIsNotTakenForThisOne() throws {
    try Self.follow { run, relay, subscription in
      run.publish(3)
      for sequence in UInt64(1)...3 {
        #expect(subscription.nextEvent() == .frame(sequence: sequence))
      }
      // The same layout, and so many frames that it could go on where the first one was.
      let other = try ServedRun(slots: 64, spares: 64, generation: 78)
      other.publish(50)
      relay.isOpen.store(false, ordering: .relaxed)
      try relay.target.store(
        WireEndpoint(#require(other.server.endpoint)).port, ordering: .relaxed)
      let began = Clock.monotonicNs()
      while subscription.rejoinCount == 0 {
        #expect(subscription.next(timeoutNs: 10_000_000) { _ in true } == .idle)
        try #require(Clock.monotonicNs() < began + patienceNs)
      }
      relay.isOpen.store(true, ordering: .relaxed)
      #expect(subscription.nextEvent() == .simDied)
      #expect(subscription.losses.receivedCount == 3)
      #expect(subscription.losses.last == 3)
    }
  }

  @Test func fault28RunThatEndedMeanwhileIsAccountedForToItsEnd() throws {
    try Self.follow { run, relay, subscription in
      run.publish(5)
      for sequence in UInt64(1)...5 {
        #expect(subscription.nextEvent() == .frame(sequence: sequence))
      }
      // Another one, which takes its time: the sim waits for it.
      let slow = try run.join()
      relay.isOpen.store(false, ordering: .relaxed)
      run.publish(10)
      let ending = try TestThread("the run's end") { run.end() }
      try run.waitUntilJoinsAreRefused()
      relay.cut()
      relay.isOpen.store(true, ordering: .relaxed)
      #expect(subscription.nextEvent() == .missed(6...15))
      #expect(subscription.nextEvent() == .ended)
      #expect(subscription.rejoinCount > 0)
      #expect(slow.readToEnd() == .ended)
      try ending.join()
    }
  }

  @Test func fault28SlowLinkShowsTheNewestToWhoWantsThat() throws {
    // 1 Mbit/s; a frame of 16 KiB takes an eighth of a second.
    try Self.follow(.newest, values: 4096) { run, relay, subscription in
      relay.rate.store(125_000, ordering: .relaxed)
      let isOver = Flag()
      let publishing = try TestThread("the publisher's end") {
        while !isOver.isSet {
          run.publish()
          usleep(16_000)
        }
      }
      var behind: UInt64 = 0
      for _ in 0..<30 {
        if case .frame(let sequence) = subscription.nextEvent() {
          behind = max(behind, run.writer.sequence - min(sequence, run.writer.sequence))
        }
      }
      isOver.set()
      try publishing.join()
      // Two frames under way, and what the relay and the kernel hold of them: not the run's whole history.
      #expect(behind < 200, "\(behind) frames behind")
      #expect(subscription.losses.receivedCount > 0)
      #expect(subscription.losses.missedCount > 0)
    }
  }

  @Test func fault28FrameThatTakesSecondsIsNoSilence() throws {
    // A frame of 1 MiB takes four seconds.
    try Self.follow(slots: 4, values: 1 << 18) { run, relay, subscription in
      relay.rate.store(1 << 18, ordering: .relaxed)
      run.publish(2)
      for sequence in UInt64(1)...2 {
        #expect(subscription.nextEvent(seconds: patienceSeconds) == .frame(sequence: sequence))
      }
      #expect(subscription.rejoinCount == 0)
    }
  }

  /// The reply has a large scene, and takes longer than is waited for an answer.
  @Test func fault28ReplyThatTakesSecondsIsWaitedFor() throws {
    let run = try ServedRun(staticPart: [UInt8](repeating: 7, count: 64 << 10))
    let relay = try Relay(to: WireEndpoint(#require(run.server.endpoint)).port)
    defer { relay.stop() }
    relay.rate.store(10 << 10, ordering: .relaxed)
    let address = WireAddress.tcp(try WireEndpoint(relay.endpoint), keys: nil)
    let beganNs = Clock.monotonicNs()
    let subscription = try RemoteSubscription(
      RemoteSubscription.connect(to: address, waitSeconds: patienceSeconds), address,
      RemoteOptions(name: "far"), waitSeconds: 4)
    #expect(subscription.rejoinCount == 0)
    let answer = try ControlClient(address).ask(.join, timeoutSeconds: 4)
    #expect(answer.attachments.count == 3)
    // Else it shows nothing.
    #expect(Clock.monotonicNs() > beganNs + 10_000_000_000)
  }

  @Test func fault28DelayedBytesChangeNothing() throws {
    try Self.follow { run, relay, subscription in
      relay.delayMs.store(20, ordering: .relaxed)
      run.publish(60)
      for sequence in UInt64(1)...60 {
        #expect(subscription.nextEvent() == .frame(sequence: sequence))
      }
    }
  }
}
