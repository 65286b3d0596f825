// SPDX-License-Identifier: Apache-2.0

import OrreryScene
import OrrerySceneBuilder

/// The two halves of the transitions of some views; equal halves are stored once.
struct TransitionTable: ~Copyable, Sendable {
  /// Which half of a transition.
  enum Half: Int, Sendable {
    case insertion = 0
    case removal = 1
  }

  /// Names a half of one or more transitions.
  typealias Index = UInt32

  private var halves: [PackedPolynomials] = []

  /// Indexes into `halves` of each view's two halves; `none` for views without transition.
  private let indexes: Column<Index>

  /// One less than 0: `TransitionLanes` counts from 1.
  private static let none = Index.max

  init(_ views: [ViewPlan]) {
    indexes = Column(count: 2 * views.count, zero: Self.none)
    var known: [PackedPolynomials: Index] = [:]
    for (view, plan) in views.enumerated() {
      guard let transition = plan.transition else { continue }
      for (offset, half) in [transition.insertion, transition.removal].enumerated() {
        let packed = PackedPolynomials(half)
        let index = known[packed] ?? Index(halves.count)
        if known[packed] == nil { halves.append(packed) }
        known[packed] = index
        indexes.values[2 * view + offset] = index
      }
    }
  }

  /// A half of a view's transition; nil if it has none.
  func index(_ view: Int, _ half: Half) -> Index? {
    let index = indexes.values[2 * view + half.rawValue]
    return index == Self.none ? nil : index
  }

  /// The halves of a view and of those after it: each view's is two places behind the one before.
  func indexes(from view: Int, _ half: Half) -> UnsafePointer<Index> {
    UnsafePointer(indexes.values + 2 * view + half.rawValue)
  }

  subscript(index: Index) -> PackedPolynomials { halves[Int(index)] }
}

/// The polynomials of one half of a transition, in the kernel's layout.
struct PackedPolynomials: Hashable, Sendable {
  /// Fields that a transition changes, in the kernel's order.
  static let fields: [ViewProperty] = [.x, .y, .opacity, .scale, .blur]

  /// Coefficients of away, away², away³ and away⁴ for each of `fields`.
  let coefficients: [Float]

  init(_ half: TransitionHalf) {
    let polynomials = [half.x, half.y, half.opacity, half.scale, half.blur]
    coefficients = polynomials.flatMap { polynomial in
      (0..<TransitionHalf.degreeMax).map {
        $0 < polynomial.count ? Float(polynomial[$0]) : 0
      }
    }
  }
}
