// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import OrreryDocument

/// A study as a file: docs/schemas/bench-result.schema.json.
package struct StudyResult: Codable, Equatable, Sendable {
  /// The document's kind and version.
  package static let schema = "orrery.bench-result.v1"

  /// The title: "study", the scenes of a run, a case of a sweep, or an area as "kernels".
  package var title: String
  /// The command line that measures it again.
  package var command: String
  /// Whether it was interrupted: rows may be missing, or have fewer rounds.
  package var isPartial: Bool
  /// The machine and the time.
  package var context: StudyContext
  /// The figures.
  package var rows: [StudyRow]
  /// Left-out parts with their reasons, and reasons why the machine was noisy.
  package var notes: [String]
  /// The most entities that hold their rate; empty unless `bench capacity` searched for them.
  package var capacities: [CapacityResult]
  /// What Orrery should reach in an area, and did or did not; nil of a study.
  package var goals: [BenchGoal]?
  /// Of a case of a sweep: the settings that vary, each as `key=value`; nil for other results.
  package var varied: [String]?
  /// Of a case of a sweep: a hash of all its settings and of its scene's file; nil for other results.
  package var caseHash: String?

  /// A result without rows.
  package init(title: String, command: String, context: StudyContext) {
    (self.title, self.command, self.context) = (title, command, context)
    (isPartial, rows, notes, capacities) = (false, [], [], [])
  }

  /// The row of a name; nil if there is none.
  package func row(_ name: String) -> StudyRow? { rows.first { $0.name == name } }

  /// What stands before a row's figure in tables: of a capacity, whether more may fit.
  package func sign(of row: StudyRow) -> String {
    capacities.first { $0.rowName == row.name }?.sign ?? ""
  }

  /// The result with the row of one scene alone, to be compared with another one of this result.
  ///
  /// - Parameters:
  ///   - scene: The scene's name; of a scene file without its hash, too.
  ///   - file: Named in the error.
  /// - Returns: The same study with one row.
  /// - Throws: `Failure` if the result has no such row.
  package func alone(_ scene: String, file: String) throws(Failure) -> StudyResult {
    let name = "tick \(scene)"
    guard let row = row(name) ?? rows.first(where: { $0.name.hasPrefix(name + "@") }) else {
      let names = rows.filter { $0.isJudged && $0.name.hasPrefix("tick ") }
        .map { $0.name.dropFirst(5) }
      throw Failure(
        .usage, "\(file): no scene \(scene); it has \(names.joined(separator: ", "))")
    }
    var result = self
    result.rows = [row]
    return result
  }

  /// Whether `compare` would judge a row of both.
  package func sharesRows(with other: StudyResult) -> Bool {
    rows.contains { $0.isJudged && other.row($0.name) != nil }
  }

  /// Bytes of a file that is read, at most.
  private static let bytesMax = 64 << 20
}

// MARK: - Files

extension StudyResult {
  /// The document's text.
  package func text() throws(Failure) -> String {
    guard let text = ReportLine.document(self, schema: Self.schema) else {
      throw Failure(.inputOutput, "\(title): cannot be encoded")
    }
    return text + "\n"
  }

  /// Writes the file, complete or not at all.
  ///
  /// - Throws: `Failure` if it cannot be written; an earlier file is then kept.
  package func write(to path: String) throws(Failure) { try AtomicFile.write(text(), to: path) }

  /// Reads a file.
  ///
  /// - Throws: `Failure` for a file that is missing, too large, of another version, or no result; the message
  ///   names the file and, of a text that is no JSON, line and column.
  package static func read(_ path: String) throws(Failure) -> StudyResult {
    try parse(Array(WholeFile.read(path, bytesMax: bytesMax)), file: path)
  }

