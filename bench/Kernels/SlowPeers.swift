// SPDX-License-Identifier: Apache-2.0

/// Peers that are left out where there are many entities: they would take most of the time and tell nothing new.
package struct SlowPeers {
  /// Family and name of each.
  private let names: Set<[String]>

  /// Up to so many entities everybody is measured.
  package static let everybodyMax = 2_000_000

  /// Those that took more than twice the best one's time at the number of entities before.
  ///
  /// - Parameters:
  ///   - rows: What was measured so far.
  ///   - kind: The kind of motion.
  ///   - count: Entities of the rows to come.
  package init(_ rows: [KernelReport.Row], _ kind: KernelKind, count: Int) {
    let known = rows.filter {
      $0.kind == kind.rawValue && $0.subject == "peer" && $0.entities < count
    }
    let before = known.map(\.entities).max()
    let last = known.filter { $0.entities == before }
    guard count > Self.everybodyMax, let best = last.map(\.nsMin).min() else {
      names = []
      return
    }
    names = Set(last.filter { $0.nsMin > 2 * best }.map { [$0.family, $0.name] })
  }

  /// Whether a variant is one of them.
  package func contains(_ variant: PeerVariant) -> Bool {
    names.contains([variant.family, variant.name])
  }
}
