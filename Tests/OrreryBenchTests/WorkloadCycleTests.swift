// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryBench
import TestSupport
import Testing

/// Goal: a scene's cycle holds all that repeats in it, and only what is the same in every cycle may be called an
/// interruption.
///
/// Method: scenes whose tracks and commands repeat after known times, and the workloads of the study.
@Suite struct WorkloadCycleTests {
  private func cycle(_ scene: String) throws -> WorkloadCycle {
    let base = try TemporaryBase()
    try AtomicFile.write(scene, to: base.path + "/a.toml")
    let workload = Workload(name: base.path + "/a.toml")
    return WorkloadCycle(workload, try workload.plan())
  }

  private func view(_ name: String, seconds: Double) -> String {
    """
    [[content]]
    kind = "view"
    name = "\(name)"
    disc = 5
    keyframes = [{ property = "x", track = [{ linear = 9, duration = \(seconds) }] }]

    """
  }

  @Test func cycleHoldsEverythingThatRepeats() throws {
    let command = "\n[[command]]\nat = 1\nevery = 2\nset.b.y = 5\n"
    let both = try cycle(view("a", seconds: 1.5) + view("b", seconds: 0.75) + command)
    #expect(both.ticks == 360 && !both.isSame)
    // A time that is no whole number of ticks is in no cycle.
    let odd = try cycle(view("a", seconds: 0.777))
    #expect(odd.ticks == 60 && !odd.isSame)
    let long = try cycle(view("a", seconds: 700))
    #expect(long.ticks == 60 && !long.isSame)
  }

  /// A dear tick that does not come at the same place again is no interruption.
  @Test func allTicksOfASceneWithEventsCount() throws {
    #expect(try cycle(view("a", seconds: 1)).time(of: [1, 1, 1, 1, 96]) == 20)
    let row =
      "[[content]]\nkind = \"row\"\ncurrencies = [\"EUR\"]\nmarquee = { speed = 60, direction = \"left\" }\n"
    let still = try cycle(row)
    #expect(still.isSame && still.ticks == 60)
    #expect(still.time(of: [1, 1, 1, 1, 96]) == 1)
    for workload in Workload.all where workload.copies <= 1000 {
      let cycle = WorkloadCycle(workload, try Workload(name: workload.name).plan())
      #expect(cycle.isSame && cycle.ticks == workload.cycleTicks, "\(workload.name)")
    }
  }
}