  /// Parses a file's bytes.
  package static func parse(_ bytes: [UInt8], file: String) throws(Failure) -> StudyResult {
    let table: DocumentTable
    do throws(DocumentError) {
      table = try JSONParser.parseTable(String(decoding: bytes, as: UTF8.self))
    } catch {
      let text = bytes.first { !" \t\r\n".utf8.contains($0) }
      guard text == UInt8(ascii: "{") else {
        throw Failure(.badData, "\(file): no result of orrery bench: it does not begin with {")
      }
      throw Failure(.badData, SweepPlan.message(file, error.offset, bytes, error.reason))
    }
    guard let schema = table["schema"]?.string, schema.hasPrefix("orrery.bench-result.") else {
      throw Failure(
        .badData, "\(file): no result of orrery bench: its schema is not \(Self.schema)")
    }
    guard schema == Self.schema else {
      throw Failure(
        .mismatch, "\(file): has the version \(schema); this program reads \(Self.schema)")
    }
    let result: StudyResult
    do {
      let decoder = JSONDecoder()
      decoder.keyDecodingStrategy = .custom { path in
        StudyKey(path.last)
      }
      result = try decoder.decode(StudyResult.self, from: Data(bytes))
    } catch let error as DecodingError {
      throw Failure(.badData, "\(file): \(error.place)")
    } catch {
      throw Failure(.badData, "\(file): \(error)")
    }
    if let fault = result.fault { throw Failure(.badData, "\(file): \(fault)") }
    return result
  }

  /// A fault of a file that was edited by hand; nil if there is none.
  private var fault: String? {
    var names: Set<String> = []
    for row in rows {
      guard names.insert(row.name).inserted else { return "the row '\(row.name)' stands twice" }
      let samples =
        row.samples + (row.bound?.samples ?? [])
        + row.parts.flatMap { $0.tickNs + ($0.eventsNs ?? []) }
        + (row.split.map { $0.waitNs + $0.computeNs + $0.publishNs } ?? [])
      if let bad = samples.first(where: { !($0.isFinite && $0 >= 0) }) {
        return "the row '\(row.name)' has a round of \(bad)"
      }
    }
    return nil
  }
}

/// The property of a document's key.
private struct StudyKey: CodingKey {
  let stringValue: String
  var intValue: Int?

  init(_ key: (any CodingKey)?) {
    stringValue = ReportKey.property(key?.stringValue ?? "")
    intValue = key?.intValue
  }

  init?(stringValue: String) { self.stringValue = stringValue }

  init?(intValue: Int) { (stringValue, self.intValue) = ("\(intValue)", intValue) }
}

extension DecodingError {
  /// The path of the wrong value, and its fault.
  fileprivate var place: String {
    let context: Context
    switch self {
    case .typeMismatch(_, let found), .valueNotFound(_, let found), .dataCorrupted(let found):
      context = found
    case .keyNotFound(let key, let found):
      let path = (found.codingPath + [key]).map(\.name).joined(separator: ".")
      return "no \(path)"
    @unknown default: return "\(self)"
    }
    let path = context.codingPath.map(\.name).joined(separator: ".")
    return "\(path): \(context.debugDescription)"
  }
}

extension CodingKey {
  /// As it stands in the document.
  fileprivate var name: String { intValue.map { "\($0)" } ?? ReportKey.document(stringValue) }
}

/// Files that are read at once.
enum WholeFile {
  /// Reads a file.
  ///
  /// - Throws: `Failure` for a file that is missing, cannot be read, or is larger than `bytesMax`.
  static func read(_ path: String, bytesMax: Int) throws(Failure) -> Data {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw Failure(.unavailable, "\(path): no such file, or it cannot be read")
    }
    guard data.count <= bytesMax else {
      throw Failure(.badData, "\(path): larger than \(bytesMax) bytes")
    }
    return data
  }
}

/// Files that are there as a whole or not at all.
package enum AtomicFile {
  /// Writes a text beside its path, and then gives it the name.
  ///
  /// - Throws: `Failure` with the path and the kernel's message.
  package static func write(_ text: String, to path: String) throws(Failure) {
    let partial = PartialFile.path(for: path)
    do {
      try Data(text.utf8).write(to: URL(fileURLWithPath: partial))
    } catch {
      unlink(partial)
      throw Failure(.inputOutput, "\(path): cannot be written: \(reason(error))")
    }
    guard rename(partial, path) == 0 else {
      let failure = String(cString: strerror(errno))
      unlink(partial)
      throw Failure(.inputOutput, "\(path): cannot be written: \(failure)")
    }
  }

  /// The kernel's message for a failure of Foundation.
  static func reason(_ error: any Error) -> String {
    let error = error as NSError
    // Foundation's own message is a paragraph; its underlying error has the kernel's number.
    let cause = (error.userInfo[NSUnderlyingErrorKey] as? any Error).map { $0 as NSError } ?? error
    return cause.domain == NSPOSIXErrorDomain
      ? String(cString: strerror(Int32(cause.code))) : error.localizedDescription
  }
}
