// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import OrreryArguments
import OrreryBase
import OrreryBench
import OrreryScene
import OrrerySim
import TestSupport
import Testing

/// Each workload runs, does the same in every run, and is as large as it says.
@Suite struct WorkloadTests {
  private static func small(_ workload: Workload) -> Workload {
    workload.reduced(to: 3, entities: 100)
  }

  @Test(arguments: Workload.all) func workloadRunsSmall(workload: Workload) throws {
    let timed = try TimedWorkload(Self.small(workload))
    timed.measure(ns: 1000)
    timed.measure(ns: 1000)
    let row = timed.row
    #expect(row.name == "tick " + workload.name)
    #expect(row.samples.count == 2)
    #expect(row.samples.allSatisfy { $0 > 0 })
    #expect(row.hashTick == UInt64(workload.cycleTicks))
    #expect(row.bound.map { $0.samples.count == 2 && $0.samples.allSatisfy { $0 > 0 } } ?? true)
    #expect(!row.parts.isEmpty)
    #expect(row.parts.allSatisfy { $0.tickNs.count == 2 && $0.entities > 0 })
    #expect(row.parts.reduce(0) { $0 + $1.entities } == row.entities)
    // The same state in another run, with other threads and another look-ahead.
    var options = TimedWorkload.Options()
    (options.threads, options.lookAhead, options.splits) = (2, 0, false)
    options.instructionSet = .baseline
    #expect(try TimedWorkload(Self.small(workload), options).row.hash == row.hash)
  }

  @Test(arguments: Workload.all) func firstLineSaysThePurpose(workload: Workload) throws {
    guard BuiltInScenes.workloads.contains(workload.name) else { return }
    let text = try #require(BuiltInScenes.text(workload.name))
    let line = try #require(text.split(separator: "\n").first)
    #expect(line.hasPrefix("# "))
    #expect(line.count > 40, "\(line)")
    #expect(line.last.map { ".?:".contains($0) } == true || line.count > 60, "\(line)")
  }

