// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import TestSupport
import Testing

/// Goal: `--frame-times` of sim, renderer and logger follow each frame from program to program.
///
/// Method: a short live run, whose files are joined by the frames' numbers; files that cannot be written.
@Suite struct FrameTimesProcessTests {
  /// The cells of a file, line by line; empty ones are nil.
  private static func lines<Times: FrameTimes>(_ name: String, in place: Place) throws -> [Times] {
    let text = try String(contentsOfFile: place.files + "/" + name, encoding: .utf8)
    let lines = text.split(separator: "\n")
    #expect(lines.first.map(String.init) == Times.columns.joined(separator: ","))
    return try lines.dropFirst().map { line in
      let cells = line.split(separator: ",", omittingEmptySubsequences: false)
      return try #require(Times(cells: cells.map { UInt64($0) }), "\(name): \(line)")
    }
  }

  @Test func frameIsFollowedFromProgramToProgram() throws {
    let place = try Place()
    let sim = try Program(
      "sim",
      [
        "stress", "--entities", "2000", "--run", "times", "--ticks", "60", "--wait-for", "2",
        "--frame-times", "sim.csv",
      ], in: place)
    let join = ["--run", "times", "--json", "--wait", "300", "--frame-times"]
    let subscribers = [
      "logger": try Program("logger", join + ["logger.csv", "--out", "a.mcap"], in: place),
      "renderer": try Program(
        "renderer", join + ["renderer.csv", "--draw-every", "--size", "64x36"], in: place),
    ]
    #expect(sim.wait() == 0, "\(sim.errorText)")
    let frames: [SimFrameTimes] = try Self.lines("sim.csv", in: place)
    #expect(frames.map(\.sequence) == Array(1...60))
    for (name, program) in subscribers {
      #expect(program.wait() == 0, "\(name): \(program.errorText)")
      let times: [SubscriberFrameTimes] = try Self.lines(name + ".csv", in: place)
      let account = try report("orrery.subscriber.v2", in: program.text)
      #expect(number("received", in: account) == times.count, "\(name)")
      #expect(number("published", in: account) == 60, "\(name)")
      for time in times {
        let frame = try #require(frames.first { $0.sequence == time.sequence }, "\(name)")
        let due = try #require(frame.dueNs)
        #expect(due <= frame.computedNs && frame.computedNs <= time.foundNs, "\(name)")
        #expect(time.foundNs <= time.doneNs, "\(name)")
      }
    }
    #expect(!place.has("renderer.png"))
  }

  /// The run goes on to its end, and is reported; then comes the failure.
  @Test func fullDiskForTimesIsAFailureAtTheEnd() throws {
    let place = try Place()
    let run = try Program.run(
      "sim",
      ["flags", "--run", "full", "--ticks", "30", "--unpaced", "--frame-times", "/dev/full"],
      in: place)
    #expect(run.code == 74)
    #expect(run.errorText == "orrery sim: /dev/full: write: No space left on device\n")
    #expect(run.text.contains("30 frames in"), "\(run.text)")
  }

  @Test func fileThatCannotBeMadeEndsTheProgramAtOnce() throws {
    let place = try Place()
    let run = try Program.run(
      "sim", ["flags", "--run", "none", "--frame-times", "/nonexistent/times"], in: place)
    #expect(run.code == 74)
    #expect(
      run.errorText == "orrery sim: /nonexistent/times: open: No such file or directory\n")
    #expect(run.text == "")
    #expect(place.runs == [])
  }

  @Test(arguments: [
    ["sim", "flags", "--run", "a"], ["logger", "--run", "a", "--out", "a.mcap"],
    ["renderer", "--run", "a"],
  ])
  func standardOutputIsNoFile(words: [String]) throws {
    let run = try Program.run(
      words[0], words.dropFirst() + ["--frame-times", "-"], in: Place())
    #expect(run.code == 64, "\(run.errorText)")
    #expect(run.errorText.contains("--frame-times -: standard output has the report"))
  }
}
