// SPDX-License-Identifier: Apache-2.0

import Glibc
import Logging

/// A line of a program's log, for programs: docs/schemas/log.schema.json.
package struct LogReport: Codable, Equatable, Sendable {
  /// The document's kind and version.
  package static let schema = "orrery.log.v1"

  /// When it was written, by the wall clock: RFC 3339 in UTC with nanoseconds.
  package let time: String
  /// How serious it is, as swift-log names it.
  package let level: String
  /// Who logs.
  package let program: String
  /// Its process.
  package let processID: Int32
  /// What happened, in words.
  package let text: String
  /// The run's name; nil before there is one.
  package let run: String?
  /// The run's generation, in sixteen hexadecimal digits as in replies; nil before the run is there.
  package let generation: String?
  /// Which shard's program this is, as `0/4`; nil of a whole run.
  package let shard: String?

  /// A line of this process.
  ///
  /// - Parameters:
  ///   - level: How serious it is.
  ///   - program: Who logs.
  ///   - text: What happened.
  ///   - run: The run's name, or that of its shard.
  ///   - generation: The run's; 0 while it is not known.
  ///   - timeNs: Nanoseconds since 1970.
  package init(
    _ level: Logger.Level, program: String, text: String, run: String?, generation: UInt64,
    timeNs: UInt64
  ) {
    let fraction = "\(timeNs % 1_000_000_000)"
    let zeros = String(repeating: "0", count: 9 - fraction.utf8.count)
    time =
      (Clock.utcText(seconds: timeNs / 1_000_000_000, "%FT%T") ?? "") + ".\(zeros)\(fraction)Z"
    (self.level, self.program, self.text) = (level.rawValue, program, text)
    processID = getpid()
    let part = run.flatMap { Shard.parse(run: $0) }
    self.run = part?.name ?? run
    shard = part?.shard.description
    self.generation = generation == 0 ? nil : hexadecimal(generation)
  }

  /// Its line of JSON, without the end.
  package var line: String { ReportLine.encode(self, schema: Self.schema) }
}
