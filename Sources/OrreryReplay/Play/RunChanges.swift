// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryBase
import OrreryDocument
import OrreryMessages
import OrreryPublisher
import OrreryScene
import OrreryTrace
import OrreryTraceTools
import OrreryWire

/// The changes that were made to a run while it went on, each with its tick and the first frame that was made with it.
///
/// A run that was sent back shows ticks again, and a change is in those frames only that were published after it was
/// made. A message of changes does not say which these are, but before which tick they were made; where several frames
/// show that tick, it is the one whose time of publishing is nearest to the time at which the message came.
package struct RunChanges {
  /// One change.
  struct Change {
    /// The first tick that shows it, and its time in seconds.
    let tick: UInt64
    let seconds: Double

    /// The first frame that was made with it.
    let sequence: UInt64
    let transaction: TransactionPlan
  }

  /// In the order in which they were made.
  let changes: [Change]

  /// Events that did not come to the logger: a change may be among them.
  let missedCount: UInt64

  /// Changes that a run keeps, at most.
  private static let countMax = 100_000

  /// No changes.
  init() { (changes, missedCount) = ([], 0) }

  /// Reads the changes of a trace.
  ///
  /// - Parameters:
  ///   - archive: The trace.
  ///   - catalogue: Its frames.
  ///   - scene: Its static part.
  ///   - path: Its first file, for messages.
  /// - Throws: `Failure` if the trace is damaged, or has a change that its scene does not know.
  init(
    _ archive: TraceArchive, _ catalogue: FrameCatalogue, _ scene: Orrery_SceneLayout, path: String
  ) throws(Failure) {
    var found: [(number: UInt64, tick: UInt64, logTimeNs: UInt64, text: String)] = []
    var (missed, next) = (UInt64(0), UInt64(1))
    let rate = TickRate(numerator: scene.rateNumerator, denominator: scene.rateDenominator)
    // A change is made at the next tick, which need not come.
    let lastSequence = try catalogue.last()?.sequence ?? 0
    let tickMax = rate.map { CommandReader.tickMax(at: $0) + lastSequence + 1 } ?? .max
    let messages = archive.messages(of: .events)
    do {
      while let message = try messages.next() {
        let events = try Orrery_Events(serializedBytes: Array(message.bytes))
        guard events.generation == scene.generation else { continue }
        if events.firstNumber > next { missed += events.firstNumber - next }
        next = events.firstNumber &+ UInt64(events.events.count)
        for (index, event) in events.events.enumerated() where event.kind == .command {
          guard events.tick <= tickMax else {
            throw Failure(
              .badData, "\(path): a change at tick \(events.tick): no run reaches that tick")
          }
          guard found.count < Self.countMax else {
            throw Failure(.badData, "\(path): more than \(Self.countMax) changes")
          }
          found.append(
            (
              events.firstNumber &+ UInt64(index), events.tick, message.head.logTimeNs,
              event.command
            ))
        }
      }
    } catch {
      throw Failure(reading: "events", of: path, error)
    }
    missedCount = missed
    guard !found.isEmpty else {
      changes = []
      return
    }
    let plan = try ReplayScene(scene, path: path).plan
    let reader = CommandReader(names: plan.liveNames, rate: plan.rate, isPaced: true)
    var changes: [Change] = []
    for item in found.sorted(by: { $0.number < $1.number }) {
      let asked = try Self.change(item.text, reader, path: path)
      changes.append(
        Change(
          tick: asked.tick(nextTick: item.tick, plan.rate),
          seconds: asked.seconds(nextTick: item.tick, plan.rate),
          sequence: try Self.sequence(item.tick, item.logTimeNs, catalogue),
          transaction: asked.command.transaction))
    }
    self.changes = changes
  }

  /// The first frame with a change: the one that shows the tick before which it was made, of several the one nearest in
  /// time.
  private static func sequence(
    _ tick: UInt64, _ logTimeNs: UInt64, _ catalogue: FrameCatalogue
  ) throws(Failure) -> UInt64 {
    guard let first = try catalogue.frame(from: 0), let last = try catalogue.last() else {
      return 1
    }
    if last.tick &- last.sequence == first.tick &- first.sequence {
      return tick >= first.tick ? first.sequence + (tick - first.tick) : 1
    }
    var nearest: (sequence: UInt64, distanceNs: UInt64)?
    for part in try catalogue.findJumps()
    where part.tick <= tick && tick - part.tick <= part.last - part.sequence {
      let sequence = part.sequence + (tick - part.tick)
      guard let frame = try catalogue.frame(from: sequence) else { continue }
      let timeNs = frame.stamp.publishTimeNs
      let distanceNs = max(timeNs, logTimeNs) - min(timeNs, logTimeNs)
      if nearest.map({ distanceNs < $0.distanceNs }) ?? true { nearest = (sequence, distanceNs) }
    }
    return nearest?.sequence ?? 1
  }

  /// Reads a change as an event has it.
  ///
  /// - Parameters:
  ///   - text: A request as JSON, without its number.
  ///   - reader: Knows the scene's names.
  ///   - path: The trace, for messages.
  /// - Returns: What is changed.
  /// - Throws: `Failure`, `badData`.
  package static func change(
    _ text: String, _ reader: CommandReader, path: String
  ) throws(Failure) -> ViewChangeRequest {
    do throws(ControlRefusal) {
      var fields = try [String: DocumentValue](json: Array(text.utf8))
      guard case .string(let word) = fields.removeValue(forKey: "do"),
        let verb = ControlVerb(rawValue: word),
        case .change(let change) = try reader.command(
          ControlRequest(verb: verb, id: 0, fields: fields))
      else { throw ControlRefusal("it changes nothing") }
      return change
    } catch {
      throw Failure(.badData, "\(path): the change \(text.prefix(200)): \(error.description)")
    }
  }
}
