// SPDX-License-Identifier: Apache-2.0

import Glibc
import Logging
import OrreryBase
import OrreryFrame
import Synchronization

/// What subscribers on other machines are told about a run when they join.
package struct WireRun: Sendable {
  /// The run's name.
  package let name: String
  /// Ticks per second: numerator / denominator.
  package let rate: (numerator: UInt64, denominator: UInt64)
  package let delivery: Delivery
  /// The encoded `orrery.SceneLayout`.
  package let staticPart: [UInt8]
  /// The encoded descriptor set of all messages.
  package let descriptorSet: [UInt8]

  package init(
    name: String, rate: (numerator: UInt64, denominator: UInt64), delivery: Delivery,
    staticPart: [UInt8], descriptorSet: [UInt8]
  ) {
    self.name = name
    self.rate = rate
    self.delivery = delivery
    self.staticPart = staticPart
    self.descriptorSet = descriptorSet
  }
}

/// Where and how a run is served.
package struct WireOptions: Sendable {
  /// Where other machines connect; nil serves this user's processes only.
  package var listen: WireEndpoint?
  /// Needed where `listen` is not the loopback address.
  package var keys: CurveKeys?
  /// Seconds after which a subscriber that takes nothing is dropped.
  package var stallLimitSeconds = 10.0
  /// Bytes on their way to one subscriber; two frames where that is more.
  package var windowBytes = 4 << 20

  package init() {}
}

/// What a sim knows of a subscriber that is served frames by messages.
package struct RemoteReport: Equatable, Sendable {
  /// As the subscriber calls itself.
  package let name: String
  /// `every`, `latest` or `none`.
  package let frames: String
  /// Newest frame when it joined, or the one before the first that it asked for.
  package let joinedAfter: UInt64
  /// Frames that were sent to it, and that were not: their sum is what was published until it left.
  package let sent: UInt64
  package let skipped: UInt64
  /// Every frame up to this one was read or given up, as it says itself, and how many were given up.
  package let progress: UInt64
  package let missed: UInt64
  /// Nil while it is there; how it left.
  package var left: String?
}

/// Counts of what was turned away.
package struct WireCounts: Equatable, Sendable {
  /// Connections: failed handshakes, wrong keys, too many, too much.
  package var refusedConnections: UInt64 = 0
  /// Requests that were refused with a reason.
  package var refusedRequests: UInt64 = 0
  /// Requests of peers that sent too many, thrown away.
  package var ignoredRequests: UInt64 = 0
}

/// Serves control requests, and frames to other machines, on a thread of its own.
///
/// One ROUTER socket, bound to the run directory always and to a TCP address where one is given. Frames
/// are sent from the ring without a copy: a frame that is on its way keeps its place.
package final class WireServer: Sendable {
  /// Where it listens, with the port that the system chose; nil: only in the run directory.
  package let endpoint: String?

  private let waker: Waker

  /// Wakes the thread that publishes, where it waits for progress.
  private let publisher: Waker

  private let shared: Monitor<Shared>
  private let frameSubscribers = Atomic<Int>(0)
  private let slowest = Atomic<UInt64>(.max)
  private let thread = Monitor<BackgroundThread?>(nil)

  /// What the wire's thread and others tell each other.
  struct Shared {
    var answers: [Answer] = []
    var events: [[UInt8]] = []
    var reports: [RemoteReport] = []
    var counts = WireCounts()
    var joinedCount: UInt64 = 0
    var isStopping = false
  }

  /// The answer to a request, and whose it is.
  struct Answer {
    let peer: [UInt8]
    let id: Int64
    let reply: ControlReply
  }

  /// Binds the sockets and starts the thread.
  ///
  /// - Parameters:
  ///   - writer: Of the run; frames are served if it has places to spare.
  ///   - run: What joining subscribers are told.
  ///   - directory: The run's.
  ///   - options: Where and how.
  ///   - handler: Does the requests that are about the sim.
  /// - Throws: `WireError`: `needsKeys` before anything is bound.
  package init(
    writer: FrameWriter, run: WireRun, directory: RunDirectory, options: WireOptions,
    handler: any ControlHandler
  ) throws(WireError) {
    if let listen = options.listen, !listen.isLoopback, options.keys == nil {
      throw .needsKeys(endpoint: listen.text)
    }
    do throws(SystemCallError) {
      waker = try Waker(path: directory.controlPath)
      publisher = try Waker(path: directory.controlPath)
    } catch {
      throw .frame(.system(error))
    }
    shared = Monitor(Shared())
    let sockets = try WireSockets(directory: directory, options: options)
    endpoint = sockets.endpoint
    if let endpoint { Logger(label: "wire").notice("listens at \(endpoint)") }
    let service = WireService(
      sockets: sockets, writer: writer, run: run, options: options, handler: handler,
      server: self)
    do throws(SystemCallError) {
      let started = try BackgroundThread { service.serve() }
      thread.change { $0 = started }
    } catch {
      throw .frame(.system(error))
    }
  }

  /// Says that a frame was published; a system call only if somebody is waiting for it.
  package func frameIsThere() {
    guard hasRemoteSubscribers else { return }
    waker.wake()
  }

  /// Sends an `orrery.Events` message to all who asked for events.
  ///
  /// What a subscriber has no room for is dropped and counted; numbers in the message tell it.
  package func send(events: [UInt8]) {
    guard hasRemoteSubscribers else { return }
    shared.change { state in
      if state.events.count < Self.eventsMax { state.events.append(events) }
    }
    waker.wake()
  }

  /// Messages of events that wait for the thread.
  private static let eventsMax = 1024

  /// Whether anybody is to be told of frames or events.
  package var hasRemoteSubscribers: Bool {
    frameSubscribers.load(ordering: .sequentiallyConsistent) > 0
  }

  /// Subscribers that have joined for frames so far, whether they are still there or not.
  package var joinedCount: UInt64 { shared.read { $0.joinedCount } }

  /// Everybody who joined.
  package var reports: [RemoteReport] { shared.read { $0.reports } }

  /// What was turned away.
  package var counts: WireCounts { shared.read { $0.counts } }

  /// Tells what there is, gives subscribers time to take it, and ends the thread.
  ///
  /// To be called when no frame will follow. It takes as long as subscribers go on taking frames, and no
  /// more than two seconds while none does.
  package func stop() {
    shared.change { $0.isStopping = true }
    waker.wake()
    thread.change { slot in
      slot?.join()
      slot = nil
    }
  }
}

