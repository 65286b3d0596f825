// SPDX-License-Identifier: Apache-2.0

/// Encodes a program's part of a timeline as packets of Perfetto's trace format.
///
/// | packet  | fields                                                                                    |
/// |---------|-------------------------------------------------------------------------------------------|
/// | first   | what later ones need: names by number, the track of slices, and the clock                 |
/// | 2nd, 3rd| the process and its thread, on which slices lie                                           |
/// | others  | the start or the end of a slice: time since the packet before, number of its name, notes  |
///
/// A slice takes some 23 bytes. Slices come in the order of time and nest; what lies between two is `wait`.
/// https://perfetto.dev/docs/reference/synthetic-track-event has the fields.
package struct TimelineEncoder {
  /// Packets that were not taken yet.
  package private(set) var fields = FieldWriter(reserving: 128 << 10)

  /// The number by which readers tell this part's packets from others'.
  private let number: UInt32

  /// The last time that was said, and as packets have it so far: a multiple of `unitNs`.
  private var lastNs: UInt64
  private var writtenNs: UInt64

  /// Of times in packets: one or two bytes less each, and below what reading a clock takes.
  package static let unitNs: UInt64 = 10

  /// Whether there was a slice: a gap needs one before it.
  package private(set) var hasBegun = false

  /// The end of the slice that is open; nil: none is.
  private var openUntilNs: UInt64?

  /// Notes of the slice that comes next, and frames that were left out before it.
  private var notes: [(word: UInt8, value: UInt64)] = []
  private var leftOut: UInt64 = 0

  /// Says what a part is of, and begins it.
  ///
  /// - Parameters:
  ///   - owner: The program.
  ///   - number: No other part that is written meanwhile has it; from 1.
  ///   - nowNs: Now, by the monotonic clock.
  ///   - wallNs: The same, since 1970.
  package init(_ owner: TimelineOwner, number: UInt32, nowNs: UInt64, wallNs: UInt64) {
    self.number = number
    let beginNs = nowNs - nowNs % Self.unitNs
    (lastNs, writtenNs) = (beginNs, beginNs)
    notes.reserveCapacity(TimelineRing.frameMax)
    let (process, thread) = (UInt64.random(in: 1 ... .max), UInt64.random(in: 1 ... .max))
    packet { packet in
      packet.append(6) { snapshot in
        for (clock, timeNs, unitNs) in [
          (Self.monotonic, beginNs, 1), (Self.realtime, wallNs, 1),
          (Self.own, beginNs, Self.unitNs),
        ] {
          snapshot.append(1) { entry in
            entry.append(1, varint: clock)
            entry.append(2, varint: timeNs / unitNs)
            entry.append(3, varint: clock == Self.own ? 1 : 0)
            entry.append(4, varint: unitNs == 1 ? 0 : unitNs)
          }
        }
        snapshot.append(2, varint: Self.monotonic)
      }
      packet.append(12) { interned in
        for phase in TimelinePhase.allCases { interned.append(2, phase.rawValue, phase.name) }
        for note in TimelineNote.allCases { interned.append(3, note.rawValue, note.name) }
        interned.append(29, 0, owner.kinds)
      }
      packet.append(13, varint: Self.stateCleared)
      packet.append(59) { defaults in
        defaults.append(11) { $0.append(11, varint: thread) }
        defaults.append(58, varint: Self.own)
      }
      packet.append(87, varint: 1)
    }
    packet { packet in
      packet.append(60) { track in
        track.append(1, varint: process)
        track.append(3) { descriptor in
          descriptor.append(1, varint: UInt64(owner.processID))
          descriptor.append(6, owner.processName)
          descriptor.append(8, "run \(owner.run)")
        }
      }
    }
    packet { packet in
      packet.append(60) { track in
        track.append(1, varint: thread)
        track.append(4) { descriptor in
          descriptor.append(1, varint: UInt64(owner.processID))
          descriptor.append(2, varint: UInt64(owner.threadID))
          descriptor.append(5, owner.program)
        }
        track.append(5, varint: process)
      }
    }
  }

  /// Clocks by Perfetto's numbers; of its own a part has one that counts from packet to packet.
  private static let realtime: UInt64 = 1
  private static let monotonic: UInt64 = 3
  private static let own: UInt64 = 64

  /// What was known before of this number is over.
  private static let stateCleared: UInt64 = 1

  private static let sliceBegins: UInt64 = 1
  private static let sliceEnds: UInt64 = 2

  /// Forgets the packets so far: they were written.
  package mutating func removeAll() { fields.removeAll() }

  /// Encodes a record; they come in the order of their starts.
  package mutating func take(_ record: TimelineRing.Record) {
    if record.isNote {
      if record.word == TimelineNote.leftOut.rawValue {
        leftOut = record.value
      } else {
        notes.append((record.word, record.value))
      }
      return
    }
    let isParent =
      record.word == TimelinePhase.overBudget.rawValue || record.word == TimelinePhase.late.rawValue
    if let openUntilNs, record.fromNs >= openUntilNs || isParent { end(openUntilNs) }
    if openUntilNs == nil, hasBegun, record.fromNs > lastNs || leftOut > 0 {
      fillGap(to: record.fromNs)
    }
    hasBegun = true
    leftOut = 0
    // A clock that was set back stands still, and nothing ends after what it lies in.
    let toNs = min(max(record.toNs, record.fromNs, lastNs), openUntilNs ?? .max)
    if toNs > max(record.fromNs, lastNs) || isParent {
      begin(record.word, atNs: record.fromNs, frame: record.value)
      if isParent { openUntilNs = toNs } else { write(endAtNs: toNs) }
    }
    notes.removeAll(keepingCapacity: true)
    if !isParent, let openUntilNs, toNs >= openUntilNs { end(openUntilNs) }
  }

  private mutating func fillGap(to ns: UInt64) {
    let own = notes
    notes = leftOut > 0 ? [(TimelineNote.leftOut.rawValue, leftOut)] : []
    begin(TimelinePhase.wait.rawValue, atNs: lastNs, frame: 0)
    write(endAtNs: ns)
    notes = own
  }

  private mutating func end(_ ns: UInt64) {
    write(endAtNs: ns)
    openUntilNs = nil
  }

  private mutating func begin(_ phase: UInt8, atNs ns: UInt64, frame: UInt64) {
    let notes = notes
    event(atNs: ns) { event in
      if frame > 0 { event.append(note: TimelineNote.frame.rawValue, frame) }
      for note in notes { event.append(note: note.word, note.value) }
      event.append(9, varint: Self.sliceBegins)
      event.append(10, varint: UInt64(phase) + 1)
    }
  }

  private mutating func write(endAtNs ns: UInt64) {
    event(atNs: ns) { $0.append(9, varint: Self.sliceEnds) }
  }

  private mutating func event(atNs ns: UInt64, _ body: (inout FieldWriter) -> Void) {
    lastNs = max(lastNs, ns)
    let units = (lastNs - writtenNs) / Self.unitNs
    writtenNs += units * Self.unitNs
    packet { packet in
      // Also if it is 0: a packet without a time has another meaning.
      packet.append(tag: 8, .varint)
      packet.append(varint: units)
      packet.append(11, body)
    }
  }

  private mutating func packet(_ body: (inout FieldWriter) -> Void) {
    let number = number
    fields.append(1) { packet in
      packet.append(10, varint: UInt64(number))
      body(&packet)
    }
  }
}

extension FieldWriter {
  /// A name and its number.
  fileprivate mutating func append(_ field: Int, _ word: UInt8, _ name: String) {
    append(field) { entry in
      entry.append(1, varint: UInt64(word) + 1)
      entry.append(2, name)
    }
  }

  /// A number with a name; of `kinds`, the text.
  fileprivate mutating func append(note word: UInt8, _ value: UInt64) {
    append(4) { note in
      note.append(1, varint: UInt64(word) + 1)
      if word == TimelineNote.kinds.rawValue {
        note.append(17, varint: 1)
      } else {
        note.append(tag: 3, .varint)
        note.append(varint: value)
      }
    }
  }
}
