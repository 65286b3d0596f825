// SPDX-License-Identifier: Apache-2.0

import Foundation
import Orrery
import OrreryDocument

/// The arithmetic that animations do with a vector: its length, and sums with another one.
///
///     {"vector":[3,-4]}
///     {"vector":[1,2,3,4],"type":"CGRect","other":[5,6,7,8],"amount":0.5}
///
/// The numbers are a value's own, as `x`, `y`, `width` and `height`; those of the answer are of its
/// `animatableData`.
struct VectorRequest: EvalRequest {
  static let keys = ["vector", "type", "other", "amount", "scale"]

  /// A type of values, the count of its numbers, and how they become its animatable data.
  private struct ValueType: Sendable {
    let name: String
    let numbers: [String]
    let data: @Sendable ([Double]) -> [Double]
  }

  private static let types = [
    ValueType(name: "Angle", numbers: ["radians"]) { [Angle(radians: $0[0]).animatableData] },
    ValueType(name: "CGPoint", numbers: ["x", "y"]) {
      pair(CGPoint(x: $0[0], y: $0[1]).animatableData)
    },
    ValueType(name: "CGSize", numbers: ["width", "height"]) {
      pair(CGSize(width: $0[0], height: $0[1]).animatableData)
    },
    ValueType(name: "CGRect", numbers: ["x", "y", "width", "height"]) {
      let data = CGRect(x: $0[0], y: $0[1], width: $0[2], height: $0[3]).animatableData
      return pair(data.first) + pair(data.second)
    },
    ValueType(name: "UnitPoint", numbers: ["x", "y"]) {
      pair(UnitPoint(x: $0[0], y: $0[1]).animatableData)
    },
  ]

  private let vector: NumberVector
  private let other: NumberVector?
  private let amount: Double?
  private let factor: Double?

  init(_ reader: RequestReader) throws(EvalError) {
    let type =
      reader.has("type") ? try reader.word("type", Self.types.map { ($0.name, $0) }) : nil
    func vector(_ key: String) throws(EvalError) -> NumberVector {
      let numbers = try reader.numbers(key)
      guard let type else { return NumberVector(numbers: numbers) }
      guard numbers.count == type.numbers.count else {
        throw EvalError(
          path: reader.path.key(key),
          reason: "\(numbers.count) numbers; [\(type.numbers.joined(separator: ", "))] is wanted")
      }
      return NumberVector(numbers: type.data(numbers))
    }
    let first = try vector("vector")
    self.vector = first
    other = reader.has("other") ? try vector("other") : nil
    if let other, other.numbers.count != first.numbers.count {
      throw EvalError(
        path: reader.path.key("other"),
        reason: "\(other.numbers.count) numbers; \(first.numbers.count) are wanted, as in vector")
    }
    amount = reader.has("amount") ? try reader.number("amount") : nil
    guard amount == nil || other != nil else {
      throw EvalError(path: reader.path.key("amount"), reason: "only beside other")
    }
    factor = reader.has("scale") ? try reader.number("scale") : nil
  }

  func answer(_ kernels: (any KernelEvaluating)?) -> EvalAnswer {
    var table: DocumentTable = [
      "data": .numbers(vector.numbers), "magnitude_squared": .number(vector.magnitudeSquared),
      "magnitude": .number(vector.magnitudeSquared.squareRoot()),
    ]
    if let factor { table.append("scaled", .numbers(vector.scaled(by: factor).numbers)) }
    if let other {
      table.append("sum", .numbers((vector + other).numbers))
      table.append("difference", .numbers((vector - other).numbers))
      if let amount {
        table.append(
          "interpolated", .numbers(vector.interpolated(towards: other, amount: amount).numbers))
      }
    }
    return EvalAnswer(table)
  }

  private static func pair(_ data: AnimatablePair<CGFloat, CGFloat>) -> [Double] {
    [Double(data.first), Double(data.second)]
  }
}

/// Any count of numbers as a vector; the zero of every count has none.
private struct NumberVector: VectorArithmetic {
  var numbers: [Double]

  static var zero: NumberVector { NumberVector(numbers: []) }

  static func == (lhs: Self, rhs: Self) -> Bool { (lhs - rhs).numbers.allSatisfy { $0 == 0 } }

  static func + (lhs: Self, rhs: Self) -> Self { combined(lhs, rhs, +) }

  static func - (lhs: Self, rhs: Self) -> Self { combined(lhs, rhs, -) }

  mutating func scale(by rhs: Double) {
    for index in numbers.indices { numbers[index].scale(by: rhs) }
  }

  var magnitudeSquared: Double { numbers.reduce(0) { $0 + $1.magnitudeSquared } }

  private static func combined(
    _ lhs: Self, _ rhs: Self, _ combine: (Double, Double) -> Double
  ) -> Self {
    let count = max(lhs.numbers.count, rhs.numbers.count)
    func number(_ vector: Self, _ index: Int) -> Double {
      index < vector.numbers.count ? vector.numbers[index] : 0
    }
    return NumberVector(
      numbers: (0..<count).map { combine(number(lhs, $0), number(rhs, $0)) })
  }
}
