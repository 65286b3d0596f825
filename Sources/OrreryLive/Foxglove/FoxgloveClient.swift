// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOWebSocket
import OrreryDocument
import OrreryWire

/// One open Foxglove client: its socket, its subscriptions, and which frames it was sent.
///
/// The protocol has no acknowledgements, so a frame counts as taken when the kernel has it. Until then the client gets
/// no other: what waits for it is one frame, whose bytes all clients share, and 64 KiB of small messages.
///
/// Used on the server's thread only.
final class FoxgloveClient: ClientSocket {
  /// What it speaks.
  let subprotocol: FoxgloveSubprotocol

  private var session = FoxgloveSession()

  /// The frame that it was sent last, by channel.
  private var sent: [FoxgloveChannel: UInt64] = [:]

  init(number: Int, channel: any Channel, _ subprotocol: FoxgloveSubprotocol) {
    self.subprotocol = subprotocol
    super.init(number: number, channel: channel)
  }

  /// The channels of which it could take a message now.
  var wanted: [FoxgloveChannel] {
    session.subscriptions.keys.filter { !$0.isState || stalledSinceNs == nil }
  }

  /// Reads a message; what is wrong with it is said to the client.
  func receive(_ bytes: [UInt8], isText: Bool) -> [FoxgloveSession.Effect] {
    let effects = isText ? session.receive(text: bytes) : session.receive(binary: bytes)
    for effect in effects {
      switch effect {
      case .subscribed(let channel): sent[channel] = nil
      case .refuse(let reason): refuse(reason)
      case .play: break
      }
    }
    return effects
  }

  /// Begins again, for another run.
  func begin(_ run: FoxgloveRun?) {
    sent = [:]
    send(text: FoxgloveRun.info(of: run, subprotocol), isNeeded: true)
  }

  /// Sends the newest frame, if it has not got it and the one before has left.
  func offer(_ newest: [FoxgloveChannel: FoxgloveMessage]) {
    guard stalledSinceNs == nil else { return }
    var pieces: [WebSocketFrame] = []
    for channel in FoxgloveChannel.allCases {
      guard let id = session.subscriptions[channel], let message = newest[channel],
        message.sequence > sent[channel] ?? 0
      else { continue }
      sent[channel] = message.sequence
      pieces += Self.pieces(of: message, id: id)
    }
    send(frame: pieces)
  }

  /// Sends a message of a channel that is no state, if it has subscribed to it.
  func send(_ message: FoxgloveMessage, of channel: FoxgloveChannel) {
    guard let id = session.subscriptions[channel] else { return }
    send(small: Self.pieces(of: message, id: id))
  }

  /// Sends bytes that have their opcode.
  func send(binary bytes: ByteBuffer) {
    send(small: [WebSocketFrame(fin: true, opcode: .binary, data: bytes)])
  }

  /// Says why something is not done; the next such line takes the place of this one.
  func refuse(_ reason: String) {
    send(
      text: [
        "op": .string("status"), "level": .integer(2), "message": .string("orrery live: \(reason)"),
        "id": .string("refused"),
      ].json)
  }

  /// A `messageData` in two pieces of one WebSocket message: what is this client's own, and what all share.
  private static func pieces(of message: FoxgloveMessage, id: UInt32) -> [WebSocketFrame] {
    var head = ByteBuffer()
    head.writeInteger(UInt8(1))
    head.writeInteger(id, endianness: .little)
    head.writeInteger(message.timeNs, endianness: .little)
    return [
      WebSocketFrame(fin: false, opcode: .binary, data: head),
      WebSocketFrame(fin: true, opcode: .continuation, data: message.bytes),
    ]
  }
}
