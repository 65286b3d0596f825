// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import OrreryBase
import TestSupport
import Testing

/// Goal: `--timeline` has what all programs of a run did in one file, on one clock, and why a tick took long.
///
/// Method: live runs, shards, a program that is killed, files that cannot be written; a reader of the tests, and the
/// classes that PyPI's `perfetto` has for the format.
@Suite struct TimelineProcessTests {
  private typealias Slice = TimelineTrace.Slice

  private static func trace(_ name: String, in place: Place) throws -> TimelineTrace {
    try TimelineTrace(
      [UInt8](Data(contentsOf: URL(fileURLWithPath: place.files + "/" + name))))
  }

  /// Slices of each process, which lie one after the other or in one another.
  private static func ordered(_ trace: TimelineTrace) -> [String: [Slice]] {
    let processes = Dictionary(grouping: trace.slices, by: \.process)
    for (process, slices) in processes {
      let outer = slices.filter { $0.parent == nil }
      for (first, second) in zip(outer, outer.dropFirst()) {
        #expect(first.toNs <= second.fromNs, "\(process): \(first) \(second)")
      }
      #expect(slices.allSatisfy { $0.fromNs <= $0.toNs }, "\(process)")
    }
    return processes
  }

  /// What took longer than a tick, or began too late, says how much it was.
  private static func check(notesOf slices: [Slice]) {
    for slice in slices where slice.name == "over budget" || slice.name == "late" {
      #expect(
        slice.numbers["entities"] ?? 0 > 0 && slice.numbers["frame_bytes"] ?? 0 > 0, "\(slice)")
      if slice.process.hasPrefix("sim") { #expect(slice.texts["kinds"] != nil, "\(slice)") }
    }
  }

  @Test func programsOfARunAreOnOneClock() throws {
    let place = try Place()
    // A timeline that was there, without content.
    try Data(TimelineFile.mark).write(to: URL(fileURLWithPath: place.files + "/t.pftrace"))
    let run = try Program.run(
      "orrery",
      [
        "run", "stress", "--entities", "2000", "--duration", "1.5", "--size", "64x36", "--live",
        "--timeline", "t.pftrace", "--out", "out",
      ], in: place)
    #expect(run.code == 0, "\(run.errorText)")
    #expect(run.errorText.contains("orrery run: replaces t.pftrace"), "\(run.errorText)")
    let trace = try Self.trace("t.pftrace", in: place)
    let programs = ["live", "logger", "renderer", "sim"]
    #expect(
      trace.processes == Dictionary(uniqueKeysWithValues: programs.map { ($0, "run stress") }))
    let processes = Self.ordered(trace)
    for (program, names) in [
      ("sim", ["compute", "publish"]), ("renderer", ["draw", "encode", "find"]),
      ("logger", ["find", "write"]), ("live", ["encode", "find"]),
    ] {
      let found = Set(try #require(processes[program], "\(program)").map(\.name))
      #expect(found.isSuperset(of: names), "\(program): \(found)")
    }
    // A program that has too little of the processor never waits; all of them do not have too little.
    #expect(trace.slices.contains { $0.name == "wait" })
    let computed = try #require(processes["sim"]).filter { $0.name == "compute" }
    #expect(computed.compactMap { $0.numbers["frame"] } == Array(1...90))
    var shown: [String: Int] = [:]
    for slice in trace.slices where slice.process != "sim" {
      guard let frame = slice.numbers["frame"] else { continue }
      shown[slice.process, default: 0] += 1
      #expect(computed[Int(frame) - 1].toNs <= slice.fromNs, "\(slice)")
    }
    #expect(shown["logger"] ?? 0 > 0 && shown["renderer"] ?? 0 > 0 && shown["live"] ?? 0 > 0)
    Self.check(notesOf: trace.slices)
  }

