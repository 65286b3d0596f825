// SPDX-License-Identifier: Apache-2.0

import CFrameLayout
import Foundation
import OrreryFrame
import TestSupport
import Testing

/// Goal: what the header's comments and the pages say of the bytes is what the compiler makes of them.
///
/// Method: read the tables out of both texts, row by row, and compare them with `MemoryLayout`.
@Suite struct ByteTableTests {
  /// One field of a structure.
  struct Row: Equatable, CustomStringConvertible {
    let offset: Int
    let size: Int
    let name: String
    var description: String { "\(offset) \(size) \(name)" }
  }

  private static func row<Root, Value>(_ name: String, _ path: KeyPath<Root, Value>) -> Row {
    Row(
      offset: MemoryLayout<Root>.offset(of: path) ?? -1, size: MemoryLayout<Value>.size,
      name: name)
  }

  /// Structures as the compiler sees them, with the page that describes each.
  private static let structures: [(name: String, page: String, bytes: Int, rows: [Row])] = [
    (
      "ring_header", "reference/frame.md", MemoryLayout<ring_header>.size,
      [
        row("magic", \ring_header.magic), row("layout_version", \ring_header.layout_version),
        row("delivery", \ring_header.delivery),
        row("segment_bytes", \ring_header.segment_bytes),
        row("generation", \ring_header.generation),
        row("layout_hash", \ring_header.layout_hash),
        row("columns_offset", \ring_header.columns_offset),
        row("column_count", \ring_header.column_count),
        row("slot_count", \ring_header.slot_count),
        row("directory_offset", \ring_header.directory_offset),
        row("static_offset", \ring_header.static_offset),
        row("static_bytes", \ring_header.static_bytes),
        row("places_offset", \ring_header.places_offset),
        row("place_stride", \ring_header.place_stride),
        row("frame_bytes", \ring_header.frame_bytes),
        row("look_ahead", \ring_header.look_ahead),
        row("spare_count", \ring_header.spare_count),
        row("clock_offset_ns", \ring_header.clock_offset_ns),
        row("reserved", \ring_header.reserved),
        row("published", \ring_header.published),
        row("reserved_published", \ring_header.reserved_published),
        row("ended", \ring_header.ended), row("reserved_ended", \ring_header.reserved_ended),
      ]
    ),
    (
      "ring_column", "reference/frame.md", MemoryLayout<ring_column>.size,
      [
        row("batch", \ring_column.batch), row("field", \ring_column.field),
        row("first_entity", \ring_column.first_entity),
        row("value_count", \ring_column.value_count),
        row("values_offset", \ring_column.values_offset),
        row("format", \ring_column.format), row("unit", \ring_column.unit),
      ]
    ),
    (
      "ring_slot", "reference/frame.md", MemoryLayout<ring_slot>.size,
      [
        row("sequence_begin", \ring_slot.sequence_begin),
        row("sequence_end", \ring_slot.sequence_end), row("place", \ring_slot.place),
        row("reserved", \ring_slot.reserved),
      ]
    ),
    (
      "counters_header", "reference/counters.md", MemoryLayout<counters_header>.size,
      [
        row("magic", \counters_header.magic),
        row("layout_version", \counters_header.layout_version),
        row("process_id", \counters_header.process_id),
        row("page_bytes", \counters_header.page_bytes),
        row("started_ns", \counters_header.started_ns),
        row("label_count", \counters_header.label_count),
        row("text_bytes", \counters_header.text_bytes),
        row("generation", \counters_header.generation),
        row("reserved", \counters_header.reserved), row("sequence", \counters_header.sequence),
        row("reserved_sequence", \counters_header.reserved_sequence),
      ]
    ),
    (
      "counter_label", "reference/counters.md", MemoryLayout<counter_label>.size,
      [
        row("name", \counter_label.name), row("kind", \counter_label.kind),
        row("word_count", \counter_label.word_count), row("offset", \counter_label.offset),
        row("reserved", \counter_label.reserved),
      ]
    ),
    (
      "announcement", "reference/wire.md", MemoryLayout<announcement>.size,
      [
        row("topic", \announcement.topic), row("generation", \announcement.generation),
        row("sequence", \announcement.sequence), row("tick", \announcement.tick),
        row("sim_time_ns", \announcement.sim_time_ns),
        row("publish_clock_ns", \announcement.publish_clock_ns),
        row("state_hash", \announcement.state_hash),
        row("layout_version", \announcement.layout_version),
        row("reserved", \announcement.reserved),
      ]
    ),
    (
      "join_request", "reference/wire.md", MemoryLayout<join_request>.size,
      [
        row("magic", \join_request.magic), row("layout_version", \join_request.layout_version),
        row("process_id", \join_request.process_id), row("name", \join_request.name),
        row("waiting", \join_request.waiting), row("reading", \join_request.reading),
        row("from", \join_request.from),
      ]
    ),
    (
      "join_reply", "reference/wire.md", MemoryLayout<join_reply>.size,
      [
        row("magic", \join_reply.magic), row("layout_version", \join_reply.layout_version),
        row("status", \join_reply.status), row("generation", \join_reply.generation),
        row("segment_bytes", \join_reply.segment_bytes), row("sequence", \join_reply.sequence),
        row("layout_hash", \join_reply.layout_hash), row("delivery", \join_reply.delivery),
        row("carrier", \join_reply.carrier),
        row("reserved", \join_reply.reserved),
      ]
    ),
    (
      "progress_report", "reference/wire.md", MemoryLayout<progress_report>.size,
      [
        row("sequence", \progress_report.sequence), row("missed", \progress_report.missed),
        row("leaving", \progress_report.leaving), row("reserved", \progress_report.reserved),
      ]
    ),
    (
      "join_notice", "reference/wire.md", MemoryLayout<join_notice>.size,
      [
        row("magic", \join_notice.magic), row("reason", \join_notice.reason),
        row("reserved", \join_notice.reserved), row("sequence", \join_notice.sequence),
      ]
    ),
  ]

