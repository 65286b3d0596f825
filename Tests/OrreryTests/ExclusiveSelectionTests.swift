// SPDX-License-Identifier: Apache-2.0

import Foundation
import Orrery
import TestSupport
import Testing

/// Goal: at most one row of an accordion is open, and taps do what the checklist says.
@Suite struct ExclusiveSelectionTests {
  /// [S4-01] nil -A-> A -A-> nil; A -B-> B.
  @Test func tapsOpenAndClose() {
    var rows = ExclusiveSelection<String>()
    #expect(rows.open == nil)
    #expect(!rows.isOpen("A"))
    rows.tap("A")
    #expect(rows.open == "A")
    #expect(rows.isOpen("A"))
    rows.tap("A")
    #expect(rows.open == nil)
    rows.tap("A")
    let change = rows.tap("B")
    #expect(rows.open == "B")
    #expect(change.closed == "A")
    #expect(change.opened == "B")
  }

  /// [S4-02] All closed at start; any taps keep the number of open rows at 1 or 0.
  @Test func atMostOneIsOpen() {
    for seed in UInt64(1)...20 {
      var random = SeededRandom(seed: seed)
      var rows = ExclusiveSelection<Int>()
      #expect((0..<8).filter(rows.isOpen).isEmpty)
      var shown: Int?
      for _ in 0..<100 {
        let row = Int(random.number(in: 0...7.99))
        rows.tap(row)
        shown = shown == row ? nil : row
        #expect((0..<8).filter(rows.isOpen) == (shown.map { [$0] } ?? []), "seed \(seed)")
      }
    }
  }

  /// [S4-03] Tap on B while A is open: A's removal and B's insertion start together and end at
  /// 0.35.
  @Test func oneClosesWhileTheOtherOpens() {
    let size = CGSize(width: 240, height: 160)
    var rows = ExclusiveSelection(open: "A")
    var panels = ["A": true, "B": false].mapValues {
      TransitionPlayer(.move(edge: .top).combined(with: .opacity), isInserted: $0)
    }
    let change = rows.tap("B")
    change.closed.map { _ = panels[$0]?.remove(animation: .easeInOut, at: 1) }
    change.opened.map { _ = panels[$0]?.insert(animation: .easeInOut, at: 1) }
    let middle = panels.mapValues { $0.values(at: 1.175, size: size).opacity }
    #expect(middle.values.allSatisfy { abs($0 - 0.5) < 1e-12 })
    #expect(panels.values.allSatisfy { $0.isMoving(at: 1.349) && !$0.isMoving(at: 1.351) })
    #expect(panels["A"]?.isPresent(at: 1.351) == false)
    #expect(panels["B"]?.isPresent(at: 1.351) == true)
  }

  /// [S4-04] Rows (1, "Ganymede") and (2, "Ganymede"): tapping the first opens one.
  @Test func equalNamesDoNotOpenTogether() {
    let rows = [(id: 1, name: "Ganymede"), (id: 2, name: "Ganymede")]
    var selection = ExclusiveSelection<Int>()
    selection.tap(rows[0].id)
    #expect(rows.filter { selection.isOpen($0.id) }.count == 1)
  }

  /// [S4-05] Setting the same value twice changes nothing.
  @Test func sameStateIsNoChange() {
    var rows = ExclusiveSelection<Int>()
    #expect(!rows.set(3).isEmpty)
    #expect(rows.set(3).isEmpty)
    #expect(rows.open == 3)
    #expect(rows.set(nil).closed == 3)
    #expect(rows.set(nil).isEmpty)
  }

  /// A change names what it closes and what it opens, and only these.
  @Test func changesNameWhatTheyChange() {
    var rows = ExclusiveSelection<Int>()
    let opening = rows.set(1)
    #expect(opening.opened == 1)
    #expect(opening.closed == nil)
    #expect(!opening.isEmpty)
    let moving = rows.set(2)
    #expect((moving.closed, moving.opened) == (1, 2))
    let closing = rows.tap(2)
    #expect(closing.closed == 2)
    #expect(closing.opened == nil)
    #expect(!closing.isEmpty)
    #expect(rows.open == nil)
    #expect(ExclusiveSelection(open: 3).open == 3)
  }
}
