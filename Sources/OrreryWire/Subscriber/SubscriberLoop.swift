// SPDX-License-Identifier: Apache-2.0

import Logging
import OrreryBase
import OrreryFrame

/// Follows a run from joining to its end, and makes the report.
package struct SubscriberLoop {
  private let subscription: any RunSubscription
  private let program: String
  private let location: RunLocation

  /// The source of events; nil if they are not wanted.
  package let events: (any EventSource)?

  /// Joins a run.
  ///
  /// - Parameters:
  ///   - program: The program's name, for reports.
  ///   - location: Where the run is.
  ///   - reading: Which frames are wanted.
  ///   - waiting: How to wait for frames, on this machine.
  ///   - from: The first frame that is wanted; 0 for the next one.
  ///   - joining: How frames are joined if the run is made by several shards.
  ///   - wantsEvents: Whether events are wanted too.
  ///   - waitSeconds: How long to wait for the run to appear.
  ///   - mayEndFirst: Whether a run that ends before it is joined is no failure.
  ///   - whileWaiting: Called many times a second while a run of this machine cannot be joined.
  ///   - prepare: Work that can fail and does not depend on the run. It is done once the sim is
  ///     there, and before the sim waits for this subscriber.
  ///   - ready: Work that depends on the run and can take long: it gets the source of frames, and
  ///     that of events if they are wanted. In a run of this machine the sim counts this subscriber
  ///     only afterwards, so that no frame is missed meanwhile.
  /// - Throws: `Failure` when there is no such run or it cannot be joined, with the status `done` where
  ///   a stop signal came or the run may end first; what `prepare` and `ready` throw.
  package init(
    program: String, location: RunLocation, reading: Reading, waiting: Waiting = .announcement,
    from: UInt64 = 0, joining: ShardJoining = ShardJoining(), wantsEvents: Bool = false,
    waitSeconds: Double, mayEndFirst: Bool = false,
    whileWaiting: (_ simPrepares: Bool) -> Void = { _ in },
    prepare: () throws(Failure) -> Void = {},
    ready: (any FrameSource, (any EventSource)?) throws(Failure) -> Void = { _, _ in }
  ) throws(Failure) {
    self.program = program
    self.location = location
    StandardErrorLog.name(run: location.name)
    let joiner = RunJoiner(
      program: program, location: location, reading: reading, waiting: waiting, from: from,
      joining: joining, wantsEvents: wantsEvents, waitSeconds: waitSeconds)
    do {
      let visit = try joiner.visit(whileWaiting: whileWaiting, prepare: prepare)
      try ready(visit.source, visit.events)
      (subscription, events) = (try visit.join(), visit.events)
    } catch {
      throw Self.failure(toJoin: location, error, mayEndFirst: mayEndFirst)
    }
    StandardErrorLog.name(run: location.name, generation: subscription.source.generation)
  }

  /// Why a run was not joined: it is no failure where a stop signal came, or where the run may end first.
  private static func failure(
    toJoin location: RunLocation, _ error: any Error, mayEndFirst: Bool
  ) -> Failure {
    let isStopped = StopSignals.count > 0
    return switch error {
    case WireError.frame(.hungUp) where isStopped:
      Failure(.done, "stopped before \(location) was joined")
    case WireError.frame(let error) where error == .hungUp || mayEndFirst && error.isEnd:
      Failure(mayEndFirst ? .done : .unavailable, "\(location) ended before it was joined")
    case WireError.noRun where isStopped: Failure(.done, "stopped before \(location) appeared")
    case WireError.noAnswer where isStopped: Failure(.done, "stopped before \(location) answered")
    default: Failure(error)
    }
  }

  /// The source of frames.
  package var source: any FrameSource { subscription.source }

  /// Hands frames to a consumer until the run ends or a stop signal arrives.
  ///
  /// - Parameters:
  ///   - consumer: Uses the frames.
  ///   - notesStandstill: Whether to log when the run stands still and when it goes on.
  ///   - frameTimes: Gets the times of each frame that was used whole; the caller finishes it.
  ///   - timeline: Gets what was done with each frame; the caller finishes it.
  ///   - progress: Called after each frame and at least ten times a second, with the frames received
  ///     and missed so far.
  /// - Returns: The report, after the consumer has finished its files; and why it ended early: what the
  ///   consumer threw, or that the sim dropped this subscriber or broke the protocol.
  package func followAndAccount(
    _ consumer: some FrameConsumer, notesStandstill: Bool = true,
    frameTimes: FrameTimesFile<SubscriberFrameTimes>? = nil, timeline: ProgramTimeline? = nil,
    progress: (_ received: UInt64, _ missed: UInt64) -> Void = { _, _ in }
  ) -> (report: SubscriberReportMessage, failure: Failure?) {
    let source = subscription.source
    let log = Logger(label: program)
    let counters = SubscriberCounters(program: program, location, subscription)
    var timeline = timeline.map { SubscriberTimeline($0, source, phases: consumer.phases) }
    var (workTimes, waitTimes) = (Histogram(), Histogram())
    // When the last frame was done; the wait for the first one is no part of the run.
    var doneNs: UInt64?
    var first: (readNs: UInt64, doneNs: UInt64)?
    var standstill = Standstill(delivery: source.delivery)
    var ended = SubscriberReportMessage.End.stopped
    var dropReason: DropReason?
    var copying = CopyDecision(
      overwrittenAfter: consumer.isBrief ? nil : source.overwrittenAfter)
    var copy: FrameCopy?
    var failure: Failure?
    var files: [String] = []
    do throws(Failure) {
      while StopSignals.count == 0 {
        if let overrun = MemoryLimit.overrun {
          (failure, ended) = (overrun, .failed)
          break
        }
        var (beganNs, publishedNs): (UInt64, UInt64) = (0, 0)
        var (times, usedSequence) = (SubscriberTimeline.Times(), UInt64(0))
        let event = try subscription.next(timeoutNs: 100_000_000) {
          (frame) throws(Failure) -> Bool in
          beganNs = Clock.monotonicNs()
          if copying.copies, copy == nil { copy = FrameCopy(of: source) }
          if copying.copies, let copy {
            guard let view = copy.take(frame) else { return false }
            (publishedNs, usedSequence) = (view.stamp().publishTimeNs, view.sequence)
            times.copiedNs = Clock.monotonicNs()
            let isWhole = try consumer.use(view, source: copy)
            times.usedNs = Clock.monotonicNs()
            return isWhole
          }
          (publishedNs, usedSequence) = (frame.stamp().publishTimeNs, frame.sequence)
          let isWhole = try consumer.use(frame, source: source)
          times.usedNs = Clock.monotonicNs()
          copying.use(
            sequence: frame.sequence, publishedNs: publishedNs,
            useNs: times.usedNs - beganNs, isWhole: isWhole)
          return isWhole
        }
        switch event {
        case .frame(let sequence):
          if notesStandstill,
            let text = standstill.frameCame(sequence, publishedNs: publishedNs, nowNs: beganNs)
          {
            log.notice("\(text)")
          }
          try consumer.keep(sequence: sequence)
          if let doneNs { waitTimes.record(beganNs - min(doneNs, beganNs)) }
          let nowNs = Clock.monotonicNs()
          doneNs = nowNs
          if first == nil { first = (beganNs, nowNs) }
          workTimes.record(nowNs - beganNs)
          let fileBytes = consumer.fileBytes
          counters?.count(
            subscription.losses, nowNs: nowNs, fileBytes: fileBytes,
            times: (subscription.ages.lastNs, workTimes.last))
          (times.beganNs, times.keptNs) = (beganNs, nowNs)
          timeline?.record(
            sequence, times, ageNs: subscription.ages.lastNs, subscription.losses,
            fileBytes: fileBytes, isWhole: true)
          frameTimes?.write(
            SubscriberFrameTimes(sequence: sequence, foundNs: beganNs, doneNs: nowNs))
          subscription.report()
          progress(subscription.losses.receivedCount, subscription.losses.missedCount)
          continue
        case .missed(let gap):
          try consumer.miss(gap)
          let nowNs = Clock.monotonicNs()
          doneNs = nowNs
          let fileBytes = consumer.fileBytes
          counters?.count(
            subscription.losses, nowNs: nowNs, fileBytes: fileBytes, times: nil)
          if usedSequence > 0 {
            (times.beganNs, times.keptNs) = (beganNs, nowNs)
            timeline?.record(
              usedSequence, times, ageNs: nil, subscription.losses, fileBytes: fileBytes,
              isWhole: false)
          }
          continue
        case .idle:
          if notesStandstill, let text = standstill.nothingCame(nowNs: Clock.monotonicNs()) {
            log.notice("\(text)")
          }
          try consumer.idle()
          progress(subscription.losses.receivedCount, subscription.losses.missedCount)
          continue
        case .ended:
          ended = .runEnded
        case .simDied:
          ended = .simDied
        case .dropped(let reason):
          dropReason = reason
        }
        break
      }
      files = try consumer.finish(subscription.losses, simEnded: ended == .runEnded)
    } catch {
      (failure, ended) = (error, .failed)
    }
    if let error = subscription.failure { (failure, ended) = (Failure(error), .failed) }
    if let dropReason {
      ended = .dropped
      failure =
        failure
        ?? Failure(
          .unavailable,
          "dropped by the sim of \(location) after frame \(subscription.losses.last): \(dropReason)"
        )
    }
    var report = report(working: workTimes, waiting: waitTimes, ended: ended, files: files)
    (report.firstReadClockNs, report.firstDoneClockNs) = (first?.readNs, first?.doneNs)
    return (report, failure)
  }

  /// The same for callers that need no account of a subscriber that ended early.
  ///
  /// - Parameters:
  ///   - consumer: Uses the frames.
  ///   - frameTimes: Gets the times of each frame that was used whole; the caller finishes it.
  /// - Returns: The report, after the consumer has finished its files.
  /// - Throws: `Failure`: why it ended early.
  package func follow(
    _ consumer: some FrameConsumer, frameTimes: FrameTimesFile<SubscriberFrameTimes>? = nil
  ) throws(Failure) -> SubscriberReportMessage {
    let (report, failure) = followAndAccount(consumer, frameTimes: frameTimes)
    if let failure { throw failure }
    return report
  }

  private func report(
    working: Histogram, waiting: Histogram, ended: SubscriberReportMessage.End, files: [String]
  ) -> SubscriberReportMessage {
    let losses = subscription.losses
    var report = SubscriberReportMessage(
      program: program, run: location.name, delivery: "\(subscription.source.delivery)",
      waiting: subscription.localWaiting.map { "\($0)" } ?? "remote",
      reading: "\(subscription.reading)", joinedAfter: losses.joinedAfter,
      published: losses.last - losses.joinedAfter, received: losses.receivedCount,
      missed: losses.missedCount,
      gaps: losses.gaps.map { gap in
        gap.count == 1 ? "\(gap.lowerBound)" : "\(gap.lowerBound)-\(gap.upperBound)"
      },
      age: DurationReport(subscription.ages.histogram), waitingTime: DurationReport(waiting),
      working: DurationReport(working), ended: ended, files: files)
    if !subscription.shards.isEmpty { report.shards = subscription.shards }
    return report
  }
}
