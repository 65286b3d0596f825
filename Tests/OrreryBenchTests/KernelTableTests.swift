// SPDX-License-Identifier: Apache-2.0

import OrreryBench
import Testing

/// The table of kernels prints each figure in its column.
///
/// Method: rows by hand, whose every figure is another, against lines by hand.
@Suite struct KernelTableTests {
  private func lines(_ text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  @Test(arguments: [
    (0, "0"), (999, "999"), (1000, "1,000"), (12_345, "12,345"), (123_456, "123,456"),
    (1_234_567, "1,234,567"),
  ])
  func thousandsAreGrouped(number: Int, text: String) {
    #expect(TextTable.grouped(number) == text)
  }

  @Test func headNamesTheMachineAndWhatIsMissingOrWrong() {
    var report = HandMade.kernelReport()
    report.peersMissing = ["ISPC: no ispc on PATH"]
    for isRight in [true, false] {
      report.checks.append(
        .init(
          kind: "orbit", peer: "a peer", pointsOff: 0.25, isRight: isRight,
          pointsOffAfterAnHour: nil))
    }
    #expect(
      KernelTable.head(report) == """
        Test Processor, 2 cores
        L1 data 48K, L2 unified 2M
        kernel 6.1.0, commit 0123456789ab
        peers built with g++ 12
        left out: ISPC: no ispc on PATH
        wrong, not timed: orbit, a peer: 0.250 points off

        """)
    (report.compiler, report.peersMissing, report.checks) = (nil, [], [])
    (report.machine.processor, report.machine.kernel, report.machine.commit) = (nil, nil, nil)
    #expect(
      lines(KernelTable.head(report)) == [
        "unknown processor, 2 cores", "L1 data 48K, L2 unified 2M",
        "kernel unknown, commit unknown",
        "",
      ])
  }

  private func rows(_ rows: [BenchRow], limitNs: Double? = nil) -> [RowReport] {
    var report = HandMade.kernelReport()
    report.add(.orbit, rows) { _ in limitNs }
    return report.rows
  }

  @Test func peersStandFromTheFastestToTheSlowestBeforeOurs() {
    let text = KernelTable.group(
      rows(
        [
          HandMade.kernel(.ours, "8 ticks", count: 12_345, tile: 8, ns: [1.5, 2, 4]),
          HandMade.kernel(.ours, "1 tick", count: 12_345, threads: 2, ns: [3]),
          HandMade.kernel(.peer, family: "slow", count: 12_345, traffic: nil, ns: [120]),
          HandMade.kernel(.peer, "table", family: "fast", count: 12_345, ns: [6]),
          HandMade.kernel(.limit, count: 12_345, ns: [1]),
        ], limitNs: 1.2))
    func line(_ name: String, _ rest: String) -> String {
      name + String(repeating: " ", count: 41 - name.count) + rest
    }
    #expect(
      lines(text) == [
        "", line("orbit, 12,345 entities", "  ns min  median   ±% bytes lim%  ratio"),
        line("  fast, table", "   6.000   6.000    0  16.0   20   1.00"),
        line("  slow", "   120.0   120.0    0     -    1  0.050"),
        line("  Orrery avx2, 8 ticks", "   1.500   2.000  100  16.0   80   4.00"),
        line("  Orrery avx2, 1 tick, 2 thr.", "   3.000   3.000    0  16.0   40   2.00"), "",
      ])
  }

  @Test func figuresChangeTheirPlacesWhereTheyGrow() {
    let text = KernelTable.group(
      rows([
        HandMade.kernel(.peer, family: "fast", count: 100_000, ns: [9.4]),
        HandMade.kernel(.peer, family: "slower", count: 100_000, ns: [99.94]),
        HandMade.kernel(.peer, family: "slowest", count: 100_000, ns: [99.96, 99.94]),
        HandMade.kernel(.peer, family: "slowest", count: 100_000, ns: [99.96]),
      ]))
    #expect(lines(text)[3].contains("  99.940  99.940"))
    #expect(lines(text)[3].hasSuffix("-  0.094"), "\(text)")
    #expect(lines(text)[5].contains("   100.0   100.0"), "\(text)")
    let near = rows([
      HandMade.kernel(.peer, family: "fast", count: 100_000, ns: [9.6]),
      HandMade.kernel(.peer, family: "slow", count: 100_000, ns: [100]),
    ])
    #expect(lines(KernelTable.group(near))[3].hasSuffix("-   0.10"))
  }

  /// A row of a hundred thousand entities whose one round took so many nanoseconds in all.
  private func exact(_ subject: BenchRow.Subject, _ ns: UInt64) -> BenchRow {
    let row = HandMade.kernel(subject, family: "family", count: 100_000, ns: [])
    row.add(ns: ns, calls: 1)
    return row
  }

  @Test func figuresAtTheBorderHaveFewerPlaces() {
    // 9.5, 99.95 and 100 ns: the last's ratio is 0.095.
    let found = rows([exact(.peer, 950_000), exact(.peer, 9_995_000), exact(.peer, 10_000_000)])
    #expect(found.map(\.minNs) == [9.5, 99.95, 100])
    let lines = lines(KernelTable.group(found))
    #expect(lines[2].contains("   9.500   9.500"), "\(lines)")
    #expect(lines[3].contains("   100.0   100.0"), "\(lines)")
    #expect(lines[4].hasSuffix("-   0.10"), "\(lines)")
  }

  @Test func peersThatAreAsFastStandAsTheyWereMeasured() {
    let text = KernelTable.group(
      rows(["first", "second", "third"].map { HandMade.kernel(.peer, family: $0, ns: [4]) }))
    let names = lines(text).dropFirst(2).dropLast().map { $0.prefix(9) }
    #expect(names == ["  first  ", "  second ", "  third  "])
  }

  @Test func titlesNameTheLibraryAndTheVariantOrTheSetAndTheThreads() {
    let titles = rows([
      HandMade.kernel(.peer, family: "family", ns: [1]),
      HandMade.kernel(.peer, "name", family: "family", ns: [1]),
      HandMade.kernel(.ours, "1 tick", ns: [1]),
      HandMade.kernel(.ours, "1 tick", threads: 2, isa: "baseline", ns: [1]),
    ]).map(RowTable.title)
    #expect(
      titles == [
        "family", "family, name", "Orrery avx2, 1 tick", "Orrery baseline, 1 tick, 2 thr.",
      ])
  }

  @Test func groupWithoutRowsIsNotPrinted() { #expect(KernelTable.group([]).isEmpty) }

  private func hashed(_ hashes: [(UInt64, isFixed: Bool)]) -> [String] {
    let all = hashes.map { hash, isFixed in
      let row = HandMade.kernel(.ours, isFixed: isFixed, ns: [1])
      row.hash = hash
      return row
    }
    return lines(KernelTable.group(rows(all + [HandMade.kernel(.ours, ns: [1])])))
      .filter { $0.contains("hash") }
  }

  @Test func equalHashesAreToldOnceForEachWidthOfColumns() {
    #expect(
      hashed([(1, false), (1, false), (2, true)]) == [
        "  state hash at tick 1000, the same in all 2 rows: 0000000000000001",
        "  16 bits, state hash at tick 1000, the same in all 1 rows: 0000000000000002",
      ])
    #expect(hashed([]) == [])
  }

  @Test func oneOtherHashIsToldWithAllOfThem() {
    #expect(
      hashed([(2, false), (1, false), (2, false)]) == [
        "  state hash at tick 1000: DIFFERENT, 0000000000000001 0000000000000002"
      ])
  }

  @Test func goalsStandWithTheirVerdicts() {
    let text = GoalTable.ratios.text([
      BenchGoal("first", 1.7, 99.4),
      BenchGoal("second", 500, 99.6),
      BenchGoal("unknown", 1, nil),
    ])
    func line(_ name: String, _ rest: String) -> String {
      name + String(repeating: " ", count: 48 - name.count) + rest
    }
    #expect(
      lines(text) == [
        "", line("goal", "  wanted  measured  verdict"),
        line("  first", "    1.70     99.40  holds"),
        line("  second", "  500.00       100  missed"),
        "",
      ])
    let border = GoalTable.ratios.text([BenchGoal("border", 1, 99.5)])
    #expect(lines(border)[2].hasSuffix("    1.00       100  holds"), "\(border)")
    let small = GoalTable.ratios.text([BenchGoal("small", 1, 0)])
    #expect(lines(small)[2].hasSuffix("    1.00      0.00  missed"), "\(small)")
  }

  @Test func calibrationHasALineForEachWorkingSet() {
    var report = HandMade.kernelReport()
    func add(_ stream: String, _ bytes: Int, _ rate: Double, past: Bool = false, threads: Int = 1) {
      report.bandwidths.append(
        .init(
          isa: "avx2", stream: stream, isNonTemporal: past, threads: threads,
          workingSetBytes: bytes, bytesPerSecond: rate * 1e9))
    }
    add("read", 8 << 10, 50.25)
    add("read", 8 << 10, 99.4)
    add("write", 8 << 10, 99.6)
    add("write", 8 << 10, 7, past: true)
    add("copy", 1 << 20, 3)
    add("triad", 1 << 20, 4, threads: 2)
    report.arithmetic = [
      .init(isa: "avx2", isFused: true, threads: 1, operationsPerSecond: 12.34e9),
      .init(isa: "baseline", isFused: false, threads: 2, operationsPerSecond: 1e9),
      .init(isa: "avx512", isFused: false, threads: 2, operationsPerSecond: 0),
    ]
    let empty = String(repeating: " ", count: 16)
    #expect(
      lines(KernelTable.calibration(report)) == [
        "", "bandwidth, GB/s, one thread; best of instruction sets; past caches: (…)",
        "working set               read           write            copy           triad",
        "8 KiB                     99.4      100 ( 7.0)" + empty + empty,
        "1 MiB         " + empty + empty + "             3.0" + empty, "",
        "bandwidth, GB/s, 2 threads; best of instruction sets; past caches: (…)",
        "working set               read           write            copy           triad",
        "8 KiB         " + empty + empty + empty + empty,
        "1 MiB         " + empty + empty + empty + "             4.0", "", "arithmetic, GFLOP/s",
        "  avx2      fused multiply-add  1 thr.     12.3",
        "  baseline  multiply, add       2 thr.      1.0", "",
      ])
    #expect(KernelTable.calibration(HandMade.kernelReport()).isEmpty)
    report = HandMade.kernelReport()
    add("read", (1 << 20) - 1024, 99.5)
    add("read", 1 << 20, 1, past: true)
    report.arithmetic = [
      .init(isa: "avx2", isFused: false, threads: 1, operationsPerSecond: 1)
    ]
    // 99.5 is a hundred; a kibibyte less than a mebibyte is none; what only goes past the caches has no other figure.
    let found = lines(KernelTable.calibration(report))
    let space = String(repeating: " ", count: 19)
    #expect(found[3] == "1023 KiB" + space + "100" + empty + empty + empty, "\(found)")
    #expect(found[4] == "1 MiB" + space + "( 1.0)" + empty + empty + empty, "\(found)")
    #expect(found[7] == "  avx2      multiply, add       1 thr.      0.0", "\(found)")
  }
}
