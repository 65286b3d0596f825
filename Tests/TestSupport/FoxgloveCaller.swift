// SPDX-License-Identifier: Apache-2.0

import OrreryBase

/// A client of the Foxglove WebSocket protocol, written from its specification.
///
/// It keeps what comes, decoded as far as the protocol goes.
package final class FoxgloveCaller {
  /// What a `messageData` has.
  package struct Data: Equatable {
    package let subscription: UInt32
    package let logTimeNs: UInt64
    package let content: [UInt8]
  }

  /// What a `PlaybackState` has.
  package struct State: Equatable {
    package let status: UInt8
    package let timeNs: UInt64
    package let speed: Float
    package let didSeek: Bool
    package let requestID: String
  }

  package let client: LoopbackClient

  /// Texts in the order in which they came.
  package private(set) var texts: [String] = []
  package private(set) var data: [Data] = []
  package private(set) var timesNs: [UInt64] = []
  package private(set) var states: [State] = []
  /// The code with which the server has closed.
  package private(set) var closeCode: UInt16?

  /// Asks for the WebSocket.
  ///
  /// - Parameters:
  ///   - port: The server's.
  ///   - query: After the path.
  ///   - subprotocol: What the client speaks; nil: it does not say.
  ///   - lines: Further header lines.
  ///   - host: What stands as `Host`; nil: the server.
  /// - Returns: The client, and the server's answer; nil if nobody listens.
  package static func open(
    port: Int, query: String, subprotocol: String? = "foxglove.sdk.v1", _ lines: [String] = [],
    host: String? = nil
  ) -> (caller: FoxgloveCaller, answer: LoopbackClient.Answer)? {
    guard let client = LoopbackClient(port: port) else { return nil }
    let offer = subprotocol.map { ["Sec-WebSocket-Protocol: \($0)"] } ?? []
    let answer = client.upgrade(
      "/foxglove" + query, offer + lines, host: host ?? "127.0.0.1:\(port)")
    return (FoxgloveCaller(client), answer)
  }

  private init(_ client: LoopbackClient) { self.client = client }

  /// Subscribes to channels, each by its own number and a thousand.
  package func subscribe(_ channels: UInt64...) {
    let list = channels.map { #"{"id":\#($0 + 1000),"channelId":\#($0)}"# }
    client.say(#"{"op":"subscribe","subscriptions":[\#(list.joined(separator: ","))]}"#)
  }

  /// Asks for the run to be steered.
  package func play(_ plays: Bool, speed: Float = 1, seekNs: UInt64? = nil, id: String) {
    client.send(opcode: 2, Self.playback(plays, speed: speed, seekNs: seekNs, id: id))
  }

  /// The bytes of a `PlaybackControlRequest`.
  package static func playback(
    _ plays: Bool, speed: Float, seekNs: UInt64?, id: String
  ) -> [UInt8] {
    [3, plays ? 0 : 1] + little(speed.bitPattern) + [seekNs == nil ? 0 : 1] + little(seekNs ?? 0)
      + little(UInt32(id.utf8.count)) + Array(id.utf8)
  }

  private static func little<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian) { Array($0) }
  }

  /// The messages of a channel that `subscribe` asked for.
  package func content(of channel: UInt64) -> [Data] {
    data.filter { UInt64($0.subscription) == channel + 1000 }
  }

  /// Takes messages until something holds.
  ///
  /// - Throws: `Overdue` if it does not in time, or the server closes.
  package func wait(
    for what: String, seconds: Double = patienceSeconds, until condition: () -> Bool
  ) throws(Overdue) {
    let endNs = Clock.monotonicNs() + UInt64(seconds * 1e9)
    while !condition() {
      guard Clock.monotonicNs() < endNs, let message = client.message(within: seconds) else {
        throw Overdue("\(what); texts: \(texts.suffix(3).map { $0.prefix(300) })", seconds: seconds)
      }
      keep(message)
    }
  }

  private func keep(_ message: LoopbackClient.Message) {
    switch message {
    case .text(let text): texts.append(text)
    case .close(let code): closeCode = code
    case .binary(let bytes):
      func number<Number: FixedWidthInteger>(at offset: Int, _ type: Number.Type) -> Number {
        guard bytes.count >= offset + MemoryLayout<Number>.size else { return 0 }
        return bytes.withUnsafeBytes {
          Number(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: Number.self))
        }
      }
      switch bytes.first {
      case 1:
        data.append(
          Data(
            subscription: number(at: 1, UInt32.self), logTimeNs: number(at: 5, UInt64.self),
            content: Array(bytes.dropFirst(13))))
      case 2: timesNs.append(number(at: 1, UInt64.self))
      case 5:
        states.append(
          State(
            status: number(at: 1, UInt8.self), timeNs: number(at: 2, UInt64.self),
            speed: Float(bitPattern: number(at: 10, UInt32.self)),
            didSeek: number(at: 14, UInt8.self) == 1,
            requestID: String(decoding: bytes.dropFirst(19), as: UTF8.self)))
      default: texts.append("unknown bytes: \(bytes.prefix(20))")
      }
    }
  }
}
