// SPDX-License-Identifier: Apache-2.0

/// A vector of any type; vectors of different types do not meet.
struct ErasedVector: VectorArithmetic {
  /// Nil is the zero of every type.
  private var base: (any VectorArithmetic)?

  private init(erasing base: (any VectorArithmetic)?) { self.base = base }

  init(_ base: some VectorArithmetic) { self.base = base }

  /// The vector, or nil if it has another type.
  func base<V: VectorArithmetic>(as type: V.Type) -> V? {
    base == nil ? .zero : base as? V
  }

  static var zero: ErasedVector { ErasedVector(erasing: nil) }

  static func == (lhs: Self, rhs: Self) -> Bool {
    switch (lhs.base, rhs.base) {
    case (nil, nil): true
    case (let vector?, nil), (nil, let vector?): isZero(vector)
    case (let left?, let right?): isEqual(left, right)
    }
  }

  static func + (lhs: Self, rhs: Self) -> Self {
    guard let left = lhs.base else { return rhs }
    guard let right = rhs.base else { return lhs }
    return sum(left, right)
  }

  static func - (lhs: Self, rhs: Self) -> Self {
    guard let right = rhs.base else { return lhs }
    guard let left = lhs.base else { return negative(right) }
    return difference(left, right)
  }

  mutating func scale(by rhs: Double) {
    if let base { self.base = Self.scaled(base, by: rhs) }
  }

  var magnitudeSquared: Double { base?.magnitudeSquared ?? 0 }

  private static func isZero<V: VectorArithmetic>(_ vector: V) -> Bool { vector == .zero }

  private static func isEqual<V: VectorArithmetic>(
    _ left: V, _ right: any VectorArithmetic
  ) -> Bool {
    left == right as? V
  }

  private static func sum<V: VectorArithmetic>(
    _ left: V, _ right: any VectorArithmetic
  ) -> ErasedVector {
    ErasedVector(left + (right as? V ?? .zero))
  }

  private static func difference<V: VectorArithmetic>(
    _ left: V, _ right: any VectorArithmetic
  ) -> ErasedVector {
    ErasedVector(left - (right as? V ?? .zero))
  }

  private static func negative<V: VectorArithmetic>(_ vector: V) -> ErasedVector {
    ErasedVector(V.zero - vector)
  }

  private static func scaled<V: VectorArithmetic>(_ vector: V, by factor: Double) -> V {
    vector.scaled(by: factor)
  }
}
