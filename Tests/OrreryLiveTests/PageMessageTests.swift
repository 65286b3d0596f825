// SPDX-License-Identifier: Apache-2.0

import OrreryDocument
import OrreryLive
import OrreryWire
import Testing

/// What a page may say; anything else is refused.
@Suite struct PageMessageTests {
  private func read(_ text: String) throws -> PageMessage {
    try PageMessage(json: Array(text.utf8))
  }

  @Test func messagesAreRead() throws {
    #expect(try read(#"{"drawn":12,"run":1}"#) == .drawn(sequence: 12, run: 1))
    #expect(try read(#"{"clock":1.5}"#) == .clock(1.5))
    #expect(try read(#"{"exact":true}"#) == .exact(true))
    #expect(
      try read(#"{"do":"toggle","id":3,"names":["Mars"]}"#)
        == .request(
          ControlRequest(verb: .toggle, id: 3, fields: ["names": .array([.string("Mars")])])))
  }

  @Test func figuresComeBackAsTheyCame() throws {
    let text =
      #"{"figures":{"fps":60,"draw_ms":2.5,"made_to_drawn_p50":11,"made_to_drawn_p99":20}}"#
    guard case .figures(let figures) = try read(text) else {
      Issue.record("no figures")
      return
    }
    #expect(figures.fields["made_to_drawn_p99"]?.number == 20)
    #expect(figures.fields["fps"]?.number == 60)
  }

  @Test(arguments: ["quit", "keep", "snapshot", "join", "leave", "progress", "stats"])
  func aPageCannotAskForThis(verb: String) {
    #expect(throws: ControlRefusal.self) { try read(#"{"do":"\#(verb)","id":1}"#) }
  }

  @Test(arguments: [
    "", "[]", "1", "{}", #"{"drawn":-1,"run":1}"#, #"{"drawn":1}"#,
    #"{"drawn":1,"run":4294967296}"#,
    #"{"do":"pause"}"#, #"{"do":"pause","id":1,"more":2}"#, #"{"exact":1}"#,
    #"{"figures":{"fps":1}}"#,
    #"{"clock":null}"#,
  ])
  func anythingElseIsRefused(text: String) {
    #expect(throws: ControlRefusal.self) { try read(text) }
  }

  @Test func aRefusalNamesTheRequest() {
    #expect { try read(#"{"do":"quit","id":7}"#) } throws: { ($0 as? ControlRefusal)?.id == 7 }
  }
}
