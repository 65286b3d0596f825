// SPDX-License-Identifier: Apache-2.0

/// Number of a schema in its trace, from 1.
package struct TraceSchemaID: Hashable, Sendable {
  /// The number itself.
  package let number: UInt16
  package init(number: UInt16) { self.number = number }
}

/// How the messages of a channel are to be decoded.
package struct TraceSchema: Hashable, Sendable {
  /// For `protobuf`, the full name of the message.
  package let name: String

  /// Encoding of `data`, such as `protobuf` or `jsonschema`.
  package let encoding: String

  /// For `protobuf`, a FileDescriptorSet with all imports.
  package let data: [UInt8]

  package init(name: String, encoding: String, data: [UInt8]) {
    (self.name, self.encoding, self.data) = (name, encoding, data)
  }
}

/// A schema and its number.
struct SchemaRecord {
  let id: TraceSchemaID
  let schema: TraceSchema
}

extension SchemaRecord: ContainerRecord {
  static let opcode = TraceOpcode.schema
  static let layout: [FieldSize] = [.bytes(2), .list, .list, .list]

  init(_ fields: inout ByteCursor) throws(TraceError) {
    id = TraceSchemaID(number: try fields.number())
    schema = TraceSchema(
      name: try fields.text(), encoding: try fields.text(),
      data: Array(try fields.take(UInt64(fields.number(UInt32.self)))))
  }

  func write(to fields: inout RecordBytes) {
    fields.append(id.number)
    fields.append(text: schema.name)
    fields.append(text: schema.encoding)
    fields.append(UInt32(truncatingIfNeeded: schema.data.count))
    fields.append(raw: schema.data)
  }
}
