// SPDX-License-Identifier: Apache-2.0

import Glibc
import Logging

/// Log messages on standard error, one line each: `sim: info: renderer joined after frame 0`.
///
/// `ORRERY_LOG` says from which level on: trace, debug, info, notice (the default), warning, error or
/// critical. Nothing on the way of a tick logs.
package struct StandardErrorLog: LogHandler {
  package var metadata: Logger.Metadata = [:]
  package var logLevel: Logger.Level
  private let program: String

  /// Sends this process's log to standard error.
  ///
  /// To be called once, first thing in main.
  ///
  /// - Parameter program: What lines begin with.
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
