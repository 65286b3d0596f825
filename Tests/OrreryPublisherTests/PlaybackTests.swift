// SPDX-License-Identifier: Apache-2.0

import Glibc
import Orrery
import OrreryBase
import OrreryDocument
import OrreryMessages
import OrreryPublisher
import OrreryScene
import OrrerySim
import OrreryWire
import TestSupport
import Testing

/// Goal: what a run publishes is a function of its scene, of the changes that were applied, each at its tick,
/// and of the tick: wherever the run goes in its scene, live or in lockstep, however far it looks ahead.
///
/// Method: a script of commands for a run that is paused before its first tick; the same changes applied to a
/// world directly. Every value of every frame is compared, and every hash that was answered.
@Suite struct PlaybackTests {
  /// What is asked of a run.
  enum Step: Sendable {
    case step(UInt64)
    case seek(UInt64)
    case change(ControlVerb, [String: DocumentValue])
  }

  /// Changes before, at and after ticks that were shown, seen again from both sides.
  static let script: [Step] = [
    .step(5),
    .change(.set, ["views": .table(["Mars.panel": .table(["x": .integer(12)])])]),
    .change(
      .set,
      [
        "views": .table(["Mars.header": .table(["x": .number(-40.5)])]),
        "animation": .string("spring(duration: 0.4, bounce: 0.3)"), "completion": .string("moved"),
      ]),
    .change(
      .set,
      [
        "views": .table(["Mars.header": .table(["x": .integer(7)])]), "seconds": .number(0.61),
        "animation": .string("easeIn(duration: 0.3)"),
      ]),
    .step(20), .change(.toggle, ["names": .string("Jupiter")]), .step(30), .seek(10), .step(7),
    .change(.toggle, ["names": .string("Uranus"), "seconds": .number(1.205)]),
    .change(
      .toggle,
      ["names": .array([.string("Saturn"), .string("Mars")]), "animation": .string("bouncy")]),
    .step(50), .seek(400), .step(3), .seek(0), .step(2), .seek(70), .seek(71), .seek(71), .step(9),
  ]

  static func plan() throws -> ScenePlan {
    var plan = try ScenePlan(SceneSource.load(nameOrPath: "planets"), text: InstalledFonts())
    plan.show([.x])
    return plan
  }

