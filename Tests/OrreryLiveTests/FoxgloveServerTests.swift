// SPDX-License-Identifier: Apache-2.0

import NIOCore
import OrreryBase
import OrreryDocument
import OrreryLive
import OrreryMessages
import OrreryWire
import TestSupport
import Testing

/// What Foxglove clients get, who may be one, and how little a bad one costs.
///
/// Method: a client written from the protocol's specification speaks to a server whose run the test makes up.
@Suite struct FoxgloveServerTests {
  private static let zeroNs: UInt64 = 1_700_000_000_000_000_000

  /// A server, and what its run does for Foxglove clients.
  private final class Setting {
    let fixture: ServerFixture

    init(clientsMax: Int = 100) throws { fixture = try ServerFixture(clientsMax: clientsMax) }

    var hub: FoxgloveHub { fixture.server.hub.foxglove }

    /// A client that has opened; what greets it is read.
    func caller(
      _ subprotocol: String = "foxglove.sdk.v1", _ lines: [String] = []
    ) throws -> FoxgloveCaller {
      let opened = try #require(
        FoxgloveCaller.open(
          port: fixture.port, query: "?token=\(fixture.token)", subprotocol: subprotocol, lines))
      #expect(opened.answer.status == 101, "\(opened.answer)")
      #expect(opened.answer.headers["sec-websocket-protocol"] == subprotocol)
      try opened.caller.wait(for: "the greeting") { opened.caller.texts.count >= 2 }
      return opened.caller
    }

    func begin(_ generation: UInt64 = 1) {
      fixture.begin()
      hub.begin(
        FoxgloveRun(
          name: "made-up", generation: generation, zeroNs: FoxgloveServerTests.zeroNs,
          isSteered: true),
        transform: ByteBuffer(bytes: [7, 7]))
    }

