// SPDX-License-Identifier: Apache-2.0

import Glibc
import Logging

/// How a program's log is written on standard error.
package enum LogFormat: String, CaseIterable, Sendable {
  /// One line each, for people: `sim: info: renderer joined after frame 0`.
  case text
  /// One `LogReport` each.
  case json
}

/// Log messages on standard error, one line each, as text or as JSON.
///
/// `ORRERY_LOG` sets the lowest level: trace, debug, info, notice (the default), warning, error or
/// critical. A tick logs nothing.
package struct StandardErrorLog: LogHandler {
  /// What every line says of this process.
  private struct Origin {
    var format = LogFormat.text
    var program: String?
    var run: String?
    var generation: UInt64 = 0
  }

  private static let origin = Monitor(Origin())

  package var metadata: Logger.Metadata = [:]
  package var logLevel: Logger.Level
  private let program: String
  private let alsoTo: (@Sendable (Logger.Level, String) -> Void)?

  /// Sends this process's log to standard error.
  ///
  /// Call it once, at the start of main.
  ///
  /// - Parameters:
  ///   - program: Prefix of every line.
  ///   - format: How lines are written.
  ///   - alsoTo: Gets each line's level and text too, on the thread that logs.
  package static func bootstrap(
    program: String, format: LogFormat = .text,
    alsoTo: (@Sendable (Logger.Level, String) -> Void)? = nil
  ) {
    origin.change { ($0.format, $0.program) = (format, program) }
    let level = getenv("ORRERY_LOG").flatMap { Logger.Level(rawValue: String(cString: $0)) }
    LoggingSystem.bootstrap { _ in
      StandardErrorLog(logLevel: level ?? .notice, program: program, alsoTo: alsoTo)
    }
  }

  /// Names the run that this process works for, in lines from now on.
  ///
  /// - Parameters:
  ///   - run: Its name, or that of its shard.
  ///   - generation: Its generation; 0 while it is not known.
  package static func name(run: String, generation: UInt64 = 0) {
    origin.change { ($0.run, $0.generation) = (run, generation) }
  }

  /// Says something whatever the lowest level is.
  ///
  /// - Parameters:
  ///   - text: What happened.
  ///   - program: Who says it; in JSON, the program of `bootstrap`.
  ///   - level: How serious it is; for JSON.
  package static func say(_ text: String, by program: String, _ level: Logger.Level = .error) {
    Standard.error(line(level, text, by: program, forPeople: "\(program): \(text)") + "\n")
  }

  /// A line as the log's format has it, without its end.
  ///
  /// - Parameters:
  ///   - level: How serious it is.
  ///   - text: What happened.
  ///   - program: Who says it where `bootstrap` was not called.
  ///   - line: The line of text.
  /// - Returns: The line, or its object of JSON.
  package static func line(
    _ level: Logger.Level, _ text: String, by program: String, forPeople line: String
  ) -> String {
    let origin = origin.read { $0 }
    guard origin.format == .json else { return line }
    return LogReport(
      level, program: origin.program ?? program, text: text, run: origin.run,
      generation: origin.generation, timeNs: Clock.wallNs()
    ).line
  }

  private init(
    logLevel: Logger.Level, program: String, alsoTo: (@Sendable (Logger.Level, String) -> Void)?
  ) {
    (self.logLevel, self.program, self.alsoTo) = (logLevel, program, alsoTo)
  }

  package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  /// Writes one line.
  package func log(event: LogEvent) {
    let text = "\(event.message)"
    let line = Self.line(
      event.level, text, by: program, forPeople: "\(program): \(event.level): \(text)")
    Standard.error(line + "\n")
    alsoTo?(event.level, text)
  }
}
