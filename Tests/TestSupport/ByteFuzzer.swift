// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Files that are changed at random and read, as often as is wanted.
///
/// The number that the changes come from is printed first; a line says from time to time how many were read.
package struct ByteFuzzer {
  /// Numbers at which lengths go wrong.
  private static let numbers: [UInt64] = [
    0, 1, 0x7F, 0x80, 0xFF, 0xFFFF, 1 << 31, UInt64(UInt32.max), 1 << 32, 1 << 63, .max - 8, .max,
  ]

  private let name: String
  private let seeds: [[UInt8]]
  private var random: SeededRandom

  /// Makes a fuzzer of files that are whole; `name` is that of the test.
  package init(_ name: String, seeds: [[UInt8]]) {
    let seed = UInt64.random(in: 0...UInt64.max)
    Self.print("\(name): seed \(seed)")
    (self.name, self.seeds) = (name, seeds)
    random = SeededRandom(seed: seed)
  }

  /// Changes files and has them read.
  ///
  /// - Parameters:
  ///   - inputs: Number of changed files.
  ///   - readersEach: Number of readers in `read`, for the count of executions.
  ///   - read: Reads one.
  package mutating func run(inputs: Int, readersEach: Int, _ read: ([UInt8]) -> Void) {
    let start = ContinuousClock.now
    for number in 1...max(1, inputs) {
      read(mutated())
      if number % 100_000 == 0 || number == inputs {
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        Self.print(
          "\(name): \(number) inputs, \(number * readersEach) executions, "
            + "\(Int(Double(number * readersEach) / max(seconds, 1e-9))) a second")
      }
    }
  }

  /// At once, whatever ends the process next.
  private static func print(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
  }

  /// One of the files, changed in one to four places.
  private mutating func mutated() -> [UInt8] {
    var bytes = seeds[below(seeds.count)]
    for _ in 0...below(4) {
      guard bytes.count > 8 else { return bytes }
      let at = below(bytes.count)
      let count = min(1 + below(40), bytes.count - at)
      switch below(8) {
      case 0: bytes[at] ^= 1 << UInt8(below(8))
      case 1: bytes[at] = UInt8(below(256))
      case 2, 3:
        let number = Self.numbers[below(Self.numbers.count)]
        let size = [2, 4, 8][below(3)]
        for byte in 0..<min(size, bytes.count - at) {
          bytes[at + byte] = UInt8(truncatingIfNeeded: number >> (8 * UInt64(byte)))
        }
      case 4: bytes.removeSubrange(at..<at + count)
      case 5: bytes.insert(contentsOf: bytes[at..<at + count], at: at)
      case 6: bytes.removeSubrange(at...)
      default:
        let other = seeds[below(seeds.count)]
        let from = below(other.count)
        bytes.replaceSubrange(at..<at + count, with: other[from..<min(from + count, other.count)])
      }
    }
    return bytes
  }

  private mutating func below(_ count: Int) -> Int {
    Int((random.next() >> 32) * UInt64(count) >> 32)
  }
}