  /// The row that begins with three words: offset, size and name.
  private static func row(_ words: [Substring]) -> Row? {
    guard words.count >= 3, let offset = Int(words[0]), let size = Int(words[1]) else { return nil }
    return Row(offset: offset, size: size, name: String(words[2]))
  }

  /// The table in the comment in front of `typedef struct NAME`.
  private static func headerRows(_ name: String) throws -> [Row] {
    var rows: [Row] = []
    let header = try Repository.text("Sources/CFrameLayout/include/CFrameLayout.h")
    for line in header.split(separator: "\n") {
      if line == "typedef struct \(name) {" { return rows }
      if line.hasPrefix("}") { rows = [] }
      guard line.hasPrefix("//") else { continue }
      if let row = row(line.dropFirst(2).split(separator: " ")) { rows.append(row) }
    }
    return []
  }

  /// The table under the heading that names the structure in code font.
  private static func pageRows(_ name: String, page: String) throws -> [Row] {
    var rows: [Row] = []
    var isUnderHeading = false
    for line in try Repository.text("docs/\(page)").split(separator: "\n") {
      if line.hasPrefix("#") { isUnderHeading = line.contains("`\(name)`") }
      guard isUnderHeading, line.hasPrefix("|") else { continue }
      if let row = row(line.split { $0 == "|" || $0 == " " || $0 == "`" }) { rows.append(row) }
    }
    return rows
  }

