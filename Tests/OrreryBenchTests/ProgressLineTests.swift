// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import OrreryBench
import TestSupport
import Testing

/// Goal: who waits for a measurement sees what is measured, and how long it will take.
///
/// Method: a clock that the test moves; a small study, and the steps that it shows.
@Suite struct ProgressLineTests {
  private static func written(_ style: ProgressWriter.Style) -> [String] {
    var pieces: [String] = []
    var nowNs: UInt64 = 0
    let line = ProgressLine(
      style, clock: { nowNs }, columns: { 80 }, write: { pieces.append($0) })
    for (words, left) in [("round 1 of 3", nil), ("round 2 of 3", 61.2), ("round 3 of 3", 200.0)]
      as [(String, Double?)]
    {
      line.show(MeasuringStep(words, remainingSeconds: left))
      nowNs += 1_000_000_000
    }
    line.close()
    return pieces
  }

  @Test func stepsHaveTheTimeThatIsLeft() {
    #expect(
      Self.written(.plain) == [
        "round 1 of 3\n", "round 2 of 3, 62 s left\n", "round 3 of 3, 3 min left\n",
      ])
    #expect(Self.written(.line).first == "\r\u{1b}[Kround 1 of 3")
    #expect(Self.written(.line).last == "\n")
    #expect(Self.written(.none) == [])
  }

  @Test func jsonIsAsItsSchemaSays() throws {
    let lines = Self.written(.json)
    #expect(lines.count == 3 && lines[1].contains("\"remaining_s\":61.2"), "\(lines)")
    for line in lines {
      #expect(try Repository.schema("bench-progress").faults(of: Data(line.utf8)) == [])
    }
  }

  @Test func timeOfAStudyRunsOut() throws {
    var plan = StudyRun.Plan(
      workloads: [Workload(name: "flags"), Workload(name: "feed")], title: "t", command: "c")
    (plan.rounds, plan.roundNs, plan.repeatSeconds) = (4, 1_000_000, 0)
    var steps: [MeasuringStep] = []
    let beganNs = Clock.monotonicNs()
    _ = try StudyRun(plan) { steps.append($0) }.measure()
    let seconds = Double(Clock.monotonicNs() - beganNs) / 1e9
    #expect(steps.filter { $0.text.hasPrefix("building ") }.count == 2)
    let rounds = steps.filter { $0.text.hasPrefix("round ") }
    #expect(rounds.map { $0.text.prefix(12) } == (1...4).map { "round \($0) of 4" })
    let left = try rounds.map { try #require($0.remainingSeconds) }
    // Four planned rounds of two workloads; then each as long as those before it.
    #expect(abs(left[0] - 0.012) < 1e-9)
    // What a step shows is the time of the rounds before it, divided by their number, for each one left.
    let took = [left[1] / 3, left[2], left[3] * 3]
    #expect(0 < took[0] && took[0] < took[1] && took[1] < took[2] && took[2] <= seconds)
  }
}
