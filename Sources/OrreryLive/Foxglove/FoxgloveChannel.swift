// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryDocument
import OrreryMessages
import OrreryWire

/// The channels of the Foxglove WebSocket protocol: topics as in a trace, the same for every run.
///
/// Numbers keep their meaning, because clients remember a channel's schema by them.
package enum FoxgloveChannel: UInt64, CaseIterable, Sendable {
  case points = 1
  case views, transform, timings, log

  /// The channel's topic.
  package var topic: Topic {
    switch self {
    case .points: .points
    case .views: .views
    case .transform: .transform
    case .timings: .timings
    case .log: .log
    }
  }

  /// Whether its newest message says everything; of the others each says something of its own.
  var isState: Bool { self == .points || self == .views || self == .transform }

  /// What every client is told of them.
  static let advertisement: [UInt8] = {
    let channels = allCases.map { channel in
      let topic = channel.topic
      return DocumentValue.table(
        DocumentTable([
          "id": .count(channel.rawValue), "topic": .string(topic.rawValue),
          "encoding": .string(Topic.encoding), "schemaName": .string(topic.schemaName),
          "schemaEncoding": .string(Topic.encoding),
          "schema": .string(Data(topic.descriptorSet).base64EncodedString()),
        ]))
    }
    return ["op": .string("advertise"), "channels": .array(DocumentArray(channels))].json
  }()
}
