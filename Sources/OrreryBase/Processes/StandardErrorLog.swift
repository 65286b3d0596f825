// SPDX-License-Identifier: Apache-2.0

import Glibc
import Logging

/// Log messages on standard error, one line each: `sim: info: renderer joined after frame 0`.
///
/// `ORRERY_LOG` sets the lowest level: trace, debug, info, notice (the default), warning, error or
/// critical. A tick logs nothing.
package struct StandardErrorLog: LogHandler {
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
  ///   - alsoTo: Gets each line's level and text too, on the thread that logs.
  package static func bootstrap(
    program: String, alsoTo: (@Sendable (Logger.Level, String) -> Void)? = nil
  ) {
    let level = getenv("ORRERY_LOG").flatMap { Logger.Level(rawValue: String(cString: $0)) }
    LoggingSystem.bootstrap { _ in
      StandardErrorLog(logLevel: level ?? .notice, program: program, alsoTo: alsoTo)
    }
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
    Standard.error("\(program): \(event.level): \(text)\n")
    alsoTo?(event.level, text)
  }
}
