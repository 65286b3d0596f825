// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP1

/// Those who have opened a WebSocket of one kind; used on the server's thread only.
protocol SocketHub: AnyObject {
  /// A WebSocket has opened, by this request.
  func open(_ channel: any Channel, _ head: HTTPRequestHead)

  /// It has closed.
  func close(_ channel: any Channel)

  /// A message has come.
  ///
  /// - Returns: False if none of this kind is read.
  func receive(_ bytes: [UInt8], isText: Bool, from channel: any Channel) -> Bool
}
