// SPDX-License-Identifier: Apache-2.0

import OrreryBase

/// A measured row of `bench kernels` or `bench views`, compared with the best peer of its group.
package struct RowReport {
  /// The common work of its group: in `bench kernels`, the kind of motion.
  package let kind: String
  /// Entities of a tick, or the number of other things that one call does.
  package let entities: Int
  /// Whose row it is.
  package let subject: StudyRow.Subject
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
  /// All rounds in their order, ns.
  package let roundsNs: [Double]
  /// Bytes loaded and stored per entity and tick; nil if unknown.
  package let bytes: Double?
  /// Additions and multiplications per entity and tick; 0 if unknown.
  package let operations: Int
  /// Times to move the bytes alone, by rounds, ns; nil if unknown.
  package let limitNs: [Double]?
  /// The best peer's time divided by this row's.
  package let ratio: Double?
  /// Orrery's state hash at `hashTick`.
  package let hash: String?
  /// The tick of `hash`.
  package let hashTick: UInt64?

  /// The part of the bandwidth available to such streams: `StudyRow.ofBound`.
  package var ofLimit: Double? { row("").ofBound }

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
  ///   - limitNs: Returns the times to move a row's bytes alone, by rounds; nil if unknown.
  /// - Returns: A report for each row.
  package static func group(
    _ kind: String, _ group: [BenchRow], limitNs: (BenchRow) -> [Double]?
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
        roundsNs: row.rounds.all, bytes: row.traffic?.bytes, operations: row.operations,
        limitNs: limit, ratio: best.map { $0 / row.rounds.min },
        hash: row.hash.map(hexadecimal), hashTick: row.hash == nil ? nil : BenchRow.hashTick)
    }
  }

  /// A group's rows for its tables: peers from the fastest to the slowest, then Orrery's in their order, those
  /// with columns of 16 bits in a table of their own.
  ///
  /// - Parameters:
  ///   - group: The rows of one kind and count.
  ///   - things: What is counted.
  /// - Returns: A row for each.
  package static func rows(_ group: [RowReport], of things: String = "entities") -> [StudyRow] {
    guard let first = group.first else { return [] }
    let table = "\(first.kind), \(TextTable.grouped(first.entities)) \(things)"
    let peers = group.filter { $0.subject == .peer }.sorted { $0.minNs < $1.minNs }
    let ours = group.filter { $0.subject == .ours }
    return (peers + ours.filter { !$0.isFixed }).map { $0.row(table) }
      + ours.filter(\.isFixed).map { $0.row(table + ", 16 bits") }
  }

  private func row(_ table: String) -> StudyRow {
    var row = StudyRow(
      StudyRow.Place(table, title), unit: "ns", roundsNs, subject: subject, entities: entities)
    row.bound = limitNs.map { .init(what: "moving the bytes alone", samples: $0) }
    (row.bytes, row.ratio, row.hash, row.hashTick) = (bytes, ratio, hash, hashTick)
    return row
  }

  /// The name in the table.
  package var title: String {
    if subject == .peer { return name.isEmpty ? family : "\(family), \(name)" }
    let threads = threads == 1 ? "" : ", \(threads) thr."
    return "Orrery \(isa.map { $0 + ", " } ?? "")\(name)" + threads
  }
}
