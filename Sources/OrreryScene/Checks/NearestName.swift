// SPDX-License-Identifier: Apache-2.0

/// Finds what a misspelt name was meant to be.
package enum NearestName {
  /// The known name with the fewest changed, added, lost or swapped letters, if they are few.
  ///
  /// - Parameters:
  ///   - name: As it was written.
  ///   - known: The names that there are.
  /// - Returns: nil if even the nearest one differs in more than a third of its letters, at least
  ///   one.
  package static func find(_ name: String, among known: [String]) -> String? {
    guard name.utf8.count <= 100 else { return nil }
    let best = known.map { (distance: distance(name, $0), name: $0) }
      .min { ($0.distance, $0.name) < ($1.distance, $1.name) }
    guard let best, best.distance <= max(1, best.name.count / 3) else { return nil }
    return best.name
  }

  /// Letters to change, add, remove or swap with their neighbour to get from one name to the other,
  /// not regarding capitals (optimal string alignment).
  private static func distance(_ first: String, _ second: String) -> Int {
    let a = Array(first.lowercased())
    let b = Array(second.lowercased())
    var before = [Int](repeating: 0, count: b.count + 1)
    var above = Array(0...b.count)
    for i in 0..<a.count {
      var row = [i + 1]
      for j in 0..<b.count {
        var cost = min(above[j + 1], row[j]) + 1
        cost = min(cost, above[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, before[j - 1] + 1) }
        row.append(cost)
      }
      (before, above) = (above, row)
    }
    return above[b.count]
  }
}
