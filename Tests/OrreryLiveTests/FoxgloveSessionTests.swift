// SPDX-License-Identifier: Apache-2.0

import OrreryDocument
import OrreryLive
import OrreryWire
import TestSupport
import Testing

/// What a Foxglove client says is read as the protocol has it, and what is no message changes nothing.
///
/// Method: bytes in, effects out; binary messages are those that Foxglove's own SDK writes.
@Suite struct FoxgloveSessionTests {
  private static func receive(_ text: String, _ session: inout FoxgloveSession)
    -> [FoxgloveSession.Effect]
  {
    session.receive(text: Array(text.utf8))
  }

  private static func refusals(_ effects: [FoxgloveSession.Effect]) -> [String] {
    effects.compactMap { if case .refuse(let reason) = $0 { reason } else { nil } }
  }

  @Test func channelsAreSubscribedToAndLeft() {
    var session = FoxgloveSession()
    let first = Self.receive(
      #"{"op":"subscribe","subscriptions":[{"id":7,"channelId":1},{"id":9,"channelId":4}]}"#,
      &session)
    #expect(first == [.subscribed(.points), .subscribed(.timings)])
    #expect(session.subscriptions == [.points: 7, .timings: 9])
    let second = Self.receive(#"{"op":"unsubscribe","subscriptionIds":[7]}"#, &session)
    #expect(second == [])
    #expect(session.subscriptions == [.timings: 9])
  }

  @Test func whatIsRightInAMessageIsDoneAndOneLineSaysWhatIsWrong() {
    var session = FoxgloveSession()
    let effects = Self.receive(
      #"""
      {"op":"subscribe","subscriptions":[{"id":1,"channelId":77},{"id":2,"channelId":2},{"id":2,"channelId":3},
      {"id":3,"channelId":2},{"id":4294967296,"channelId":1},{"channelId":1},5]}
      """#, &session)
    #expect(effects == [.subscribed(.views), .refuse("there is no channel 77")])
    #expect(session.subscriptions == [.views: 2])
    let left = Self.receive(#"{"op":"unsubscribe","subscriptionIds":[5,2,"x"]}"#, &session)
    #expect(left == [.refuse("there is no such subscription")])
    #expect(session.subscriptions == [:])
  }

  @Test(arguments: [
    ("{", "the message cannot be read: "), ("[]", "the message cannot be read: "),
    ("{}", "no 'op'"),
    (#"{"op":1}"#, "no 'op'"), (#"{"op":"advertise","channels":[]}"#, "'advertise' is not offered"),
    (#"{"op":"subscribe"}"#, "'subscriptions' must be a list"),
    (#"{"op":"unsubscribe","subscriptionIds":5}"#, "'subscriptionIds' must be a list"),
    (#"{"op":"getParameters","parameterNames":[],"id":"x"}"#, "'getParameters' is not offered"),
  ])
  func otherTextsAreRefusedByOneLine(text: String, reason: String) {
    var session = FoxgloveSession()
    let refusals = Self.refusals(Self.receive(text, &session))
    #expect(refusals.count == 1 && refusals[0].contains(reason), "\(refusals)")
    #expect(session.subscriptions == [:])
  }

  /// What foxglove-sdk's own tests have as bytes.
  @Test func playbackRequestsAreThoseOfTheSDK() throws {
    let tail: [UInt8] = [0x07, 0, 0, 0] + Array("some-id".utf8)
    let pause = try #require(
      PlaybackRequest([0x03, 0x01, 0, 0, 0x80, 0x3f, 0, 0, 0, 0, 0, 0, 0, 0, 0] + tail))
    #expect(!pause.plays && pause.speed == 1 && pause.seekNs == nil && pause.id == "some-id")
    let seek: [UInt8] =
      [0x03, 0x00, 0, 0, 0x80, 0x3f, 0x01, 0x15, 0xcd, 0x5b, 0x07, 0, 0, 0, 0] + tail
    let request = try #require(PlaybackRequest(seek))
    #expect(request.plays && request.seekNs == 123_456_789)
    #expect(FoxgloveCaller.playback(true, speed: 1, seekNs: 123_456_789, id: "some-id") == seek)
    for count in 0..<seek.count { #expect(PlaybackRequest(Array(seek[..<count])) == nil) }
    #expect(PlaybackRequest(seek + [0]) == nil)
    let infinite = FoxgloveCaller.playback(true, speed: .infinity, seekNs: nil, id: "a")
    #expect(PlaybackRequest(infinite) == nil)
    let long = FoxgloveCaller.playback(
      true, speed: 1, seekNs: nil, id: String(repeating: "a", count: 257))
    #expect(PlaybackRequest(long) == nil)
  }

  @Test func playbackStatesAreThoseOfTheSDK() {
    let state = PlaybackState()
    let head: [UInt8] = [0x05, 0, 0x39, 0x30, 0, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x3f]
    #expect(Array(state.bytes(timeNs: 12345).readableBytesView) == head + [0, 0, 0, 0, 0])
    #expect(
      Array(state.bytes(timeNs: 12345, didSeek: true).readableBytesView) == head + [1, 0, 0, 0, 0])
    #expect(
      Array(state.bytes(timeNs: 12345, answers: "i-am-a-request").readableBytesView)
        == head + [0, 14, 0, 0, 0] + Array("i-am-a-request".utf8))
  }

  @Test func aRequestBecomesTheVerbsOfControl() throws {
    func verbs(_ plays: Bool, speed: Float = 1, seekNs: UInt64? = nil) throws -> [String] {
      let request = try #require(
        PlaybackRequest(FoxgloveCaller.playback(plays, speed: speed, seekNs: seekNs, id: "a")))
      return FoxgloveHub.verbs(of: request, speed: 1, zeroNs: 1_000_000_000).map { verb, fields in
        String(decoding: ControlRequest(verb: verb, id: 1, fields: fields).json, as: UTF8.self)
      }
    }
    #expect(try verbs(true) == [#"{"do":"resume","id":1}"#])
    #expect(try verbs(false) == [#"{"do":"pause","id":1}"#])
    #expect(
      try verbs(false, seekNs: 3_500_000_000)
        == [#"{"do":"pause","id":1}"#, #"{"do":"seek","id":1,"seconds":2.5}"#])
    // Before the scene begins, there is its beginning.
    let request = try #require(
      PlaybackRequest(FoxgloveCaller.playback(true, speed: 2, seekNs: 5, id: "a")))
    let asked = FoxgloveHub.verbs(of: request, speed: 1, zeroNs: 1_000_000_000)
    #expect(asked.map(\.verb) == [.speed, .seek, .resume])
    #expect(asked[0].fields["factor"]?.number == 2 && asked[1].fields["seconds"]?.number == 0)
  }

  @Test(arguments: [
    (["foxglove.websocket.v1"], FoxgloveSubprotocol.websocket), (["foxglove.sdk.v1"], .sdk),
    (["foxglove.websocket.v1, foxglove.sdk.v1"], .sdk),
    (["a", "b,foxglove.websocket.v1"], .websocket),
    ([], nil), (["foxglove"], nil), (["foxglove.sdk.v2"], nil),
  ])
  func theNewerOfWhatAClientSpeaksIsSpoken(offers: [String], expected: FoxgloveSubprotocol?) {
    #expect(FoxgloveSubprotocol(offers: offers) == expected)
  }

  /// Random bytes are refused or harmless: what is subscribed to stays within the channels.
  @Test func noMessageDoesHarm() {
    let texts = [
      #"{"op":"subscribe","subscriptions":[{"id":7,"channelId":1},{"id":9,"channelId":4}]}"#,
      #"{"op":"unsubscribe","subscriptionIds":[7,9]}"#, #"{"op":"advertise","channels":[]}"#,
    ].map { Array($0.utf8) }
    let seeds = texts + [FoxgloveCaller.playback(true, speed: 1, seekNs: 1, id: "some-id")]
    var fuzzer = ByteFuzzer("foxglove", seeds: seeds)
    var session = FoxgloveSession()
    fuzzer.run(inputs: 20_000 * testEffort, readersEach: 2) { bytes in
      let refusals =
        Self.refusals(session.receive(text: bytes)) + Self.refusals(session.receive(binary: bytes))
      #expect(refusals.count <= 2)
      #expect(session.subscriptions.count <= FoxgloveChannel.allCases.count)
      #expect(Set(session.subscriptions.values).count == session.subscriptions.count)
    }
  }
}
