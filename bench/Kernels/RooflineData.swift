// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase

/// The contents of a roofline panel: dots under roofs, on two logarithmic axes.
package struct RooflineData {
  /// The series of dots.
  package enum Series: CaseIterable, Sendable {
    case peer
    case tick
    case tile
    case fixed

    /// Colour of its dots.
    package var color: UInt32 {
      switch self {
      case .peer: 0xd946_00ff
      case .tick: 0x60a5_faff
      case .tile: 0x1d4e_d8ff
      case .fixed: 0x0f8a_5fff
      }
    }

    /// Text in the legend.
    package var text: String {
      switch self {
      case .peer: "best peer"
      case .tick: "Orrery, tick by tick"
      case .tile: "Orrery, tiles of 8 ticks"
      case .fixed: "Orrery, tiles of 8 ticks, 16 bits"
      }
    }
  }

  /// The best row of a kind and a series.
  package struct Dot {
    /// The kind of motion.
    package let kind: String
    /// The series of the dot.
    package let series: Series
    /// Bytes loaded and stored per entity and tick.
    package let bytes: Double
    /// Entities per nanosecond.
    package let rate: Double
  }

  /// Dots by kind, and for each kind in the order of `Series`.
  package let dots: [Dot]
  /// Limits of bandwidth, measured by copies in a cache or in memory.
  package let roofs: [(name: String, bytesPerNs: Double)]
  /// Range of bytes, from a power of two to a power of two.
  package let xs: ClosedRange<Double>
  /// Range of entities per nanosecond.
  package let ys: ClosedRange<Double>

  /// Creates a panel of the rows with `count` entities on one thread.
  package init(_ report: KernelReport, count: Int) {
    dots = Self.dots(report, count)
    roofs = Self.roofs(report)
    let bytes = dots.map(\.bytes), rates = dots.map(\.rate)
    xs =
      pow(
        2, log2((bytes.min() ?? 4) / 1.3).rounded(.down))...pow(
        2, log2((bytes.max() ?? 32) * 1.3).rounded(.up))
    ys = (rates.min() ?? 1) / 1.8...(rates.max() ?? 1) * 1.8
  }

  /// Position of a count of bytes on its axis, from 0 to 1.
  package func x(_ bytes: Double) -> Double { Self.part(bytes, of: xs) }

  /// Position of a rate on its axis, from 0 to 1.
  package func y(_ rate: Double) -> Double { Self.part(rate, of: ys) }

  private static func part(_ value: Double, of range: ClosedRange<Double>) -> Double {
    log(value / range.lowerBound) / log(range.upperBound / range.lowerBound)
  }

  private static func dots(_ report: KernelReport, _ count: Int) -> [Dot] {
    let rows = report.rows.filter { $0.entities == count && $0.threads == 1 && $0.bytes != nil }
    let best = report.rows.last { $0.subject == .ours && !$0.hashes }?.isa ?? ""
    var dots: [Dot] = []
    for kind in KernelKind.allCases.map(\.rawValue) {
      for series in Series.allCases {
        let fitting = rows.filter { row in
          guard row.kind == kind, !row.hashes else { return false }
          return switch series {
          // The peer that ratios refer to.
          case .peer: row.subject == .peer && row.ratio == 1
          case .tick: row.isOurs(isa: best, tile: 1)
          case .tile: row.isOurs(isa: best, tile: 8)
          case .fixed: row.isOurs(isa: best, tile: 8, isFixed: true)
          }
        }
        if let row = fitting.min(by: { $0.minNs < $1.minNs }), let bytes = row.bytes {
          dots.append(Dot(kind: kind, series: series, bytes: bytes, rate: 1 / row.minNs))
        }
      }
    }
    return dots
  }

  /// The best copies in the first-level cache, the second-level cache, and the largest working set.
  private static func roofs(_ report: KernelReport) -> [(name: String, bytesPerNs: Double)] {
    let copies = report.bandwidths.filter { $0.stream == "copy" && $0.threads == 1 }
    let sizes = Set(copies.map(\.workingSetBytes)).sorted()
    func best(_ size: Int) -> Double {
      copies.filter { $0.workingSetBytes == size }.map(\.bytesPerSecond).max() ?? 0
    }
    let levels = [("L1", 32 << 10), ("L2", 512 << 10), ("memory", sizes.last ?? 0)]
    return levels.filter { sizes.contains($0.1) }.map { name, size in
      let rate = best(size) / 1e9
      return ("\(name) copy (\(TextTable.size(size))): \(decimal(rate, places: 0)) GB/s", rate)
    }
  }
}
