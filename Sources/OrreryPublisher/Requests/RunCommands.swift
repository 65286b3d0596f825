// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryBase
import OrreryDocument
import OrreryMessages
import OrreryScene
import OrrerySceneBuilder
import OrreryWire

/// What requests do to a run between two frames, and the replies that wait for frames.
///
/// The run's loop calls it.
final class RunCommands {
  let course: RunCourse

  /// Requests that were not performed yet.
  let queue: CommandQueue

  /// Replies that wait for frames.
  private var awaited: [Awaited] = []

  /// A reply that is sent once the frame of this sequence is published; of a step, with its count of frames.
  private struct Awaited {
    let sequence: UInt64
    let steps: UInt64?
    let answer: CommandQueue.Answer
  }

  /// Changes that a run keeps for replay, at most.
  private static let changesMax = 100_000

  /// Performs requests to a run.
  init(_ course: RunCourse) {
    self.course = course
    queue = course.publication.commands
  }

  /// Performs all queued commands.
  func serve() {
    for entry in queue.takeAll() {
      if course.sharding != nil, entry.command.isOfTime {
        propose(entry)
        continue
      }
      // Time that passed while nothing was to be published is not caught up.
      if let nowNs = course.countingPauses({ perform(entry) }) {
        course.clock.continues(at: course.clock.speed, nowNs: nowNs)
      }
    }
  }

  /// Performs a command now; a change of time of all shards at the frame that they have agreed on.
  func perform(_ entry: CommandQueue.Entry) {
    switch entry.command {
    case .pause:
      course.playback.pause()
      refuseAwaited("the run was paused first")
    case .resume: course.playback.resume()
    case .speed(let factor):
      // The schedule of shards has changed already.
      if course.sharding == nil { course.clock.continues(at: factor, nowNs: Clock.monotonicNs()) }
    case .stats: return entry.answer(.done(course.stats))
    case .quit: course.isAskedToEnd = true
    case .keep: return keep(entry.answer)
    case .step(let count): return step(count, entry.answer)
    case .seek(let tick): return seek(tick, entry.answer)
    case .change(let change): return self.change(entry, change)
    }
    entry.answer(.done(course.position))
  }

  private func step(_ count: UInt64, _ answer: @escaping CommandQueue.Answer) {
    guard course.sharding != nil || hasRoomToWait(answer) else { return }
    guard !course.isAtEnd else { return answer(.done(position(afterSteps: 0))) }
    course.playback.step(count)
    awaited.append(
      Awaited(
        sequence: course.writer.sequence + course.playback.owedCount, steps: count, answer: answer))
  }

  private func seek(_ tick: UInt64, _ answer: @escaping CommandQueue.Answer) {
    guard course.sharding != nil || hasRoomToWait(answer) else { return }
    do throws(Failure) {
      course.playback.seek(try course.maker.index(ofTick: tick))
    } catch {
      return answer(.refused(error.description))
    }
    course.maker.replayEvents(from: tick)
    awaited.append(Awaited(sequence: course.writer.sequence + 1, steps: nil, answer: answer))
  }

  /// Asks the run's loggers to keep what they have.
  private func keep(_ answer: CommandQueue.Answer) {
    let loggers = course.publication.loggerCount
    guard loggers > 0 else {
      return answer(.refused("no logger follows the run, so nothing is kept"))
    }
    let tick = course.figures.newest.tick
    course.publication.eventSender.sendKeep(
      tick: tick, seconds: course.plan.rate.seconds(tick: tick))
    answer(.done(position(with: "loggers", UInt64(loggers))))
  }

  private func position(with key: String, _ count: UInt64) -> [String: DocumentValue] {
    course.position.merging([key: .count(count)]) { first, _ in first }
  }
}

// MARK: - Changes of views

extension RunCommands {
  /// Changes views; a shard also keeps the change for its next process.
  private func change(_ entry: CommandQueue.Entry, _ change: ViewChangeRequest) {
    guard course.sharding != nil else { return entry.answer(apply(change)) }
    if let refusal = reasonNotToKeep(entry.request) { return entry.answer(.refused(refusal)) }
    let tick = course.playback.nextTick
    let reply = apply(change)
    guard case .done = reply else { return entry.answer(reply) }
    keep(entry, tick: tick, reply)
  }

