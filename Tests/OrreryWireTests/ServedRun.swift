// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase
import OrreryFrame
import OrreryWire
import TestSupport
import Testing

/// A run without a world that is served by messages: a ring that a test fills by hand, and a `WireServer`.
final class ServedRun: Sendable {
  let writer: FrameWriter
  let subscribers: Subscribers
  let server: WireServer
  let base: TemporaryBase
  let handler = Handler()
  private let lock: RunLock

  /// Notes requests, and answers all but `pause`.
  final class Handler: ControlHandler {
    let requests = Monitor<[ControlRequest]>([])
    let held = Monitor<[@Sendable (ControlReply) -> Void]>([])

    func handle(
      _ request: ControlRequest, answer: @escaping @Sendable (ControlReply) -> Void
    ) {
      requests.change { $0.append(request) }
      if request.verb == .pause {
        held.change { $0.append(answer) }
      } else {
        answer(.done(["did": .string(request.verb.rawValue)], attachments: [[1, 2, 3]]))
      }
    }
  }

  init(
    slots: UInt64 = 8, spares: UInt64 = 8, values: UInt32 = 64, delivery: Delivery = .live,
    generation: UInt64 = 77, listen: String? = "tcp://127.0.0.1:0", keys: CurveKeys? = nil,
    stallLimitSeconds: Double = 10, staticPart: [UInt8] = [1, 2, 3]
  ) throws {
    base = try TemporaryBase()
    lock = try RunLock(RunDirectory(name: "test", base: base.path))
    let layout = try FrameLayout(columns: [
      ColumnDescription(batch: 0, field: 1, firstEntity: 0, valueCount: values)
    ])
    writer = try FrameWriter(
      layout: layout, slotCount: slots, spareCount: spares, staticPart: staticPart,
      generation: generation, delivery: delivery)
    var options = WireOptions()
    options.listen = try listen.map { (text) throws(WireError) in try WireEndpoint(text) }
    options.keys = keys
    options.stallLimitSeconds = stallLimitSeconds
    subscribers = try Subscribers(lock.directory)
    server = try WireServer(
      writer: writer,
      run: WireRun(
        name: "test", rate: (60, 1), delivery: delivery, staticPart: staticPart,
        descriptorSet: [4, 5]),
      directory: lock.directory, subscribers: subscribers, options: options, handler: handler)
  }

  deinit { stop("the wire server") { [server] in server.stop() } }

  /// Where it listens.
  func address(keys: CurveKeys? = nil) throws -> WireAddress {
    .tcp(try WireEndpoint(try #require(server.endpoint)), keys: keys)
  }

  /// The run's directory, by which requests need no key.
  var local: WireAddress { .run(lock.directory) }

  /// Publishes one frame whose values all are its sequence.
  func publish() {
    let column = writer.layout.columns[0]
    let sequence = writer.sequence + 1
    let slot = writer.claim().memory
    let values = (slot + Int(column.valuesOffset)).assumingMemoryBound(to: Float.self)
    for place in 0..<Int(column.description.valueCount) { values[place] = Float(sequence) }
    writer.publish(
      FrameStamp(
        tick: sequence + 10, simTimeNs: sequence * 100, publishTimeNs: Clock.wallNs(),
        stateHash: sequence ^ 0xabcd))
    server.frameWasPublished()
  }

  func publish(_ count: Int) { for _ in 0..<count { publish() } }

  /// Waits until every subscriber is done with a frame.
  func waitForProgress(_ sequence: UInt64) throws {
    let isDone = try within("progress \(sequence)") { [subscribers] in
      subscribers.waitForProgress(sequence)
    }
    #expect(isDone)
  }

  /// Ends the run; returns when subscribers have been told.
  func end() {
    writer.end()
    server.stop()
  }

  /// Returns when the server, which `end` has stopped, lets nobody join any more.
  func waitUntilJoinsAreRefused() throws {
    let client = try ControlClient(local)
    var refusal: WireError?
    // Slower than anybody may ask.
    try waitUntil("a refused join", everyNs: 50_000_000) {
      do throws(WireError) {
        _ = try client.ask(.join, ["frames": .string("none")])
      } catch {
        refusal = error
      }
      return refusal != nil
    }
    #expect(refusal == .refused(reason: "the run has ended"))
  }

  func join(
    _ reading: Reading = .every, compressed: Bool = false, from: UInt64 = 0,
    events: Bool = false, keys: CurveKeys? = nil, waitSeconds: Double = 20
  ) throws -> RemoteSubscription {
    var options = RemoteOptions(name: "subscriber")
    options.reading = reading
    options.isCompressed = compressed
    options.from = from
    options.wantsEvents = events
    let address = try address(keys: keys)
    return try RemoteSubscription(
      RemoteSubscription.connect(to: address, waitSeconds: waitSeconds), address, options,
      waitSeconds: waitSeconds)
  }
}

extension RemoteSubscription {
  /// The next event that is not idle; frames must hold what `ServedRun` wrote.
  func nextEvent(seconds: Double = 20) -> SubscriptionEvent {
    let deadline = Clock.monotonicNs() + UInt64(seconds * 1e9)
    while true {
      let event = next(timeoutNs: 50_000_000) { view in
        let values = view.values(source.layout.columns[0])
        let isWhole = values.allSatisfy { $0 == Float(view.sequence) }
        #expect(isWhole, "frame \(view.sequence) is torn")
        #expect(view.stamp().stateHash == view.sequence ^ 0xabcd)
        return source.isWhole(view)
      }
      if case .frame = event { report() }
      if event != .idle || Clock.monotonicNs() > deadline { return event }
    }
  }

  /// Reads up to the end, frame by frame; returns what ended it.
  @discardableResult
  func readToEnd() -> SubscriptionEvent {
    let deadline = Clock.monotonicNs() + patienceNs
    while true {
      guard Clock.monotonicNs() < deadline else {
        Issue.record("waited \(patienceSeconds) s for the run's end")
        return .idle
      }
      switch nextEvent() {
      case .frame, .missed: continue
      case let event: return event
      }
    }
  }

  /// Whether everything from joining to the last frame is accounted for.
  var isExact: Bool {
    losses.last - losses.joinedAfter == losses.receivedCount + losses.missedCount
  }
}

extension WireAddress {
  /// Sends a request that may take an hour.
  ///
  /// - Parameter what: What its end means, for the error.
  /// - Returns: Why there is no answer; nil if there is one.
  /// - Throws: `Overdue`.
  func errorOfLongRequest(_ what: String) throws -> WireError? {
    let address = self
    return try within(what) {
      do throws(WireError) {
        _ = try ControlClient(address).ask(.stats, timeoutSeconds: 3_600)
        return nil
      } catch {
        return error
      }
    }
  }
}