  @Test func shardsShareTheFile() throws {
    let place = try Place()
    let scene = ["stress", "--entities", "20000", "--run", "demo", "--ticks", "60"]
    let more = ["--json", "--timeline", "t.pftrace"]
    let programs =
      try (0..<2).map {
        try Program(
          "sim", scene + ["--shard", "\($0)/2", "--wait-for", "1"] + more, in: place)
      } + [
        Program("logger", ["--run", "demo", "--out", "a.mcap", "--wait", "300"] + more, in: place)
      ]
    for program in programs { #expect(program.wait() == 0, "\(program.errorText)") }
    let trace = try Self.trace("t.pftrace", in: place)
    #expect(
      trace.processes == [
        "sim 0/2": "run demo.0of2", "sim 1/2": "run demo.1of2", "logger": "run demo",
      ])
    let processes = Self.ordered(trace)
    for shard in 0..<2 {
      let slices = try #require(processes["sim \(shard)/2"])
      #expect(slices.compactMap { $0.numbers["frame"] } == Array(1...60), "\(shard)")
    }
  }

  /// Many springs that are interrupted together, in ticks that are far too short for that.
  @Test func tickThatTakesTooLongSaysWhatItDid() throws {
    let place = try Place()
    let run = try Program.run(
      "sim",
      [
        "feed", "--copies", "300", "--rate", "6000", "--duration", "2", "--events", "all", "--run",
        "a", "--timeline", "t.pftrace",
      ], in: place)
    #expect(run.code == 0, "\(run.errorText)")
    let slices = try Self.trace("t.pftrace", in: place).slices
    Self.check(notesOf: slices)
    let over = slices.filter { $0.name == "over budget" }
    let changed = { (slice: Slice) in
      ["begun", "retargeted", "ended"].map { slice.numbers[$0] ?? 0 }.reduce(0, +)
    }
    let busiest = try #require(over.max { changed($0) < changed($1) })
    #expect(changed(busiest) >= 300, "\(busiest)")
    #expect(busiest.texts["kinds"]?.hasSuffix(" view") == true, "\(busiest)")
    let within = Set(slices.filter { $0.parent == "over budget" }.map(\.name))
    #expect(within == ["events", "compute", "publish"])
    #expect(slices.contains { $0.name == "send" })
  }

