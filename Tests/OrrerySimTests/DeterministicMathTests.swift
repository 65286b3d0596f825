// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrrerySim
import TestSupport
import Testing

/// Goal: our own exponential, sine and cosine are as exact as those of a good C library.
///
/// Method: random arguments of every magnitude against Foundation, whose own error is below 1 ulp: 4 ulp
/// apart at most. A few results are pinned, bit by bit: they may not differ from machine to machine.
@Suite struct DeterministicMathTests {
  /// Distance in units of the last place of the second number.
  private func ulps(_ a: Double, _ b: Double) -> Double {
    a == b ? 0 : abs(a - b) / max(b.ulp, .leastNormalMagnitude)
  }

  @Test(arguments: [1e-9, 1e-3, 0.1, 1, 30, 700])
  func exponentialsAreWithin4Ulp(magnitude: Double) {
    var random = SeededRandom(seed: 1)
    var worst = 0.0
    for _ in 0..<20_000 {
      let x = random.number(in: -magnitude...magnitude)
      worst = max(worst, ulps(DeterministicMath.exp(x), exp(x)))
      worst = max(worst, ulps(DeterministicMath.expm1(x), expm1(x)))
    }
    #expect(worst <= 4, "\(worst) ulp")
  }

  @Test(arguments: [1e-9, 1e-3, 0.7, 3, 100, 1e5, 1e9, 1e14])
  func sinesAreWithin4Ulp(magnitude: Double) {
    var random = SeededRandom(seed: 2)
    var worst = 0.0
    for _ in 0..<20_000 {
      let x = random.number(in: -magnitude...magnitude)
      let found = DeterministicMath.cosineAndSine(x)
      worst = max(worst, ulps(found.cosine, cos(x)), ulps(found.sine, sin(x)))
    }
    #expect(worst <= 4, "\(worst) ulp")
  }

  /// Near multiples of a quarter turn the result is small, and every digit of it comes from the reduction.
  @Test func quartersOfATurnLoseNoDigits() {
    for quarter in 1...10_000 {
      let x = Double(quarter) * .pi / 2
      let found = DeterministicMath.cosineAndSine(x)
      #expect(ulps(found.cosine, cos(x)) <= 4, "\(quarter)")
      #expect(ulps(found.sine, sin(x)) <= 4, "\(quarter)")
    }
  }

  @Test func limitsAreMet() {
    #expect(DeterministicMath.exp(0) == 1)
    #expect(DeterministicMath.expm1(0) == 0)
    #expect(DeterministicMath.exp(-.infinity) == 0)
    #expect(DeterministicMath.exp(.infinity) == .infinity)
    #expect(DeterministicMath.exp(.nan).isNaN)
    #expect(DeterministicMath.expm1(.nan).isNaN)
    #expect(DeterministicMath.exp(-745) == exp(-745))
    #expect(DeterministicMath.exp(-800) == 0)
    #expect(DeterministicMath.expm1(-800) == -1)
    #expect(DeterministicMath.cosineAndSine(0) == (1, 0))
    #expect(DeterministicMath.cosineAndSine(1e300) == (1, 0))
    #expect(DeterministicMath.cosineAndSine(0x1p50) == (1, 0))
    #expect(DeterministicMath.cosineAndSine(-0x1p50) == (1, 0))
    let large = DeterministicMath.cosineAndSine(0x1p50.nextDown)
    #expect(abs(large.cosine - cos(0x1p50.nextDown)) < 1e-12)
    #expect(abs(large.sine - sin(0x1p50.nextDown)) < 1e-12)
    #expect(ulps(DeterministicMath.exp(709), exp(709)) <= 4)
    #expect(DeterministicMath.exp(711) == .infinity)
    #expect(DeterministicMath.cosineAndSine(.infinity).sine.isNaN)
  }

  @Test func bitsArePinned() {
    let arguments = [-20.5, -1.0, -0.1, 0.3, 2, 1000]
    let exponentials = arguments.map { DeterministicMath.exp($0).bitPattern }
    let sines = arguments.map { DeterministicMath.cosineAndSine($0).sine.bitPattern }
    let cosines = arguments.map { DeterministicMath.cosineAndSine($0).cosine.bitPattern }
    #expect(
      exponentials == [
        0x3e15_7a3a_feed_00ac, 0x3fd7_8b56_362c_ef38, 0x3fec_f46d_99d5_2b3a,
        0x3ff5_9905_8c8c_1a96, 0x401d_8e64_b8d4_ddae, 0x7ff0_0000_0000_0000,
      ])
    #expect(
      sines == [
        0xbfef_e607_98c3_6321, 0xbfea_ed54_8f09_0cee, 0xbfb9_8eae_cb8b_cb2c,
        0x3fd2_e9cd_95ba_ba33, 0x3fed_18f6_ead1_b446, 0x3fea_75cc_150a_206c,
      ])
    #expect(
      cosines == [
        0xbfb4_5e47_276a_17c7, 0x3fe1_4a28_0fb5_068c, 0x3fef_d712_f9a8_17c0,
        0x3fee_921d_d42f_09ba, 0xbfda_a226_5753_7205, 0x3fe1_ff02_6793_f1bb,
      ])
  }
}
