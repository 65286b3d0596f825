// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// A trace holds what was simulated, and readers that we did not write see the same values.
///
/// Method: run real processes, read the trace with the official Python packages, and compare with what
/// `orrery sample` computes by itself.
@Suite(.serialized) struct TraceProcessTests {
  private func crosscheck(_ arguments: [String], in place: Place) throws -> (
    code: Int32?, text: String, errorText: String
  ) {
    try Program.run(
      Program.python, [Program.root + "/tools/mcap-crosscheck.py"] + arguments, in: place)
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
        "--duration", "1", "--lockstep", "--format", "fixed16", "--size", "64x36",
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

  /// In the first second, soon after, and after some summaries.
  @Test(arguments: [300_000, 1_100_000, 2_300_000])
  func traceOfAKilledLoggerOpensInReadersThatBeginAtItsEnd(delay: UInt32) throws {
    let place = try Place()
    try place.write(
      """
      import sys
      from mcap.reader import SeekingReader, make_reader
      with open(sys.argv[1], "rb") as stream:
          reader = make_reader(stream, validate_crcs=True)
          assert isinstance(reader, SeekingReader)
          count = reader.get_summary().statistics.message_count
          assert count > 0 and count == sum(1 for _ in reader.iter_messages())
      """, to: "read.py")
    let sim = try KilledLogger.record(forUs: delay, in: place)
    let read = try Program.run(Program.python, ["read.py", "killed.mcap"], in: place)
    #expect(read.code == 0, "\(read.errorText)")
    sim.signal(SIGTERM)
    sim.wait()
  }

  /// The program is the one that the page shows.
  @Test func readerOfATraceAloneNamesEntitiesAndKnowsWhereTheyAre() throws {
    let place = try Place()
    let page = try String(
      contentsOfFile: Program.root + "/docs/reference/trace.md", encoding: .utf8)
    let section = try #require(page.range(of: "\n## Names and positions\n")).upperBound
    let start = try #require(
      page.range(of: "```python\n", range: section..<page.endIndex)
    ).upperBound
    let end = try #require(page.range(of: "```", range: start..<page.endIndex)).lowerBound
    try place.write(String(page[start..<end]), to: "names.py")
    let run = try Program.run(
      "orrery",
      ["run", "planets", "--duration", "1.2", "--lockstep", "--out", ".", "--size", "64x36"],
      in: place)
    #expect(run.code == 0, "\(run.errorText)")
    let read = try Program.run(Program.python, ["names.py", "planets.mcap"], in: place)
    #expect(read.code == 0, "\(read.errorText)")
    let sample = try Program.run(
      "orrery", ["sample", "planets", "--at", "1.2", "--world", "--json"], in: place)
    func objects(_ text: String) throws -> [Int: [String: Any]] {
      let objects = try text.split(separator: "\n").map { line in
        try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      }
      return Dictionary(uniqueKeysWithValues: objects.map { ($0["entity"] as? Int ?? -1, $0) })
    }
    let (found, expected) = (try objects(read.text), try objects(sample.text))
    // Four rows of three views, and their moons: all have names.
    #expect(found.count == 4 * 3 + 18)
    #expect(found.keys == expected.keys)
    for (entity, object) in found {
      #expect(object["name"] as? String == expected[entity]?["name"] as? String)
      for key in ["x", "y"] {
        let (value, other) = (object[key] as? Double, expected[entity]?[key] as? Double)
        #expect(abs(try #require(value) - (try #require(other))) < 0.001, "\(object)")
      }
    }
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
    let hash = try report("orrery.sim.v2", in: stepped.text)["state_hash"] as? String
    #expect(hash == direct.text.trimmingCharacters(in: .newlines))
  }
}
