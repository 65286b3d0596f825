// SPDX-License-Identifier: Apache-2.0

import OrreryFrame

/// A real writer and real readers whose work is cut into steps that a test runs in any order.
///
///     writer   claim | first half | second half | publish | claim | …
///              (with look-ahead each half also of the frames that were claimed early)
///     reader   acquire | first half | second half | is it whole?
///
/// The first half of a frame's values belong to one column and the second half to another.
final class RingSteps {
  /// What became of a reader's frame.
  enum Outcome: Hashable {
    case reading
    case notYet
    case lapped
    case overtaken
    case whole
    /// Accepted, with something of another frame in it.
    case torn
  }

  static let writerSteps = 4
  static let readerSteps = 4

  let writer: FrameWriter

  /// Frames beyond the next that the writer's next claim takes; at most those it was made with.
  var ahead: Int

  private(set) var outcomes: [Outcome]

  /// Readers that ended with a whole frame.
  private(set) var wholeCount = 0

  private let reader: FrameReader
  private var wanted: [UInt64]
  private var writerStep = 0
  private var claim: Claim?
  private var readerStep: [Int]
  private var isRight: [Bool]
  private var views: [FrameView?]
  init(slots: UInt64, wanted: [UInt64], ahead: Int = 0) throws(FrameError) {
    writer = try FrameWriter(counts: [2, 2], slots: slots, lookAhead: UInt64(ahead))
    self.ahead = ahead
    reader = try writer.makeReader()
    self.wanted = wanted
    outcomes = wanted.map { _ in .reading }
    readerStep = wanted.map { _ in 0 }
    isRight = wanted.map { _ in true }
    views = wanted.map { _ in nil }
  }

  /// Lets a reader begin again with another frame.
  func restart(_ index: Int, wanted sequence: UInt64) {
    wanted[index] = sequence
    outcomes[index] = .reading
    readerStep[index] = 0
    isRight[index] = true
    views[index] = nil
  }

  func stepWriter() {
    switch writerStep % Self.writerSteps {
    case 0:
      claim = writer.claim(ahead: ahead)
    case 1: fill(column: 0)
    case 2: fill(column: 1)
    default: writer.publish(.test(sequence: writer.sequence + 1))
    }
    writerStep += 1
  }

  private func fill(column index: Int) {
    let column = writer.layout.columns[index]
    guard let claim else { return }
    for ahead in 0...claim.ahead {
      let sequence = claim.sequence + UInt64(ahead)
      let frame = writer.place(at: claim.place(ahead: ahead))
      let values = (frame + Int(column.valuesOffset)).assumingMemoryBound(to: Float.self)
      for place in 0..<Int(column.description.valueCount) {
        values[place] = testValue(sequence, column: index, place: place)
      }
    }
  }

  func stepReader(_ index: Int) {
    guard outcomes[index] == .reading else { return }
    switch readerStep[index] {
    case 0: acquire(index)
    case 1: read(index, column: 0)
    case 2: read(index, column: 1)
    default: judge(index)
    }
    readerStep[index] += 1
  }

  private func acquire(_ index: Int) {
    switch reader.acquire(wanted[index]) {
    case .frame(let view): views[index] = view
    case .notYet: outcomes[index] = .notYet
    case .lapped: outcomes[index] = .lapped
    }
  }

  private func read(_ index: Int, column: Int) {
    guard let view = views[index] else { return }
    for (place, value) in view.values(reader.layout.columns[column]).enumerated()
    where value.bitPattern != testValue(wanted[index], column: column, place: place).bitPattern {
      isRight[index] = false
    }
    if column == 1, view.stamp() != .test(sequence: wanted[index]) { isRight[index] = false }
  }

  private func judge(_ index: Int) {
    guard let view = views[index] else { return }
    if !reader.isWhole(view) {
      outcomes[index] = .overtaken
    } else {
      outcomes[index] = isRight[index] ? .whole : .torn
      wholeCount += isRight[index] ? 1 : 0
    }
  }
}
