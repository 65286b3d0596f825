// SPDX-License-Identifier: Apache-2.0

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
    guard let text = Workload.text(workload.name) else { return }
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
    idle.copiesViewsOnly = false
    #expect(try idle.plan().batches.map(\.count) == [10, 10])
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
