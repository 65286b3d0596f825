// SPDX-License-Identifier: Apache-2.0

/// A named list of facts about a trace.
package struct TraceMetadata: Equatable, Sendable {
  /// Its name.
  package let name: String
  /// The facts, by name.
  package let values: [String: String]

  package init(name: String, values: [String: String]) {
    self.name = name
    self.values = values
  }

  /// What a copy says whose source is not whole.
  ///
  /// - Parameter reason: What the source does not have.
  package init(part reason: String) {
    self.init(name: TraceState.partRecord, values: [TraceState.reasonKey: reason])
  }
}

extension TraceMetadata: ContainerRecord {
  static let opcode = TraceOpcode.metadata
  static let layout: [FieldSize] = [.list, .list]

  init(_ fields: inout ByteCursor) throws(TraceError) {
    self.init(name: try fields.text(), values: try fields.textMap())
  }

  func write(to fields: inout RecordBytes) {
    fields.append(text: name)
    fields.append(map: values)
  }
}

/// A Metadata record in the summary.
struct MetadataIndexRecord {
  let record: RecordLocation
  let name: String
}

extension MetadataIndexRecord: ContainerRecord {
  static let opcode = TraceOpcode.metadataIndex

  init(_ fields: inout ByteCursor) throws(TraceError) {
    record = try RecordLocation(&fields)
    name = try fields.text()
  }

  func write(to fields: inout RecordBytes) {
    record.write(to: &fields)
    fields.append(text: name)
  }
}
