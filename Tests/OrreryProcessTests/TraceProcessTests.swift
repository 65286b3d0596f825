// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// A trace holds what was simulated, and readers that we did not write see the same values.
///
/// Method: run real processes, read the trace with the official Python packages, and compare with what
/// `orrery sample` computes by itself.
@Suite(.serialized, .timeLimit(.minutes(10))) struct TraceProcessTests {
  static let python =
    ProcessInfo.processInfo.environment["ORRERY_PYTHON"] ?? Program.root + "/.venv/bin/python"

  private func crosscheck(_ arguments: [String], in place: Place) throws -> (
    code: Int32?, text: String, errorText: String
  ) {
    try Program.run(
      Self.python, [Program.root + "/tools/mcap-crosscheck.py"] + arguments, in: place)
  }

  @Test(arguments: ["none", "lz4", "zstd"])
  func lockstepTraceOfTenSecondsHoldsEveryTick(compression: String) throws {
    let place = try Place()
    let run = try Program.run(
      "orrery",
      [
        "run", "flags", "--rate", "60", "--duration", "10", "--lockstep", "--out", "out",
        "--compression", compression, "--size", "320x180", "--json",
      ], in: place)
    #expect(run.code == 0, "\(run.errorText)")
    let times = (1...600).map { "\(Double($0) / 60)" }.joined(separator: ",")
    let sample = try Program.run(
      "orrery", ["sample", "flags", "--at", times, "--json"], in: place)
    #expect(sample.text.split(separator: "\n").count == 1200)
    try place.write(sample.text, to: "sample.jsonl")
    let check = try crosscheck(
      ["out/flags.mcap", "--expect", "sample.jsonl", "--json"], in: place)
    #expect(check.code == 0, "\(check.text)\(check.errorText)")
    let found = try #require(
      try JSONSerialization.jsonObject(with: Data(check.text.utf8)) as? [String: Any])
    #expect(found["frames"] as? Int == 600)
    #expect(found["lost"] as? Int == 0)
    #expect(found["first_tick"] as? Int == 1)
    #expect(found["last_tick"] as? Int == 600)
  }

  /// `orrery sample` computes floats: the trace has each one's nearest multiple.
  @Test func foreignReaderDecodes16BitColumns() throws {
    let place = try Place()
    let scene = ["stress", "--entities", "500"]
    let run = try Program.run(
      "orrery",
      ["run"] + scene + [
        "--duration", "1", "--lockstep", "--output", "fixed16", "--size", "64x36",
        "--look-ahead", "7", "--stores", "streaming", "--json",
      ], in: place)
    #expect(run.code == 0, "\(run.errorText)")
    #expect(run.text.contains("\"output\":\"fixed16\""))
    #expect(run.text.contains("streaming"))
    let sample = try Program.run(
      "orrery", ["sample"] + scene + ["--at", "0.25,0.5,1", "--json"], in: place)
    try place.write(sample.text, to: "right.jsonl")
    try place.write(
      sample.text.replacingOccurrences(of: "\"x\":-", with: "\"x\":-1"), to: "wrong.jsonl")
    let check = try crosscheck(["stress.mcap", "--expect", "right.jsonl", "--json"], in: place)
    #expect(check.code == 0, "\(check.text)\(check.errorText)")
    let found = try #require(
      try JSONSerialization.jsonObject(with: Data(check.text.utf8)) as? [String: Any])
    // The marquees' x and the orbits' x and y.
    #expect(found["fixed16_compared"] as? Int == 3 * 750)
    #expect(try crosscheck(["stress.mcap", "--expect", "wrong.jsonl"], in: place).code == 1)
  }

  @Test func foreignReaderSeesAWrongValue() throws {
    let place = try Place()
    let run = try Program.run(
      "orrery",
      ["run", "flags", "--duration", "0.5", "--lockstep", "--out", ".", "--size", "64x36"],
      in: place)
    #expect(run.code == 0, "\(run.errorText)")
    let sample = try Program.run(
      "orrery", ["sample", "flags", "--at", "0.25", "--json"], in: place)
    try place.write(sample.text, to: "right.jsonl")
    try place.write(
      sample.text.replacingOccurrences(of: "\"x\":-", with: "\"x\":-1"), to: "wrong.jsonl")
    #expect(try crosscheck(["flags.mcap", "--expect", "right.jsonl"], in: place).code == 0)
    #expect(try crosscheck(["flags.mcap", "--expect", "wrong.jsonl"], in: place).code == 1)
  }

  @Test(arguments: ["baseline", "avx2", "avx512"], [1, 2])
  func steppedRunHasTheHashThatIsComputedDirectly(isa: String, threads: Int) throws {
    let place = try Place()
    let arguments = ["--isa", isa, "--threads", "\(threads)"]
    let direct = try Program.run("orrery", ["hash", "stress", "--tick", "2000"], in: place)
    #expect(direct.code == 0)
    let stepped = try Program.run(
      "sim",
      ["stress", "--run", "hash", "--ticks", "2000", "--unpaced", "--json"] + arguments,
      in: place)
    // A machine without the instruction set says so; there is nothing to compare then.
    if stepped.code == 64, stepped.errorText.contains("has no \(isa)") { return }
    #expect(stepped.code == 0, "\(stepped.errorText)")
    let hash = try report("orrery.sim.v1", in: stepped.text)["stateHash"] as? String
    #expect(hash == direct.text.trimmingCharacters(in: .newlines))
  }
}
