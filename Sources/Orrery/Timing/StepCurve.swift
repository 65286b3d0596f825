// SPDX-License-Identifier: Apache-2.0

/// Equal steps, or their inverse.
///
/// Arguments are in [0, 1]. Step k begins at input k/count and has the output (k + s)/jumps, where
/// s is 1 if there is a jump at the very start, and jumps is the number of all jumps. The inverse
/// of an output y is the least input whose output is at least y: k/count for the least k with
/// (k + s)/jumps >= y.
struct StepCurve: Hashable, Sendable {
  let count: Int
  let jump: StepJump
  let isInverse: Bool

  var inverse: StepCurve { StepCurve(count: count, jump: jump, isInverse: !isInverse) }

  func value(at x: Double) -> Double {
    guard !x.isNaN else { return x }
    let count = Double(count)
    let jumps = jump.jumpCount(self.count)
    let first: Double = jump.jumpsAtStart ? 1 : 0
    if isInverse {
      // The last step of jumpEnd and jumpBoth begins at input 1.
      var step = (x * jumps).rounded(.up)
      if (step - 1) / jumps >= x { step -= 1 }
      if step / jumps < x { step += 1 }
      return Swift.max(0, step - first) / count
    }
    // The rounded product may fall on the wrong side of the boundary, which the quotient defines.
    var step = (x * count).rounded(.down)
    if (step + 1) / count <= x { step += 1 }
    if step / count > x { step -= 1 }
    return Swift.min(step + first, jumps) / jumps
  }
}
