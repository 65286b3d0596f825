// SPDX-License-Identifier: Apache-2.0

import CKernelTable
import Orrery
import OrrerySim
import Testing

/// Goal: the numbers that kernels are given of a spring are those of the exact solution.
///
/// Method: displacements of the library's springs at whole ticks obey the recurrence of `stiffness` and
/// `damping`; states computed from the other numbers are where the library is, alike on every set.
@Suite struct SpringCoefficientsTests {
  private static let springs: [Spring] = [0.01, 0.05, 0.3, 1, 7, 60].flatMap { response in
    [0, 0.001, 0.2, 0.7, 0.999_999_999, 1, 1.000_000_001, 1.001, 2, 30].map {
      Spring(response: response, dampingRatio: $0)
    }
  }

  private static func displacement(_ spring: Spring, ticks: Double) -> Double {
    spring.value(fromValue: 1.0, toValue: 0, initialVelocity: 0, time: ticks / 60)
  }

  /// change(n+1) = change(n) - stiffness · displacement(n+1) - damping · change(n).
  @Test func exactMotionObeysTheSteps() {
    for spring in Self.springs {
      let coefficients = SpringCoefficients(spring, tickSeconds: 1 / 60)
      let d = (0..<3).map { Self.displacement(spring, ticks: Double($0)) }
      let (change, next) = (d[1] - d[0], d[2] - d[1])
      let (stiffness, damping) = (Double(coefficients.stiffness), Double(coefficients.damping))
      let expected = change - (stiffness * d[1] + damping * change)
      let size = abs(stiffness * d[1]) + abs(damping * change) + 1e-9
      #expect(abs(next - expected) <= 2e-7 * size, "\(spring): \(next), \(expected)")
    }
  }

  @Test func statesAreWhereTheLibraryIs() {
    let times: [Double] = [0, 0.001, 0.5, 1, 2.25, 17.5, 100, 256, 1_000.125, 1e5]
    for set in InstructionSet.supported {
      let states = kernel_states(kernel_own_spring_scratch())
      for spring in Self.springs {
        let coefficients = SpringCoefficients(spring, tickSeconds: 1 / 60)
        for (index, time) in times.enumerated() {
          kernel_spring_states_ticks(states)[index] = time
          kernel_spring_states_turn(states)[index] = coefficients.turn
          kernel_spring_states_decay(states)[index] = coefficients.decay
          kernel_spring_states_lag(states)[index] = coefficients.lag
          kernel_spring_states_drop(states)[index] = coefficients.drop
          kernel_spring_states_pull(states)[index] = coefficients.pull
          kernel_spring_states_displacement(states)[index] = -3
        }
        set.kernels().spring_states(UInt32(times.count), states)
        for (index, time) in times.enumerated() {
          let expected = -3 * Self.displacement(spring, ticks: time)
          let change = -3 * Self.displacement(spring, ticks: time + 1) - expected
          let found = Double(kernel_spring_states_displacement(states)[index])
          let foundChange = Double(kernel_spring_states_change(states)[index])
          #expect(abs(found - expected) <= 1e-6, "\(spring), \(time): \(found), \(expected)")
          #expect(
            abs(foundChange - change) <= 4e-7
              * max(abs(change), Double(coefficients.stiffness).squareRoot()),
            "\(spring), \(time): \(foundChange), \(change)")
        }
      }
    }
  }

  @Test func statesHaveTheSameBitsOnEverySet() {
    let states = kernel_states(kernel_own_spring_scratch())
    let bits = InstructionSet.supported.map { set in
      var bits: [UInt32] = []
      for (number, spring) in Self.springs.enumerated() {
        let coefficients = SpringCoefficients(spring, tickSeconds: 1 / 60)
        for index in 0..<100 {
          kernel_spring_states_ticks(states)[index] = Double(index * index) / Double(3 + number)
          kernel_spring_states_turn(states)[index] = coefficients.turn
          kernel_spring_states_decay(states)[index] = coefficients.decay
          kernel_spring_states_lag(states)[index] = coefficients.lag
          kernel_spring_states_drop(states)[index] = coefficients.drop
          kernel_spring_states_pull(states)[index] = coefficients.pull
          kernel_spring_states_displacement(states)[index] = 100
        }
        set.kernels().spring_states(100, states)
        for index in 0..<100 {
          bits.append(kernel_spring_states_displacement(states)[index].bitPattern)
          bits.append(kernel_spring_states_change(states)[index].bitPattern)
        }
      }
      return bits
    }
    #expect(bits.allSatisfy { $0 == bits[0] })
  }

  /// A spring that takes longer than any run to begin, or whose damping has no end, stays where it is.
  @Test func springsThatNeverMoveStay() {
    for (response, ratio) in [(1e300, 0.5), (.infinity, 1), (1, .infinity)] as [(Double, Double)] {
      let coefficients = SpringCoefficients(
        Spring(response: response, dampingRatio: ratio), tickSeconds: 1 / 60)
      #expect(coefficients.turn == 0, "\(response), \(ratio)")
      let numbers = [
        coefficients.decay, coefficients.lag, coefficients.drop, coefficients.pull,
        coefficients.stiffness, coefficients.damping,
      ]
      #expect(numbers.allSatisfy { $0 == 0 }, "\(response), \(ratio): \(coefficients)")
    }
  }

  /// What no scene has: no time to swing, all the time, and no end.
  @Test func springsWithoutMeasureAreFinite() {
    for response in [0, 1e-300, 1e-9, 1e300, .infinity] {
      for ratio in [0, 1e-300, 1, 1e300, .infinity] {
        let coefficients = SpringCoefficients(
          Spring(response: response, dampingRatio: ratio), tickSeconds: 1 / 60)
        let numbers = [
          coefficients.decay, coefficients.lag, coefficients.drop, coefficients.pull,
          coefficients.stiffness, coefficients.damping, Float(coefficients.row.overshoot),
        ]
        #expect(numbers.allSatisfy { $0.isFinite }, "\(response), \(ratio): \(coefficients)")
      }
    }
  }
}
