// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrreryCommandLine
import Testing

/// Goal: help and error of an option say one range, as it is typed.
///
/// Method: ranges of whole and other numbers, and values at and beyond their ends.
@Suite struct OptionRangeTests {
  @Test func rangeIsSaidAsItIsTyped() {
    #expect("\(OptionRange(0...86_400.0))" == "0 to 86400")
    #expect("\(OptionRange(0.01...100))" == "0.01 to 100")
    #expect("\(OptionRange(0...4e9))" == "0 to 4000000000")
    #expect("\(OptionRange<UInt64>(2...65_536))" == "2 to 65536")
    #expect("\(OptionRange(above: 0, to: 60.5))" == "more than 0 and at most 60.5")
  }

  @Test(arguments: [nil, 0.5, 1, 3600])
  func valueInRangeIsTaken(seconds: Double?) throws {
    try OptionRange(0.5...3600).check("--seconds", seconds)
    try OptionRange(above: 0.25, to: 3600).check("--seconds", seconds)
  }

  @Test(arguments: [0.49, -1, 3600.5, Double.nan, Double.infinity])
  func otherValueIsRefusedWithTheRange(seconds: Double) {
    let error = #expect(throws: ValidationError.self) {
      try OptionRange(0.5...3600, "seconds").check("--wait", seconds)
    }
    #expect(error?.message == "--wait \(seconds): use 0.5 to 3600 seconds")
  }

  @Test(arguments: [0, -0.5, 60.5, Double.nan])
  func valueAtTheLowerEndCanBeRefused(seconds: Double) {
    let error = #expect(throws: ValidationError.self) {
      try OptionRange(above: 0, to: 60).check("--seconds", seconds)
    }
    #expect(error?.message == "--seconds \(seconds): use more than 0 and at most 60")
  }
}
