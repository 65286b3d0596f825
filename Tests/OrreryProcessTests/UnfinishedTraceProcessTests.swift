// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Testing

/// Goal: every command on traces says of an unfinished or damaged one what it is, in the same word, on standard error, and
/// ends with the code of that.
///
/// Method: a run of 60 ticks, recorded whole; the same file cut in half; what a killed logger leaves; and a digest whose
/// frames cannot be reached.
@Suite(.serialized) struct UnfinishedTraceProcessTests {
  /// The files, in a place that lives as long as this process.
  private struct Recording {
    let place: Place
    static let made = Result { try Recording() }

    private init() throws {
      place = try Place()
      let sim = try Program(
        "sim",
        [
          "flags", "--run", "part", "--ticks", "60", "--lockstep", "--unpaced",
          "--wait-for", "2",
        ], in: place)
      let loggers = try [("whole", []), ("digest", ["--mode", "digest"])].map { name, words in
        try Program(
          "logger", ["--run", "part", "--out", name + ".mcap", "--chunk-size", "4KiB"] + words,
          in: place)
      }
      for program in loggers + [sim] { #expect(program.wait() == 0, "\(program.errorText)") }
      try cut("whole", to: "cut", share: 0.5)
      // Nothing but the scene is left before the damage.
      var bytes = try self.bytes("digest")
      let last = bytes.count / 2
      for at in last..<bytes.count { bytes[at] = 0 }
      try put(bytes, "damaged")
      let killed = try KilledLogger.record(forUs: 1_700_000, in: place)
      killed.signal(SIGTERM)
      killed.wait()
    }

    private func bytes(_ name: String) throws -> [UInt8] {
      Array(try #require(FileManager.default.contents(atPath: place.files + "/\(name).mcap")))
    }

    private func cut(_ name: String, to other: String, share: Double) throws {
      let bytes = try bytes(name)
      try put(Array(bytes.prefix(Int(Double(bytes.count) * share))), other)
    }

    private func put(_ bytes: [UInt8], _ name: String) throws {
      try Data(bytes).write(to: URL(filePath: place.files + "/\(name).mcap"))
    }
  }

  private let place: Place

  init() throws { place = try Recording.made.get().place }

  private func trace(_ words: [String]) throws -> (code: Int32?, text: String, errorText: String) {
    try Program.run("orrery", ["trace"] + words, in: place)
  }

  static let commands: [[String]] = [
    ["info", "$"], ["verify", "$"], ["cat", "$", "--topic", "/orrery/frames"],
    ["filter", "$", "-o", "f.mcap", "--force"], ["merge", "$", "-o", "m.mcap", "--force"],
    ["export", "csv", "$"], ["export", "chrome", "$", "-o", "x.json", "--force"],
    ["export", "png", "$", "-o", "x.png", "--force", "--size", "64x36"],
    ["play", "$", "--run", "played", "--unpaced"], ["prove", "$"], ["diff", "$", "$"],
    ["plot", "$", "--entity", "0", "-o", "x.svg"], ["recover", "$", "r.mcap", "--force"],
  ]

  @Test(arguments: commands, ["cut", "killed"])
  func everyCommandSaysThatATraceIsUnfinished(words: [String], name: String) throws {
    let run = try trace(words.map { $0 == "$" ? name + ".mcap" : $0 })
    #expect(run.code == 3, "\(run.errorText)")
    #expect(
      run.errorText.contains("orrery trace \(words[0]): \(name).mcap: unfinished: "),
      "\(run.errorText)")
    if name == "killed" {
      #expect(run.errorText.contains("the recorder did not end"), "\(run.errorText)")
    }
    #expect(!run.text.contains("mcap: whole"), "\(run.text)")
    let whole = try trace(words.map { $0 == "$" ? "whole.mcap" : $0 })
    #expect(whole.code == 0, "\(whole.errorText)")
    #expect(!whole.errorText.contains("unfinished"), "\(whole.errorText)")
  }

  /// A copy of a part is none of the whole.
  @Test(arguments: ["cut", "killed"])
  func mergeOfAPartIsUnfinished(name: String) throws {
    let merged = try trace(["merge", name + ".mcap", "-o", "part.mcap", "--force"])
    #expect(!merged.text.contains("verified"), "\(merged.text)")
    for verb in ["info", "verify", "cat"] {
      let run = try trace([verb, "part.mcap"])
      #expect(run.code == 3, "\(run.errorText)")
      #expect(run.errorText.contains("unfinished"), "\(run.errorText)")
    }
  }

  @Test func framesOfALongerTraceAreCounted() throws {
    let line = try report(
      "orrery.trace-diff.v1", in: trace(["diff", "cut.mcap", "whole.mcap", "--json"]).text)
    let ticks = try #require(number("ticks", in: line))
    #expect(ticks > 0 && ticks < 60)
    #expect(number("only_a", in: line) == 0)
    #expect(number("only_b", in: line) == 60 - ticks)
  }

  /// Where nothing is left to compare, nothing is equal.
  @Test func damagedDigestProvesNothing() throws {
    for words in [["prove", "damaged.mcap"], ["diff", "damaged.mcap", "whole.mcap"]] {
      let run = try trace(words)
      #expect(run.code == 1, "\(words): \(run.text)\(run.errorText)")
      #expect(run.errorText.contains("damaged.mcap: damaged: "), "\(run.errorText)")
      #expect(!run.text.contains("equal"), "\(run.text)")
    }
    for words in [["info", "damaged.mcap"], ["cat", "damaged.mcap"]] {
      #expect(try trace(words).code == 65, "\(words)")
    }
    #expect(try trace(["verify", "damaged.mcap"]).code == 1)
  }

  @Test func topicThatIsNotThereIsNamed() throws {
    for words in [["cat", "whole.mcap"], ["filter", "whole.mcap", "-o", "n.mcap"]] {
      let run = try trace(words + ["--topic", "/orrery/frames", "/nope"])
      #expect(run.code == 1)
      #expect(run.text.isEmpty)
      #expect(run.errorText.contains("whole.mcap: no topic '/nope'; it has /orrery/"))
      #expect(run.errorText.split(separator: "\n").count == 1)
    }
    #expect(!place.has("n.mcap"))
  }
}
