// SPDX-License-Identifier: Apache-2.0

/// Peers of changes, from bench/peers/changes.cpp: what is interrupted, and what ends, in one tick.
package enum ChangePeer {
  /// The rows of a kind.
  ///
  /// - Parameters:
  ///   - kind: `retarget` or `complete`.
  ///   - built: The library; nil: none, for lack of a compiler.
  ///   - count: Springs, or animations.
  /// - Returns: A row for each peer; one call changes all.
  package static func rows(_ kind: String, of built: PeerBuild.Built?, count: Int) -> [BenchRow] {
    guard let built else { return [] }
    return PeerLibrary.work(kind, of: built, count: count).map { name, traffic, work in
      BenchRow(.peer, name: name, family: built.job.family, count: count, traffic: traffic) {
        // They keep their values.
        withUnsafePointer(to: UnsafeMutablePointer<Float>?.none) { work.tick($0) }
      }
    }
  }
}
