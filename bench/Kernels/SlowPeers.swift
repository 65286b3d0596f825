// SPDX-License-Identifier: Apache-2.0

/// Peers that are left out for many entities: they would take most of the time and add nothing.
package struct SlowPeers {
  /// Family and name of each slow peer.
  private let names: Set<[String]>

  /// Limit of entities up to which all peers are measured.
  package static let allPeersMax = 2_000_000

  /// Finds peers that took more than twice the best one's time at the previous count of entities.
  ///
  /// - Parameters:
  ///   - rows: The rows measured so far.
  ///   - kind: The kind of motion.
  ///   - count: Entities of the next rows.
  package init(_ rows: [RowReport], _ kind: KernelKind, count: Int) {
    let known = rows.filter {
      $0.kind == kind.rawValue && $0.subject == .peer && $0.entities < count
    }
    let before = known.map(\.entities).max()
    let last = known.filter { $0.entities == before }
    guard count > Self.allPeersMax, let best = last.map(\.minNs).min() else {
      names = []
      return
    }
    names = Set(last.filter { $0.minNs > 2 * best }.map { [$0.family, $0.name] })
  }

  /// Whether a variant is one of them.
  package func contains(_ variant: PeerVariant) -> Bool {
    names.contains([variant.family, variant.name])
  }
}
