// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import OrreryBench
import OrrerySim
import Testing

/// Rows are held against the fastest peer that lasts, and against the bandwidth of their own streams.
///
/// Method: rounds by hand whose ratios are whole numbers.
@Suite struct KernelReportTests {
  private func report(_ rows: [BenchRow], limitNs: Double? = nil) -> [RowReport] {
    var report = HandMade.kernelReport()
    report.add(.orbit, rows) { _ in limitNs.map { [$0] } }
    return report.rows
  }

  @Test func ratioIsTheFastestPeersBestRoundByOurs() {
    let rows = report([
      HandMade.kernel(.peer, family: "slow", ns: [9, 8, 12]),
      HandMade.kernel(.peer, family: "fast", ns: [5, 4, 6]),
      HandMade.kernel(.ours, "1 tick", ns: [3, 2, 7]),
      HandMade.kernel(.limit, ns: [1]),
    ])
    #expect(rows.map(\.ratio) == [0.5, 1, 2, 4])
    #expect(rows.map(\.minNs) == [8, 4, 2, 1])
    #expect(rows[0].roundsNs == [9, 8, 12])
  }

  @Test func peerThatDriftsOrIsAnywhereIsNotTheBest() {
    let drifting = HandMade.kernel(.peer, family: "drifting", ns: [1])
    drifting.drifts = true
    let rows = report([
      drifting, HandMade.kernel(.peer, family: "objects", traffic: nil, ns: [2]),
      HandMade.kernel(.peer, family: "lasting", ns: [4]), HandMade.kernel(.ours, ns: [2]),
    ])
    #expect(rows.map(\.ratio) == [4, 2, 1, 2])
    #expect(rows.map(\.name) == ["drifts", "", "", ""])
  }

  @Test func whereAllPeersDriftTheFastestOfThemIsTheBest() {
    let peers = [3.0, 2].map { HandMade.kernel(.peer, "plain", family: "drifting", ns: [$0]) }
    for peer in peers { peer.drifts = true }
    let rows = report(peers + [HandMade.kernel(.ours, ns: [1])])
    #expect(rows.map(\.ratio) == [2.0 / 3, 1, 2])
    #expect(rows[0].name == "plain, drifts")
  }

  @Test func withoutPeersThereIsNoRatio() {
    #expect(report([HandMade.kernel(.ours, ns: [1])])[0].ratio == nil)
  }

  @Test func partOfTheLimitIsItsTimeByTheRows() {
    let rows = report([HandMade.kernel(.ours, ns: [4, 5])], limitNs: 3)
    #expect(rows[0].limitNs == [3])
    #expect(rows[0].ofLimit == 3 / 4.5, "of medians")
    #expect(report([HandMade.kernel(.ours, ns: [4])])[0].ofLimit == nil)
  }

  @Test func everyRowHasItsOwnLimit() {
    var report = HandMade.kernelReport()
    report.add(.flow, [HandMade.kernel(.ours, ns: [4]), HandMade.kernel(.ours, tile: 8, ns: [4])]) {
      [$0.ticksPerCall == 8 ? 2 : 1]
    }
    #expect(report.rows.map(\.ofLimit) == [0.25, 0.5])
  }

  @Test func rowKeepsWhatItIs() {
    let row = HandMade.kernel(
      .ours, "8 ticks", count: 9, tile: 8, threads: 2, isa: "avx512", isFixed: true, ns: [1])
    (row.hash, row.hashes, row.operations) = (0xab, true, 7)
    let plain = HandMade.kernel(.peer, "name", family: "family", ns: [1])
    let rows = report([row, plain])
    #expect(rows[0].kind == "orbit")
    #expect(rows[0].entities == 9)
    #expect(rows[0].subject == .ours)
    #expect(rows[0].name == "8 ticks")
    #expect(rows[0].isa == "avx512")
    #expect(rows[0].threads == 2)
    #expect(rows[0].ticksPerCall == 8)
    #expect(rows[0].isFixed)
    #expect(rows[0].hashes)
    #expect(rows[0].operations == 7)
    #expect(rows[0].bytes == 16)
    #expect(rows[0].hash == "00000000000000ab")
    #expect(rows[0].hashTick == 1000)
    #expect(rows[1].family == "family")
    #expect(rows[1].isa == nil)
    #expect(rows[1].hash == nil)
    #expect(rows[1].hashTick == nil)
    #expect(!rows[1].hashes)
  }

