// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestSupport
import Testing

/// What the tests of docs/explained/reliability.md's catalogue share.
///
/// Each is named after its row. Times are measured and printed, never asserted. More points and longer stops with
/// `ORRERY_TEST_EFFORT=n`.
enum Faults {
  /// A sim of a few hundred entities, with ticks a millisecond apart.
  static func simArguments(_ run: String, ticks: Int) -> [String] {
    ["stress", "--entities", "300", "--rate", "1000", "--run", run, "--ticks", "\(ticks)"]
  }

  /// Where this run's random moments and points come from; `ORRERY_SEED` repeats one.
  static let seed =
    ProcessInfo.processInfo.environment["ORRERY_SEED"].flatMap(UInt64.init)
    ?? UInt64.random(in: 1...1_000_000)

  /// Prints a figure for docs/explained/reliability.md.
  static func figure(_ row: Int, _ text: String) {
    print("fault \(row < 10 ? "0" : "")\(row): \(text)")
  }

  /// Seconds that something took.
  static func seconds(_ body: () throws -> Void) rethrows -> Double {
    let began = DispatchTime.now().uptimeNanoseconds
    try body()
    return Double(DispatchTime.now().uptimeNanoseconds - began) / 1e9
  }

  /// published == received + missed, exactly.
  @discardableResult
  static func checkAccount(_ program: Program, _ comment: Comment = "") throws -> [String: Any] {
    let found = try report("orrery.subscriber.v2", in: program.text)
    let published = try #require(number("published", in: found))
    let received = try #require(number("received", in: found))
    let missed = try #require(number("missed", in: found))
    #expect(published == received + missed, comment)
    return found
  }
}

/// What the kernel says of a process.
struct ProcessFigures {
  /// Physical memory, bytes.
  let residentBytes: Int

  /// Time on a processor, seconds.
  let processorSeconds: Double

  let descriptorCount: Int

  init(_ processID: pid_t) throws {
    let status = try String(contentsOfFile: "/proc/\(processID)/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
    let words = line?.split(whereSeparator: \.isWhitespace) ?? []
    residentBytes = (words.count > 1 ? Int(words[1]) ?? 0 : 0) * 1024
    let stat = try String(contentsOfFile: "/proc/\(processID)/stat", encoding: .utf8)
    let fields = stat[(stat.lastIndex(of: ")") ?? stat.startIndex)...].split(separator: " ")
    // After the name: state is field 3, utime 14 and stime 15.
    let ticks = [12, 13].reduce(0) { $0 + (fields.count > $1 ? Int(fields[$1]) ?? 0 : 0) }
    processorSeconds = Double(ticks) / Double(sysconf(Int32(_SC_CLK_TCK)))
    descriptorCount = try FileManager.default.contentsOfDirectory(
      atPath: "/proc/\(processID)/fd"
    ).count
  }
}
