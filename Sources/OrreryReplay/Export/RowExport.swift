// SPDX-License-Identifier: Apache-2.0

import Foundation
import Orrery
import OrreryBase
import OrreryDocument
import OrreryFrame
import OrreryMessages

/// Writes a trace's values as rows, one for each entity and tick: CSV or lines of JSON.
///
/// A row has the columns that the entity's batch has in the trace; others have their defaults, as `orrery sample` has
/// them. Each float is written so that reading it back gives the same bits.
package struct RowExport {
  /// The notation of rows.
  package enum Format: String, Sendable {
    case csv
    case ndjson
  }

  /// Which rows are written.
  package struct Choice: Sendable {
    /// Numbers of the entities; nil: all.
    package var entities: [Int]?
    /// Fields; nil: those that the trace has.
    package var fields: [UInt32]?
    /// Each so many frames one is written.
    package var every: UInt64 = 1
    /// Ticks of the first and of the last frame.
    package var ticks: ClosedRange<UInt64> = 0...UInt64.max

    package init() {}
  }

  private let archive: FrameArchive
  private let format: Format
  private let choice: Choice
  private let numbers: [Int]
  private let groups: [Group]
  private let names: EntityNames
  private let fields: [UInt32]
  private let rate: TickRate

  /// Entities in a row that have the same columns and are of one kind.
  ///
  /// Nothing is kept for each entity but its number: of a million, texts and columns would take 300 MB.
  private struct Group {
    /// Indexes of their numbers.
    var range: Range<Int>
    /// What stands behind the name: the kind.
    let kind: [UInt8]
    /// A column for each field, or nil: the default.
    let columns: [ColumnReader?]
  }

  /// Entities that can be chosen one by one.
  private static let entitiesMax = 20_000_000

  /// Prepares an export.
  ///
  /// - Throws: `Failure`: an invalid rate, or too many entities.
  package init(_ archive: FrameArchive, _ format: Format, _ choice: Choice) throws(Failure) {
    self.archive = archive
    self.format = format
    self.choice = choice
    guard let rate = archive.rate else { throw Failure(.badData, "\(archive.path): no valid rate") }
    self.rate = rate
    let readers = archive.template.layout.columns.map(ColumnReader.init)
    let fields = choice.fields ?? Set(readers.map(\.description.field)).sorted()
    self.fields = fields
    let numbers = choice.entities ?? archive.entityNumbers
    guard numbers.count <= Self.entitiesMax else {
      throw Failure(
        .usage, "\(numbers.count) entities; --entity chooses up to \(Self.entitiesMax)")
    }
    self.numbers = numbers
    names = EntityNames(archive.scene)
    groups = Self.groups(numbers, archive.scene, readers, fields, format)
  }

  private static func groups(
    _ numbers: [Int], _ scene: Orrery_SceneLayout, _ readers: [ColumnReader], _ fields: [UInt32],
    _ format: Format
  ) -> [Group] {
    let batches = scene.batches.map { batch in
      Int(batch.firstEntity)..<Int(batch.firstEntity) + Int(batch.entityCount)
    }
    var groups: [Group] = []
    var key: (batch: Int?, readers: [Int?]) = (nil, [])
    for (index, number) in numbers.enumerated() {
      let batch = batches.firstIndex { $0.contains(number) }
      let own = fields.map { field in
        readers.firstIndex { $0.description.field == field && $0.entities.contains(number) }
      }
      if let last = groups.last, key == (batch, own) {
        groups[groups.count - 1].range = last.range.lowerBound..<index + 1
        continue
      }
      key = (batch, own)
      let kind = batch.map { scene.batches[$0].kind } ?? ""
      groups.append(
        Group(
          range: index..<index + 1,
          kind: format == .csv
            ? Array(("," + CSVText.cell(kind)).utf8)
            : Array(",\"kind\":\(JSONWriter.string(kind, .answer))".utf8),
          columns: own.map { $0.map { readers[$0] } }))
    }
    return groups
  }

  /// Writes the rows.
  ///
  /// - Parameter write: Takes bytes; false if nobody wants more.
  /// - Returns: Rows and frames that were written.
  /// - Throws: `Failure` if the trace is damaged; what `write` throws.
  package func run(
    write: ([UInt8]) throws(Failure) -> Bool
  ) throws(Failure) -> (rows: UInt64, frames: UInt64) {
    var buffer: [UInt8] = []
    buffer.reserveCapacity(Self.bufferBytes + 4096)
    if format == .csv {
      let names =
        ["sequence", "tick", "time_s", "entity", "name", "kind"] + fields.map(FieldName.text)
      buffer += Array((names.joined(separator: ",") + "\n").utf8)
    }
    var (rows, frames, seen) = (UInt64(0), UInt64(0), UInt64(0))
    var next = try archive.frame(showing: choice.ticks.lowerBound)
    while let frame = next, choice.ticks.contains(frame.tick) {
      if seen % choice.every == 0 {
        frames += 1
        let bytes = try archive.bytes(of: frame)
        guard let base = bytes.baseAddress else { break }
        let head = head(frame)
        for group in groups {
          for number in numbers[group.range] {
            append(number, group, head, base, to: &buffer)
            rows += 1
            if buffer.count >= Self.bufferBytes {
              guard try write(buffer) else { return (rows, frames) }
              buffer.removeAll(keepingCapacity: true)
            }
          }
        }
      }
      seen += 1
      next = try archive.frame(from: frame.sequence + 1)
    }
    if !buffer.isEmpty { _ = try write(buffer) }
    return (rows, frames)
  }

  private static let bufferBytes = 1 << 18

  private func head(_ frame: RecordedFrame) -> [UInt8] {
    let time = rate.seconds(tick: frame.tick)
    switch format {
    case .csv: return Array("\(frame.sequence),\(frame.tick),\(time),".utf8)
    case .ndjson:
      return Array(
        "{\"sequence\":\(frame.sequence),\"tick\":\(frame.tick),\"time_s\":\(time),".utf8)
    }
  }

  private func append(
    _ number: Int, _ group: Group, _ head: [UInt8], _ frame: UnsafeRawPointer,
    to buffer: inout [UInt8]
  ) {
    buffer += head
    let name = names.name(of: number) ?? ""
    switch format {
    case .csv: buffer += "\(number),\(CSVText.cell(name))".utf8
    case .ndjson:
      buffer += "\"entity\":\(number),\"name\":\(JSONWriter.string(name, .answer))".utf8
    }
    buffer += group.kind
    for (field, column) in zip(fields, group.columns) {
      let value = column.map { $0.value(number, in: frame) } ?? FieldName.standard(field)
      buffer.append(UInt8(ascii: ","))
      if format == .ndjson { buffer += Array("\"\(FieldName.text(field))\":".utf8) }
      if value.isFinite {
        buffer += "\(value)".utf8
      } else {
        buffer += (format == .ndjson ? "null" : "NaN").utf8
      }
    }
    if format == .ndjson { buffer.append(UInt8(ascii: "}")) }
    buffer.append(UInt8(ascii: "\n"))
  }
}

extension FieldName {
  /// The value of an entity whose batch has no column for a field.
  static func standard(_ field: UInt32) -> Float { field == 3 || field == 4 ? 1 : 0 }
}

extension FrameArchive {
  /// Numbers of all entities that the trace has.
  package var entityNumbers: [Int] {
    scene.batches.flatMap { batch in
      Array(Int(batch.firstEntity)..<Int(batch.firstEntity) + Int(batch.entityCount))
    }
  }
}
