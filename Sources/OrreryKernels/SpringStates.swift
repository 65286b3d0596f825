// SPDX-License-Identifier: Apache-2.0

import CKernelTable

/// Computes exact states of springs, eight at a time: displacement, and its change in the next tick.
///
///     e = 2^(-decay·t),  c = cos(turn·t),  s = sin(turn·t)        if the spring swings
///                        c = 1,            s = 1 - 2^(turn·t)     if it is overdamped
///     displacement = distance · e·(c + lag·s)
///     change       = distance · e·(drop·c + pull·s)
///
/// In `Double`, within 10^-10 of the distance before the results are rounded to floats; products and sums
/// only, each rounded once. No term cancels another for overdamped springs, however close to critical.
/// Bound by arithmetic.
func computeSpringStates(count: UInt32, _ states: UnsafeMutablePointer<kernel_spring_states>) {
  let ticks = wides(kernel_spring_states_ticks(states))
  let turns = wides(kernel_spring_states_turn(states))
  let decays = halves(kernel_spring_states_decay(states))
  let lags = halves(kernel_spring_states_lag(states))
  let drops = halves(kernel_spring_states_drop(states))
  let pulls = halves(kernel_spring_states_pull(states))
  let displacements = halves(kernel_spring_states_displacement(states))
  let changes = halves(kernel_spring_states_change(states))
  for i in 0..<((Int(count) + 7) / 8) {
    let (time, turn) = (ticks[i], turns[i])
    let signs = unsafeBitCast(turn, to: WideWords.self)
    let envelope = powerOf2(kernel_wide(decays[i]) * time)
    let e = envelope.power + envelope.remainder
    var (c, s) = cosineAndSine(kernel_wide_choice(signs, turn, Wide(repeating: 0)) * time)
    if kernel_wide_any(signs) != 0 {
      let fast = powerOf2(kernel_wide_choice(signs, Wide(repeating: 0), Wide() - turn) * time)
      s = kernel_wide_choice(signs, s, (Wide(repeating: 1) - fast.power) - fast.remainder)
      c = kernel_wide_choice(signs, c, Wide(repeating: 1))
    }
    let distance = kernel_wide(displacements[i])
    displacements[i] = kernel_narrow(distance * (e * (c + kernel_wide(lags[i]) * s)))
    changes[i] = kernel_narrow(
      distance * (e * (kernel_wide(drops[i]) * c + kernel_wide(pulls[i]) * s)))
  }
}

/// 2^-x for x >= 0; practically 0 beyond 1000.
///
/// - Returns: A power of two, and the result minus that power, which keeps all its digits for x near 0.
@inline(__always)
private func powerOf2(_ x: Wide) -> (power: Wide, remainder: Wide) {
  let limit = Wide(repeating: 1000)
  let x = kernel_wide_choice(unsafeBitCast(limit - x, to: WideWords.self), x, limit)
  // The sum's last bits are those of the nearest whole number.
  let shifter = Wide(repeating: 0x1.8p52)
  let shifted = shifter - x
  let exponent = unsafeBitCast(shifted, to: WideWords.self) &+ 1023
  let power = unsafeBitCast(exponent &<< 52, to: Wide.self)
  let z = ((shifter - shifted) - x) * Wide(repeating: 0x1.62e42fefa39efp-1)
  var sum = Wide(repeating: 1 / 3_628_800)
  sum = Wide(repeating: 1 / 362_880) + z * sum
  sum = Wide(repeating: 1 / 40_320) + z * sum
  sum = Wide(repeating: 1 / 5_040) + z * sum
  sum = Wide(repeating: 1 / 720) + z * sum
  sum = Wide(repeating: 1 / 120) + z * sum
  sum = Wide(repeating: 1 / 24) + z * sum
  sum = Wide(repeating: 1 / 6) + z * sum
  sum = Wide(repeating: 1 / 2) + z * sum
  return (power, power * (z + z * z * sum))
}

/// Cosine and sine of angles in quarter turns, 0 or more; beyond 2^50 those of 0.
@inline(__always)
private func cosineAndSine(_ quarters: Wide) -> (Wide, Wide) {
  let limit = Wide(repeating: 0x1p50)
  let x = kernel_wide_choice(
    unsafeBitCast(limit - quarters, to: WideWords.self), quarters, Wide(repeating: 0))
  let shifter = Wide(repeating: 0x1.8p52)
  let shifted = shifter + x
  let quarter = unsafeBitCast(shifted, to: WideWords.self)
  let u = (x - (shifted - shifter)) * Wide(repeating: 0x1.921fb54442d18p+0)
  let z = u * u
  var sine = Wide(repeating: 1 / 39_916_800)
  sine = Wide(repeating: 1 / 362_880) - z * sine
  sine = Wide(repeating: 1 / 5_040) - z * sine
  sine = Wide(repeating: 1 / 120) - z * sine
  sine = Wide(repeating: 1 / 6) - z * sine
  sine = u - u * z * sine
  var cosine = Wide(repeating: 1 / 479_001_600)
  cosine = Wide(repeating: 1 / 3_628_800) - z * cosine
  cosine = Wide(repeating: 1 / 40_320) - z * cosine
  cosine = Wide(repeating: 1 / 720) - z * cosine
  cosine = Wide(repeating: 1 / 24) - z * cosine
  cosine = Wide(repeating: 1) - (z * Wide(repeating: 0.5) - z * z * cosine)
  // Odd quarters exchange the two. The cosine changes sign in the second and third quarter, the sine in
  // the third and fourth.
  let isOdd = quarter &<< 63
  return (
    signed(kernel_wide_choice(isOdd, cosine, sine), (quarter &+ 1) &<< 62),
    signed(kernel_wide_choice(isOdd, sine, cosine), quarter &<< 62)
  )
}

/// Changes the sign of each number where the uppermost bit of `sign` is set.
@inline(__always)
private func signed(_ values: Wide, _ sign: WideWords) -> Wide {
  unsafeBitCast(unsafeBitCast(values, to: WideWords.self) ^ (sign & 1 &<< 63), to: Wide.self)
}
