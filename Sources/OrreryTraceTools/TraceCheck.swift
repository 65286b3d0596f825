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
    /// Whether nothing is wrong or missing.
    package let isWhole: Bool
    /// Whole, unfinished or damaged.
    package let state: String
    /// What is missing or wrong; nil for a whole file.
    package let fault: String?
    /// The kind of the fault, as `TraceError.kind`, or `unfinished`.
    package let kind: String?
    /// Offset of the fault.
    package let offset: UInt64?
    /// Messages before the fault.
    package let messages: UInt64
    /// Bytes before the fault.
    package let bytes: UInt64
    /// What was not checked, as the file has no checksum of it, and known faults of writers that were met.
    package let notes: [String]
  }

  /// The files.
  package let files: [File]

  /// Whether nothing is wrong with any.
  package var isWhole: Bool { files.allSatisfy(\.isWhole) }

  /// Whether something is wrong with one of them.
  package var isDamaged: Bool { files.contains { $0.state == "damaged" } }

  /// Reads files from front to back.
  ///
  /// - Throws: `TraceError.system` and `notRegularFile` if one cannot be read.
  package init(paths: [String], limits: TraceLimits = TraceLimits()) throws(TraceError) {
    var files: [File] = []
    for path in paths { files.append(try Self.check(path, limits: limits)) }
    self.files = files
  }

  private static func check(_ path: String, limits: TraceLimits) throws(TraceError) -> File {
    var reader: TraceReader?
    var (state, fault): (TraceState, TraceError?) = (.whole, nil)
    do throws(TraceError) {
      let file = try TraceArchiveFile(path: path, limits: limits)
      state = file.state
      let strict = try TraceReader(path: path, limits: limits)
      reader = strict
      do throws(TraceError) {
        try strict.readToEnd()
      } catch {
        fault = error
        state = file.state(strictly: error, at: strict.offset)
      }
    } catch {
      (state, fault) = (.damaged(error), error)
    }
    switch fault?.cause {
    case .system?, .notRegularFile?: throw fault ?? .notRegularFile(path: path)
    default: break
    }
    let kind = fault?.kind ?? (state == .whole ? nil : state.word)
    let absent = reader.map { $0.absentChecksums.map { "no \($0.rawValue)" } } ?? []
    return File(
      path: path, isWhole: state == .whole, state: state.word, fault: state.reason, kind: kind,
      offset: state == .whole ? nil : state.offset ?? fault?.offset ?? reader?.offset,
      messages: reader?.statistics.messageCount ?? 0, bytes: reader?.offset ?? 0,
      notes: absent.sorted() + (reader?.notes.sorted() ?? []))
  }

  /// For people: one line for each file.
  package var text: String {
    files.map { file in
      let after = "\(file.messages) messages, \(file.bytes) bytes"
      let line =
        file.fault.map { "\($0) (\(file.kind ?? ""); after \(after))" }
        ?? ([after] + file.notes).joined(separator: "; ")
      return "\(file.path): \(file.state): \(line)\n"
    }.joined()
  }
}
