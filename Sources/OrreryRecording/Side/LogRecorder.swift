// SPDX-License-Identifier: Apache-2.0

import Logging
import OrreryBase
import OrreryMessages
import OrreryTrace
import OrreryViewers

/// Records lines of text as `foxglove.Log`s, on the topic `/orrery/log`: the program's log, and what the recorder
/// itself has to report.
final class LogRecorder {
  private let sink: any TraceSink
  private let channel: TraceChannelID
  private let program: String
  private let tap: LogTap?

  /// Adds the channel.
  init(_ sink: any TraceSink, program: String, tap: LogTap?) throws(TraceError) {
    (self.sink, self.program, self.tap) = (sink, program, tap)
    channel = try sink.addChannel(.log)
    tap?.open()
  }

  /// Writes the lines that have come.
  func record(nowNs: UInt64) throws(TraceError) {
    guard let (lines, droppedCount) = tap?.take() else { return }
    for line in lines { try write(line, nowNs: nowNs) }
    if droppedCount > 0 {
      try write(.warning, "\(droppedCount) lines of the log are missing here", nowNs: nowNs)
    }
  }

  /// Writes a line of the recorder's own.
  func write(_ level: Logger.Level, _ text: String, nowNs: UInt64) throws(TraceError) {
    try write(LogTap.Line(level: level, text: text, timeNs: nowNs), nowNs: nowNs)
  }

  private func write(_ line: LogTap.Line, nowNs: UInt64) throws(TraceError) {
    try sink.write(
      TraceMessageHead(channel, logTimeNs: nowNs), bytes: line.message(of: program))
  }
}
