// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The system calls that a program makes, as strace counts them: each kind by itself, in each thread.
struct SystemCalls {
  /// One call of a run.
  struct Point: CustomStringConvertible {
    let call: String

    /// Which of the calls of its kind in a thread, from 1.
    let number: Int

    var description: String { "\(call) \(number)" }
  }

  /// Most calls of a kind that a thread made.
  private let counts: [String: Int]

  /// Reads what strace wrote with `-f`.
  init(_ text: String) {
    var ofThread: [Substring: [String: Int]] = [:]
    for line in text.split(separator: "\n") {
      // The thread's number is padded.
      let words = line[..<(line.firstIndex(of: "(") ?? line.startIndex)].split(separator: " ")
      guard words.count == 2 else { continue }
      let call = String(words[1])
      guard call.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }) else { continue }
      ofThread[words[0], default: [:]][call, default: 0] += 1
    }
    var counts: [String: Int] = [:]
    for calls in ofThread.values { counts.merge(calls) { max($0, $1) } }
    // The first is strace's own, and the last has no return.
    for call in ["execve", "exit", "exit_group"] { counts[call] = nil }
    self.counts = counts
  }

  /// So many points from all over the run, of these kinds or of all, none twice before all were taken.
  func points(_ count: Int, of calls: [String]? = nil, seed: UInt64) -> [Point] {
    var random = SeededRandom(seed: seed)
    let all = counts.filter { calls?.contains($0.key) ?? true }.sorted { $0.key < $1.key }
      .flatMap { call, most in (1...most).map { Point(call: call, number: $0) } }
    guard !all.isEmpty else { return [] }
    var points: [Point] = []
    while points.count < count { points += all.shuffled(using: &random) }
    return Array(points.prefix(count))
  }

  /// How many points there are.
  var pointCount: Int { counts.values.reduce(0, +) }
}

extension Faults {
  /// strace, which makes faults; every test that needs it is skipped without it.
  static let strace: String? = ["/usr/bin/strace", "/bin/strace"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  /// Starts a program under strace, which does this at the point: `signal=KILL` or `error=EINTR`.
  static func start(
    _ program: String, _ arguments: [String], fault: String, at point: SystemCalls.Point,
    in place: Place
  ) throws -> Program {
    try Program(
      try #require(strace),
      [
        "-f", "-qq", "-o", "/dev/null", "-e",
        "inject=\(point.call):\(fault):when=\(point.number)", Program.directory + "/" + program,
      ] + arguments, in: place)
  }

  /// Lists the calls of a sim, or of the logger that follows it.
  static func systemCalls(
    of program: String, sim simArguments: [String], logger loggerArguments: [String]
  ) throws -> SystemCalls {
    let place = try Place()
    func words(_ name: String, _ arguments: [String]) throws -> (String, [String]) {
      guard name == program else { return (name, arguments) }
      return (
        try #require(strace),
        ["-f", "-qq", "-o", place.files + "/calls", Program.directory + "/" + name] + arguments
      )
    }
    let (sim, simWords) = try words("sim", simArguments)
    let (logger, loggerWords) = try words("logger", loggerArguments)
    let programs = [
      try Program(sim, simWords, in: place), try Program(logger, loggerWords, in: place),
    ]
    for program in programs { #expect(program.wait() == 0, "\(program.errorText)") }
    return SystemCalls(try String(contentsOfFile: place.files + "/calls", encoding: .utf8))
  }
}