  /// Copies are as many scenes side by side: their hashes differ, their counts add up, and each has its completions.
  @Test func copiesHaveTheirOwnCommandsAndCompletions() throws {
    var storm = try #require(Workload.named("storm"))
    storm.copies = 50
    let plan = try storm.plan()
    #expect(plan.entityCount == 50)
    let world = try World(plan, instructionSet: .baseline, threadCount: 1, records: .all)
    let memory = world.columns.map { [Float](repeating: 0, count: $0.count + 64) }
    #expect(!memory.isEmpty)
    for tick in 1...120 as ClosedRange<UInt64> { world.batches[0].prepare(tick: tick) }
    let events = try #require(world.takeEventChunks(batch: 0))
    // Each view once left: a leg's begin or end, a completion and a removal of each, and one of each transaction.
    #expect(events.count >= 100, "\(events.count)")
    guard case .views(let views) = plan.batches[0] else {
      Issue.record("storm has no views")
      return
    }
    #expect(Set(views.views.map(\.name)).count == 50)
    #expect(Set(views.commands.map(\.transaction.completion)).count == 50)
    #expect(views.completions.count == 50)
    #expect(
      views.commands.enumerated().allSatisfy { $1.transaction.actions == [.toggle(view: $0)] })
  }

  @Test func onlyViewsAreCopiedWhereThatIsSaid() throws {
    var idle = try #require(Workload.named("idle"))
    idle.copies = 10
    #expect(try idle.plan().batches.map(\.count).sorted() == [1, 10])
    var dashboard = try #require(Workload.named("dashboard"))
    dashboard.copies = 1
    let one = try dashboard.plan().batches.map(\.count)
    dashboard.copies = 10
    #expect(try dashboard.plan().batches.map(\.count) == one.map { 10 * $0 })
  }

  /// `orrery hash` and `sim` with `--copies` compute what the bench times.
  @Test(arguments: ["storm", "feed", "idle", "ticker-wall"])
  func programsComputeTheSameCopies(name: String) throws {
    var workload = try #require(Workload.named(name))
    workload.copies = 5
    var settings = CaseSettings()
    (settings.scene, settings.copies) = (name, 5)
    #expect(settings.simArguments.joined(separator: " ").contains("--copies 5"))
    let arguments = try SceneArguments.parse([name, "--copies", "5"])
    func hash(_ plan: ScenePlan) throws -> UInt64 {
      Values(of: try World(plan, instructionSet: .best, threadCount: 1), tick: 130).stateHash
    }
    #expect(try hash(arguments.plan()) == hash(workload.plan()))
  }

  @Test func copiesOfAWorkloadArePassedOn() {
    var settings = CaseSettings()
    settings.scene = "lottie-like"
    #expect(settings.simArguments.joined(separator: " ").contains("--copies 1000"))
    #expect(settings.study(title: "t", command: "c").frames == nil)
    settings.scene = "stress"
    #expect(!settings.simArguments.contains("--copies"))
  }

  @Test func copiesOfCopiesAreTheSceneItself() throws {
    let wall = try #require(Workload.named("ticker-wall"))
    var one = wall
    one.copies = 1
    let (first, many) = (try one.plan(), try wall.plan())
    #expect(many.entityCount == first.entityCount * wall.copies)
    #expect(first.copied(1, viewsOnly: false).entityCount == first.entityCount)
    #expect(first.only("marquee").batches.allSatisfy { $0.kind == "marquee" })
    #expect(first.only("view").batches.isEmpty)
  }

  /// The slowest ticks are there with what they did, and the commands that go there.
  @Test(arguments: ["feed", "flags"]) func worstTicksSayWhatTheyDid(name: String) throws {
    var options = TimedWorkload.Options()
    options.worst = 3
    let workload = try #require(Workload.named(name))
    let timed = try TimedWorkload(Self.small(workload), options)
    timed.measure(ns: 1000)
    let worst = try #require(timed.row.worst)
    try #require(worst.count == 3)
    #expect(worst.map(\.ownNs) == worst.map(\.ownNs).sorted(by: >))
    #expect(Set(worst.map(\.tick)).count == 3)
    #expect(worst.allSatisfy { $0.eventsNs <= $0.ns && $0.blocks <= $0.blocksAll })
    #expect(worst.allSatisfy { $0.tick > 0 && $0.threads <= 1 && $0.causes == nil })
    timed.explainWorst()
    let causes = timed.row.worst?.flatMap { $0.causes ?? [] } ?? []
    #expect(causes.isEmpty == (name == "flags"), "\(causes)")
    let control = "orrery control \(name)"
    #expect(
      worst[0].seek
        == "\(control) pause --wait 10 && \(control) seek \(max(worst[0].tick, 2) - 1)"
        + " && \(control) step")
    let copies = Self.small(workload).copies
    let scene = copies > 1 ? "\(name) --copies \(copies)" : name
    #expect(worst[0].sample.hasPrefix("orrery sample \(scene) --at "), "\(worst[0].sample)")
    var result = StudySamples.result([timed.row])
    let text = WorstText.text(result.rows)
    #expect(text.contains("\nworst ticks of \(name) by their own time"), "\(text)")
    #expect(text.replacing("\n", with: " ").contains("; 1 block "), "\(text)")
    for line in text.split(separator: "\n") where !line.contains("orrery") {
      #expect(line.count <= 80, "\(line)")
    }
    #expect(text.contains("  \(worst[2].sample)\n"), "\(text)")
    #expect(try ReportPage([result]).html().contains("<h3>The slowest ticks of \(name)</h3>"))
    let schema = try Repository.schema("bench-result")
    #expect(try schema.faults(of: Data(result.text().utf8)) == [])
    result.rows[0].worst = nil
    #expect(WorstText.text(result.rows) == "")
    // Without the option there are none.
    let plain = try TimedWorkload(Self.small(workload))
    plain.measure(ns: 1000)
    #expect(plain.row.worst == nil)
  }

  /// A slow tick is explained by the commands and the keyframes that are due in it, with the names of their views.
  @Test func worstTickNamesItsCommands() throws {
    let base = try TemporaryBase()
    let path = base.path + "/rows.toml"
    let text = """
      name = "rows"
      size = [100, 100]
      [[content]]
      kind = "view"
      name = "row {i}"
      box = [9, 9]
      repeat = { count = 4 }
      [[content]]
      kind = "view"
      name = "bar"
      box = [9, 9]
      [[content.keyframes]]
      property = "y"
      track = [{ linear = 3, duration = 0.5 }]
      [[command]]
      at = 0.25
      set = { "row 1" = { x = 3 }, "row 2" = { x = 3 }, "row 3" = { x = 3 } }
      [[command]]
      at = 0.1
      every = 0.3
      toggle = "row 4"
      """
    try AtomicFile.write(text, to: path)
    let plan = try Workload(name: path).plan()
    let causes = try #require(TickCauses(plan, commandedTracks: [0]))
    #expect(causes.words(tick: 15) == ["set x of row 1, row 2 and 1 more"])
    #expect(causes.words(tick: 6) == ["toggle of row 4"])
    #expect(causes.words(tick: 60) == ["toggle of row 4", "a keyframe of y of bar"])
    #expect(causes.words(tick: 30) == ["a keyframe of y of bar"])
    #expect(causes.words(tick: 14) == [])
    #expect(causes.words(tick: 0) == [], "before the first tick nothing is due")
    // Lanes play a track without an event for each keyframe, until something else changes its property.
    #expect(try #require(TickCauses(plan, commandedTracks: [])).words(tick: 30) == [])
    let world = try TimedWorld(plan).world
    #expect(world.commandedTracks == [])
  }

  @Test func tickCountsWhatItDid() throws {
    let feed = Self.small(try #require(Workload.named("feed")))
    let timed = try TimedWorld(try feed.plan())
    let ticks = (0..<120).map { _ in timed.timeInParts() }
    #expect(ticks.map(\.tick) == Array(1...120))
    #expect(ticks.reduce(0) { $0 + $1.begins } > 0)
    #expect(ticks.reduce(0) { $0 + $1.retargets } > 0)
    let hash = timed.hash
    let other = try TimedWorld(try feed.plan())
    _ = other.time(ticks: 120)
    #expect(other.hash == hash, "timing the events apart changes nothing")
  }

  @Test func slowestTicksAreKeptOnce() {
    func tick(_ tick: UInt64, _ ns: Double) -> WorstTick {
      WorstTick(tick: tick, ns: ns)
    }
    var worst = WorstTicks(2) {
      (run: "run", seek: "seek \($0)", sample: "sample \($0)", quit: "quit")
    }
    for (number, ns) in [(1, 5.0), (2, 9), (1, 70), (2, 8), (3, 6), (4, 7)] {
      worst.add(tick(UInt64(number), ns))
    }
    #expect(worst.ticks.map(\.tick) == [2, 4])
    #expect(worst.ticks.map(\.ns) == [8, 7])
    #expect(worst.ticks.map(\.visits) == [2, 1])
    #expect(
      WorstText.commands(worst.ticks) == [
        "run", "seek 2", "sample 2", "seek 4", "sample 4", "quit",
      ])
    // One that was visited once may have been interrupted then, where others were visited often.
    worst.add(tick(2, 9))
    #expect(worst.ticks.map(\.tick) == [2, 1])
    var none = WorstTicks(0) { _ in ("", "", "", "") }
    none.add(tick(1, 1))
    #expect(none.ticks.isEmpty)
  }

  /// The table's figures of a short tick need words: who had the processor, and what events without an animation are.
  @Test func slowestTicksHaveTheirReasons() {
    var counts = DirectorCounts()
    counts.queued = 3
    var row = StudyRow("tick board", unit: "ns")
    row.histogram = ""
    row.worst = [
      WorstTick(tick: 7, ns: 40_000, eventsNs: 39_000, processorNs: 10_000, threads: 1),
      WorstTick(
        tick: 8, ns: 40_000, eventsNs: 39_000, processorNs: 39_500, counts: counts, threads: 1),
      WorstTick(tick: 9, ns: 40_000, eventsNs: 39_000, processorNs: 39_500, threads: 1),
      WorstTick(tick: 10, ns: 40_000, eventsNs: 1_000, processorNs: 10_000, threads: 2),
    ]
    let notes = WorstText.notes(row)
    #expect(notes.count == 3, "\(notes)")
    #expect(notes[0].hasPrefix("tick 7: for 75 % of its time another program"))
    #expect(notes[1].hasPrefix("tick 8: its events are 3 steps of the queue"))
    #expect(notes[2].hasPrefix("tick 9: it has no event"))
    row.histogram = nil
    #expect(WorstText.notes(row)[0].hasPrefix("ticks of board are too short"))
  }

  /// A scene whose only command is over is timed at rest, and the study says so.
  @Test func sceneAtRestIsNamed() throws {
    let base = try TemporaryBase()
    let view =
      "name = \"card\"\nsize = [100, 100]\n[[content]]\nkind = \"view\"\nname = \"a\"\nbox = [9, 9]\n"
    let once =
      "[[command]]\nat = 0.5\nset = { a = { x = 3 } }\nanimation = \"linear(duration: 0.1)\"\n"
    for (path, text) in [
      ("/once.toml", once), ("/again.toml", once + "every = 1\n"), ("/none.toml", ""),
    ] {
      try AtomicFile.write(view + text, to: base.path + path)
    }
    func note(_ path: String) throws -> String? {
      let timed = try TimedWorkload(Workload(name: base.path + path))
      timed.measure(ns: 1)
      try #require(timed.notes.count <= 1)
      return timed.notes.first
    }
    #expect(try note("/once.toml")?.contains("all its commands were over before tick ") == true)
    #expect(try note("/again.toml") == nil)
    #expect(try note("/none.toml") == nil)
  }

  /// A row of a scene file is named by the scene and the file's content, wherever it lies.
  @Test func sceneFileHasItsNameAndHash() throws {
    let base = try TemporaryBase()
    let text = try #require(BuiltInScenes.text("feed"))
    for (path, text) in [("/a.toml", text), ("/b.toml", text), ("/c.toml", text + "\n")] {
      try AtomicFile.write("name = \"cards\"\n" + text, to: base.path + path)
    }
    let names = try ["/a.toml", "/b.toml", "/c.toml"].map {
      try TimedWorkload(Workload(name: base.path + $0, cycleTicks: 2)).row.name
    }
    #expect(names[0].hasPrefix("tick cards@") && names[0].count == 19, "\(names)")
    #expect(names[0] == names[1] && names[0] != names[2], "\(names)")
    #expect(Workload(name: "flags").rowName(scene: "Flags") == "flags")
    #expect(Workload(name: "feed").rowName(scene: "x") == "feed")
    let error = #expect(throws: Failure.self) {
      var plan = StudyRun.Plan(
        workloads: ["/a.toml", "/b.toml"].map { Workload(name: base.path + $0) }, title: "t",
        command: "c")
      (plan.rounds, plan.roundNs) = (1, 1)
      return try StudyRun(plan).measure()
    }
    #expect(error?.description.contains("the same scene as another") == true, "\(error as Any)")
  }

  @Test func longNameKeepsTheHash() {
    #expect(StudyText.shortened("cards", to: 14) == "cards")
    #expect(StudyText.shortened("long-cards-here@0123abcd", to: 14) == "long…@0123abcd")
    #expect(StudyText.shortened("a name that is long", to: 14) == "a name that i…")
  }

  @Test func sceneThatDoesNotFitIsRefused() {
    for (name, message) in [
      ("sterss", "no built-in scene"), ("/nonexistent/a.toml", "No such file"),
    ] {
      let error = #expect(throws: Failure.self) { try TimedWorkload(Workload(name: name)) }
      #expect(error?.description.contains(message) == true, "\(error as Any)")
    }
  }

  @Test func plantIsForItsRowsOnly() {
    #expect(Planted.part(of: "tick stress") == 0)
  }
}
