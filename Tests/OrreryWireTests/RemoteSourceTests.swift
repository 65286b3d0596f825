// SPDX-License-Identifier: Apache-2.0

import OrreryFrame
import OrreryWire
import TestSupport
import Testing

/// Goal: a frame is taken if everything that it has in common with all frames of its run is right, and its number can
/// be.
///
/// Method: a false sim whose one frame is right but for a byte, or has a strange number.
@Suite struct RemoteSourceTests {
  /// Two columns of nine values each.
  private static func layout() throws -> FrameLayout {
    try FrameLayout(columns: [
      ColumnDescription(batch: 0, field: 1, firstEntity: 0, valueCount: 9),
      ColumnDescription(batch: 0, field: 2, firstEntity: 0, valueCount: 9),
    ])
  }

  /// What becomes of a subscription whose first frame this is, up to that frame or the end.
  private static func follow(
    _ frame: [UInt8], _ layout: FrameLayout
  ) throws -> [SubscriptionEvent] {
    let sim = try FalseSim([try FalseSim.welcome(layout: layout), [frame]])
    defer { sim.stop() }
    let subscription = try sim.join(RemoteOptions(name: "test"))
    var events: [SubscriptionEvent] = []
    try waitUntil("the frame") {
      let event = subscription.next(timeoutNs: 20_000_000) { _ in true }
      if event != .idle { events.append(event) }
      switch event {
      case .missed, .idle: return false
      default: return true
      }
    }
    return events
  }

  private static func refusal(_ what: String) -> [SubscriptionEvent] {
    [.dropped(.remote(WireError.badMessage(what).description))]
  }

  @Test func headOfEachColumnIsChecked() throws {
    let layout = try Self.layout()
    let good = try FalseSim.frame(1, layout: layout)
    #expect(try Self.follow(good, layout) == [.frame(sequence: 1)])
    let (first, second) = (layout.columns[0], layout.columns[1])
    let (firstStart, secondStart) = (Int(first.valuesOffset), Int(second.valuesOffset))
    let (firstEnd, secondEnd) = (
      firstStart + Int(first.valuesBytes), secondStart + Int(second.valuesBytes)
    )
    #expect(secondEnd == good.count)
    try #require(firstEnd < secondStart)
    for offset in [64, firstStart - 1, firstEnd, secondStart - 1] {
      var frame = good
      frame[offset] ^= 1
      #expect(
        try Self.follow(frame, layout) == Self.refusal("a frame of another run or layout"),
        "byte \(offset)")
    }
    // Values are the sim's own business.
    for offset in [firstStart, firstEnd - 1, secondStart, secondEnd - 1] {
      var frame = good
      frame[offset] ^= 1
      #expect(try Self.follow(frame, layout) == [.frame(sequence: 1)], "byte \(offset)")
    }
  }

  @Test func numbersThatCannotBeAreRefused() throws {
    let layout = try FalseSim.layout()
    let limit = FrameReader.sequenceMax
    for sequence in [0, limit, .max] {
      #expect(
        try Self.follow(try FalseSim.frame(sequence), layout)
          == Self.refusal("a frame of sequence \(sequence)"))
    }
    #expect(
      try Self.follow(try FalseSim.frame(limit - 1), layout)
        == [.missed(1...(limit - 2)), .frame(sequence: limit - 1)])
  }
}
