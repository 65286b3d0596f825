// SPDX-License-Identifier: Apache-2.0

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
  /// Whether the sim waits for subscribers.
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

  private let shared: Monitor<Shared>
  private let frameSubscribers = Atomic<Int>(0)
  private let thread = Monitor<BackgroundThread?>(nil)

  /// Data exchanged between the wire's thread and other threads.
  struct Shared {
    var answers: [Answer] = []
    var events: [[UInt8]] = []
    var counts = WireCounts()
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
  ///   - subscribers: The run's.
  ///   - options: Where and how to serve.
  ///   - handler: Handles requests to the sim.
  /// - Throws: `WireError`: `needsKeys` before anything is bound.
  package init(
    writer: FrameWriter, run: WireRun, directory: RunDirectory, subscribers: Subscribers,
    options: WireOptions, handler: any ControlHandler
  ) throws(WireError) {
    if let listen = options.listen, !listen.isLoopback, options.keys == nil {
      throw .needsKeys(endpoint: listen.text)
    }
    do throws(SystemCallError) {
      waker = try Waker(path: directory.controlPath)
    } catch {
      throw .frame(.system(error))
    }
    shared = Monitor(Shared())
    let sockets = try WireSockets(directory: directory, options: options)
    endpoint = sockets.endpoint
    if let endpoint { Logger(label: "wire").notice("listens at \(endpoint)") }
    let service = WireService(
      sockets: sockets, writer: writer, run: run, subscribers: subscribers, options: options,
      handler: handler, server: self)
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

  /// Refused connections and requests.
  package var counts: WireCounts { shared.read { $0.counts } }

  /// Lets the thread send the remaining frames and the end; call it when no frame will follow.
  package func end() {
    shared.change { $0.isStopping = true }
    waker.wake()
  }

  /// Ends the run here, and the thread.
  ///
  /// It returns when no subscriber takes anything more: each may pause for at most two seconds.
  package func stop() {
    end()
    thread.change { slot in
      slot?.join()
      slot = nil
    }
  }
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

  func publish(_ counts: WireCounts) { shared.change { $0.counts = counts } }
}
