// SPDX-License-Identifier: Apache-2.0

import SwiftProtobuf

/// Why bytes could not be decoded as a message, in words; other errors say it themselves.
package func messageFault(_ error: any Error) -> String {
  let fault = error as? BinaryDecodingError
  if fault == .messageDepthLimit { return "its messages are nested too deep" }
  return switch fault {
  case .truncated?: "it is cut off"
  case .invalidUTF8?: "a text in it is not UTF-8"
  case .malformedProtobuf?: "its bytes are no protobuf message"
  default: "\(error)"
  }
}