  /// A sim that stood still begins its next tick too late; what it is told to do is there, too.
  @Test func lateTickAndCommandsAreThere() throws {
    let place = try Place()
    let sim = try Program(
      "sim", ["planets", "--run", "a", "--json", "--timeline", "t.pftrace"], in: place)
    sim.wait(forFrames: 3, of: "a", in: place)
    sim.signal(SIGSTOP)
    usleep(300_000)
    sim.signal(SIGCONT)
    sim.wait(forFrames: 3, of: "a", in: place)
    let quit = try Program.run("orrery", ["control", "a", "quit"], in: place)
    #expect(quit.code == 0, "\(quit.errorText)")
    #expect(sim.wait() == 0, "\(sim.errorText)")
    let slices = try Self.trace("t.pftrace", in: place).slices
    Self.check(notesOf: slices)
    #expect(slices.contains { $0.name == "commands" })
    #expect(
      slices.contains {
        ["late", "over budget"].contains($0.name) && $0.numbers["late_ns"] ?? 0 > 100_000_000
      })
  }

  /// What a killed program has written stays, and the others go on.
  @Test func killedProgramLeavesAFileThatCanBeRead() throws {
    let place = try Place()
    let sim = try Program(
      "sim",
      [
        "stress", "--entities", "2000", "--run", "a", "--wait-for", "1", "--json", "--timeline",
        "t.pftrace",
      ],
      in: place)
    let logger = try Program(
      "logger", ["--run", "a", "--out", "a.mcap", "--wait", "300", "--timeline", "t.pftrace"],
      in: place)
    logger.wait(for: "its part") {
      (try? Self.trace("t.pftrace", in: place).slices.contains { $0.process == "logger" }) == true
    }
    logger.signal(SIGKILL)
    logger.wait()
    sim.wait(forFrames: 90, of: "a", in: place)
    sim.signal(SIGINT)
    #expect(sim.wait() == 0, "\(sim.errorText)")
    let trace = try Self.trace("t.pftrace", in: place)
    let ends = Self.ordered(trace).compactMapValues { $0.map(\.toNs).max() }
    #expect(try #require(ends["logger"]) + 1_000_000_000 < #require(ends["sim"]))
  }

  @Test func packagesOfOthersReadIt() throws {
    let place = try Place()
    let run = try Program.run(
      "sim",
      ["completions", "--ticks", "90", "--unpaced", "--run", "a", "--timeline", "t.pftrace"],
      in: place)
    #expect(run.code == 0, "\(run.errorText)")
    let script = """
      import sys
      from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import Trace, TrackEvent
      trace = Trace()
      trace.ParseFromString(open(sys.argv[1], "rb").read())
      begins = [p.track_event for p in trace.packet if p.track_event.type == TrackEvent.TYPE_SLICE_BEGIN]
      ends = sum(p.track_event.type == TrackEvent.TYPE_SLICE_END for p in trace.packet)
      names = {e.iid: e.name for p in trace.packet for e in p.interned_data.event_names}
      process = [p.track_descriptor.process.process_name for p in trace.packet if p.track_descriptor.HasField("process")]
      print(len(trace.packet), len(begins), ends, process, sum(names[e.name_iid] == "compute" for e in begins))
      """
    let read = try Program.run(Program.python, ["-c", script, "t.pftrace"], in: place)
    let trace = try Self.trace("t.pftrace", in: place)
    let count = trace.slices.count
    #expect(
      read.text == "\(trace.packetCount) \(count) \(count) ['sim'] 90\n",
      "\(read.text)\(read.errorText)")
  }

  // MARK: - Files that cannot be written

  @Test(arguments: ["sim", "run"]) func fileThatCannotBeMadeEndsTheProgramAtOnce(program: String)
    throws
  {
    let place = try Place()
    let words =
      program == "sim" ? ["sim", "flags", "--run", "none"] : ["run", "flags", "--run", "none"]
    let run = try Program.run("orrery", words + ["--timeline", "/nonexistent/t"], in: place)
    #expect(run.code == 74)
    #expect(
      run.errorText == "orrery \(program): /nonexistent/t: open: No such file or directory\n")
    #expect(place.runs == [] && run.text == "")
  }

  /// The run goes on to its end, and is reported; then comes the failure.
  @Test func fullDiskIsAFailureAtTheEnd() throws {
    let place = try Place()
    let sim = try Program(
      "sim",
      ["flags", "--run", "full", "--ticks", "30", "--wait-for", "1", "--timeline", "/dev/full"],
      in: place)
    let logger = try Program(
      "logger", ["--run", "full", "--out", "a.mcap", "--wait", "300", "--timeline", "/dev/full"],
      in: place)
    for (name, program) in [("sim", sim), ("logger", logger)] {
      #expect(program.wait() == 74)
      #expect(
        program.errorText.hasSuffix("orrery \(name): /dev/full: write: No space left on device\n"))
      #expect(program.text.contains("30"), "\(program.text)")
    }
    #expect(place.has("a.mcap"))
  }

  @Test(arguments: [
    ["sim", "flags", "--run", "a"], ["logger", "--run", "a", "--out", "a.mcap"],
    ["renderer", "--run", "a"], ["live", "--run", "a"], ["run", "flags"],
  ])
  func standardOutputIsNoFile(words: [String]) throws {
    let run = try Program.run("orrery", words + ["--timeline", "-"], in: Place())
    #expect(run.code == 64, "\(run.errorText)")
    #expect(run.errorText.contains("--timeline -: standard output has the report"))
  }
}
