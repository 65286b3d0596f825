// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryTrace
import Testing

/// A logger that is killed while it records.
enum KilledLogger {
  /// Records a run to `killed.mcap` and kills the logger; the sim goes on.
  ///
  /// - Parameters:
  ///   - delay: Microseconds from the file's first checkpoint to the kill: before it, readers that
  ///     begin at its end find no messages.
  ///   - place: Where.
  /// - Returns: The sim.
  /// - Throws: If a program cannot be started.
  static func record(forUs delay: UInt32, in place: Place) throws -> Program {
    let sim = try Program(
      "sim", ["stress", "--entities", "20000", "--run", "kill", "--wait-for", "1", "--json"],
      in: place)
    let logger = try Program(
      "logger", ["--run", "kill", "--out", "killed.mcap", "--chunk-size", "200KiB"], in: place)
    let path = place.files + "/killed.mcap"
    logger.wait(for: "the first checkpoint") {
      guard let file = try? TraceArchiveFile(path: path) else { return false }
      return file.hasSummary && file.statistics.messageCount > 0
    }
    usleep(delay)
    logger.signal(SIGKILL)
    #expect(logger.wait() == 128 + SIGKILL)
    return sim
  }
}
