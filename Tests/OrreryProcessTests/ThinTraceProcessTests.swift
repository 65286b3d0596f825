// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryMessages
import OrreryTrace
import SwiftProtobuf
import Testing

/// Traces of a part of a run, of what changed and of hashes hold what they say, and readers that we did not write agree.
///
/// Method: loggers with different options record one run in lockstep; the official Python packages, and the program that
/// the page shows, read their traces.
@Suite(.serialized) struct ThinTraceProcessTests {
  /// Runs a scene of 90 ticks with a logger for each of these options; their traces are 0.mcap, 1.mcap and so on.
  private static func record(
    _ scene: [String], _ loggers: [[String]], in place: Place
  ) throws {
    let sim = try Program(
      "sim",
      scene + [
        "--run", "thin", "--duration", "1.5", "--rate", "60", "--lockstep", "--unpaced",
        "--wait-for", "\(loggers.count)",
      ], in: place)
    let programs = try loggers.enumerated().map { index, options in
      try Program("logger", ["--run", "thin", "--out", "\(index).mcap"] + options, in: place)
    }
    for program in programs + [sim] { #expect(program.wait() == 0, "\(program.errorText)") }
  }

  private static func crosscheck(
    _ trace: String, _ samples: String, in place: Place
  ) throws -> [String: Int] {
    let check = try Program.run(
      Program.python,
      [Program.root + "/tools/mcap-crosscheck.py", trace, "--json"]
        + (samples.isEmpty ? [] : ["--expect", samples]), in: place)
    #expect(check.code == 0, "\(trace): \(check.text)\(check.errorText)")
    let found = try JSONSerialization.jsonObject(with: Data(check.text.utf8)) as? [String: Any]
    return (found ?? [:]).compactMapValues { $0 as? Int }
  }

  private static func sample(
    _ scene: [String], at times: String, to file: String, in place: Place
  ) throws {
    let sample = try Program.run(
      "orrery", ["sample"] + scene + ["--rate", "60", "--at", times, "--json"], in: place)
    #expect(sample.code == 0, "\(sample.errorText)")
    try place.write(sample.text, to: file)
  }

  @Test func foreignReaderAgreesWithEveryPart() throws {
    let (place, scene) = (try Place(), ["stress", "--entities", "600"])
    try Self.record(
      scene,
      [
        ["--delta"], ["--quantise", "16", "--delta"],
        ["--every", "7", "--entity", "0-9,500-599"],
        ["--columns", "y", "--quantise", "16"], ["--mode", "digest"],
      ], in: place)
    // Ticks 7, 49, 63 and 84: multiples of seven.
    let times = [7, 49, 63, 84].map { "\(Double($0) / 60)" }.joined(separator: ",")
    try Self.sample(scene, at: times, to: "samples.jsonl", in: place)
    let found = try (0..<5).map {
      try Self.crosscheck("\($0).mcap", $0 < 4 ? "samples.jsonl" : "", in: place)
    }
    #expect(found.map { $0["frames"] } == [90, 90, 12, 90, 90])
    #expect(found.map { $0["lost"] } == [0, 0, 0, 0, 0])
    // Keyframes are the first frame and the one a second after it.
    #expect(found[0]["deltas"] == 88 && found[1]["deltas"] == 88 && found[2]["deltas"] == 0)
    #expect(found[4]["digests"] == 90)
    // Four ticks, and all six fields of the entities that are there.
    #expect(found[0]["values_compared"] == 4 * 600 * 6 && found[0]["fixed16_compared"] == 0)
    #expect(found[1]["fixed16_compared"] == 4 * 900)
    #expect(found[2]["values_compared"] == 4 * 110 * 6)
    #expect(found[3]["values_compared"] == 4 * 600 && found[3]["fixed16_compared"] == 4 * 300)
  }

  /// The program is the one that the page shows.
  @Test func programOfThePageDecodesDeltas() throws {
    let (place, page) = (
      try Place(),
      try String(contentsOfFile: Program.root + "/docs/reference/trace.md", encoding: .utf8)
    )
    let section = try #require(page.range(of: "## Deltas")).upperBound
    let start = try #require(
      page.range(of: "```python\n", range: section..<page.endIndex)
    ).upperBound
    let end = try #require(page.range(of: "```", range: start..<page.endIndex)).lowerBound
    try place.write(String(page[start..<end]), to: "deltas.py")
    try Self.record(
      ["planets"], [[], ["--delta"], ["--quantise", "16"], ["--quantise", "16", "--delta"]],
      in: place)
    let texts = try (0..<4).map { index in
      let read = try Program.run(Program.python, ["deltas.py", "\(index).mcap"], in: place)
      #expect(read.code == 0, "\(read.errorText)")
      return read.text
    }
    #expect(texts[0].split(separator: "\n").count == 90)
    #expect(texts[1] == texts[0])
    #expect(texts[2] != texts[0])
    #expect(texts[3] == texts[2])
  }