  @Test func ourRowIsFoundByAllThatTellsItApart() {
    let row = report([HandMade.kernel(.ours, tile: 8, ns: [1])])[0]
    #expect(row.isOurs(isa: "avx2", tile: 8))
    #expect(!row.isOurs(isa: "avx512", tile: 8))
    #expect(!row.isOurs(isa: "avx2", tile: 1))
    #expect(!row.isOurs(isa: "avx2", tile: 8, isFixed: true))
    #expect(!row.isOurs(isa: "avx2", tile: 8, threads: 2))
    let peer = report([HandMade.kernel(.peer, tile: 8, ns: [1])])[0]
    #expect(!peer.isOurs(isa: "avx2", tile: 8))
  }

  @Test func goalHoldsFromItsFigureOn() {
    func verdict(_ measured: Double?) -> String {
      BenchGoal("goal", atLeast: 2, measured).verdict
    }
    #expect(verdict(1.99) == "missed")
    #expect(verdict(2) == "holds")
    #expect(verdict(2.01) == "holds")
    #expect(verdict(nil) == "not measured")
  }

  @Test func goalsAreCountedInALine() {
    let (reached, missed) = (
      BenchGoal("a", atLeast: 2, 2), BenchGoal("b", atMost: 2, 3)
    )
    let unmeasured = BenchGoal("c", atLeast: 2, nil)
    #expect(
      GoalCount([reached, missed, reached, unmeasured]).text
        == "goals: 2 reached, 1 missed, 1 not measured\n")
    #expect(GoalCount([reached]).text == "goals: 1 reached, 0 missed\n")
    #expect(GoalCount([missed, missed]).missed == 2)
    #expect(GoalCount([unmeasured]).missed == 0, "what was not measured is not missed")
  }

  @Test func machineIsThisOne() {
    let machine = BenchMachine()
    func word(_ path: String) -> String? {
      SmallFile.read(path)?.trimmingCharacters(in: .whitespacesAndNewlines)
    }
    let text = SmallFile.read("/proc/cpuinfo") ?? ""
    #expect(machine.processor == BenchMachine.processor(cpuinfo: text))
    #expect(machine.kernel == word("/proc/sys/kernel/osrelease"))
    #expect(machine.hugePages == word("/sys/kernel/mm/transparent_hugepage/enabled"))
    #expect(machine.instructionSet == InstructionSet.best.rawValue)
    let caches = (0..<8).compactMap { index in
      BenchMachine.cache(
        ["level", "type", "size"].compactMap {
          word("/sys/devices/system/cpu/cpu0/cache/index\(index)/" + $0)
        })
    }
    #expect(machine.caches == caches)
    #expect(machine.processorCount == ProcessInfo.processInfo.activeProcessorCount)
  }

  @Test func machineIsReadFromWhatTheKernelSays() {
    let text = "processor\t: 0\nmodel name\t: A Processor @ 2 GHz\nmodel name\t: Another\n"
    #expect(BenchMachine.processor(cpuinfo: text) == "A Processor @ 2 GHz")
    #expect(BenchMachine.processor(cpuinfo: "Processor : ARM\n") == "ARM")
    #expect(BenchMachine.processor(cpuinfo: "bogus: 1\n") == nil)
    #expect(BenchMachine.cache(["1", "Data", "48K"]) == "L1 data 48K")
    #expect(BenchMachine.cache(["1", "Data"]) == nil)
    #expect(HandMade.machine.processorCount == 2)
    #expect(BenchMachine().processorCount > 0)
  }
}