  /// Changes views from the next tick on, or from a later time.
  private func apply(_ change: ViewChangeRequest) -> ControlReply {
    guard course.figures.changeCount < Self.changesMax else {
      return .refused("\(Self.changesMax) changes were applied; a run keeps no more")
    }
    let (tick, rate) = (course.playback.nextTick, course.plan.rate)
    if let seconds = change.seconds, seconds < rate.seconds(tick: tick) {
      return .refused(
        "\(seconds) s is over: the next tick is \(tick), at \(rate.seconds(tick: tick)) s")
    }
    guard apply(change, nextTick: tick) else {
      let names = fieldsWithoutColumn(change.command.transaction).map(\.rawValue)
      return .refused(
        "frames have no column for \(names.isEmpty ? "that" : names.joined(separator: " and ")), since"
          + " nothing in the scene changes it; run the sim with --columns"
          + (names.isEmpty ? "" : " " + names.joined(separator: ",")))
    }
    if course.options.events != .none {
      course.publication.eventSender.send(
        command: change.text, tick: tick, seconds: rate.seconds(tick: tick))
    }
    return .done(position(with: "applies_at", change.tick(nextTick: tick, rate)))
  }

  /// The properties that a change needs and frames do not have.
  private func fieldsWithoutColumn(_ transaction: TransactionPlan) -> [ViewProperty] {
    let fields = course.plan.viewsBatch.map { course.maker.batchFields[$0] } ?? []
    let shown = ViewProperty.allCases.filter { !fields.contains(Orrery_Field($0)) }
    return shown.filter { property in
      transaction.actions.contains { action in
        switch action {
        case .set(_, let changed, _): changed == property
        case .show, .hide, .toggle, .destroy: property == .opacity
        case .tap: false
        }
      }
    }
  }

  /// Changes views as a request asked before a tick, and counts the change.
  ///
  /// - Returns: False if it is not possible; then nothing is changed.
  @discardableResult
  func apply(_ change: ViewChangeRequest, nextTick tick: UInt64) -> Bool {
    guard let batch = course.plan.viewsBatch else { return false }
    var transaction = change.command.transaction
    if let name = change.command.completion {
      // The run's index of it.
      transaction.completion = course.publication.eventSender.index(ofCompletion: name)
    }
    let seconds = change.seconds(nextTick: tick, course.plan.rate)
    guard course.maker.apply(transaction, atSeconds: seconds, batch: batch) else { return false }
    course.figures.changeCount += 1
    return true
  }
}

// MARK: - Replies that wait

extension RunCommands {
  /// Whether replies wait for frames; read after every frame.
  var areAwaited: Bool { !awaited.isEmpty }

  /// Whether one more reply can wait for frames; if not, the command is refused and not performed.
  func hasRoomToWait(_ answer: CommandQueue.Answer) -> Bool {
    if awaited.count < CommandQueue.capacity { return true }
    answer(.refused("\(CommandQueue.capacity) requests wait for frames already; try again"))
    return false
  }

  /// Sends the replies whose frames are published; at the end of a played trace, those of steps that no frame follows
  /// too.
  func answerAwaited() {
    let (sequence, all) = (course.writer.sequence, course.isAtEnd)
    for waiting in awaited where all || waiting.sequence <= sequence {
      waiting.answer(.done(stepped(waiting).map(position(afterSteps:)) ?? course.position))
    }
    awaited.removeAll { all || $0.sequence <= sequence }
  }

  /// Refuses all requests from now on, and those that wait.
  func close() {
    queue.close()
    course.sharding?.finish()
    refuseAwaited(CommandQueue.endedReason)
  }

  private func refuseAwaited(_ reason: String) {
    for waiting in awaited {
      let done = stepped(waiting) ?? 0
      let count = done > 0 ? "; ticks stepped: \(done)" : ""
      waiting.answer(.refused(reason + count))
    }
    awaited = []
  }

  /// The frames that a step has published so far; nil: it is none.
  private func stepped(_ waiting: Awaited) -> UInt64? {
    let left = waiting.sequence - min(course.writer.sequence, waiting.sequence)
    return waiting.steps.map { $0 - min(left, $0) }
  }

  /// The position after a step, with the frames that it published.
  private func position(afterSteps count: UInt64) -> [String: DocumentValue] {
    position(with: "stepped", count)
  }
}
