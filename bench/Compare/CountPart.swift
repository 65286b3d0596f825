// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import OrreryBase
import OrreryCommandLine
import OrreryFrame
import OrreryPublisher
import OrreryScene
import OrrerySim

/// Repeats the same work, for tools that count instructions; tools/bench-instructions runs it.
///
/// The work does not depend on time: two runs with different `--times` differ by that work alone.
struct CountPart: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "count-part", abstract: "The same work a number of times, not timed.",
    shouldDisplay: false)

  /// What is done.
  enum Work: String, CaseIterable, ExpressibleByArgument {
    /// A tick of 10,000 entities of a kind.
    case marquee, orbit
    /// A tick of the scene.
    case planets, feed, dashboard
    /// Claiming, publishing and waking for a frame of 400 KB that is not filled.
    case publish
    /// The same, and a reader that finds the frame whole.
    case read
    /// Recording a frame of 400 KB, whose bytes are dropped.
    case record
  }

  @Argument(help: "What is done.")
  var work: Work

  @Option(help: "How often, \(Self.timesRange).")
  var times = 100

  @Option(help: "Instruction set of ticks.")
  var isa = "avx2"

  private static let timesRange = OptionRange(1...1_000_000)

  func validate() throws {
    try Self.timesRange.check("--times", times)
    guard let set = InstructionSet(rawValue: isa), set.isSupported else {
      throw ValidationError("--isa \(isa): this machine does not have it")
    }
  }

  func run() throws {
    try runArea {
      switch work {
      case .marquee, .orbit:
        var workload = Workload(name: "stress", entities: 20_000)
        workload.cycleTicks = 1
        try tick(try workload.plan().only(work.rawValue))
      case .planets: try tick(try Workload(name: "planets").plan())
      case .feed, .dashboard:
        try tick(try Workload(name: work.rawValue, copies: 10).plan())
      case .publish, .read: try publish(reads: work == .read)
      case .record:
        let recording = try TimedRecording()
        for _ in 0..<times { try recording.record() }
      }
      return []
    }
  }

  private func tick(_ plan: ScenePlan) throws {
    let world = try TimedWorld(plan, instructionSet: InstructionSet(rawValue: isa) ?? .baseline)
    for _ in 0..<times { world.evaluateNext() }
    guard world.tick == UInt64(times) else { throw Failure(.unavailable, "ticks are missing") }
  }

  private func publish(reads: Bool) throws {
    let publishing = try TimedPublishing()
    let reader = reads ? try publishing.reader() : nil
    for _ in 0..<times {
      publishing.publish()
      if let reader, !publishing.isRead(by: reader) {
        throw Failure(.unavailable, "the frame is not there")
      }
    }
  }
}
