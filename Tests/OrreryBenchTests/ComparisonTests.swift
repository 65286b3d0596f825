// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import OrreryBench
import TestSupport
import Testing

/// Results are judged row by row, and not judged where that would be wrong.
@Suite struct ComparisonTests {
  /// Rows of rounds with a little noise, and rows of work that does not change.
  private static func result(
    seed: UInt64, factors: [String: Double] = [:], machine: Double = 1
  ) -> StudyResult {
    var random = SeededRandom(seed: seed)
    var rows: [StudyRow] = ["tick a", "tick b", "publish"].map { name in
      StudyRow(
        name, unit: "ns",
        samples: StudySamples.rounds(
          24, mean: 100 * (factors[name] ?? 1) * machine, noise: 0.006, &random), entities: 10)
    }
    rows.append(
      StudyRow(
        "recording", unit: "MB/s", better: .larger,
        samples: StudySamples.rounds(
          24, mean: 900 / (factors["recording"] ?? 1) / machine, noise: 0.006, &random)))
    for name in Steadiness.names {
      rows.append(
        StudyRow(
          name, unit: "ns",
          samples: StudySamples.rounds(24, mean: 5000 * machine, noise: 0.002, &random)))
    }
    return StudySamples.result(rows)
  }

  @Test func plantedSlowdownsAreFoundAndNothingElse() {
    let factors = ["tick a": 1.05, "publish": 1.10, "recording": 1.05]
    for seed in 1...20 as ClosedRange<UInt64> {
      let old = Self.result(seed: seed)
      let comparison = Comparison(old, Self.result(seed: seed + 500, factors: factors))
      #expect(Set(comparison.slower.map(\.name)) == Set(factors.keys), "seed \(seed)")
      #expect(Comparison(old, Self.result(seed: seed + 900)).slower.isEmpty, "seed \(seed)")
    }
  }

  /// A build against itself: at most one false alarm in 200 comparisons of fifteen rows, whatever the machine does.
  @Test(arguments: [5, 8, 16], StudySamples.Disturbance.allCases)
  func buildIsNotSlowerThanItself(count: Int, disturbance: StudySamples.Disturbance) {
    var alarms = 0
    for seed in 1...200 as ClosedRange<UInt64> {
      var random = SeededRandom(seed: seed)
      func result() -> StudyResult {
        StudySamples.result(
          (0..<15).map { row in
            StudyRow(
              "tick \(row)", unit: "ns",
              samples: StudySamples.rounds(
                count, mean: 100, noise: 0.03, with: disturbance, &random))
          })
      }
      let comparison = Comparison(result(), result())
      alarms += comparison.rows.contains { $0.verdict == .slower || $0.verdict == .faster } ? 1 : 0
    }
    #expect(alarms <= 1, "\(alarms) of 200 with noise of 3 %")
  }

