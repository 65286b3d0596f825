// SPDX-License-Identifier: Apache-2.0

/// One of the sims that run a scene together.
///
/// Each runs whole blocks of each batch, with the numbers that their entities have in the scene. So its
/// frames are slices of the scene's frames, and the state hashes of all shards add up to the scene's.
package struct Shard: Equatable, Sendable, CustomStringConvertible {
  /// From 0, as the ranks of MPI and the indexes of job arrays.
  package let index: Int

  /// Shards of the scene.
  package let count: Int

  /// Shards of a scene, at most.
  package static let countMax = 65_536

  /// The only shard of a scene that one sim runs.
  package static let whole = Shard(0, of: 1)

  /// One of several shards.
  ///
  /// - Parameters:
  ///   - index: 0 ..< `count`.
  ///   - count: 1 … `countMax`.
  package init(_ index: Int, of count: Int) {
    precondition((1...Self.countMax).contains(count), "\(count) shards")
    precondition((0..<count).contains(index), "shard \(index) of \(count)")
    (self.index, self.count) = (index, count)
  }

  /// Reads `I/N`.
  package init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let index = Self.number(parts[0]), let count = Self.number(parts[1]),
      (1...Self.countMax).contains(count), index < count
    else { return nil }
    self.init(index, of: count)
  }

  /// A whole number in digits alone: `Int` would also read a sign.
  private static func number(_ text: Substring) -> Int? {
    text.allSatisfy(\.isASCII) && text.allSatisfy(\.isNumber) ? Int(text) : nil
  }

  /// Whether this is the only shard.
  package var isWhole: Bool { count == 1 }

  /// As `--shard` takes it: `2/4`.
  package var description: String { "\(index)/\(count)" }

  /// The name of this shard's own run: `demo` becomes `demo.2of4`.
  package func run(of name: String) -> String {
    isWhole ? name : "\(name).\(index)of\(count)"
  }

  /// The shard of a run's name, and the name of the run as a whole; nil if it is no shard's.
  package static func parse(run name: String) -> (name: String, shard: Shard)? {
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return nil }
    let numbers = name[name.index(after: dot)...].split(
      separator: "of", omittingEmptySubsequences: false)
    guard numbers.count == 2, let shard = Shard("\(numbers[0])/\(numbers[1])"), !shard.isWhole
    else { return nil }
    return (String(name[..<dot]), shard)
  }
}