  @Test(arguments: [
    (["--every", "0"], "--every 0: use 1 to 1000000000"),
    (["--quantise", "8"], "--quantise 8: use 16"),
    (["--columns", "x,z"], "x,z"),
    (["--mode", "digest", "--delta"], "--mode digest and --delta exclude each other"),
  ])
  func badOptionsAreRefused(_ options: [String], message: String) throws {
    let run = try Program.run(
      "logger", ["--run", "thin", "--out", "a.mcap"] + options, in: Place())
    #expect(run.code == 64)
    #expect(run.errorText.contains(message), "\(run.errorText)")
  }

  /// Nothing is left of a recording that could not begin.
  @Test(arguments: [
    (["--entity", "600"], [] as [String], "--entity 600: the scene has entities 0 to 599"),
    (["--mode", "digest"], ["--hash", "off"], "run it without --hash off"),
  ])
  func recordingThatTheSceneDoesNotAllowIsRefused(
    _ options: [String], sim: [String], message: String
  ) throws {
    let place = try Place()
    let program = try Program(
      "sim", ["stress", "--entities", "600", "--run", "thin", "--duration", "20"] + sim, in: place)
    let run = try Program.run(
      "logger", ["--run", "thin", "--out", "a.mcap"] + options, in: place)
    #expect(run.code == 64)
    #expect(run.errorText.contains(message), "\(run.errorText)")
    #expect(!place.has("a.mcap"))
    program.signal(SIGTERM)
    #expect(program.wait() == 0)
  }

  /// What a layout says is enough to compute the hashes of a digest.
  @Test func digestHasTheHashesThatOrreryComputes() throws {
    let place = try Place()
    try Self.record(
      ["stress", "--entities", "600", "--seed", "12"],
      [["--mode", "digest"]], in: place)
    let reader = try TraceReader(path: place.files + "/0.mcap")
    var (scene, hashes) = (Orrery_SceneLayout(), [UInt64]())
    while let message = try reader.nextMessage() {
      let bytes = Data(message.bytes)
      if message.topic == "/orrery/scene" {
        scene = try Orrery_SceneLayout(serializedBytes: bytes)
      } else if message.topic == "/orrery/digests" {
        hashes += try Orrery_Digests(serializedBytes: bytes).stateHashes
      }
    }
    #expect(scene.options.entities == 600 && scene.options.output == "float32")
    #expect(scene.options.builtIn && scene.seed == 12)
    try place.write(scene.source, to: "again.toml")
    let run = try Program.run(
      "orrery",
      [
        "hash", "again.toml", "--entities", "\(scene.options.entities)", "--seed", "\(scene.seed)",
        "--rate", "\(scene.rateNumerator)/\(scene.rateDenominator)", "--tick", "90",
      ], in: place)
    #expect(hashes.count == 90)
    let hash = try #require(hashes.last)
    #expect(run.text.contains(String(hash, radix: 16)), "\(run.text) \(run.errorText)")
  }
}
