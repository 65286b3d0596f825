// SPDX-License-Identifier: Apache-2.0

/// Distributes a number of entities over fields.
enum EntityShares {
  /// Scales counts in proportion so that their sum is exactly `total`.
  ///
  /// Each count gets its share rounded down; those with the largest remainders get one more. Among
  /// equal remainders the first ones win.
  ///
  /// - Parameters:
  ///   - counts: Their sum is larger than 0; each is at most `SceneLimits.entitiesMax`.
  ///   - total: At most `SceneLimits.entitiesMax`, so that the products fit.
  /// - Returns: The scaled counts, in the same order.
  static func scale(_ counts: [Int], to total: Int) -> [Int] {
    let sum = counts.reduce(0, +)
    precondition(sum > 0, "counts add up to \(sum)")
    var shares = counts.map { $0 * total / sum }
    let remainders = counts.map { $0 * total % sum }
    let missing = total - shares.reduce(0, +)
    let order = remainders.indices.sorted { (remainders[$1], $0) < (remainders[$0], $1) }
    for index in order.prefix(missing) { shares[index] += 1 }
    return shares
  }
}
