// SPDX-License-Identifier: Apache-2.0

import OrreryBase

/// The tables that `bench kernels` prints, at most 80 columns wide.
package enum KernelTable {
  private static let nameWidth = 41

  /// A number with commas between thousands.
  package static func grouped(_ number: Int) -> String {
    var (digits, text) = (String(number), "")
    while digits.count > 3 {
      text = "," + digits.suffix(3) + text
      digits.removeLast(3)
    }
    return digits + text
  }

  private static func padded(_ text: String, _ width: Int, isRight: Bool = true) -> String {
    TextTable.padded(text, width, isRight: isRight)
  }

  private static func line(_ cells: [String]) -> String {
    let widths = [8, 8, 5, 6, 5, 7]
    return padded(cells[0], nameWidth, isRight: false)
      + zip(cells.dropFirst(), widths).map { padded($0, $1) }.joined() + "\n"
  }

  /// The machine and the missing peers.
  package static func head(_ report: KernelReport) -> String {
    let machine = report.machine
    var text = "\(machine.processor ?? "unknown processor"), \(machine.processorCount) cores\n"
    text += TextTable.wrapped(machine.caches.joined(separator: ", "))
    text += "kernel \(machine.kernel ?? "unknown"), commit \(machine.commit ?? "unknown")\n"
    if let compiler = report.compiler { text += "peers built with \(compiler)\n" }
    for line in report.peersMissing { text += TextTable.wrapped("left out: \(line)") }
    for check in report.checks where !check.isRight {
      let off = decimal(check.pointsOff, places: 3)
      text += TextTable.wrapped("wrong, not timed: \(check.kind), \(check.peer): \(off) points off")
    }
    return text
  }

  /// Table of one group: peers from the fastest to the slowest, then Orrery's rows in their order.
  package static func group(_ rows: [KernelReport.Row]) -> String {
    guard let first = rows.first else { return "" }
    var text =
      "\n"
      + line(
        [
          "\(first.kind), \(grouped(first.entities)) entities", "ns min", "median", "±%", "bytes",
          "lim%", "ratio",
        ])
    let peers = rows.filter { $0.subject == "peer" }.sorted { $0.nsMin < $1.nsMin }
    for row in peers + rows.filter({ $0.subject == "ours" }) { text += self.row(row) }
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

  private static func row(_ row: KernelReport.Row) -> String {
    return line([
      "  " + title(row), time(row.nsMin), time(row.nsMedian),
      decimal(row.spread * 100, places: 0), row.bytes.map { decimal($0, places: 1) } ?? "-",
      row.ofLimit.map { decimal($0 * 100, places: 0) } ?? "-",
      row.ratio.map { decimal($0, places: $0 < 0.095 ? 3 : 2) } ?? "-",
    ])
  }

  private static func time(_ ns: Double) -> String { decimal(ns, places: ns < 99.95 ? 3 : 1) }

  /// The title of a row.
  package static func title(_ row: KernelReport.Row) -> String {
    if row.subject == "peer" {
      return row.name.isEmpty ? row.family : "\(row.family), \(row.name)"
    }
    let threads = row.threads == 1 ? "" : ", \(row.threads) thr."
    return "Orrery \(row.isa ?? ""), \(row.name)" + threads
  }

  /// Tables of bandwidth and arithmetic.
  package static func calibration(_ report: KernelReport) -> String {
    guard !report.bandwidths.isEmpty else { return "" }
    let threads = Set(report.bandwidths.map(\.threads)).sorted()
    var text = ""
    for count in threads {
      text +=
        "\nbandwidth, GB/s, \(count == 1 ? "one thread" : "\(count) threads"); "
        + "best of instruction sets; past caches: (…)\n"
      text += padded("working set", 14, isRight: false)
      for stream in Calibration.Stream.allCases { text += padded(stream.name, 16) }
      text += "\n"
      for size in Set(report.bandwidths.map(\.workingSetBytes)).sorted() {
        let name = size >= 1 << 20 ? "\(size >> 20) MiB" : "\(size >> 10) KiB"
        text += padded(name, 14, isRight: false)
        for stream in Calibration.Stream.allCases {
          func best(_ isNonTemporal: Bool) -> String? {
            report.bandwidths.filter {
              $0.stream == stream.name && $0.threads == count && $0.workingSetBytes == size
                && $0.isNonTemporal == isNonTemporal
            }.map(\.bytesPerSecond).max().map { decimal($0 / 1e9, places: $0 < 99.5e9 ? 1 : 0) }
          }
          let past = best(true).map { " (\(padded($0, 4)))" } ?? ""
          text += padded((best(false) ?? "") + past, 16)
        }
        text += "\n"
      }
    }
    text += "\narithmetic, GFLOP/s\n"
    for rate in report.arithmetic where rate.operationsPerSecond > 0 {
      text +=
        "  \(padded(rate.isa, 10, isRight: false))"
        + padded(rate.isFused ? "fused multiply-add" : "multiply, add", 20, isRight: false)
        + "\(rate.threads) thr. "
        + padded(decimal(rate.operationsPerSecond / 1e9, places: 1), 8) + "\n"
    }
    return text
  }

  /// Table of the goals and their verdicts.
  package static func goals(_ goals: [KernelReport.Goal]) -> String {
    var text =
      "\n" + padded("goal", 48, isRight: false) + padded("wanted", 8)
      + padded("measured", 10) + "  verdict\n"
    for goal in goals where goal.measured != nil {
      let places = (goal.measured ?? 0) < 99.5 ? 2 : 0
      text +=
        padded("  " + goal.name, 48, isRight: false) + padded(decimal(goal.wanted, places: 2), 8)
        + padded(goal.measured.map { decimal($0, places: places) } ?? "-", 10)
        + "  \(goal.verdict)\n"
    }
    let unmeasured = goals.count { $0.measured == nil }
    return unmeasured == 0 ? text : text + "  not measured in this run: \(unmeasured)\n"
  }
}