    /// Publishes a frame's points: its number, and so many bytes more.
    func publish(_ sequence: UInt64, byteCount: Int = 0) {
      let bytes = [UInt8(sequence)] + [UInt8](repeating: 0, count: byteCount)
      hub.publish(
        sequence: sequence, timeNs: FoxgloveServerTests.zeroNs + sequence,
        [.points: ByteBuffer(bytes: bytes)])
    }
  }

  private static func fields(_ text: String?) throws -> [String: DocumentValue] {
    try [String: DocumentValue](json: Array(try #require(text).utf8))
  }

  @Test func theGreetingSaysWhatThereIs() throws {
    let setting = try Setting()
    let early = try setting.caller()
    let none = try Self.fields(early.texts.first)
    #expect(none["op"] == .string("serverInfo") && none["sessionId"] == nil)
    #expect(none["capabilities"]?.array == [.string("time")])
    // Two thousand bytes of schema a channel: more than a request may have, but not a client's text.
    #expect(early.texts[1].contains(#""op":"advertise""#))
    for channel in FoxgloveChannel.allCases {
      #expect(early.texts[1].contains(#""topic":"\#(channel.topic.rawValue)""#))
      #expect(early.texts[1].contains(#""schemaName":"\#(channel.topic.schemaName)""#))
    }
    setting.begin(0x2a)
    try early.wait(for: "the run") { early.texts.count >= 3 }
    let info = try Self.fields(early.texts.last)
    #expect(info["sessionId"] == .string("000000000000002a"))
    #expect(info["capabilities"]?.array == [.string("time"), .string("playbackControl")])
    #expect(info["dataStartTime"]?.table?["sec"] == .integer(1_700_000_000))
    #expect(info["dataEndTime"]?.table?["sec"] == .integer(1_700_003_600))
    let older = try setting.caller("foxglove.websocket.v1")
    let plain = try Self.fields(older.texts.first)
    #expect(plain["capabilities"]?.array == [.string("time")] && plain["dataEndTime"] == nil)
    older.play(true, id: "a")
    try older.wait(for: "the refusal") { older.texts.last?.contains("cannot be steered") == true }
  }

  @Test func onlyWhatIsSubscribedToIsWantedAndSent() throws {
    let setting = try Setting()
    setting.begin()
    let (caller, other) = (try setting.caller(), try setting.caller())
    #expect(!setting.hub.demand.has(.points))
    caller.subscribe(1, 3, 4)
    try caller.wait(for: "the transform") { caller.content(of: 3).count == 1 }
    try waitUntil("demand") { setting.hub.demand.has(.points) }
    #expect(!setting.hub.demand.has(.views) && !setting.hub.demand.has(.log))
    setting.publish(1)
    setting.hub.send(ByteBuffer(bytes: [9]), of: .timings)
    setting.hub.send(ByteBuffer(bytes: [8]), of: .log)
    try caller.wait(for: "a timing") { !caller.content(of: 4).isEmpty }
    let points = caller.content(of: 1)
    #expect(points.map(\.content) == [[1]] && points.map(\.logTimeNs) == [Self.zeroNs + 1])
    #expect(caller.content(of: 4).map(\.content) == [[9]] && caller.content(of: 5).isEmpty)
    #expect(caller.timesNs.last == Self.zeroNs + 1)
    try other.wait(for: "the time") { other.timesNs.last == Self.zeroNs + 1 }
    #expect(other.data.isEmpty)
    caller.client.say(#"{"op":"unsubscribe","subscriptionIds":[1001]}"#)
    try waitUntil("no demand") { !setting.hub.demand.has(.points) }
    caller.subscribe(1)
    try caller.wait(for: "the newest again") { caller.content(of: 1).count == 2 }
  }

  @Test func aClientThatReadsNothingHoldsOneFrame() throws {
    let setting = try Setting()
    setting.begin()
    let (stalled, quick) = (try setting.caller(), try setting.caller())
    stalled.subscribe(1, 4)
    quick.subscribe(1, 4)
    try waitUntil("both") { setting.hub.demand.subscriptions == 4 }
    // More than the kernel takes for a socket.
    setting.publish(1, byteCount: 64 << 20)
    for sequence in UInt64(2)...20 {
      try quick.wait(for: "frame \(sequence - 1)") {
        quick.content(of: 1).last?.content.first == UInt8(sequence - 1)
      }
      setting.publish(sequence)
    }
    // What says something of its own is left out for it once 64 KiB wait.
    for _ in 0..<1000 {
      setting.hub.send(ByteBuffer(repeating: 1, count: 10_000), of: .timings)
    }
    try stalled.wait(for: "the newest") { stalled.content(of: 1).last?.content.first == 20 }
    #expect(stalled.content(of: 1).map(\.content.first) == [1, 20])
    #expect(stalled.content(of: 4).isEmpty)
  }

  @Test func steeringReachesTheSimAndTheAnswerItsClient() throws {
    let setting = try Setting()
    setting.begin()
    let (caller, other) = (try setting.caller(), try setting.caller())
    try caller.wait(for: "the state") { caller.states.count == 1 }
    try other.wait(for: "the state") { other.states.count == 1 }
    #expect(caller.states[0].status == 0 && caller.states[0].requestID == "")
    caller.play(false, seekNs: Self.zeroNs + 1_500_000_000, id: "mine")
    try waitUntil("the requests") { setting.fixture.asked.read { $0.count == 2 } }
    let asked = setting.fixture.asked.read { $0 }
    #expect(asked.map(\.verb) == [.pause, .seek])
    #expect(asked[1].fields == ["seconds": .number(1.5)])
    for request in asked {
      setting.fixture.server.hub.answer(
        .done(["paused": .bool(true), "speed": .number(1)]), id: request.id, to: 0)
    }
    try caller.wait(for: "the answer") { caller.states.count == 2 }
    try other.wait(for: "the new state") { other.states.count == 2 }
    #expect(caller.states[1].requestID == "mine" && caller.states[1].status == 1)
    #expect(caller.states[1].didSeek && other.states[1].didSeek)
    #expect(other.states[1].requestID == "")
    // Somebody else goes on, twice as fast.
    setting.fixture.server.hub.send(stats: ["paused": .bool(false), "speed": .number(2)])
    try caller.wait(for: "what somebody else did") { caller.states.count == 3 }
    #expect(caller.states[2].status == 0 && caller.states[2].speed == 2)
    caller.play(true, speed: 2, id: "again")
    try waitUntil("the request") { setting.fixture.asked.read { $0.count == 3 } }
    setting.fixture.server.hub.answer(.refused("not now"), id: 3, to: 0)
    try caller.wait(for: "the refusal") { caller.texts.last?.contains("not now") == true }
    setting.fixture.server.hub.finish(.ended)
    try caller.wait(for: "the end") { caller.states.last?.status == 3 }
    caller.play(true, id: "late")
    try caller.wait(for: "no more") { caller.texts.last?.contains("the run is over") == true }
  }

  @Test func theNextRunBeginsWithFramesOfItsOwn() throws {
    let setting = try Setting()
    setting.begin(1)
    let caller = try setting.caller()
    caller.subscribe(1, 3)
    setting.publish(100)
    try caller.wait(for: "a frame") { caller.content(of: 1).count == 1 }
    setting.begin(2)
    try caller.wait(for: "its transform") { caller.content(of: 3).count == 2 }
    #expect(caller.texts.last?.contains(#""sessionId":"0000000000000002""#) == true)
    setting.publish(1)
    try caller.wait(for: "its first frame") { caller.content(of: 1).last?.content == [1] }
  }
}

// MARK: - Who may come

extension FoxgloveServerTests {
  private func status(
    _ setting: Setting, query: String, subprotocol: String? = "foxglove.sdk.v1",
    _ lines: [String] = [], host: String? = nil
  ) throws -> Int {
    try #require(
      FoxgloveCaller.open(
        port: setting.fixture.port, query: query, subprotocol: subprotocol, lines, host: host)
    ).answer.status
  }

  @Test func theAddressWithTheTokenIsTheOnlyWayIn() throws {
    let setting = try Setting()
    let good = "?token=\(setting.fixture.token)"
    #expect(try status(setting, query: good) == 101)
    for origin in ["https://app.foxglove.dev", "file://", "null", "http://\(setting.fixture.host)"]
    {
      #expect(try status(setting, query: good, ["Origin: \(origin)"]) == 101, "\(origin)")
      // A browser adds the cookie to what any site asks for: here it opens nothing.
      let lines = ["Origin: \(origin)", setting.fixture.cookie]
      for query in ["", "?token=", "?token=0", "?token=\(setting.fixture.token)0", "?a=1"] {
        #expect(try status(setting, query: query, lines) == 403, "\(origin) \(query)")
      }
    }
    #expect(try status(setting, query: good, host: "evil.example:\(setting.fixture.port)") == 421)
    #expect(try status(setting, query: good, subprotocol: nil) == 400)
    #expect(try status(setting, query: good, subprotocol: "foxglove.sdk.v9") == 400)
    // The page's own WebSocket and files still want the cookie and their own Origin.
    let page = try setting.fixture.client().upgrade("/live" + good, host: setting.fixture.host)
    #expect(page.status == 403)
    let answer = try setting.fixture.client().get("/foxglove" + good, host: setting.fixture.host)
    #expect(answer.status == 426)
  }

  @Test func pagesAndFoxgloveClientsCountTogether() throws {
    let setting = try Setting(clientsMax: 2)
    setting.begin()
    let (page, caller) = (try setting.fixture.page(), try setting.caller())
    #expect(try status(setting, query: "?token=\(setting.fixture.token)") == 503)
    let stats = try setting.fixture.client().get(
      "/stats", [setting.fixture.cookie], host: setting.fixture.host)
    #expect(stats.text.contains(#""foxglove":1"#), "\(stats.text)")
    caller.client.send(opcode: 8, [])
    #expect(caller.client.isClosed())
    #expect(try status(setting, query: "?token=\(setting.fixture.token)") == 101)
    _ = page
  }
}

// MARK: - Hostile clients

extension FoxgloveServerTests {
  /// Another client opens and gets a frame: the server is as well as before.
  private func expectService(_ setting: Setting) throws {
    setting.begin(77)
    let caller = try setting.caller()
    caller.subscribe(1)
    try waitUntil("demand") { setting.hub.demand.has(.points) }
    setting.publish(50)
    try caller.wait(for: "a frame") { caller.content(of: 1).last?.content == [50] }
  }

  @Test func wrongMessagesAreAnsweredByOneLineEach() throws {
    let setting = try Setting()
    setting.begin()
    let caller = try setting.caller()
    let wrong: [(UInt8, [UInt8])] = [
      (1, []), (1, Array("not JSON".utf8)), (1, Array(repeating: UInt8(ascii: "["), count: 60_000)),
      (1, Array(#"{"op":"subscribe","subscriptions":[{"id":1,"channelId":99}]}"#.utf8)), (2, []),
      (2, [3]), (2, [3, 0, 0, 0, 0x80, 0x3f, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255]),
      (2, [1, 1, 0, 0, 0, 0]), (2, [200]),
    ]
    for (opcode, bytes) in wrong {
      let before = caller.texts.count
      caller.client.send(opcode: opcode, bytes)
      try caller.wait(for: "a status") { caller.texts.count > before }
      let fields = try Self.fields(caller.texts.last)
      #expect(fields["op"] == .string("status") && fields["level"] == .integer(2))
    }
    #expect(caller.texts.count == 2 + wrong.count)
    caller.subscribe(3)
    try caller.wait(for: "the transform") { caller.content(of: 3).count == 1 }
    try expectService(setting)
  }

  @Test func whatNoClientSendsEndsTheConnection() throws {
    let setting = try Setting()
    setting.begin()
    for (code, send) in [
      (1002, { (caller: LoopbackClient) in caller.send(opcode: 2, [1], isMasked: false) }),
      (1009, { caller in caller.send(opcode: 2, [UInt8](repeating: 1, count: (64 << 10) + 1)) }),
      (1003, { caller in caller.send([0x02, 0x80, 0, 0, 0, 0]) }),
    ] as [(UInt16, (LoopbackClient) -> Bool)] {
      let caller = try setting.caller()
      _ = send(caller.client)
      try caller.wait(for: "the end") { caller.closeCode != nil }
      #expect(caller.closeCode == code)
    }
    try expectService(setting)
  }

  @Test func aFloodEndsTheConnection() throws {
    let setting = try Setting()
    setting.begin()
    let caller = try setting.caller()
    for _ in 0..<20_000 where caller.client.send(opcode: 2, [9]) {}
    #expect(caller.client.isClosed())
    try expectService(setting)
  }

  @Test func randomBytesDoNoHarm() throws {
    let setting = try Setting()
    setting.begin()
    let seeds = [
      Array(#"{"op":"subscribe","subscriptions":[{"id":7,"channelId":1}]}"#.utf8),
      FoxgloveCaller.playback(true, speed: 1, seekNs: 1, id: "some-id"),
    ]
    var fuzzer = ByteFuzzer("foxglove server", seeds: seeds)
    var isText = false
    var caller = try setting.caller()
    fuzzer.run(inputs: 2000 * testEffort, readersEach: 1) { bytes in
      isText.toggle()
      if !caller.client.send(opcode: isText ? 1 : 2, bytes), let next = try? setting.caller() {
        caller = next
      }
    }
    try expectService(setting)
  }
}
