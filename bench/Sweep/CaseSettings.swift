// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryDocument
import OrrerySim

/// The settings of a measurement: the words of `bench run`, of a plan's table `run` and of its grid.
package struct CaseSettings: Equatable, Sendable {
  /// A word, in a plan and, with `--`, on the command line.
  package enum Key: String, CaseIterable, Sendable {
    case scene, entities, copies, threads, isa
    case lookAhead = "look-ahead"
    case hash, seed, rounds
    case roundMilliseconds = "round-ms"
    case worst, frames, duration, subscribers, rate
  }

  /// A built-in scene, a workload, or the path of a scene file.
  package var scene = "stress"
  /// Entities of a scene with fields; nil: the scene's own.
  package var entities: Int?
  /// Copies of the scene; nil: those of the workload, or one.
  package var copies: Int?
  /// Threads that may share a tick.
  package var threads = 1
  /// The instruction set; nil: the best.
  package var isa: InstructionSet?
  /// Ticks that may be computed early.
  package var lookAhead = 7
  /// Values that the hash covers.
  package var hash = HashMode.full
  /// The seed; nil: the scene's own.
  package var seed: UInt64?
  /// Rounds of each workload.
  package var rounds = 12
  /// Milliseconds of a round.
  package var roundMilliseconds = 50
  /// How many of the slowest ticks are kept, with what they did.
  package var worst = 0
  /// Whether whole programs are run, too.
  package var frames = false
  /// Seconds of such a run.
  package var duration = 3.0
  /// Programs beside the sim.
  package var subscribers: [ProgramRun.Subscriber] = [.reader, .logger, .renderer]
  /// Ticks per second; nil: the scene's own.
  package var rate: Double?

  /// The settings without any word.
  package init() {}

  /// A word that is not possible, and why.
  package struct Fault: Error, Equatable {
    /// The reason, without the word.
    package let reason: String
  }

  /// Sets one word.
  ///
  /// - Throws: `Fault` for another type, or a value out of its range.
  package mutating func set(_ key: Key, _ value: DocumentValue) throws(Fault) {
    switch key {
    case .scene: scene = try Self.text(value)
    case .entities: entities = try Self.whole(value, 1...100_000_000)
    case .copies: copies = try Self.whole(value, 1...10_000_000)
    case .threads: threads = try Self.whole(value, 1...1024)
    case .isa: isa = try Self.instructionSet(value)
    case .lookAhead: lookAhead = try Self.whole(value, 0...7)
    case .hash: hash = try Self.word(value)
    case .seed: seed = UInt64(try Self.whole(value, 0...Int.max))
    case .rounds: rounds = try Self.whole(value, 1...10_000)
    case .roundMilliseconds: roundMilliseconds = try Self.whole(value, 1...60_000)
    case .worst: worst = try Self.whole(value, 0...1000)
    case .frames:
      guard let bool = value.bool else {
        throw Fault(reason: "\(Self.shown(value)) is not true or false")
      }
      frames = bool
    case .duration: duration = try Self.number(value, 0.5...3600)
    case .rate: rate = try Self.number(value, 0.01...1_000_000)
    case .subscribers:
      guard let array = value.array else {
        throw Fault(reason: "\(Self.shown(value)) is not an array of \(Self.subscriberNames)")
      }
      var names: [ProgramRun.Subscriber] = []
      for element in array { names.append(try Self.word(element)) }
      guard Set(names).count == names.count else { throw Fault(reason: "names a program twice") }
      subscribers = names
    }
  }

  private static let subscriberNames = ProgramRun.Subscriber.allCases.map(\.rawValue)
    .joined(separator: ", ")

  private static func text(_ value: DocumentValue) throws(Fault) -> String {
    guard let text = value.string, !text.isEmpty, text.utf8.count <= 4096 else {
      throw Fault(reason: "\(shown(value)) is not a scene's name or path")
    }
    return text
  }

  private static func whole(_ value: DocumentValue, _ range: ClosedRange<Int>) throws(Fault) -> Int
  {
    guard let whole = value.integer else {
      throw Fault(reason: "\(shown(value)) is not a whole number")
    }
    guard let number = Int(exactly: whole), range.contains(number) else {
      throw Fault(reason: "\(whole) is out of range \(range)")
    }
    return number
  }

  private static func number(
    _ value: DocumentValue, _ range: ClosedRange<Double>
  ) throws(Fault) -> Double {
    guard let number = value.number else { throw Fault(reason: "\(shown(value)) is not a number") }
    guard range.contains(number) else { throw Fault(reason: "\(number) is out of range \(range)") }
    return number
  }

  private static func word<Word: RawRepresentable & CaseIterable>(
    _ value: DocumentValue
  ) throws(Fault) -> Word where Word.RawValue == String {
    let known = Word.allCases.map(\.rawValue)
    guard let text = value.string, let word = Word(rawValue: text) else {
      let question = value.string.map { NearestName.question($0, among: known) } ?? ""
      throw Fault(
        reason: "\(shown(value)) is none of \(known.joined(separator: ", "))\(question)")
    }
    return word
  }

  private static func instructionSet(_ value: DocumentValue) throws(Fault) -> InstructionSet {
    let set: InstructionSet = try word(value)
    guard set.isSupported else { throw Fault(reason: "this machine does not have \(set.rawValue)") }
    return set
  }

  /// A value as it is written, shortened.
  private static func shown(_ value: DocumentValue) -> String {
    let text = JSONWriter.text(value, .answer)
    return text.count <= 60 ? text : text.prefix(59) + "…"
  }
}

// MARK: - What is measured

extension CaseSettings {
  /// The workload.
  package var workload: Workload {
    var workload = Workload.named(scene) ?? Workload(name: scene)
    if let entities { workload.entities = entities }
    if let copies { workload.copies = copies }
    return workload
  }

  /// How it is computed.
  package var options: TimedWorkload.Options {
    var options = TimedWorkload.Options()
    options.instructionSet = isa ?? .best
    (options.threads, options.lookAhead) = (threads, lookAhead)
    (options.hashMode, options.seed, options.worst) = (hash, seed, worst)
    return options
  }

  /// The same as arguments of `sim`.
  package var simArguments: [String] {
    var words = [scene, "--threads", "\(threads)", "--look-ahead", "\(lookAhead)"]
    words += ["--hash", hash.rawValue]
    if let isa { words += ["--isa", isa.rawValue] }
    if let entities = workload.entities {
      words += ["--entities", "\(entities)"]
    }
    if workload.copies > 1 { words += ["--copies", "\(workload.copies)"] }
    if let seed { words += ["--seed", "\(seed)"] }
    if let rate { words += ["--rate", "\(rate)"] }
    return words
  }

  /// The study of these settings.
  ///
  /// - Parameters:
  ///   - title: Its name in the result.
  ///   - command: The command line that measures it again.
  /// - Returns: The plan of a study.
  package func study(title: String, command: String) -> StudyRun.Plan {
    var plan = StudyRun.Plan(workloads: [workload], title: title, command: command)
    plan.options = options
    (plan.rounds, plan.roundNs) = (rounds, UInt64(roundMilliseconds) * 1_000_000)
    plan.repeatSeconds = min(10, Double(rounds * roundMilliseconds) / 1000)
    if frames {
      var runs = StudyRun.Frames(sim: simArguments)
      (runs.seconds, runs.subscribers) = (duration, subscribers)
      plan.frames = runs
    }
    return plan
  }
}