  @Test(arguments: structures.indices)
  func tablesAreWhatTheCompilerMakes(index: Int) throws {
    let structure = Self.structures[index]
    #expect(try Self.headerRows(structure.name) == structure.rows, "in CFrameLayout.h")
    #expect(
      try Self.pageRows(structure.name, page: structure.page) == structure.rows,
      "in docs/\(structure.page)")
    // The rows leave no byte out.
    var end = 0
    for row in structure.rows {
      #expect(row.offset == end, "\(structure.name): \(row)")
      end = row.offset + row.size
    }
    #expect(end == structure.bytes)
  }

  @Test func constantsOfTheHeaderStandInThePages() throws {
    let layout = try Repository.text("docs/reference/frame.md")
    let wire = try Repository.text("docs/reference/wire.md")
    #expect(layout.contains(String(RING_MAGIC, radix: 16)))
    #expect(wire.contains(String(JOIN_MAGIC, radix: 16)))
    #expect(layout.contains("version \(FRAME_LAYOUT_VERSION)"))
    let counters = try Repository.text("docs/reference/counters.md")
    #expect(counters.contains(String(COUNTERS_MAGIC, radix: 16)))
    #expect(counters.contains("version \(COUNTERS_LAYOUT_VERSION)"))
    for (kind, name) in [
      (CounterKind.total, "COUNTER_TOTAL"), (.gauge, "COUNTER_GAUGE"),
      (.histogram, "COUNTER_HISTOGRAM"),
    ] {
      #expect(counters.contains("| \(kind.rawValue) | `\(name)` |"))
    }
    for (label, kind) in SimCounter.allCases.map({ ($0.label, $0.kind) })
      + SubscriberCounter.allCases.map({ ($0.label, $0.kind) })
    {
      #expect(counters.contains("| `\(label)` | \(kind) |"), "\(label)")
    }
    for (name, value) in [
      ("JOIN_ACCEPTED", JOIN_ACCEPTED), ("JOIN_REFUSED_VERSION", JOIN_REFUSED_VERSION),
      ("JOIN_REFUSED_FULL", JOIN_REFUSED_FULL), ("JOIN_REFUSED_ENDED", JOIN_REFUSED_ENDED),
      ("JOIN_REFUSED_SILENT", JOIN_REFUSED_SILENT), ("WAIT_SPIN", WAIT_SPIN),
      ("WAIT_FUTEX", WAIT_FUTEX), ("WAIT_ANNOUNCEMENT", WAIT_ANNOUNCEMENT),
      ("READ_EVERY", READ_EVERY), ("READ_NEWEST", READ_NEWEST),
      ("READ_NOTHING", READ_NOTHING),
      ("NOTICE_STALLED", NOTICE_STALLED), ("NOTICE_BROKE_PROTOCOL", NOTICE_BROKE_PROTOCOL),
    ] {
      #expect(wire.contains("| \(value) | `\(name)` |"))
    }
    #expect(layout.contains("| \(DELIVERY_LIVE) | `DELIVERY_LIVE` |"))
    #expect(layout.contains("| \(DELIVERY_LOCKSTEP) | `DELIVERY_LOCKSTEP` |"))
    #expect(layout.contains("| \(COLUMN_FLOAT32) | `COLUMN_FLOAT32` |"))
    #expect(layout.contains("| \(COLUMN_FIXED16) | `COLUMN_FIXED16` |"))
    #expect(layout.contains("\(MemoryLayout<ring_column>.size) · column_count"))
    #expect(layout.contains("up(max(frame_bytes, \(SegmentMap.placeSkewBytes))"))
  }

  /// The page's tables of a frame's bytes, for one column of eight values.
  @Test(
    arguments: [
      ("Bytes of a frame", .float32, 20),
      ("Bytes of a column of 16-bit values", .fixed16(unit: 0.0625), 10),
    ] as [(String, ColumnDescription.Format, Int)])
  func pageShowsTheBytesOfARealFrame(
    heading: String, format: ColumnDescription.Format, rowCount: Int
  ) throws {
    let writer = try FrameWriter(
      layout: FrameLayout(columns: [
        ColumnDescription(batch: 2, field: 4, firstEntity: 300, valueCount: 8, format: format)
      ]), slotCount: 2, staticPart: [], generation: 1, delivery: .live)
    writer.publishNext()
    let reader = try writer.makeReader()
    defer { withExtendedLifetime(reader) {} }
    let view = try #require(reader.acquire(1).view)
    var isUnderHeading = false
    var rows = 0
    for line in try Repository.text("docs/reference/frame.md").split(separator: "\n") {
      if line.hasPrefix("#") { isUnderHeading = line.hasSuffix(heading) }
      let cells = line.split(separator: "|").map { $0.split(separator: " ") }
      guard isUnderHeading, cells.count >= 3, let offset = cells[0].first.flatMap({ Int($0) }),
        let size = cells[1].first.flatMap({ Int($0) })
      else { continue }
      rows += 1
      // Bytes are given in hexadecimal where every frame of this layout has them.
      let bytes = cells[2].map { $0.filter { $0 != "`" } }.compactMap { UInt8($0, radix: 16) }
      guard !bytes.isEmpty else { continue }
      #expect(bytes.count == size, "\(line)")
      #expect(Array(view.bytes[offset..<(offset + size)]) == bytes, "\(line)")
    }
    #expect(rows >= rowCount)
  }
}
