// SPDX-License-Identifier: Apache-2.0

import OrreryBase

/// A measured row, as the JSON of `bench kernels` and `bench views` has it.
package struct RowReport: Encodable {
  /// The common work of its group: in `bench kernels`, the kind of motion.
  package let kind: String
  /// Entities of a tick, or the number of other things that one call does.
  package let entities: Int
  /// Whose row it is.
  package let subject: BenchRow.Subject
  /// The name in the table.
  package let name: String
  /// The name of the peer's library; empty for Orrery.
  package let family: String
  /// The instruction set; nil for peers.
  package let isa: String?
  /// Threads that share the work.
  package let threads: Int
  /// Ticks that one call computes.
  package let ticksPerCall: Int
  /// Whether the state hash is computed as well.
  package let hashes: Bool
  /// Whether columns have 16 bits.
  package let isFixed: Bool
  /// The fastest round, ns per entity and tick.
  package let minNs: Double
  /// The median of the rounds, ns.
  package let medianNs: Double
  /// From the lower to the upper quartile of rounds, as a fraction of the median.
  package let spread: Double
  /// All rounds in their order, ns.
  package let roundsNs: [Double]
  /// Bytes loaded and stored per entity and tick; nil if unknown.
  package let bytes: Double?
  /// Additions and multiplications per entity and tick; 0 if unknown.
  package let operations: Int
  /// Time to move the bytes alone, ns.
  package let limitNs: Double?
  /// Fraction of the bandwidth available to such streams.
  package let ofLimit: Double?
  /// The best peer's time divided by this row's.
  package let ratio: Double?
  /// Orrery's state hash at `hashTick`.
  package let hash: String?
  /// The tick of `hash`.
  package let hashTick: UInt64?

  /// Whether this is a row of Orrery with these properties, in the best instruction set.
  package func isOurs(isa best: String, tile: Int, isFixed: Bool = false, threads: Int = 1)
    -> Bool
  {
    subject == .ours && isa == best && ticksPerCall == tile
      && self.isFixed == isFixed && self.threads == threads
  }
}

extension RowReport {
  /// The rows of a group, each compared with the best peer.
  ///
  /// - Parameters:
  ///   - kind: Their common work.
  ///   - group: All rows to compare.
  ///   - limitNs: Returns the time to move a row's bytes alone; nil if unknown.
  /// - Returns: A report for each row.
  package static func group(
    _ kind: String, _ group: [BenchRow], limitNs: (BenchRow) -> Double?
  ) -> [RowReport] {
    // If all peers drift, compare with those.
    let peers = group.filter { $0.subject == .peer }
    let lasting = peers.filter { !$0.drifts && $0.traffic != nil }
    let best = (lasting.isEmpty ? peers : lasting).map(\.rounds.min).min()
    return group.map { row in
      let limit = limitNs(row)
      return RowReport(
        kind: kind, entities: row.count, subject: row.subject,
        name: row.drifts ? row.name + (row.name.isEmpty ? "drifts" : ", drifts") : row.name,
        family: row.family, isa: row.isa, threads: row.threads, ticksPerCall: row.ticksPerCall,
        hashes: row.hashes, isFixed: row.isFixed, minNs: row.rounds.min,
        medianNs: row.rounds.median, spread: row.rounds.spread, roundsNs: row.rounds.all,
        bytes: row.traffic?.bytes, operations: row.operations, limitNs: limit,
        ofLimit: limit.map { $0 / row.rounds.min }, ratio: best.map { $0 / row.rounds.min },
        hash: row.hash.map(hexadecimal), hashTick: row.hash == nil ? nil : BenchRow.hashTick)
    }
  }
}
