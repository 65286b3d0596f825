// SPDX-License-Identifier: Apache-2.0

import NIOCore
import OrreryBase
import OrreryDocument
import OrreryFrame
import OrreryMessages
import OrreryWire
import SwiftProtobuf

/// Follows one run for the pages: encodes the frames that somebody can take, and passes on how long ticks took and what
/// happened; and for Foxglove clients.
package final class LiveView: FrameConsumer {
  private let hub: LiveHub
  private let source: any FrameSource
  private let events: (any EventSource)?
  private let steering: LiveSteering?
  private let foxglove: FoxgloveView
  private var encoder: FrameEncoder

  /// What has changed since the newest frame that was published in 16-bit numbers.
  private var delta = FrameDelta()
  private var base: LiveFrame?

  /// The frame that was read last, encoded for those who want it.
  private var encoded: [LiveFrame] = []

  /// The newest frame, and the newest of each encoding that was encoded.
  private var lastSequence: UInt64 = 0
  private var encodedSequences: [Bool: UInt64] = [:]

  private var losses = (received: UInt64(0), missed: UInt64(0))
  private var accountedNs: UInt64 = 0
  private var recent = RecentEvents()
  private var toldNs: UInt64 = 0

  /// How often pages learn what was received and missed.
  private static let accountNs: UInt64 = 250_000_000

  /// Messages of events read after one frame, at most.
  private static let messagesMax = 64

  /// Begins a run: pages get its scene.
  ///
  /// - Parameters:
  ///   - hub: The pages.
  ///   - location: Where the run is.
  ///   - number: Number of the run among those that are followed, from 1.
  ///   - source: The run's frames.
  ///   - events: The run's events, which carry the times of ticks.
  ///   - feed: Makes what draws frames for Foxglove clients.
  ///   - log: The lines of the program's log since it was called last, as Foxglove clients read them.
  /// - Throws: `Failure` if the run's layout cannot be read, or a thread is missing.
  package init(
    hub: LiveHub, location: RunLocation, number: Int, source: any FrameSource,
    events: (any EventSource)?,
    feed: (any FrameSource, Orrery_SceneLayout) -> any FoxgloveFeed,
    log: @escaping () -> [[UInt8]]
  ) throws(Failure) {
    let layout = try Failure.of { try source.sceneLayout() }
    (self.hub, self.source, self.events) = (hub, source, events)
    encoder = FrameEncoder(
      source.layout, extent: Float(max(layout.width, layout.height)), runNumber: UInt32(number))
    let steering = try LiveSteering(location, hub: hub)
    self.steering = steering
    let (generation, isSteered) = (source.generation, steering != nil)
    foxglove = FoxgloveView(
      hub: hub.foxglove, source: source, feed: feed(source, layout), log: log
    ) { zeroNs in
      FoxgloveRun(
        name: layout.run, generation: generation, zeroNs: zeroNs, isSteered: isSteered)
    }
    hub.begin(
      LiveScene(
        number: UInt32(number), run: layout.run, layout: [UInt8](source.staticPart),
        isLocal: !location.isRemote, clockOffsetNs: layout.clockOffsetNs,
        isSteered: steering != nil)
    ) { request, client in
      if steering?.ask(request, client: client) == true { return }
      hub.answer(.refused("too many requests wait for the sim"), id: request.id, to: client)
    }
  }

  package var phases: (use: TimelinePhase, keep: TimelinePhase) { (.encode, .encode) }

  /// Encodes the frame if somebody can take it; returns whether it was whole.
  package func use(_ frame: FrameView, source: any FrameSource) throws(Failure) -> Bool {
    encoded = encode(frame)
    foxglove.use(frame)
    return source.isWhole(frame)
  }

  /// Sends the frame that was read last.
  package func keep(sequence: UInt64) throws(Failure) {
    losses.received += 1
    lastSequence = sequence
    publish()
    foxglove.keep(sequence: sequence)
    passOn()
  }

  /// Counts missed frames; one of them that was read is not sent.
  package func miss(_ gap: ClosedRange<UInt64>) throws(Failure) {
    losses.missed += UInt64(gap.count)
    encoded = []
    foxglove.miss()
  }

  /// Encodes the newest frame, if nobody could take it when it came and somebody can now.
  package func idle() throws(Failure) {
    passOn()
    encoded = source.frames?.copyNewest { encode($0) } ?? []
    publish()
    foxglove.idle()
  }

  /// Says to pages that the run is over.
  package func finish(_ account: Losses, simEnded: Bool) throws(Failure) -> [String] {
    // What happened last is not held back.
    toldNs = 0
    passOn()
    // A page that was busy when the last frame came gets it now: it stays on the page.
    encoded = source.frames?.copyNewest { encode($0, isLast: true) } ?? []
    publish()
    foxglove.idle()
    hub.account(received: account.receivedCount, missed: account.missedCount)
    hub.finish(simEnded ? .ended : StopSignals.count > 0 ? .left : .died)
    steering?.end()
    return []
  }
}