  @Test func slowMachineIsNoSlowProgram() {
    let (old, new) = (Self.result(seed: 1), Self.result(seed: 2, machine: 1.2))
    let comparison = Comparison(old, new)
    #expect(comparison.slower.isEmpty)
    #expect(
      comparison.notes.count { $0.hasPrefix("the machine: ") } == 2, "\(comparison.notes)")
    // Side by side, the machine is the same for both.
    #expect(Comparison(old, new, isPaired: true).slower.count == 4)
  }

  /// What other programs took is no property of the program, however sure the rounds are.
  @Test func rowThatWaitedForAProcessorIsUndecided() {
    var (old, new) = (Self.result(seed: 11), Self.result(seed: 12, factors: ["tick a": 3]))
    new.rows[0].waited = 0.04
    #expect(Comparison(old, new).slower.map(\.name) == ["tick a"])
    new.rows[0].waited = 0.53
    #expect(Comparison(old, new, isPaired: true).slower.map(\.name) == ["tick a"])
    let text =
      "tick a: undecided, in the new result other programs had its processor for 53 % of the time"
    var comparison = Comparison(old, new)
    #expect(comparison.rows[0].verdict == .undecided(downTo: nil) && !comparison.isDecided)
    #expect(comparison.notes == [text])
    (new.rows[0].waited, old.rows[0].waited) = (nil, 0.53)
    comparison = Comparison(old, new)
    #expect(comparison.slower.isEmpty)
    #expect(comparison.notes == [text.replacing("the new", with: "the old")])
  }

  @Test func thresholdIsTheSmallestDifferenceThatIsTold() {
    let new = Self.result(seed: 3, factors: ["tick b": 1.04])
    #expect(Comparison(Self.result(seed: 4), new).slower.map(\.name) == ["tick b"])
    #expect(Comparison(Self.result(seed: 4), new, threshold: 0.05).slower.isEmpty)
  }

  @Test func otherMachineHasRatiosWithoutVerdicts() {
    var old = Self.result(seed: 5)
    old.context.processor = "Other Processor"
    let comparison = Comparison(old, Self.result(seed: 6, factors: ["tick a": 2]))
    #expect(comparison.rows.count == 4)
    #expect(comparison.rows.allSatisfy { $0.verdict == .undecided(downTo: nil) })
    #expect(abs(comparison.rows[0].slowdown.value - 2) < 0.1)
    #expect(comparison.slower.isEmpty)
    #expect(comparison.notes[0].contains("another machine, other-processor-2cpu-avx2"))
  }

  @Test func whatCannotBeComparedIsSaid() {
    var (old, new) = (Self.result(seed: 7), Self.result(seed: 8))
    old.rows[0].entities = 11
    old.rows.remove(at: 1)
    old.isPartial = true
    new.rows.append(StudyRow("old only", unit: "ns"))
    (old.rows[1].hash, old.rows[1].hashTick) = ("01", 60)
    (new.rows[2].hash, new.rows[2].hashTick) = ("02", 60)
    old.rows.append(StudyRow("gone", unit: "ns", samples: [1]))
    let comparison = Comparison(old, new)
    #expect(comparison.rows.map(\.name) == ["publish", "recording"])
    for part in [
      "baseline is partial", "tick a: not compared, 11 entities against 10",
      "tick b: the baseline does not have it", "publish: another state hash",
      "gone: the new result does not have it",
    ] {
      #expect(comparison.notes.contains { $0.contains(part) }, "\(part): \(comparison.notes)")
    }
  }

  /// A scene file that was edited is another scene, and its row says so once.
  @Test func editedSceneIsNamed() {
    let old = StudySamples.result([StudyRow("tick mine@01234567", unit: "ns", samples: [1, 1, 1])])
    let new = StudySamples.result([
      StudyRow("tick mine@89abcdef", unit: "ns", samples: [1, 1, 1]),
      StudyRow("tick mi@89abcdef", unit: "ns", samples: [1, 1, 1]),
    ])
    let comparison = Comparison(old, new)
    #expect(
      comparison.notes == [
        "tick mine@89abcdef: not compared, the scene file was another, tick mine@01234567:"
          + " 0.001 µs, now 0.001 µs; --edited compares them",
        "tick mi@89abcdef: the baseline does not have it",
      ])
    #expect(comparison.counts.hasSuffix("1 not compared") && !comparison.isDecided)
    let text = ComparisonText.text(comparison, old: old, new: new)
    #expect(!text.contains("slowdown"), "\(text)")
  }

  /// With `--edited` it is judged by its ticks, however many entities it has now.
  @Test func editedSceneIsComparedOnDemand() throws {
    let ticks: [Double] = [100, 101, 99, 100, 102, 98, 100, 101, 99, 100, 101, 99]
    let old = StudySamples.result([
      StudyRow("tick mine@01234567", unit: "ns", samples: ticks, entities: 1000)
    ])
    let new = StudySamples.result([
      StudyRow("tick mine@89abcdef", unit: "ns", samples: ticks.map { $0 * 2 }, entities: 1500)
    ])
    let comparison = Comparison(old, new, scenes: .edited)
    #expect(comparison.slower.map(\.name) == ["tick mine@89abcdef"])
    #expect(comparison.isDecided && comparison.notCompared == [])
    #expect(comparison.notes == ["tick mine@89abcdef: another scene than tick mine@01234567"])
    let text = ComparisonText.text(comparison, old: old, new: new)
    #expect(text.contains("entities: tick mine@89abcdef 1,000, now 1,500"), "\(text)")
    #expect(ReportPage([new], baseline: old, scenes: .edited).verdict.contains("1 slower"))
    #expect(!ReportPage([new], baseline: old).verdict.contains("1 slower"))
  }

  /// Of one result, the second scene is judged by the first one.
  @Test func twoScenesOfOneResultAreCompared() throws {
    let ticks: [Double] = [100, 101, 99, 100, 102, 98, 100, 101, 99, 100, 101, 99]
    let result = StudySamples.result([
      StudyRow("tick feed", unit: "ns", samples: ticks, entities: 1000),
      StudyRow("tick board@89abcdef", unit: "ns", samples: ticks.map { $0 * 2 }, entities: 1500),
    ])
    let (old, new) = (
      try result.alone("feed", file: "r.json"), try result.alone("board", file: "r.json")
    )
    let comparison = Comparison(old, new, scenes: .any)
    #expect(comparison.slower.map(\.name) == ["tick board@89abcdef"])
    #expect(comparison.isDecided)
    #expect(comparison.notes == ["tick board@89abcdef: another scene than tick feed"])
    #expect(!ComparisonText.text(comparison, old: old, new: new).hasPrefix("old "))
    let failure = #expect(throws: Failure.self) { try result.alone("boar", file: "r.json") }
    #expect(failure?.description.contains("no scene boar; it has feed, board@89abcdef") == true)
  }

  @Test func documentFitsItsSchema() throws {
    let few = StudySamples.result([StudyRow("tick a", unit: "ns", samples: [1, 2])])
    for (old, new) in [
      (Self.result(seed: 9), Self.result(seed: 10, factors: ["tick a": 1.2])), (few, few),
    ] {
      let document = ComparisonDocument(Comparison(old, new))
      let line = ReportLine.encode(document, schema: ComparisonDocument.schema)
      #expect(try Repository.schema("bench-compare").faults(of: Data(line.utf8)) == [], "\(line)")
      #expect(
        line.contains(old.rows.count > 1 ? "\"verdict\":\"slower\"" : "\"verdict\":\"undecided\""))
    }
  }

  @Test func tableFitsAndCountsItsVerdicts() {
    let (old, new) = (Self.result(seed: 9), Self.result(seed: 10, factors: ["tick a": 1.2]))
    let comparison = Comparison(old, new)
    let text = ComparisonText.text(comparison, old: old, new: new)
    for line in text.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
    #expect(text.contains("SLOWER"), "\(text)")
    #expect(text.contains("1 slower, 0 faster, 3 same to "), "\(text)")
  }

  /// Each row of the old result is in one count, and a comparison that leaves one open is not decided.
  @Test func whatIsNotDecidedIsCounted() {
    let old = Self.result(seed: 9)
    #expect(Comparison(old, Self.result(seed: 10)).isDecided)
    let nothing = StudySamples.result([])
    #expect(!Comparison(nothing, nothing).isDecided, "nothing was compared")
    var new = Self.result(seed: 10)
    new.rows.removeFirst()
    let shorter = Comparison(old, new)
    #expect(shorter.notCompared == ["tick a"] && !shorter.isDecided && shorter.slower.isEmpty)
    #expect(shorter.counts.hasSuffix("0 undecided, 1 not compared"), "\(shorter.counts)")
    new.rows[0].samples = [50, 100, 150, 90, 200, 60]
    let noisy = Comparison(old, new)
    #expect(!noisy.rows[0].verdict.isDecided)
    #expect(noisy.counts.hasSuffix("1 undecided, 1 not compared"), "\(noisy.counts)")
    #expect(noisy.notes.contains { $0.hasPrefix("tick b: undecided, ") }, "\(noisy.notes)")
    let markdown = ComparisonText.markdown(noisy)
    #expect(markdown.hasPrefix("**\(noisy.counts)**\n\n| | entities | old |"), "\(markdown)")
    #expect(markdown.contains("| undecided |\n"), "\(markdown)")
    #expect(markdown.contains("- tick a: the new result does not have it\n"), "\(markdown)")
  }

  @Test func buildsTakeTurns() {
    #expect((0..<4).flatMap(BuildTurns.order) == [0, 1, 1, 0, 0, 1, 1, 0])
    let error = #expect(throws: Failure.self) { try BuildTurns(["/nonexistent", "/tmp"]) }
    #expect(error?.description.contains("/nonexistent: has no program bench") == true)
  }

  @Test(arguments: [("3%", 0.03), ("0.03", 0.03), ("100%", 1), ("2.5%", 0.025)])
  func percentIsAPart(word: String, part: Double) {
    #expect(abs((Percent(argument: word)?.part ?? 0) - part) < 1e-12)
  }

  @Test(arguments: ["", "%", "x%", "nan", "inf%", "3 %"]) func otherWordsAreNoPercent(word: String)
  {
    #expect(Percent(argument: word) == nil)
  }
}
