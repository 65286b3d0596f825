// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase

/// Work that never changes, timed between all other work: differences of its times come from the machine.
package final class Steadiness {
  /// The two rows in every result that show whether the machine itself became slower.
  package static let names = ["steady arithmetic", "steady memory"]

  /// The rows.
  package private(set) var rows = [
    StudyRow(Steadiness.names[0], unit: "ns"), StudyRow(Steadiness.names[1], unit: "ns"),
  ]

  /// Larger than the last-level cache of most machines: the writes go to memory.
  private static let bytes = 64 << 20
  private let memory: UnsafeMutableRawPointer
  /// The arithmetic's result, so that no compiler leaves it out.
  package private(set) var sink: UInt64 = 1

  package init() {
    memory = .allocate(byteCount: Self.bytes, alignment: 4096)
    memset(memory, 1, Self.bytes)
  }

  deinit { memory.deallocate() }

  /// Measures both once more: some milliseconds.
  package func measure() {
    rows[0].samples.append(fastest { spin() })
    rows[1].samples.append(fastest { memset(memory, 2, Self.bytes) })
  }

  /// The faster of two measurements, since an interrupt is not a property of the machine.
  private func fastest(_ work: () -> Void) -> Double {
    let times = (0..<2).map { _ in
      let begin = Clock.monotonicNs()
      work()
      return Double(Clock.monotonicNs() - begin)
    }
    return times.min() ?? 0
  }

  /// A chain of multiplications and additions: one after the other, in registers.
  private func spin() {
    var state = sink
    for _ in 0..<1_000_000 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    }
    sink = state
  }

  /// The reasons why the machine was noisy; empty if it was quiet.
  ///
  /// - Parameters:
  ///   - context: The study's context, complete.
  ///   - rows: Both rows.
  /// - Returns: A sentence for each reason.
  package static func notes(_ context: StudyContext, _ rows: [StudyRow]) -> [String] {
    var notes: [String] = []
    for row in rows {
      guard let summary = row.summary, summary.spread > spreadMax else { continue }
      notes.append(
        "\(row.name) differed by \(decimal(summary.spread * 100, places: 0)) % from round to round")
    }
    if context.stolen > stolenMax {
      notes.append(
        "the host gave \(decimal(context.stolen * 100, places: 1)) % of the time to others")
    }
    if context.loadBefore > Double(context.processorCount) * loadMax {
      notes.append(
        "a load of \(decimal(context.loadBefore, places: 1)) was there before the study began")
    }
    return notes
  }

  /// If the quartiles of unchanging work are further apart, the machine was noisy.
  private static let spreadMax = 0.05
  /// A hundredth of the time is half of the smallest difference worth reporting.
  private static let stolenMax = 0.01
  /// A thread for every second processor.
  private static let loadMax = 0.5
}
