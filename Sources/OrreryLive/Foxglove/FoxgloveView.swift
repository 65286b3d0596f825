// SPDX-License-Identifier: Apache-2.0

import NIOCore
import OrreryBase
import OrreryFrame
import OrreryMessages
import OrreryWire

/// Makes of one run what Foxglove clients can take; used on the thread that reads frames.
final class FoxgloveView {
  private let hub: FoxgloveHub
  private let source: any FrameSource
  private let feed: any FoxgloveFeed
  private let log: () -> [[UInt8]]

  /// Describes the run, from scene time 0.
  private let run: (_ zeroNs: UInt64) -> FoxgloveRun

  /// The frame that was read last; nil: it was lapped.
  private var stamp: FrameStamp?

  /// The newest frame of which something was made, its channels, and the subscriptions that there were then.
  private var made = (
    sequence: UInt64(0), channels: Set<FoxgloveChannel>(), subscriptions: UInt64(0)
  )
  private var publishedNs: UInt64 = 0

  /// How often clients learn the time, at most.
  private static let timeNs: UInt64 = 33_000_000

  init(
    hub: FoxgloveHub, source: any FrameSource, feed: any FoxgloveFeed,
    log: @escaping () -> [[UInt8]],
    run: @escaping (_ zeroNs: UInt64) -> FoxgloveRun
  ) {
    (self.hub, self.source, self.feed) = (hub, source, feed)
    (self.log, self.run) = (log, run)
  }

  /// Composes what somebody could take of a frame, if it is its turn.
  func use(_ frame: FrameView) {
    let stamp = frame.stamp()
    self.stamp = stamp
    let wanted = wanted
    feed.use(frame, stamp: stamp, nowNs: Clock.wallNs(), wanted: Set(wanted.map(\.topic)))
    if feed.isComposed { made = (frame.sequence, wanted, hub.demand.subscriptions) }
  }

  /// Publishes it: it was whole.
  func keep(sequence: UInt64) {
    guard let stamp else { return }
    begin(stamp)
    let nowNs = Clock.monotonicNs()
    let isDue = hub.demand.hasClients && nowNs >= publishedNs + Self.timeNs
    guard feed.isComposed || isDue else { return }
    publish(sequence, stamp)
  }

  /// Forgets the frame that was read last.
  func miss() {
    stamp = nil
    feed.discard()
    made = (0, [], 0)
  }

  /// Makes of the newest frame what is wanted of it and was not made.
  func idle() {
    guard hub.demand.hasClients, let frames = source.frames else { return }
    let (wanted, subscriptions) = (wanted, hub.demand.subscriptions)
    let newest = frames.copyNewest { frame in
      let known = made.sequence == frame.sequence && made.subscriptions == subscriptions
      let missing = known ? wanted.subtracting(made.channels) : wanted
      if missing.isEmpty {
        feed.discard()
      } else {
        feed.compose(frame, wanted: Set(missing.map(\.topic)))
      }
      return (sequence: frame.sequence, stamp: frame.stamp(), channels: missing, isKnown: known)
    }
    guard let newest else { return feed.discard() }
    begin(newest.stamp)
    guard feed.isComposed || newest.sequence > made.sequence else { return }
    let channels = feed.isComposed ? newest.channels : []
    made = (
      newest.sequence, newest.isKnown ? made.channels.union(channels) : channels, subscriptions
    )
    publish(newest.sequence, newest.stamp)
  }

  /// Passes on times of ticks.
  ///
  /// - Parameter bytes: An encoded `orrery.Timings`.
  func send(timings bytes: UnsafeRawBufferPointer) {
    guard hub.demand.has(.timings) else { return }
    hub.send(ByteBuffer(bytes: bytes), of: .timings)
  }

  /// Passes on what the program's log has.
  func passOnLog() {
    for line in log() where hub.demand.has(.log) { hub.send(ByteBuffer(bytes: line), of: .log) }
  }

  /// What somebody could take; of a run that keeps no frame, whatever there is: who comes later gets it.
  private var wanted: Set<FoxgloveChannel> {
    let all: [FoxgloveChannel] = [.points, .views]
    return Set(source.frames == nil ? all : all.filter(hub.demand.has))
  }

  private func begin(_ stamp: FrameStamp) {
    guard let transform = feed.begin(stamp), let zeroNs = feed.zeroNs else { return }
    hub.begin(run(zeroNs), transform: ByteBuffer(bytes: transform))
  }

  private func publish(_ sequence: UInt64, _ stamp: FrameStamp) {
    publishedNs = Clock.monotonicNs()
    var messages: [FoxgloveChannel: ByteBuffer] = [:]
    if feed.isComposed {
      feed.take(stamp) { topic, parts in
        guard let channel = FoxgloveChannel.allCases.first(where: { $0.topic == topic }) else {
          return
        }
        var bytes = ByteBuffer()
        bytes.reserveCapacity(parts.reduce(0) { $0 + $1.count })
        for part in parts { bytes.writeBytes(part) }
        messages[channel] = bytes
      }
    }
    hub.publish(
      sequence: sequence, timeNs: (feed.zeroNs ?? 0) &+ stamp.simTimeNs, messages)
  }
}
