// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrreryBase

/// Measures the stages of Orrery on this machine.
package struct BenchCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "bench",
    abstract: "Measure what ticks and pictures cost on this machine.",
    discussion: """
      Examples: bench tick --entities 10000,1000000    bench draw    bench transport
      Rounds of all rows are interleaved, so that a noisy machine hits all alike; the fastest round and
      the median are printed. A debug build refuses to measure.
      """,
    subcommands: [
      TickBench.self, KernelBench.self, DrawBench.self, TransportBench.self,
      SubscriberBench.self, TransportPart.self, SubscriberPart.self,
    ],
    defaultSubcommand: TickBench.self)

  package init() {}
}

/// Time of one unit of work in each round, in nanoseconds.
package struct Rounds {
  /// Creates a list without rounds.
  package init() {}

  /// Times in the order of the rounds.
  package private(set) var all: [Double] = []

  /// Adds a round.
  package mutating func add(_ ns: Double) { all.append(ns) }

  /// Count of rounds.
  package var count: Int { all.count }

  /// Time of the fastest round; 0 without rounds.
  package var min: Double { all.min() ?? 0 }

  /// The median, of an even count the upper of the two in the middle; 0 without rounds.
  package var median: Double { sorted(at: 0.5) }

  /// From the lower to the upper quartile, as a fraction of the median.
  package var spread: Double { median > 0 ? (sorted(at: 0.75) - sorted(at: 0.25)) / median : 0 }

  private func sorted(at part: Double) -> Double {
    all.isEmpty ? 0 : all.sorted()[Int(Double(all.count - 1) * part + 0.5)]
  }
}

/// Refuses a debug build: it would measure unoptimized code.
func refuseDebugBuild() throws(Failure) {
  var isDebug = false
  assert(
    {
      isDebug = true
      return true
    }())
  if isDebug {
    throw Failure(.usage, "this is a debug build; measure with: swift build -c release")
  }
}

/// Whole numbers separated by commas.
package struct NumberList: ExpressibleByArgument {
  /// The numbers in their order.
  package let numbers: [Int]

  /// As typed on the command line.
  package var defaultValueDescription: String { numbers.map(String.init).joined(separator: ",") }

  /// Reads a word of the command line; nil if a part is not a number above 0.
  package init?(argument: String) {
    let parts = argument.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
    guard !parts.isEmpty, parts.allSatisfy({ $0.map { $0 > 0 } ?? false }) else { return nil }
    numbers = parts.compactMap { $0 }
  }

  /// Creates a list of these numbers.
  package init(_ numbers: [Int]) { self.numbers = numbers }
}
