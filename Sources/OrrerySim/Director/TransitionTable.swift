// SPDX-License-Identifier: Apache-2.0

import OrreryScene

/// The two halves of the transitions of some views; what many views share is held once.
struct TransitionTable: ~Copyable, Sendable {
  /// Which half of a transition.
  enum Half: Int, Sendable {
    case insertion = 0
    case removal = 1
  }

  private var forms: [PackedPolynomials] = []

  /// Numbers of each view's two forms; `none` for views without transition.
  private let numbers: Column<UInt32>

  private static let none = UInt32.max

  init(_ views: [ViewPlan]) {
    numbers = Column(count: 2 * views.count, zero: Self.none)
    var known: [PackedPolynomials: UInt32] = [:]
    for (view, plan) in views.enumerated() {
      guard let transition = plan.transition else { continue }
      for (half, form) in [transition.insertion, transition.removal].enumerated() {
        let packed = PackedPolynomials(form)
        let number = known[packed] ?? UInt32(forms.count)
        if known[packed] == nil { forms.append(packed) }
        known[packed] = number
        numbers.values[2 * view + half] = number
      }
    }
  }

  /// A view's form, or nil if it has no transition.
  func form(_ view: Int, _ half: Half) -> PackedPolynomials? {
    let number = numbers.values[2 * view + half.rawValue]
    return number == Self.none ? nil : forms[Int(number)]
  }
}

/// The polynomials of one half of a transition, as the kernel reads them.
struct PackedPolynomials: Hashable, Sendable {
  /// Fields that a transition touches, in the kernel's order.
  static let fields: [Field] = [.x, .y, .opacity, .scale, .blur]

  /// Coefficients of away, away², away³ and away⁴ for each of `fields`.
  let coefficients: [Float]

  init(_ form: TransitionHalf) {
    let polynomials = [form.x, form.y, form.opacity, form.scale, form.blur]
    coefficients = polynomials.flatMap { polynomial in
      (0..<TransitionHalf.degreeMax).map {
        $0 < polynomial.count ? Float(polynomial[$0]) : 0
      }
    }
  }
}
