// SPDX-License-Identifier: Apache-2.0

import OrreryBase

/// A file of `--timeline` as a reader of Perfetto's format understands it, written without the writer's code.
///
/// It refuses what the format forbids or no program should write: names without a number's meaning, an end without a
/// begin, a slice that leaves the one in which it lies, packets of a part that has not begun.
package struct TimelineTrace {
  /// A slice.
  package struct Slice: Equatable, Sendable {
    package var process = ""
    package var name = ""
    /// By the monotonic clock.
    package var fromNs: UInt64 = 0
    package var toNs: UInt64 = 0
    /// The name of the slice in which it lies; nil: in none.
    package var parent: String?
    package var numbers: [String: UInt64] = [:]
    package var texts: [String: String] = [:]
  }

  /// What is wrong, and in which packet.
  package struct Fault: Error {
    package let packet: Int
    package let what: String
  }

  /// In the order of their ends, of each part.
  package private(set) var slices: [Slice] = []

  /// Names of processes, with their labels.
  package private(set) var processes: [String: String] = [:]
  package private(set) var packetCount = 0

  private var parts: [UInt64: Part] = [:]
  private var tracks: [UInt64: String] = [:]

  private struct Part {
    var names: [UInt64: String] = [:]
    var notes: [UInt64: String] = [:]
    var texts: [UInt64: String] = [:]
    var track: UInt64 = 0
    var clockNs: UInt64?
    var unitNs: UInt64 = 1
    var open: [Slice] = []
  }

  /// Reads a whole file.
  ///
  /// - Throws: `Fault`, or the fault of fields.
  package init(_ bytes: [UInt8]) throws {
    try bytes.withUnsafeBytes { bytes in
      var packets = FieldReader(bytes)
      while let (number, value) = try packets.next() {
        packetCount += 1
        guard number == 1, case .bytes(let range) = value else { throw fault("no packet") }
        try read(Message(bytes, range))
      }
    }
    for part in parts.values where !part.open.isEmpty {
      throw fault("\(part.open.map(\.name)) of \(tracks[part.track] ?? "") do not end")
    }
  }

  private func fault(_ what: String) -> Fault { Fault(packet: packetCount, what: what) }

  private mutating func read(_ packet: Message) throws {
    if try packet.has(36) { return }
    guard let sequence = try packet.number(10), sequence > 0 else { throw fault("no sequence") }
    if try packet.number(13) == 1 {
      parts[sequence] = try begin(packet)
      return
    }
    guard var part = parts[sequence] else { throw fault("part \(sequence) has not begun") }
    if let track = try packet.message(60) { try readTrack(track) }
    if let event = try packet.message(11) {
      guard let units = try packet.number(8), let clockNs = part.clockNs else {
        throw fault("no time")
      }
      part.clockNs = clockNs + units * part.unitNs
      try read(event, atNs: clockNs + units * part.unitNs, &part)
    }
    parts[sequence] = part
  }

  private func begin(_ packet: Message) throws -> Part {
    var part = Part()
    guard let snapshot = try packet.message(6), try snapshot.number(2) == 3,
      let defaults = try packet.message(59), try defaults.number(58) == 64,
      let track = try defaults.message(11)?.number(11), let interned = try packet.message(12)
    else { throw fault("the part's begin lacks something") }
    part.track = track
    var clocks: [UInt64: UInt64] = [:]
    for clock in try snapshot.messages(1) {
      let (number, unitNs) = (try clock.number(1) ?? 0, try clock.number(4) ?? 1)
      clocks[number] = try clock.number(2).map { $0 * unitNs }
      if number == 64 { part.unitNs = unitNs }
      guard try clock.number(3) == (number == 64 ? 1 : nil), number == 64 || unitNs == 1 else {
        throw fault("a clock that counts otherwise")
      }
    }
    guard let ns = clocks[64], clocks[3] == ns, clocks[1] != nil else { throw fault("\(clocks)") }
    part.clockNs = ns
    for (field, path) in [(2, \Part.names), (3, \.notes), (29, \.texts)] {
      for entry in try interned.messages(field) {
        // A text that is empty is as one that is not there.
        let text = try entry.text(2) ?? ""
        guard let number = try entry.number(1), field == 29 || text != "" else {
          throw fault("a name without a number")
        }
        part[keyPath: path][number] = text
      }
    }
    return part
  }

  private mutating func readTrack(_ track: Message) throws {
    guard let uuid = try track.number(1) else { throw fault("a track without a number") }
    if let process = try track.message(3) {
      let name = try process.text(6) ?? ""
      tracks[uuid] = name
      processes[name] = try process.text(8)
    } else if let thread = try track.message(4), let parent = try track.number(5),
      let process = tracks[parent], try thread.text(5) != nil, try thread.number(2) != nil
    {
      tracks[uuid] = process
    } else {
      throw fault("a track of nothing")
    }
  }

  private mutating func read(_ event: Message, atNs ns: UInt64, _ part: inout Part) throws {
    switch try event.number(9) {
    case 1:
      guard let name = part.names[try event.number(10) ?? 0], let process = tracks[part.track]
      else { throw fault("a slice without a name or a track") }
      var slice = Slice(process: process, name: name, fromNs: ns, parent: part.open.last?.name)
      for note in try event.messages(4) {
        guard let name = part.notes[try note.number(1) ?? 0] else {
          throw fault("a note without a name")
        }
        if let number = try note.number(3) { slice.numbers[name] = number }
        if let text = try note.number(17) { slice.texts[name] = part.texts[text] }
      }
      part.open.append(slice)
    case 2:
      guard var slice = part.open.popLast() else { throw fault("an end without a begin") }
      slice.toNs = ns
      slices.append(slice)
    default: throw fault("an event that neither begins nor ends")
    }
  }
}

/// A message in bytes, by the numbers of its fields.
private struct Message {
  let bytes: UnsafeRawBufferPointer
  let range: Range<Int>

  init(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) {
    (self.bytes, self.range) = (bytes, range)
  }

  private func values(_ number: Int) throws -> [FieldReader.Value] {
    var (fields, found) = (FieldReader(bytes, in: range), [FieldReader.Value]())
    while let (field, value) = try fields.next() {
      if field == number { found.append(value) }
    }
    return found
  }

  func has(_ number: Int) throws -> Bool { try !values(number).isEmpty }

  func number(_ number: Int) throws -> UInt64? { try values(number).last?.word }

  func messages(_ number: Int) throws -> [Message] {
    try values(number).compactMap {
      if case .bytes(let range) = $0 { Message(bytes, range) } else { nil }
    }
  }

  func message(_ number: Int) throws -> Message? { try messages(number).last }

  func text(_ number: Int) throws -> String? {
    try messages(number).last.map { String(decoding: bytes[$0.range], as: UTF8.self) }
  }
}
