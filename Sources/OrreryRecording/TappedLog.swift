// SPDX-License-Identifier: Apache-2.0

import Logging
import OrreryBase

/// Log messages on standard error, as `StandardErrorLog` writes them, and into a tap, from which they are recorded.
package struct TappedLog: LogHandler {
  package var metadata: Logger.Metadata = [:]
  package var logLevel: Logger.Level
  private let program: String
  private let tap: LogTap

  /// Sends this process's log to standard error and into a tap.
  ///
  /// Call it once, at the start of main. `ORRERY_LOG` sets the lowest level.
  ///
  /// - Parameter program: Prefix of every line on standard error.
  /// - Returns: The tap.
  package static func bootstrap(program: String) -> LogTap {
    let tap = LogTap()
    let level = Environment.value("ORRERY_LOG").flatMap { Logger.Level(rawValue: $0) } ?? .notice
    LoggingSystem.bootstrap { _ in TappedLog(logLevel: level, program: program, tap: tap) }
    return tap
  }

  private init(logLevel: Logger.Level, program: String, tap: LogTap) {
    (self.logLevel, self.program, self.tap) = (logLevel, program, tap)
  }

  package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  /// Writes one line.
  package func log(event: LogEvent) {
    Standard.error("\(program): \(event.level): \(event.message)\n")
    tap.add(LogTap.Line(level: event.level, text: "\(event.message)", timeNs: Clock.wallNs()))
  }
}
