// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase
import OrreryDocument
import OrreryMessages
import OrreryTrace

/// Writes trace events as JSON, in files of bounded size.
struct ChromeWriter: ~Copyable {
  /// The rows on which events are shown.
  enum Row: Int, CaseIterable {
    case sim = 1
    case views
    case logger

    var name: String {
      switch self {
      case .sim: "sim"
      case .views: "views"
      case .logger: "logger"
      }
    }
  }

  /// Files that were written.
  private(set) var files: [String] = []

  /// Events that were written, but for those that name rows.
  private(set) var eventCount: UInt64 = 0

  private let output: String
  private let eventsMax: UInt64
  private var buffer: [UInt8] = []

  /// The files, which get their paths together at the end.
  private var outputs: [OutputFile] = []
  private var isOpen = false
  private var left: UInt64 = 0

  init(output: String, eventsMax: UInt64) { (self.output, self.eventsMax) = (output, eventsMax) }

  /// Writes something that took a while.
  mutating func span(
    _ name: String, atNs: Int64, ns: Int64, row: Row, args: String
  ) throws(Failure) {
    try event(
      "{\"ph\":\"X\",\"name\":\(JSONWriter.string(name, .answer)),\"pid\":1,\"tid\":\(row.rawValue),\"ts\":"
        + Self.microseconds(atNs) + ",\"dur\":" + Self.microseconds(ns) + ",\"args\":" + args + "}")
  }

  /// Writes something that happened at a time.
  mutating func instant(_ name: String, atNs: Int64, row: Row, args: String) throws(Failure) {
    try event(
      "{\"ph\":\"i\",\"s\":\"t\",\"name\":\(JSONWriter.string(name, .answer)),\"pid\":1,\"tid\":\(row.rawValue)"
        + ",\"ts\":" + Self.microseconds(atNs) + ",\"args\":" + args + "}")
  }

  /// Writes numbers that change with time.
  mutating func counter(_ name: String, atNs: Int64, args: String) throws(Failure) {
    try event(
      "{\"ph\":\"C\",\"name\":\(JSONWriter.string(name, .answer)),\"pid\":1,\"ts\":"
        + Self.microseconds(atNs) + ",\"args\":" + args + "}")
  }

  /// Writes a message that is no frame.
  ///
  /// - Throws: `Failure`, and what decoding it meets.
  mutating func write(_ message: TraceArchiveMessage, atNs: UInt64) throws {
    let (bytes, atNs) = (Array(message.bytes), Int64(clamping: atNs))
    switch Topic(rawValue: message.topic) {
    case .events:
      let events = try Orrery_Events(serializedBytes: bytes)
      for event in events.events {
        try instant(
          Self.name(event), atNs: atNs, row: .views,
          args: "{\"tick\":\(events.tick),\"scene_time_s\":\(event.time.isFinite ? event.time : 0)"
            + ",\"view\":\(JSONWriter.string(event.view, .answer))"
            + (event.command.isEmpty
              ? "" : ",\"command\":\(JSONWriter.string(event.command, .answer))") + "}")
      }
    case .loss:
      let loss = try Orrery_Loss(serializedBytes: bytes)
      try instant(
        "loss", atNs: atNs, row: .logger,
        args: "{\"first\":\(loss.firstSequence),\"last\":\(loss.lastSequence)"
          + (loss.hasShard ? ",\"shard\":\(loss.shard)}" : "}"))
    case .statistics:
      let found = try Orrery_Statistics(serializedBytes: bytes)
      try counter(
        "frames", atNs: atNs,
        args:
          "{\"received\":\(found.received),\"missed\":\(found.missed),\"left_out\":\(found.leftOut)}"
      )
      try counter("queued bytes", atNs: atNs, args: "{\"bytes\":\(found.queuedBytes)}")
      try counter("file bytes", atNs: atNs, args: "{\"bytes\":\(found.fileBytes)}")
    case .log:
      try instant("log", atNs: atNs, row: .logger, args: "{\"bytes\":\(bytes.count)}")
    default: break
    }
  }

  private static func name(_ event: Orrery_Event) -> String {
    switch event.kind {
    case .legEnded: "leg ended: \(event.view)"
    case .logicallyComplete: "logically complete: \(event.view)"
    case .removed: "removed: \(event.view)"
    case .completed: "completed: \(event.completion)"
    case .command: "change"
    default: "event"
    }
  }

  /// Nanoseconds as microseconds with three decimals.
  private static func microseconds(_ ns: Int64) -> String {
    let magnitude = ns.magnitude
    let rest = String(magnitude % 1000).alignedRight(3, filler: "0")
    return "\(ns < 0 ? "-" : "")\(magnitude / 1000).\(rest)"
  }

  // MARK: - Files

  private mutating func event(_ json: String) throws(Failure) {
    if left == 0 { try begin() }
    buffer += Array((",\n" + json).utf8)
    left -= 1
    eventCount += 1
    if buffer.count >= 1 << 18 { try flush() }
  }

  /// Ends the file, and begins the next one.
  private mutating func begin() throws(Failure) {
    try end()
    // NAME.1.json after NAME.json.
    let halves = PathHalves(output, mayBeNameless: true)
    let path = files.isEmpty ? output : halves.joined(by: ".\(files.count)")
    try Failure.of(.inputOutput) { outputs.append(try OutputFile(path)) }
    isOpen = true
    files.append(path)
    left = eventsMax
    let rows = Row.allCases.map {
      "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":1,\"tid\":\($0.rawValue),\"args\":{\"name\":\"\($0.name)\"}}"
    }
    buffer += Array(
      ("{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n" + rows.joined(separator: ",\n")).utf8)
  }

  private mutating func end() throws(Failure) {
    guard !files.isEmpty, isOpen else { return }
    buffer += Array("\n]}\n".utf8)
    try flush()
    isOpen = false
  }

  private mutating func flush() throws(Failure) {
    try Failure.of(.inputOutput) { try outputs.last?.write(buffer) }
    buffer.removeAll(keepingCapacity: true)
  }

  /// Ends the last file; a trace without events has one, too.
  mutating func finish() throws(Failure) {
    if files.isEmpty { try begin() }
    try end()
    try Failure.of(.inputOutput) {
      for output in outputs { try output.finish() }
    }
  }
}
