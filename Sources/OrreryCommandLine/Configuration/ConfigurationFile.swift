// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase
import OrreryDocument

/// A file with a table of options for each program; one that does not exist is empty.
struct ConfigurationFile {
  private let path: String
  private let bytes: [UInt8]
  private let tables: DocumentTable

  private static let bytesMax = 64 << 10

  /// Reads a file.
  ///
  /// - Parameter path: The file.
  /// - Throws: `Failure`: it cannot be read, is too large or no TOML, or has other tables than those of programs.
  init(_ path: String) throws(Failure) {
    self.path = path
    guard access(path, F_OK) == 0 else {
      (bytes, tables) = ([], DocumentTable())
      return
    }
    guard let text = SmallFile.read(path, bytesMax: Self.bytesMax + 1) else {
      throw Failure(.usage, "\(path): the configuration cannot be read")
    }
    guard text.utf8.count <= Self.bytesMax else {
      throw Failure(.usage, "\(path): a configuration has at most \(Self.bytesMax) bytes")
    }
    bytes = Array(text.utf8)
    do {
      tables = try TOMLParser.parse(text, depthMax: 8)
    } catch {
      throw Failure(
        .usage, "\(path):\(TextPosition(ofByte: error.offset, in: bytes).line): \(error.reason)")
    }
    for member in tables.members {
      let programs = Configuration.programs
      let isKnown = programs.contains(member.key)
      if isKnown, member.value.table != nil { continue }
      let list = programs.map { "[\($0)]" }.joined(separator: ", ")
      throw Failure(
        .usage,
        "\(path):\(line(member)): \(member.key): options stand in \(list)"
          + (isKnown ? "" : NearestName.question(member.key, among: programs)))
    }
  }

  /// What it sets for a program.
  func found(for program: String) -> [Configuration.Found] {
    (tables[program]?.table?.members ?? []).map { member in
      Configuration.Found(
        key: member.key, value: member.value, source: "\(path):\(line(member))")
    }
  }

  private func line(_ member: DocumentTable.Member) -> Int {
    TextPosition(ofByte: member.offsets?.key ?? 0, in: bytes).line
  }
}
