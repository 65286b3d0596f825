// SPDX-License-Identifier: Apache-2.0

import OrreryBase

/// The tables that `bench kernels` prints, at most 80 columns wide.
package enum KernelTable {
  /// The machine, the missing peers and the wrong ones.
  package static func head(_ report: KernelReport) -> String {
    var text = report.machine.head(
      showsCaches: true, built: "peers", compiler: report.compiler, missing: report.peersMissing)
    for check in report.checks where !check.isRight {
      let off = decimal(check.pointsOff, places: 3)
      text += TextTable.wrapped("wrong, not timed: \(check.kind), \(check.peer): \(off) points off")
    }
    return text
  }

  /// Table of one group, and whether its hashes are equal.
  package static func group(_ rows: [RowReport]) -> String {
    var text = RowTable.group(rows)
    for isFixed in [false, true] {
      let hashed = rows.filter { $0.hash != nil && $0.isFixed == isFixed }
      let hashes = Set(hashed.compactMap(\.hash)).sorted()
      guard let tick = hashed.compactMap(\.hashTick).first else { continue }
      let what = "\(isFixed ? "16 bits, " : "")state hash at tick \(tick)"
      text +=
        hashes.count == 1
        ? "  \(what), the same in all \(hashed.count) rows: \(hashes[0])\n"
        : "  \(what): DIFFERENT, \(hashes.joined(separator: " "))\n"
    }
    return text
  }

  /// Tables of bandwidth and arithmetic.
  package static func calibration(_ report: KernelReport) -> String {
    guard !report.bandwidths.isEmpty else { return "" }
    let streams = Calibration.Stream.allCases.map(\.name)
    let columns = TextTable([.left(14)] + streams.map { _ in .right(16) })
    var text = ""
    for count in Set(report.bandwidths.map(\.threads)).sorted() {
      text +=
        "\nbandwidth, GB/s, \(count == 1 ? "one thread" : "\(count) threads"); "
        + "best of instruction sets; past caches: (…)\n" + columns.line(["working set"] + streams)
      for size in Set(report.bandwidths.map(\.workingSetBytes)).sorted() {
        let rates = streams.map { stream in
          func best(_ isNonTemporal: Bool) -> String? {
            report.bandwidths.filter {
              $0.stream == stream && $0.threads == count && $0.workingSetBytes == size
                && $0.isNonTemporal == isNonTemporal
            }.map(\.bytesPerSecond).max().map { decimal($0 / 1e9, places: $0 < 99.5e9 ? 1 : 0) }
          }
          return (best(false) ?? "") + (best(true).map { " (\($0.alignedRight(4)))" } ?? "")
        }
        text += columns.line([TextTable.size(size)] + rates)
      }
    }
    let arithmetic = TextTable([.left(12), .left(20), .left(7), .right(8)])
    text += "\narithmetic, GFLOP/s\n"
    for rate in report.arithmetic where rate.operationsPerSecond > 0 {
      text += arithmetic.line([
        "  " + rate.isa, rate.isFused ? "fused multiply-add" : "multiply, add",
        "\(rate.threads) thr. ", decimal(rate.operationsPerSecond / 1e9, places: 1),
      ])
    }
    return text
  }
}
