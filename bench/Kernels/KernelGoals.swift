// SPDX-License-Identifier: Apache-2.0

/// Goals of Orrery's kernels on any machine: ratios of times of the same run.
package enum KernelGoals {
  /// The best peer's time divided by ours: at 10,000 entities (`small`) and 1,000,000 (`large`),
  /// first tick by tick, then in tiles of eight.
  private static let ratios: [(kind: KernelKind, small: [Double], large: [Double])] = [
    (.orbit, [1.7, 3.0], [1.7, 2.2]), (.marquee, [1.6, 2.6], [1.1, 1.7]),
    (.tween, [2.0, 2.7], [1.6, 3.0]), (.spring, [2.0, 3.5], [1.25, 2.5]),
  ]

  /// Compares the measured rows with the goals; a goal whose rows are missing stays unmeasured.
  package static func all(_ report: KernelReport) -> [BenchGoal] {
    let isa = report.isa
    func ours(
      _ kind: KernelKind, _ count: Int, tile: Int, isFixed: Bool = false, threads: Int = 1
    ) -> RowReport? {
      report.rows.filter {
        $0.kind == kind.rawValue && $0.entities == count
          && $0.isOurs(isa: isa, tile: tile, isFixed: isFixed, threads: threads)
      }.min { $0.minNs < $1.minNs }
    }
    func name(_ kind: KernelKind, _ count: Int, _ rest: String) -> String {
      "\(kind.rawValue), \(TextTable.grouped(count)), \(rest)"
    }
    var goals: [BenchGoal] = []
    for (kind, small, large) in ratios {
      for (count, wanted) in [(10_000, small), (1_000_000, large)] {
        for (tile, wanted) in zip([1, 8], wanted) {
          goals.append(
            BenchGoal(
              name(kind, count, tile == 1 ? "tick by tick" : "tiles of 8"), atLeast: wanted,
              ours(kind, count, tile: tile)?.ratio))
        }
      }
    }
    for kind in KernelKind.simple where kind != .flow {
      goals.append(
        BenchGoal(
          name(kind, 1_000_000, "tiles of 8, 16 bits"), atLeast: 3,
          ours(kind, 1_000_000, tile: 8, isFixed: true)?.ratio))
    }
    for kind in KernelKind.simple {
      let parts = [1, 8].compactMap { ours(kind, 10_000_000, tile: $0)?.ofLimit }
      goals.append(
        BenchGoal(name(kind, 10_000_000, "part of the bandwidth"), atLeast: 0.85, parts.min()))
    }
    for (family, wanted) in [
      ("entity-component arrays", 30.0), ("Swift, library of objects", 500),
    ] {
      let ratios = report.rows.filter { $0.kind == "orbit" && $0.family == family }.compactMap {
        row -> Double? in
        let tiles = [1, 8].compactMap { ours(.orbit, row.entities, tile: $0)?.minNs }
        return tiles.min().map { row.minNs / $0 }
      }
      goals.append(BenchGoal("orbit against \(family)", atLeast: wanted, ratios.min()))
    }
    for tile in [1, 8] {
      let one = ours(.orbit, 10_000, tile: tile), two = ours(.orbit, 10_000, tile: tile, threads: 2)
      let gain = one.flatMap { one in two.map { one.minNs / $0.minNs } }
      goals.append(
        BenchGoal(
          name(.orbit, 10_000, "two threads, \(tile == 1 ? "tick by tick" : "tiles of 8")"),
          atLeast: 1.9,
          gain))
    }
    for kind in KernelKind.keyframes {
      for count in [10_000, 1_000_000] {
        let peers = report.rows.filter {
          $0.kind == kind.rawValue && $0.entities == count && $0.subject == .peer
        }
        let mine = ours(kind, count, tile: 8)?.minNs
        for (whose, wanted) in [("by hand", 0.77), ("other players", 1)] {
          let best = peers.filter { $0.family.hasSuffix("by hand") == (whose == "by hand") }
            .map(\.minNs).min()
          goals.append(
            BenchGoal(
              name(kind, count, "against \(whose)"), atLeast: wanted,
              best.flatMap { best in mine.map { best / $0 } }))
        }
      }
    }
    return goals
  }
}
