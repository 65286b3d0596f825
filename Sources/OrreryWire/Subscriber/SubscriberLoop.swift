// SPDX-License-Identifier: Apache-2.0

import Logging
import OrreryBase
import OrreryFrame

/// What a subscriber's program does with a run, frame by frame.
package protocol FrameConsumer: AnyObject {
  /// Reads a frame in place; what it made of it is kept only if it was whole, and then `keep` follows.
  ///
  /// - Returns: What `FrameSource.isWhole` said once everything had been read.
  func use(_ frame: FrameView, source: any FrameSource) throws(Failure) -> Bool

  /// The frame that was read last was whole.
  func keep(sequence: UInt64) throws(Failure)

  /// These frames were missed; what was read last is void.
  func miss(_ gap: ClosedRange<UInt64>) throws(Failure)

  /// Nothing came for a while.
  func idle() throws(Failure)

  /// Nothing will follow.
  ///
  /// - Parameters:
  ///   - account: What was received and missed.
  ///   - simEnded: Whether the run ended in order.
  /// - Returns: The files written.
  /// - Throws: `Failure` when one cannot be written.
  func finish(_ account: Losses, simEnded: Bool) throws(Failure) -> [String]
}

/// Where a run is to be found.
package enum RunPlace: Sendable, CustomStringConvertible {
  /// Under this name, of this user on this machine.
  case run(String)
  /// At the address that its sim listens at.
  case remote(WireAddress, isCompressed: Bool)

  package var description: String {
    switch self {
    case .run(let name): "run '\(name)'"
    case .remote(let address, _): address.endpoint
    }
  }

  /// The run's name, or the address.
  package var name: String {
    switch self {
    case .run(let name): name
    case .remote(let address, _): address.endpoint
    }
  }
}

/// Follows a run from joining to its end, and reports.
package struct SubscriberLoop {
  private let subscription: any RunSubscription
  private let program: String
  private let place: RunPlace

  /// Where events come from, if they were wanted.
  package let events: (any EventSource)?

  /// Joins a run.
  ///
  /// - Parameters:
  ///   - program: The program's name, for reports.
  ///   - place: Where the run is.
  ///   - reading: Which frames are wanted.
  ///   - waiting: How to learn of frames, on this machine.
  ///   - from: The first frame that is wanted; 0 for the next one.
  ///   - wantsEvents: Whether events are wanted too.
  ///   - waitSeconds: How long to wait for the run to appear.
  ///   - prepare: What can fail or take long and does not depend on the run: done when the sim is
  ///     there and before it counts on this subscriber.
  /// - Throws: `Failure` when there is no such run, or it cannot be joined; what `prepare` throws.
  package init(
    program: String, place: RunPlace, reading: Reading, waiting: Waiting = .announcement,
    from: UInt64 = 0, wantsEvents: Bool = false, waitSeconds: Double,
    prepare: () throws(Failure) -> Void = {}
  ) throws(Failure) {
    self.program = program
    self.place = place
    do {
      switch place {
      case .run(let name):
        let directory = try RunDirectory(name: name)
        let connection = try Subscription.connect(
          to: directory, waitSeconds: waitSeconds, isCancelled: { StopSignals.count > 0 })
        try prepare()
        // Before the run is joined: it may begin as soon as it is.
        events = wantsEvents ? try EventReceiver(directory: directory) : nil
        subscription = try Subscription(
          connection, directory: directory, name: program, reading: reading, waiting: waiting,
          from: from)
      case .remote(let address, let isCompressed):
        var wishes = RemoteWishes(name: program)
        wishes.reading = reading
        wishes.isCompressed = isCompressed
        wishes.from = from
        wishes.wantsEvents = wantsEvents
        let connection = try RemoteSubscription.connect(
          to: address, waitSeconds: waitSeconds, isCancelled: { StopSignals.count > 0 })
        try prepare()
        let subscription = try RemoteSubscription(
          connection, address, wishes, waitSeconds: waitSeconds,
          isCancelled: { StopSignals.count > 0 })
        let inbox = EventInbox()
        subscription.whenEvents = { inbox.put($0) }
        events = wantsEvents ? inbox : nil
        self.subscription = subscription
      }
    } catch let failure as Failure {
      throw failure
    } catch WireError.noRun where StopSignals.count > 0 {
      throw Failure(.done, "stopped before \(place) appeared")
    } catch WireError.noAnswer where StopSignals.count > 0 {
      throw Failure(.done, "stopped before \(place) answered")
    } catch let error as RunDirectoryError {
      throw Failure(error)
    } catch let error as WireError {
      throw Failure(error)
    } catch {
      throw Failure(.unavailable, error)
    }
  }

  /// Where frames come from.
  package var source: any FrameSource { subscription.source }

  /// Hands frames to a consumer until the run ends, or a stop signal comes.
  ///
  /// - Returns: The report, once the consumer has finished its files.
  /// - Throws: What the consumer throws; `Failure` when the sim died.
  package func follow(_ consumer: some FrameConsumer) throws(Failure) -> SubscriberReportMessage {
    let source = subscription.source
    let log = Logger(label: program)
    var useTimes = Histogram()
    var standstill = Standstill()
    var simEnded = false
    var dropReason: DropReason?
    while StopSignals.count == 0 {
      var (beganNs, publishedNs): (UInt64, UInt64) = (0, 0)
      let event = try subscription.next(timeoutNs: 100_000_000) { (frame) throws(Failure) -> Bool in
        beganNs = Clock.monotonicNs()
        publishedNs = frame.stamp().publishTimeNs
        return try consumer.use(frame, source: source)
      }
      switch event {
      case .frame(let sequence):
        if let text = standstill.frameCame(sequence, publishedNs: publishedNs, nowNs: beganNs) {
          log.notice("\(text)")
        }
        try consumer.keep(sequence: sequence)
        useTimes.record(Clock.monotonicNs() - beganNs)
        subscription.report()
        continue
      case .missed(let gap):
        try consumer.miss(gap)
        continue
      case .idle:
        if let text = standstill.nothingCame(nowNs: Clock.monotonicNs()) { log.notice("\(text)") }
        try consumer.idle()
        continue
      case .ended:
        simEnded = true
      case .simDied:
        break
      case .dropped(let reason):
        dropReason = reason
      }
      break
    }
    let files = try consumer.finish(subscription.losses, simEnded: simEnded)
    if let failure = subscription.failure { throw Failure(failure) }
    if let dropReason {
      throw Failure(
        .unavailable,
        "dropped by the sim of \(place) after frame \(subscription.losses.last): \(dropReason)")
    }
    return report(useTimes, simEnded: simEnded, files: files)
  }

  private func report(
    _ useTimes: Histogram, simEnded: Bool, files: [String]
  ) -> SubscriberReportMessage {
    let losses = subscription.losses
    return SubscriberReportMessage(
      program: program, run: place.name,
      waiting: subscription.localWaiting.map { "\($0)" } ?? "remote",
      reading: "\(subscription.reading)", joinedAfter: losses.joinedAfter,
      published: losses.last - losses.joinedAfter, received: losses.receivedCount,
      missed: losses.missedCount,
      gaps: losses.gaps.map { gap in
        gap.count == 1 ? "\(gap.lowerBound)" : "\(gap.lowerBound)-\(gap.upperBound)"
      },
      latency: DurationReport(subscription.latency), use: DurationReport(useTimes),
      simEnded: simEnded, files: files)
  }
}
