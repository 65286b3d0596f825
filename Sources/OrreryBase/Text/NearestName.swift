// SPDX-License-Identifier: Apache-2.0

/// Finds the known name nearest to a misspelt one: a command, an option, a key, a scene.
package enum NearestName {
  /// The known name with the smallest edit distance, if the distance is small; otherwise the shortest
  /// that begins with the name.
  ///
  /// - Parameters:
  ///   - name: The name as written.
  ///   - known: The known names.
  /// - Returns: Nil if the nearest name differs in more than a third of the letters of the longer one;
  ///   one differing letter is always allowed. A beginning counts from three letters on.
  package static func find(_ name: String, among known: [String]) -> String? {
    guard name.utf8.count <= 100 else { return nil }
    let best = known.map { (distance: distance(name, $0), name: $0) }
      .min { ($0.distance, $0.name) < ($1.distance, $1.name) }
    if let best, best.distance <= max(1, max(best.name.count, name.count) / 3) { return best.name }
    guard name.count >= 3 else { return nil }
    return known.filter { $0.lowercased().hasPrefix(name.lowercased()) }
      .min { ($0.count, $0) < ($1.count, $1) }
  }

  /// The question for a misspelt name, as `; did you mean run?`.
  ///
  /// - Parameters:
  ///   - name: The name as written.
  ///   - known: The known names.
  /// - Returns: The question; empty if no known name is near.
  package static func question(_ name: String, among known: [String]) -> String {
    find(name, among: known).map { "; did you mean \($0)?" } ?? ""
  }

  /// Letters to change, add, remove or swap with a neighbour to get from one name to the other,
  /// ignoring case (optimal string alignment).
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
