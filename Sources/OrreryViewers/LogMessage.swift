// SPDX-License-Identifier: Apache-2.0

import Logging
import OrreryMessages

extension LogTap.Line {
  /// The line as an encoded `foxglove.Log`.
  ///
  /// - Parameter program: Who says it.
  /// - Returns: The message.
  package func message(of program: String) -> [UInt8] {
    var message = Foxglove_Log()
    message.timestamp = .init(ns: timeNs)
    message.level =
      switch level {
      case .trace, .debug: .debug
      case .info, .notice: .info
      case .warning: .warning
      case .error: .error
      case .critical: .fatal
      }
    (message.message, message.name) = (text, program)
    return message.ownBytes
  }
}
