// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryTrace

/// What `orrery trace verify --json` prints: docs/schemas/trace-verify.schema.json.
///
/// The container only: every checksum, index and cross-reference, by the strict reader.
package struct TraceCheck: Encodable {
  /// The document's kind and version.
  package static let schema = "orrery.trace-verify.v1"

  /// One file.
  package struct File: Encodable {
    /// As given.
    package let path: String
    /// Whether nothing is wrong.
    package let isWhole: Bool
    /// What is wrong; nil for a whole file.
    package let fault: String?
    /// The kind of the fault, as `TraceError.kind`.
    package let kind: String?
    /// Offset of the fault.
    package let offset: UInt64?
    /// Messages before the fault.
    package let messages: UInt64
    /// Bytes before the fault.
    package let bytes: UInt64
  }

  /// The files.
  package let files: [File]

  /// Whether nothing is wrong with any.
  package var isWhole: Bool { files.allSatisfy(\.isWhole) }

  /// Reads files from front to back.
  ///
  /// - Throws: `TraceError.system` and `notRegularFile` if one cannot be read.
  package init(paths: [String], limits: TraceLimits = TraceLimits()) throws(TraceError) {
    var files: [File] = []
    for path in paths { files.append(try Self.check(path, limits: limits)) }
    self.files = files
  }

  private static func check(_ path: String, limits: TraceLimits) throws(TraceError) -> File {
    let reader: TraceReader
    do throws(TraceError) {
      reader = try TraceReader(path: path, limits: limits)
    } catch {
      return try file(path, error, reader: nil)
    }
    do throws(TraceError) {
      try reader.readToEnd()
    } catch {
      return try file(path, error, reader: reader)
    }
    return File(
      path: path, isWhole: true, fault: nil, kind: nil, offset: nil,
      messages: reader.statistics.messageCount, bytes: reader.offset)
  }

  private static func file(
    _ path: String, _ fault: TraceError, reader: TraceReader?
  ) throws(TraceError) -> File {
    switch fault {
    case .system, .notRegularFile: throw fault
    default: break
    }
    return File(
      path: path, isWhole: false, fault: "\(fault)", kind: fault.kind,
      offset: fault.offset ?? reader?.offset, messages: reader?.statistics.messageCount ?? 0,
      bytes: reader?.offset ?? 0)
  }

  /// For people: one line for each file.
  package var text: String {
    files.map { file in
      let after = "after \(file.messages) messages, \(file.bytes) bytes"
      let line =
        file.fault.map { "\($0) (\(file.kind ?? ""); \(after))" }
        ?? "whole: \(file.messages) messages, \(file.bytes) bytes"
      return "\(file.path): \(line)\n"
    }.joined()
  }
}
