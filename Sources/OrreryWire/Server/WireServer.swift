// SPDX-License-Identifier: Apache-2.0

import Glibc
import Logging
import OrreryBase
import OrreryFrame
import Synchronization

/// The description of a run that subscribers on other machines get when they join.
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
  /// The address where other machines connect; nil serves this user's processes only.
  package var listen: WireEndpoint?
  /// Required unless `listen` is a loopback address.
  package var keys: CurveKeys?
  /// Seconds after which a stalled subscriber is dropped.
  package var stallLimitSeconds = 10.0
  /// Bytes in flight to one subscriber, or two frames if they are longer.
  package var windowBytes = 4 << 20

  package init() {}
}

/// A sim's account of a subscriber that gets frames by message.
package struct RemoteReport: Equatable, Sendable {
  /// The name that the subscriber gave.
  package let name: String
  /// `every`, `latest` or `none`.
  package let frames: String
  /// Newest frame when it joined, or the one before the first that it asked for.
  package let joinedAfter: UInt64
  /// Frames sent and not sent to it: their sum is the frames published from its first one until it
  /// left.
  package let sent: UInt64
  package let skipped: UInt64
  /// Its own report: every frame up to `progress` was read or missed, and `missed` of them were
  /// missed.
  package let progress: UInt64
  package let missed: UInt64
  /// How it left; nil while it is connected.
  package var left: String?
}

/// Counts of refused connections and requests.
package struct WireCounts: Equatable, Sendable {
  /// Connections refused or closed: failed handshakes, wrong keys, too many connections or bytes.
  package var refusedConnections: UInt64 = 0
  /// Requests that were refused with a reason.
  package var refusedRequests: UInt64 = 0
  /// Requests discarded unread: their peer sent too many, or there were too many peers.
  package var ignoredRequests: UInt64 = 0
}

/// Serves control requests, and frames to other machines, on a thread of its own.
///
/// It has one ROUTER socket, bound in the run directory and, if asked for, to TCP. A frame
/// that is not compressed is sent from the ring without a copy: it keeps its place until sent.
package final class WireServer: Sendable {
  /// The TCP address, with the port that the system chose; nil if it serves only the run directory.
  package let endpoint: String?

  /// Wakes the wire's thread.
  private let waker: Waker

  /// Wakes the publishing thread when it waits for progress.
  private let publisherWaker: Waker

  private let shared: Monitor<Shared>
  private let frameSubscribers = Atomic<Int>(0)
  private let slowest = Atomic<UInt64>(.max)
  private let thread = Monitor<BackgroundThread?>(nil)

  /// Data exchanged between the wire's thread and other threads.
  struct Shared {
    var answers: [Answer] = []
    var events: [[UInt8]] = []
    var reports: [RemoteReport] = []
    var counts = WireCounts()
    var joinedCount: UInt64 = 0
    var isStopping = false
  }

  /// The answer to a request, and the peer that gets it.
  struct Answer {
    let peer: [UInt8]
    let id: Int64
    let reply: ControlReply
  }

  /// Binds the sockets and starts the thread.
  ///
  /// - Parameters:
  ///   - writer: The run's writer; frames are served if it has spare places.
  ///   - run: The description that joining subscribers get.
  ///   - directory: The run's directory.
  ///   - options: Where and how to serve.
  ///   - handler: Handles requests to the sim.
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
      publisherWaker = try Waker(path: directory.controlPath)
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

  /// Tells the wire's thread that a frame was published; a system call only if that thread sleeps.
  package func frameWasPublished() {
    guard hasRemoteSubscribers else { return }
    waker.wake()
  }

  /// Sends an `orrery.Events` message to every subscriber that asked for events.
  ///
  /// A message is dropped and counted for a subscriber that has no room for it; the subscriber sees
  /// the gap in the numbers of events.
  package func send(events: [UInt8]) {
    guard hasRemoteSubscribers else { return }
    shared.change { state in
      if state.events.count < Self.eventsMax { state.events.append(events) }
    }
    waker.wake()
  }

  /// Event messages queued for the thread.
  private static let eventsMax = 1024

  /// Whether any subscriber gets frames or events.
  package var hasRemoteSubscribers: Bool {
    frameSubscribers.load(ordering: .sequentiallyConsistent) > 0
  }

  /// Subscribers that have joined for frames so far, including those that left.
  package var joinedCount: UInt64 { shared.read { $0.joinedCount } }

  /// Accounts of all subscribers that joined.
  package var reports: [RemoteReport] { shared.read { $0.reports } }

  /// Refused connections and requests.
  package var counts: WireCounts { shared.read { $0.counts } }

  /// Sends the remaining frames and the end, and ends the thread.
  ///
  /// Call it when no frame will follow. It returns when no subscriber takes anything more: each may
  /// pause for at most two seconds.
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
  /// The newest frame that the slowest reader is done with; nil if there is no reader to wait for.
  var slowestProgress: UInt64? {
    let sequence = slowest.load(ordering: .sequentiallyConsistent)
    return sequence == .max ? nil : sequence
  }

  /// Waits until every subscriber of frames has reported all frames up to `sequence`; called by the
  /// publishing thread, in lockstep delivery.
  ///
  /// A subscriber that reports nothing for longer than the stall limit is dropped.
  ///
  /// - Parameters:
  ///   - sequence: The last frame to wait for.
  ///   - isInterrupted: Called again after `interruptWaiting`; true ends the wait.
  /// - Returns: False if a stop signal came first or the wait was interrupted.
  package func waitForProgress(
    _ sequence: UInt64, orUntil isInterrupted: () -> Bool = { false }
  ) -> Bool {
    var polled = [
      pollfd(fd: publisherWaker.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: StopSignals.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    while let slowestProgress, slowestProgress < sequence {
      if StopSignals.count > 0 || isInterrupted() { return false }
      publisherWaker.endSleep(isSignalled: polled[0].revents != 0)
      polled[0].revents = 0
      guard !isInterrupted(), let slowestProgress = self.slowestProgress,
        slowestProgress < sequence, publisherWaker.beginSleep()
      else { continue }
      poll(&polled, nfds_t(polled.count), -1)
    }
    return true
  }
}

extension WireServer {
  /// Makes `waitForProgress` call `isInterrupted` again.
  package func interruptWaiting() { publisherWaker.wake() }
}

// MARK: - For the wire's thread

extension WireServer {
  var serviceWaker: Waker { waker }

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
    publisherWaker.wake()
  }

  func publish(_ reports: [RemoteReport], _ counts: WireCounts, joinedCount: UInt64) {
    shared.change { state in
      state.reports = reports
      state.counts = counts
      state.joinedCount = joinedCount
    }
  }
}