  /// The values and the hash of every frame of the script, computed directly.
  static func expectedFrames() throws -> [(tick: UInt64, hash: UInt64, columns: [[Float]])] {
    let plan = try plan()
    let world = try World(plan, instructionSet: .baseline, threadCount: 1)
    var frames: [(tick: UInt64, hash: UInt64, columns: [[Float]])] = []
    var next: UInt64 = 1
    func publish() {
      let values = Values(of: world, tick: next)
      let columns = world.columns.map { column in
        values.column(batch: column.batch, field: column.field.fieldNumber).map(Array.init) ?? []
      }
      frames.append((next, values.stateHash, columns))
      next += 1
    }
    let batch = try #require(
      plan.batches.firstIndex { if case .views = $0 { true } else { false } })
    for step in script {
      switch step {
      case .step(let count): for _ in 0..<count { publish() }
      case .seek(let tick):
        next = tick
        publish()
      case .change(let verb, var fields):
        let key = verb == .set ? "views" : "names"
        let seconds = fields.removeValue(forKey: "seconds")?.number
        fields[verb.rawValue] = fields.removeValue(forKey: key)
        let json = String(decoding: fields.json, as: UTF8.self)
        let table = try TOMLParser.parse(toml(fields), depthMax: 64)
        let command = try plan.liveNames.command(table)
        let time = seconds ?? plan.rate.seconds(tick: next)
        #expect(world.apply(command.transaction, atSeconds: time, batch: batch), "\(json)")
      }
    }
    return frames
  }

  /// The same in TOML, by another way than the queue's.
  private static func toml(_ fields: [String: DocumentValue]) -> String {
    func text(_ value: DocumentValue) -> String {
      switch value {
      case .bool(let value): "\(value)"
      case .integer(let value): "\(value)"
      case .number(let value): "\(value)"
      case .string(let value): "'\(value)'"
      case .array(let array): "[" + array.elements.map(text).joined(separator: ", ") + "]"
      case .table(let table):
        "{" + table.members.map { "'\($0.key)' = \(text($0.value))" }.joined(separator: ", ") + "}"
      case .null, .dateTime: "none"
      }
    }
    return fields.map { "\($0) = \(text($1))" }.joined(separator: "\n")
  }

  /// Plays the script; the answers to steps and seeks.
  static func play(_ client: CommandQueueClient) -> [[String: DocumentValue]] {
    var answers: [[String: DocumentValue]] = []
    for step in script {
      switch step {
      case .step(let count):
        answers.append(client.done(.step, ["ticks": .count(count)]))
      case .seek(let tick): answers.append(client.done(.seek, ["tick": .count(tick)]))
      case .change(let verb, let fields): client.done(verb, fields)
      }
    }
    client.done(.quit)
    return answers
  }

  /// Checks answers: tick and hash of the last frame that each one waited for.
  static func check(
    _ answers: [[String: DocumentValue]],
    _ expected: [(tick: UInt64, hash: UInt64, columns: [[Float]])], _ comment: String
  ) {
    #expect(answers.count == script.count { if case .change = $0 { false } else { true } })
    for answer in answers {
      guard let sequence = answer.count("sequence"), (1...UInt64(expected.count)).contains(sequence)
      else {
        Issue.record("\(comment): \(answer)")
        continue
      }
      let frame = expected[Int(sequence) - 1]
      #expect(answer.count("tick") == frame.tick, "\(comment)")
      let hash = answer.string("state_hash")
      #expect(hash == hexadecimal(frame.hash), "\(comment): tick \(frame.tick)")
    }
  }

  @Test(arguments: [2, 9, 64] as [UInt64])
  func everyFrameInLockstepShowsItsTick(slots: UInt64) throws {
    let expected = try Self.expectedFrames()
    for lookAhead in 0...7 as ClosedRange<UInt64> {
      var options = SimOptions(test: "play-\(slots)-\(lookAhead)", ticks: 1_000)
      (options.delivery, options.waitFor) = (.lockstep, 1)
      (options.lookAhead, options.slotCount) = (lookAhead, slots)
      let simulation = try Simulation(Self.plan(), options: options)
      let client = CommandQueueClient(queue: simulation.commands)
      let paused = client.post(.pause)
      let keeper = try FrameKeeper(run: options.run, held: 0)
      let answers = Monitor<[[String: DocumentValue]]>([])
      let thread = try TestThread("the answers") {
        _ = paused.wait()
        let played = Self.play(client)
        answers.change { $0 = played }
      }
      let report = try finish(simulation)
      try thread.join()
      try keeper.finish()
      #expect(report.frames == UInt64(expected.count))
      #expect(keeper.lostCount == 0)
      #expect(keeper.frames.count == expected.count)
      Self.check(answers.read { $0 }, expected, "\(lookAhead) ahead")
      for (bytes, expected) in zip(keeper.frames, expected) {
        let frame = try Orrery_Frame(serializedBytes: bytes)
        let isSame =
          frame.tick == expected.tick && frame.stateHash == expected.hash
          && frame.columns.map(\.values).elementsEqual(expected.columns) { found, expected in
            found.elementsEqual(expected) { $0.bitPattern == $1.bitPattern }
          }
        try #require(isSame, "\(lookAhead) ahead: frame \(frame.sequence), tick \(expected.tick)")
      }
    }
  }

  @Test(arguments: [0, 7] as [UInt64], [false, true])
  func liveRunAnswersTheSameHashes(lookAhead: UInt64, isPaced: Bool) throws {
    let expected = try Self.expectedFrames()
    var options = SimOptions(test: "play-live-\(lookAhead)-\(isPaced)", ticks: 1_000)
    (options.isPaced, options.lookAhead, options.threadCount) = (isPaced, lookAhead, 2)
    let simulation = try Simulation(Self.plan(), options: options)
    let client = CommandQueueClient(queue: simulation.commands)
    let paused = client.post(.pause)
    let answers = Monitor<[[String: DocumentValue]]>([])
    let thread = try TestThread("the answers") {
      _ = paused.wait()
      if isPaced { client.done(.speed, ["factor": .number(50)]) }
      let played = Self.play(client)
      answers.change { $0 = played }
    }
    let report = try finish(simulation)
    try thread.join()
    #expect(report.frames == UInt64(expected.count))
    Self.check(answers.read { $0 }, expected, "live")
  }
}
