// SPDX-License-Identifier: Apache-2.0

/// Shares out a number of entities.
enum EntityShares {
  /// Scales counts in proportion so that their sum is exactly `total`.
  ///
  /// Each gets its proportion rounded down, and those with the largest rest one more; of equal
  /// rests the first ones win.
  ///
  /// - Parameters:
  ///   - counts: Their sum is larger than 0; each is at most `SceneLimits.entitiesMax`.
  ///   - total: At most `SceneLimits.entitiesMax`, so that the products fit.
  /// - Returns: The scaled counts, in the same order.
  static func scale(_ counts: [Int], to total: Int) -> [Int] {
    let sum = counts.reduce(0, +)
    precondition(sum > 0, "counts add up to \(sum)")
    var shares = counts.map { $0 * total / sum }
    let rests = counts.map { $0 * total % sum }
    let missing = total - shares.reduce(0, +)
    let byRest = rests.indices.sorted { (rests[$1], $0) < (rests[$0], $1) }
    for index in byRest.prefix(missing) { shares[index] += 1 }
    return shares
  }
}
