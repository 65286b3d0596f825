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

  /// Sends this process's log to standard error.
  ///
  /// Call it once, at the start of main.
  ///
  /// - Parameter program: Prefix of every line.
  package static func bootstrap(program: String) {
    let level = getenv("ORRERY_LOG").flatMap { Logger.Level(rawValue: String(cString: $0)) }
    LoggingSystem.bootstrap { _ in
      StandardErrorLog(logLevel: level ?? .notice, program: program)
    }
  }

  private init(logLevel: Logger.Level, program: String) {
    self.logLevel = logLevel
    self.program = program
  }

  package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  /// Writes one line.
  package func log(event: LogEvent) {
    Standard.error("\(program): \(event.level): \(event.message)\n")
  }
}
