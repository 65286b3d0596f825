// SPDX-License-Identifier: Apache-2.0

/// Counts of what a trace holds.
package struct TraceStatistics: Equatable, Sendable {
  /// Messages of all channels.
  package var messageCount: UInt64 = 0
  /// Schemas.
  package var schemaCount: UInt16 = 0
  /// Channels.
  package var channelCount: UInt32 = 0
  /// Files.
  package var attachmentCount: UInt32 = 0
  /// Lists of facts.
  package var metadataCount: UInt32 = 0
  /// Chunks of messages.
  package var chunkCount: UInt32 = 0

  /// Earliest and latest log time, in nanoseconds; both 0 without messages.
  package var startNs: UInt64 = 0
  /// Latest log time, in nanoseconds.
  package var endNs: UInt64 = 0

  /// Messages of each channel that has any.
  package var messageCounts: [TraceChannelID: UInt64] = [:]

  package init() {}

  /// Counts `count` messages of one channel with log times in `startNs ... endNs`.
  mutating func add(channel: TraceChannelID, count: UInt64, startNs: UInt64, endNs: UInt64) {
    guard count > 0 else { return }
    self.startNs = messageCount == 0 ? startNs : min(self.startNs, startNs)
    self.endNs = max(self.endNs, endNs)
    messageCount += count
    messageCounts[channel, default: 0] += count
  }
}

extension TraceStatistics: ContainerRecord {
  static let opcode = TraceOpcode.statistics

  init(_ fields: inout ByteCursor) throws(TraceError) {
    messageCount = try fields.number()
    schemaCount = try fields.number()
    channelCount = try fields.number()
    attachmentCount = try fields.number()
    metadataCount = try fields.number()
    chunkCount = try fields.number()
    startNs = try fields.number()
    endNs = try fields.number()
    messageCounts = try ChannelNumbers(&fields).map()
  }

  func write(to fields: inout RecordBytes) {
    fields.append(messageCount)
    fields.append(schemaCount)
    fields.append(channelCount)
    fields.append(attachmentCount)
    fields.append(metadataCount)
    fields.append(chunkCount)
    fields.append(startNs)
    fields.append(endNs)
    ChannelNumbers(messageCounts).write(to: &fields)
  }
}