// MARK: - Lockstep

extension WireServer {
  /// The newest frame that the slowest reader is done with; nil: nobody is waited for.
  var slowestProgress: UInt64? {
    let sequence = slowest.load(ordering: .sequentiallyConsistent)
    return sequence == .max ? nil : sequence
  }

  /// Waits until every subscriber that is sent frames has reported all up to this one; for the thread that
  /// publishes, in lockstep delivery.
  ///
  /// One that reports nothing for longer than the stall limit is dropped.
  ///
  /// - Parameters:
  ///   - sequence: The last frame that is waited for.
  ///   - isInterrupted: Asked again after `interruptWaiting`.
  /// - Returns: False if a stop signal came first, or the wait was interrupted.
  package func waitForProgress(
    _ sequence: UInt64, orUntil isInterrupted: () -> Bool = { false }
  ) -> Bool {
    var polled = [
      pollfd(fd: publisher.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: StopSignals.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    while let slowestProgress, slowestProgress < sequence {
      if StopSignals.count > 0 || isInterrupted() { return false }
      publisher.endSleep(isSignalled: polled[0].revents != 0)
      polled[0].revents = 0
      guard !isInterrupted(), let slowestProgress = self.slowestProgress,
        slowestProgress < sequence, publisher.beginSleep()
      else { continue }
      poll(&polled, nfds_t(polled.count), -1)
    }
    return true
  }
}

extension WireServer {
  /// Lets `waitForProgress` ask whether it is interrupted.
  package func interruptWaiting() { publisher.wake() }
}

// MARK: - For the thread

extension WireServer {
  var sleeper: Waker { waker }

  func take() -> (answers: [Answer], events: [[UInt8]], isStopping: Bool) {
    shared.change { state in
      defer {
        state.answers.removeAll(keepingCapacity: true)
        state.events.removeAll(keepingCapacity: true)
      }
      return (state.answers, state.events, state.isStopping)
    }
  }

  func post(_ answer: Answer) {
    shared.change { $0.answers.append(answer) }
    waker.wake()
  }

  func setSubscriberCount(_ count: Int) {
    frameSubscribers.store(count, ordering: .sequentiallyConsistent)
  }

  func setSlowest(_ sequence: UInt64) {
    guard slowest.exchange(sequence, ordering: .sequentiallyConsistent) != sequence else { return }
    publisher.wake()
  }

  func publish(_ reports: [RemoteReport], _ counts: WireCounts, joinedCount: UInt64) {
    shared.change { state in
      state.reports = reports
      state.counts = counts
      state.joinedCount = joinedCount
    }
  }
}
