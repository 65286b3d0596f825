// SPDX-License-Identifier: Apache-2.0

/// How pictures of several times of a run become one.
package enum PictureSpread: Sendable {
  /// Beside each other, with their times.
  case sheet(columns: Int, rows: Int)
  /// Over each other.
  case overlay(Int)

  /// The count of pictures.
  var count: Int {
    switch self {
    case .sheet(let columns, let rows): columns * rows
    case .overlay(let count): count
    }
  }
}

/// Keeps pictures at equal distances of a run whose length is not known.
///
/// It takes every frame at first. When there are too many, every second one goes, and from then on half as many are
/// taken. So what is kept is always spread over the run so far.
package struct SpreadKeeper<Picture> {
  /// What is kept, by the numbers of their frames.
  package private(set) var kept: [(sequence: UInt64, picture: Picture)] = []

  private let countMax: Int
  private var step: UInt64 = 1
  private var next: UInt64 = 0

  /// Keeps nothing yet.
  ///
  /// - Parameter countMax: Pictures to keep at most, 2 or more.
  package init(countMax: Int) { self.countMax = countMax }

  /// Whether a frame's picture is to be kept.
  package func wants(_ sequence: UInt64) -> Bool { sequence >= next }

  /// Keeps a picture.
  package mutating func keep(_ picture: Picture, sequence: UInt64) {
    kept.append((sequence, picture))
    if kept.count > countMax {
      kept = kept.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
      step *= 2
    }
    next = (kept.last?.sequence ?? 0) + step
  }

  /// The pictures nearest to equal distances from the first frame to the last, at most `count`; each one once.
  package func spread(_ count: Int) -> [Picture] {
    guard let first = kept.first?.sequence, let last = kept.last?.sequence else { return [] }
    if kept.count <= count { return kept.map(\.picture) }
    var chosen: [Picture] = []
    var index = 0
    for number in 0..<count {
      let wanted = Double(first) + Double(last - first) * Double(number) / Double(max(count - 1, 1))
      func distance(_ index: Int) -> Double { abs(Double(kept[index].sequence) - wanted) }
      // As many are left as are still wanted.
      let end = kept.count - (count - number)
      while index < end, distance(index + 1) <= distance(index) { index += 1 }
      chosen.append(kept[index].picture)
      index += 1
    }
    return chosen
  }
}
