// SPDX-License-Identifier: Apache-2.0

/// The schemas and channels of a trace that is being read.
struct TraceCatalogue {
  private(set) var schemas: [TraceSchemaID: TraceSchema] = [:]
  private(set) var channels: [TraceChannelID: TraceChannel] = [:]

  /// Bytes of all records that are kept.
  private var keptBytes = 0
  private let keptBytesMax: Int

  init(limits: TraceLimits) {
    keptBytesMax = limits.catalogueBytes
  }

  /// Counts a record that is about to be kept.
  mutating func keep(_ byteCount: Int) throws(TraceError) {
    try checkSize(keptBytes + byteCount)
    keptBytes += byteCount
  }

  /// Counts the names of an attachment that is about to be kept.
  mutating func keep(_ attachment: TraceAttachment) throws(TraceError) {
    try keep(attachment.head.name.utf8.count + attachment.head.mediaType.utf8.count)
  }

  /// Refuses a record over the limit, before it is copied.
  private func checkSize(_ byteCount: Int) throws(TraceError) {
    try TraceField.catalogueBytes.check(byteCount, max: keptBytesMax)
  }

  /// Adds a Schema record of the data section.
  mutating func addSchema(_ fields: ByteCursor) throws(TraceError) {
    try checkSize(fields.remaining)
    let record = try SchemaRecord(of: fields)
    if record.isIgnored { return }
    if let known = schemas[record.id] { return try record.check(known, at: fields.offset) }
    try keep(fields.remaining)
    schemas[record.id] = record.schema
  }

  /// Adds a Channel record of the data section.
  ///
  /// `others` are schemas that are known from elsewhere.
  mutating func addChannel(
    _ fields: ByteCursor, schemas others: [TraceSchemaID: TraceSchema] = [:]
  ) throws(TraceError) {
    try checkSize(fields.remaining)
    let record = try ChannelRecord(of: fields)
    if let known = channels[record.id] { return try record.check(known, at: fields.offset) }
    if let schema = record.channel.schema, schemas[schema] == nil, others[schema] == nil {
      throw .undeclared(.schema, id: schema.number, offset: fields.offset)
    }
    try keep(fields.remaining)
    channels[record.id] = record.channel
  }

  /// Checks that a Schema record of the summary repeats one of the data section.
  ///
  /// - Returns: Its number; nil if it is to be ignored.
  func checkSchema(_ fields: ByteCursor) throws(TraceError) -> TraceSchemaID? {
    try checkSize(fields.remaining)
    let record = try SchemaRecord(of: fields)
    if record.isIgnored { return nil }
    guard let known = schemas[record.id] else {
      throw .undeclared(.schema, id: record.id.number, offset: fields.offset)
    }
    try record.check(known, at: fields.offset)
    return record.id
  }

  /// Checks that a Channel record of the summary repeats one of the data section.
  ///
  /// - Returns: Its number.
  func checkChannel(_ fields: ByteCursor) throws(TraceError) -> TraceChannelID {
    try checkSize(fields.remaining)
    let record = try ChannelRecord(of: fields)
    guard let known = channels[record.id] else {
      throw .undeclared(.channel, id: record.id.number, offset: fields.offset)
    }
    try record.check(known, at: fields.offset)
    return record.id
  }

  /// Takes up what a record of a chunk declares.
  ///
  /// - Returns: The fields of a message, whose channel must be known; nil for a declaration.
  mutating func take(_ record: FoundRecord) throws(TraceError) -> TraceMessageHead? {
    switch record.opcode {
    case .schema: try addSchema(record.fields)
    case .channel: try addChannel(record.fields)
    default: return try messageHead(of: record.fields)
    }
    return nil
  }

  /// The fields of a message, whose channel must be known.
  func messageHead(of content: ByteCursor) throws(TraceError) -> TraceMessageHead {
    let head = try TraceMessageHead(of: content)
    guard channels[head.channel] != nil else {
      throw .undeclared(.channel, id: head.channel.number, offset: content.offset)
    }
    return head
  }
}

extension SchemaRecord {
  /// Whether MCAP tells readers to ignore it.
  fileprivate var isIgnored: Bool { id.number == 0 }

  fileprivate func check(_ known: TraceSchema, at offset: UInt64) throws(TraceError) {
    guard known == schema else { throw .redefined(.schema, id: id.number, offset: offset) }
  }
}

extension ChannelRecord {
  fileprivate func check(_ known: TraceChannel, at offset: UInt64) throws(TraceError) {
    guard known == channel else { throw .redefined(.channel, id: id.number, offset: offset) }
  }
}
