// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import OrreryBase
import OrreryFrame
import OrreryWire
import TestSupport
import Testing

/// A run without a world: a ring that a test fills by hand, and its sockets.
final class LiveRun: Sendable {
  let writer: FrameWriter
  let subscribers: Subscribers
  let server: JoinServer
  let announcer: FrameAnnouncer?
  private let base: TemporaryBase
  private let lock: RunLock
  private let ahead: Int

  /// Values in each frame: enough that writing one takes a while.
  static let valueCount: UInt32 = 64

  /// Makes a ring whose writer claims `ahead` slots with the next one.
  init(
    slots: UInt64 = 4, delivery: Delivery = .live, announces: Bool = false, ahead: Int = 0,
    stallLimitNs: UInt64 = JoinServer.defaultStallLimitNs
  ) throws {
    self.ahead = ahead
    base = try TemporaryBase()
    lock = try RunLock(RunDirectory(name: "test", base: base.path))
    writer = try Self.writer(slots: slots, delivery: delivery, ahead: ahead)
    let announcer = announces ? try FrameAnnouncer(writer: writer, directory: lock.directory) : nil
    self.announcer = announcer
    subscribers = try Subscribers(lock.directory)
    server = try JoinServer(
      writer: writer, directory: lock.directory, subscribers: subscribers,
      stallLimitNs: stallLimitNs, audienceChanged: { announcer?.listen(for: $0) })
  }

  deinit {
    stop("the join server") { [server] in server.stop() }
    stop("the announcer") { [announcer] in announcer?.stop() }
  }

  /// A ring by itself.
  static func writer(
    slots: UInt64 = 4, delivery: Delivery = .live, ahead: Int = 0
  ) throws -> FrameWriter {
    let layout = try FrameLayout(columns: [
      ColumnDescription(batch: 0, field: 1, firstEntity: 0, valueCount: valueCount)
    ])
    return try FrameWriter(
      layout: layout, slotCount: slots, staticPart: [], generation: 77, delivery: delivery,
      clockOffsetNs: clockOffsetNs, lookAhead: UInt64(ahead))
  }

  /// As if the wall clock had been set to something else when the run began.
  private static let clockOffsetNs: Int64 = 900_000_000_000_000_000

  var directory: RunDirectory { lock.directory }

  /// Publishes one frame whose values all are its sequence.
  func publish() {
    let column = writer.layout.columns[0]
    let sequence = writer.sequence + 1
    let slot = writer.claim(ahead: ahead).memory
    let values = (slot + Int(column.valuesOffset)).assumingMemoryBound(to: Float.self)
    for place in 0..<Int(Self.valueCount) { values[place] = Float(sequence) }
    let stamp = FrameStamp(
      tick: sequence + 10, simTimeNs: sequence * 100,
      publishTimeNs: UInt64(Self.clockOffsetNs) + Clock.monotonicNs(),
      stateHash: sequence ^ 0xabcd)
    writer.publish(stamp)
    announcer?.announce(sequence: sequence, stamp)
  }

  func publish(_ count: Int) { for _ in 0..<count { publish() } }

  /// Waits until every subscriber is done with a frame.
  func waitForProgress(_ sequence: UInt64) throws {
    let isDone = try within("progress \(sequence)") { [subscribers] in
      subscribers.waitForProgress(sequence)
    }
    #expect(isDone)
  }

  func end() {
    writer.end()
    announcer?.announceEnd()
  }

  func join(
    _ reading: Reading = .every, name: String = "subscriber", waiting: Waiting = .announcement,
    from: UInt64 = 0
  ) throws -> Subscription {
    try Subscription(
      Subscription.connect(to: directory, waitSeconds: 0), directory: directory, name: name,
      reading: reading, waiting: waiting, from: from)
  }
}

/// Reads frames of a `LiveRun` and keeps what came.
final class Follower {
  let subscription: Subscription
  private(set) var events: [SubscriptionEvent] = []

  /// Frames that were accepted with a value of another frame in them.
  private(set) var tornCount = 0

  init(_ subscription: Subscription) { self.subscription = subscription }

  /// What comes next; `meanwhile` runs while the frame is being read.
  @discardableResult
  func next(
    timeoutNs: UInt64 = 1_000_000, meanwhile: () -> Void = {}
  ) -> SubscriptionEvent {
    let reader = subscription.reader
    var isRight = true
    let event = subscription.next(timeoutNs: timeoutNs) { view in
      meanwhile()
      let stamp = view.stamp()
      isRight = stamp.tick == view.sequence + 10
      for value in view.values(reader.layout.columns[0]) where value != Float(view.sequence) {
        isRight = false
      }
      return reader.isWhole(view)
    }
    if case .frame = event, !isRight { tornCount += 1 }
    events.append(event)
    return event
  }

  /// Reads until the run is over, in order or not.
  func readToTheEnd(pause: () -> Void = {}) {
    let deadline = Clock.monotonicNs() + patienceNs
    while true {
      guard Clock.monotonicNs() < deadline else {
        Issue.record("waited \(patienceSeconds) s for the run's end")
        return
      }
      switch next(timeoutNs: 100_000_000) {
      case .ended, .simDied, .dropped: return
      case .idle: continue
      case .frame, .missed: subscription.report()
      }
      pause()
    }
  }

  /// Whether frames and gaps follow each other without a hole or an overlap, and the account is theirs.
  func accountIsExact(upTo published: UInt64) -> Bool {
    var last = subscription.losses.joinedAfter
    var (received, missed): (UInt64, UInt64) = (0, 0)
    for event in events {
      switch event {
      case .frame(let sequence):
        guard sequence == last + 1 else { return false }
        (last, received) = (sequence, received + 1)
      case .missed(let gap):
        guard gap.lowerBound == last + 1 else { return false }
        (last, missed) = (gap.upperBound, missed + UInt64(gap.count))
      case .idle, .ended, .simDied, .dropped: continue
      }
    }
    let losses = subscription.losses
    return last == published && losses.last == published && losses.receivedCount == received
      && losses.missedCount == missed && published == losses.joinedAfter + received + missed
  }
}

/// Ends what a test has started; an end that does not come is an issue.
func stop(_ what: String, _ body: @escaping @Sendable () -> Void) {
  do { try within("the end of \(what)", body) } catch { Issue.record("\(error)") }
}
