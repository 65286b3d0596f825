// SPDX-License-Identifier: Apache-2.0

/// The first record of a file.
struct HeaderRecord {
  let profile: String

  /// The library that wrote the file.
  let library: String
}

extension HeaderRecord: ContainerRecord {
  static let opcode = TraceOpcode.header
  static let layout: [FieldSize] = [.list, .list]

  init(_ fields: inout ByteCursor) throws(TraceError) {
    profile = try fields.text()
    library = try fields.text()
  }

  func write(to fields: inout RecordBytes) {
    fields.append(text: profile)
    fields.append(text: library)
  }
}
