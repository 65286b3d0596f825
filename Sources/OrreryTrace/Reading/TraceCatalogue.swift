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

  /// Refuses a record over the limit, before it is copied.
  private func checkSize(_ byteCount: Int) throws(TraceError) {
    guard byteCount <= keptBytesMax else {
      throw .tooLarge(.catalogueBytes, value: UInt64(byteCount), limit: UInt64(keptBytesMax))
    }
  }

  /// Adds a Schema record of the data section.
  mutating func addSchema(_ fields: ByteCursor) throws(TraceError) {
    try checkSize(fields.remaining)
    guard let (id, schema) = try Self.schema(fields) else { return }
    if let known = schemas[id] {
      guard known == schema else {
        throw .redefined(.schema, id: id.number, offset: fields.offset)
      }
      return
    }
    try keep(fields.remaining)
    schemas[id] = schema
  }

  /// Adds a Channel record of the data section.
  ///
  /// `others` are schemas that are known from elsewhere.
  mutating func addChannel(
    _ fields: ByteCursor, schemas others: [TraceSchemaID: TraceSchema] = [:]
  ) throws(TraceError) {
    try checkSize(fields.remaining)
    let (id, channel) = try Self.channel(fields)
    if let known = channels[id] {
      guard known == channel else {
        throw .redefined(.channel, id: id.number, offset: fields.offset)
      }
      return
    }
    if let schema = channel.schema, schemas[schema] == nil, others[schema] == nil {
      throw .undeclared(.schema, id: schema.number, offset: fields.offset)
    }
    try keep(fields.remaining)
    channels[id] = channel
  }

  /// Checks that a Schema record of the summary repeats one of the data section.
  ///
  /// - Returns: Its number; nil if it is to be ignored.
  func checkSchema(_ fields: ByteCursor) throws(TraceError) -> TraceSchemaID? {
    try checkSize(fields.remaining)
    guard let (id, schema) = try Self.schema(fields) else { return nil }
    guard let known = schemas[id] else {
      throw .undeclared(.schema, id: id.number, offset: fields.offset)
    }
    guard known == schema else {
      throw .redefined(.schema, id: id.number, offset: fields.offset)
    }
    return id
  }

  /// Checks that a Channel record of the summary repeats one of the data section.
  ///
  /// - Returns: Its number.
  func checkChannel(_ fields: ByteCursor) throws(TraceError) -> TraceChannelID {
    try checkSize(fields.remaining)
    let (id, channel) = try Self.channel(fields)
    guard let known = channels[id] else {
      throw .undeclared(.channel, id: id.number, offset: fields.offset)
    }
    guard known == channel else {
      throw .redefined(.channel, id: id.number, offset: fields.offset)
    }
    return id
  }

  /// The schema of a record; nil for number 0, which MCAP tells readers to ignore.
  private static func schema(
    _ record: ByteCursor
  ) throws(TraceError) -> (TraceSchemaID, TraceSchema)? {
    var fields = record
    let id = TraceSchemaID(number: try fields.number())
    let name = try fields.text()
    let encoding = try fields.text()
    let data = try fields.take(UInt64(try fields.number(UInt32.self)))
    guard id.number != 0 else { return nil }
    return (id, TraceSchema(name: name, encoding: encoding, data: Array(data)))
  }

  private static func channel(
    _ record: ByteCursor
  ) throws(TraceError) -> (TraceChannelID, TraceChannel) {
    var fields = record
    let id = TraceChannelID(number: try fields.number())
    let schema = TraceSchemaID(number: try fields.number())
    return (
      id,
      TraceChannel(
        schema: schema.number == 0 ? nil : schema, topic: try fields.text(),
        messageEncoding: try fields.text(), metadata: try fields.textMap())
    )
  }
}