extension LiveView {
  /// Encodes a frame in the ways in which somebody can take it; the last one of a run as most pages want it.
  private func encode(_ frame: FrameView, isLast: Bool = false) -> [LiveFrame] {
    // One encoding serves all pages where it costs nothing.
    let kinds = encoder.isSmall ? [true] : [false, true]
    return kinds.compactMap { isExact in
      let isWanted =
        hub.demand.has(isExact: isExact) || encoder.isSmall && hub.demand.has(isExact: false)
        || isLast && hub.hasClients && (encoder.isSmall || !isExact)
      guard isWanted || source.frames == nil,
        frame.sequence > encodedSequences[isExact, default: 0]
      else { return nil }
      let bytes = encoder.encode(frame, isExact: isExact)
      return LiveFrame(
        sequence: frame.sequence, isExact: isExact, isForAll: encoder.isSmall, bytes: bytes,
        changes: isExact ? nil : changes(to: bytes))
    }
  }

  private func changes(to bytes: ByteBuffer) -> (base: UInt64, bytes: ByteBuffer)? {
    guard let base, let changes = delta.encode(bytes, since: base.bytes) else { return nil }
    return (base.sequence, changes)
  }

  private func publish() {
    guard !encoded.isEmpty else { return }
    for frame in encoded {
      encodedSequences[frame.isExact] = frame.sequence
      if !frame.isExact { base = frame }
    }
    hub.publish(encoded)
    encoded = []
  }

  /// Passes on times of ticks, events and the account of frames.
  private func passOn() {
    let nowNs = Clock.monotonicNs()
    if nowNs >= accountedNs + Self.accountNs {
      accountedNs = nowNs
      hub.account(received: losses.received, missed: losses.missed)
    }
    foxglove.passOnLog()
    guard let events else { return }
    for _ in 0..<Self.messagesMax {
      let isThere = events.next(timeoutNs: 0) { bytes in
        guard let head = EventsHead(bytes), head.generation == source.generation, hub.hasClients
        else { return }
        recent.add(bytes, head)
        if let range = head.timings {
          foxglove.send(timings: UnsafeRawBufferPointer(rebasing: bytes[range]))
        }
        if let range = head.timings,
          let timings = try? Orrery_Timings(serializedBytes: Array(bytes[range]))
        {
          hub.send(["timings": .table(Self.fields(of: timings))])
        }
      }
      guard isThere else { break }
    }
    if nowNs >= toldNs + Self.accountNs, let events = recent.take() {
      toldNs = nowNs
      hub.send(["events": .table(events)])
    }
  }

  /// The times of ticks in microseconds, as pages read them.
  private static func fields(of timings: Orrery_Timings) -> DocumentTable {
    let list = { (values: [UInt64]) -> DocumentValue in
      .array(DocumentArray(values.map { .integer(Int64(clamping: $0 / 1000)) }))
    }
    return DocumentTable([
      "first": .count(timings.firstSequence), "late": .count(timings.lateTicks),
      "wait": list(timings.waitNs), "compute": list(timings.computeNs),
      "publish": list(timings.publishNs),
    ])
  }
}
