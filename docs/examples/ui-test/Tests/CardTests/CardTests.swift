// SPDX-License-Identifier: Apache-2.0

import Card
import Foundation
import Testing

/// Goal: the card moves as in the recorded run, also where closing it interrupts its spring.
///
/// Method: move the card's clock from tick to tick, without waiting, and compare what it shows with the trace.
@Suite struct CardTests {
  @Test func cardShowsWhatTheTraceHas() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let rows = try String(contentsOf: folder.appending(path: "card.csv"), encoding: .utf8)
      .split(separator: "\n").dropFirst()
    #expect(rows.count == 45)
    let card = Card()
    card.openAside()
    for row in rows {
      // sequence,tick,time_s,entity,name,kind,x,opacity
      let columns = row.split(separator: ",").map { Double($0) ?? .nan }
      if columns[1] == 15 {
        card.time = 0.25
        card.close()
      }
      card.time = columns[2]
      #expect(abs(card.shown.x - columns[6]) < 0.001, "tick \(columns[1])")
      #expect(abs(card.shown.opacity - columns[7]) < 0.00001, "tick \(columns[1])")
    }
  }
}
