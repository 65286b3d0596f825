// SPDX-License-Identifier: Apache-2.0

/// How many bytes a field of a record has, or several in a row.
enum FieldSize {
  /// Always so many.
  case bytes(Int)

  /// A text, a map or an array: its length in four bytes, and as many.
  case list

  /// Data: its length in eight bytes, and as many.
  case data

  /// All that is left of the record.
  case rest
}

extension TraceOpcode {
  /// The fields of a record of the data section; nil for one of the summary.
  var layout: [FieldSize]? {
    switch self {
    case .header: HeaderRecord.layout
    case .schema: SchemaRecord.layout
    case .channel: ChannelRecord.layout
    case .message: TraceMessageHead.layout
    case .chunk: ChunkHead.layout
    case .messageIndex: MessageIndexHead.layout
    case .attachment: TraceAttachmentHead.layout
    case .metadata: TraceMetadata.layout
    case .dataEnd: DataEndRecord.layout
    case .footer, .chunkIndex, .attachmentIndex, .statistics, .metadataIndex, .summaryOffset: nil
    }
  }

  /// Whether its records stand in the data section.
  var isOfData: Bool { layout != nil }
}
