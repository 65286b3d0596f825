// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// Times in seconds, as `0,2.5,86400` or `0, 2.5 86400`.
package struct SampleTimes: ExpressibleByArgument {
  /// The times in the order in which they were written.
  package let seconds: [Double]

  /// Reads numbers of seconds; nil if one is not a number or is out of range.
  package init?(argument: String) {
    let parts = argument.split(separator: ",", omittingEmptySubsequences: false)
    let times = parts.flatMap { part -> [Double?] in
      let words = part.split(separator: " ")
      return words.isEmpty ? [nil] : words.map { Double($0) }
    }
    // A tick number must fit in 62 bits at a billion ticks per second.
    guard !times.isEmpty, times.allSatisfy({ $0.map { $0 >= 0 && $0 <= 4e9 } ?? false }) else {
      return nil
    }
    seconds = times.compactMap { $0 }
  }
}
