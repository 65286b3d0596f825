// SPDX-License-Identifier: Apache-2.0

import OrreryDocument
import OrreryWire

/// The version of the Foxglove WebSocket protocol that a client speaks.
package enum FoxgloveSubprotocol: String, CaseIterable, Sendable {
  /// Foxglove's of today, which can steer.
  case sdk = "foxglove.sdk.v1"
  /// The one before, of Lichtblick and others.
  case websocket = "foxglove.websocket.v1"

  /// The first that we like of those that a client offers; nil: none.
  ///
  /// - Parameter offers: Lines of `Sec-WebSocket-Protocol`.
  package init?(offers: [String]) {
    let names = offers.joined(separator: ",").split { $0 == "," || $0 == " " }
    guard let first = Self.allCases.first(where: { names.contains($0.rawValue[...]) }) else {
      return nil
    }
    self = first
  }
}

/// What a Foxglove client has subscribed to, and what its messages mean: bytes in, what is to be done out.
///
/// Nobody vouches for a byte. A message that is wrong changes nothing, or what was right in it, and is answered with one
/// line.
package struct FoxgloveSession: Sendable {
  /// What a message asks for.
  package enum Effect: Equatable, Sendable {
    /// The newest message of a channel is wanted.
    case subscribed(FoxgloveChannel)
    /// The run is to be steered.
    case play(PlaybackRequest)
    /// Nothing: why the message is wrong.
    case refuse(String)
  }

  /// The numbers that the client gave to its subscriptions.
  package private(set) var subscriptions: [FoxgloveChannel: UInt32] = [:]

  /// A client that has subscribed to nothing.
  package init() {}

  /// Reads a text.
  package mutating func receive(text: [UInt8]) -> [Effect] {
    let fields: [String: DocumentValue]
    do throws(ControlRefusal) {
      fields = try [String: DocumentValue](json: text)
    } catch {
      return [.refuse("the message cannot be read: \(error)")]
    }
    switch fields["op"]?.string {
    case "subscribe": return subscribe(fields["subscriptions"]?.array)
    case "unsubscribe": return unsubscribe(fields["subscriptionIds"]?.array)
    case let op?: return [.refuse("'\(op.prefix(32))' is not offered here")]
    case nil: return [.refuse("the message has no 'op'")]
    }
  }

  /// Reads bytes.
  package mutating func receive(binary: [UInt8]) -> [Effect] {
    guard let opcode = binary.first else { return [.refuse("the message is empty")] }
    guard opcode == PlaybackRequest.opcode else {
      return [.refuse("messages of opcode \(opcode) are not taken here")]
    }
    guard let request = PlaybackRequest(binary) else {
      return [.refuse("the playback request of \(binary.count) bytes cannot be read")]
    }
    return [.play(request)]
  }

  private mutating func subscribe(_ list: [DocumentValue]?) -> [Effect] {
    guard let list else { return [.refuse("'subscriptions' must be a list")] }
    var effects: [Effect] = []
    var fault: String?
    for item in list {
      let (id, number) = (item.table?["id"]?.countValue, item.table?["channelId"]?.countValue)
      guard let id = id.flatMap({ UInt32(exactly: $0) }), let number else {
        fault = fault ?? "a subscription needs 'id' and 'channelId'"
        continue
      }
      guard let channel = FoxgloveChannel(rawValue: number) else {
        fault = fault ?? "there is no channel \(number)"
        continue
      }
      guard subscriptions[channel] == nil, !subscriptions.values.contains(id) else {
        fault = fault ?? "channel \(number) or subscription \(id) is subscribed already"
        continue
      }
      subscriptions[channel] = id
      effects.append(.subscribed(channel))
    }
    return effects + (fault.map { [.refuse($0)] } ?? [])
  }

  private mutating func unsubscribe(_ list: [DocumentValue]?) -> [Effect] {
    guard let list else { return [.refuse("'subscriptionIds' must be a list")] }
    var fault: String?
    for item in list {
      guard let channel = subscriptions.first(where: { UInt64($0.value) == item.countValue })?.key
      else {
        fault = fault ?? "there is no such subscription"
        continue
      }
      subscriptions[channel] = nil
    }
    return fault.map { [.refuse($0)] } ?? []
  }
}
