// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Arithmetic with named numbers, such as `value * sin(time * pi / 2)`.
///
/// It is kept as the steps of a stack machine, in order.
struct Formula: Hashable, Sendable {
  /// One step; operands are taken from the stack, and the result is put there.
  enum Step: Hashable, Sendable {
    case number(Double)
    /// Index of the variable.
    case variable(Int)
    case call(FormulaFunction)
  }

  /// The steps; they leave one number on the stack.
  let steps: [Step]

  /// The result.
  ///
  /// - Parameter variables: One number for each variable, in the order of the parser's list.
  /// - Returns: The number; NaN or infinity where the arithmetic gives it.
  func value(_ variables: [Double]) -> Double {
    var stack: [Double] = []
    stack.reserveCapacity(8)
    for step in steps {
      switch step {
      case .number(let number): stack.append(number)
      case .variable(let index): stack.append(variables[index])
      case .call(let function):
        let first = stack.count - function.operandCount
        let result = function.value(stack[first...])
        stack.removeSubrange(first...)
        stack.append(result)
      }
    }
    return stack.last ?? .nan
  }
}

/// A function or an operator of a formula.
enum FormulaFunction: String, CaseIterable, Hashable, Sendable {
  case negate = "-x"
  case add = "+"
  case subtract = "-"
  case multiply = "*"
  case divide = "/"
  case remainder = "%"
  case power = "^"
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="
  case equal = "=="
  case notEqual = "!="
  case abs, acos, asin, atan, atan2, ceil, clamp, cos, exp, floor
  case choose = "if"
  case log, max, min, mix, pow, round, sign, sin, sqrt, tan

  /// The functions that are called by a name.
  static let named = allCases.filter { $0.rawValue.first?.isLetter == true }

  /// Numbers that it takes.
  var operandCount: Int {
    switch self {
    case .negate, .abs, .acos, .asin, .atan, .ceil, .cos, .exp, .floor, .log, .round, .sign, .sin,
      .sqrt, .tan:
      1
    case .clamp, .choose, .mix: 3
    default: 2
    }
  }

  /// The result of `operandCount` operands; a comparison gives 1 or 0.
  func value(_ operands: ArraySlice<Double>) -> Double {
    let x = operands[operands.startIndex]
    let y = operands.count > 1 ? operands[operands.startIndex + 1] : 0
    let z = operands.count > 2 ? operands[operands.startIndex + 2] : 0
    return operandCount == 1 ? value(x) : operandCount == 2 ? value(x, y) : value(x, y, z)
  }

  private func value(_ x: Double) -> Double {
    switch self {
    case .negate: -x
    case .abs: Swift.abs(x)
    case .acos: Foundation.acos(x)
    case .asin: Foundation.asin(x)
    case .atan: Foundation.atan(x)
    case .ceil: x.rounded(.up)
    case .cos: Foundation.cos(x)
    case .exp: Foundation.exp(x)
    case .floor: x.rounded(.down)
    case .log: Foundation.log(x)
    case .round: x.rounded()
    case .sign: x > 0 ? 1 : x < 0 ? -1 : x
    case .sin: Foundation.sin(x)
    case .sqrt: x.squareRoot()
    default: Foundation.tan(x)
    }
  }

  private func value(_ x: Double, _ y: Double) -> Double {
    switch self {
    case .add: x + y
    case .subtract: x - y
    case .multiply: x * y
    case .divide: x / y
    case .remainder: x.truncatingRemainder(dividingBy: y)
    case .less: x < y ? 1 : 0
    case .lessOrEqual: x <= y ? 1 : 0
    case .greater: x > y ? 1 : 0
    case .greaterOrEqual: x >= y ? 1 : 0
    case .equal: x == y ? 1 : 0
    case .notEqual: x != y ? 1 : 0
    case .atan2: Foundation.atan2(x, y)
    case .max: Swift.max(x, y)
    case .min: Swift.min(x, y)
    default: Foundation.pow(x, y)
    }
  }

  private func value(_ x: Double, _ y: Double, _ z: Double) -> Double {
    switch self {
    case .clamp: Swift.min(Swift.max(x, y), z)
    case .mix: x + (y - x) * z
    default: x != 0 ? y : z
    }
  }
}
