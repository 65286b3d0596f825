// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryDocument
import OrreryWire
import TestSupport
import Testing

/// What a browser gets, frame for frame.
///
/// Method: a client of sockets speaks to a server whose run the test makes up.
@Suite struct LiveServerTests {
  @Test func theAddressLeadsToThePage() throws {
    let fixture = try ServerFixture()
    let client = try fixture.client()
    let entry = client.get("/?token=\(fixture.token)", host: fixture.host)
    #expect(entry.status == 303 && entry.headers["location"] == "/")
    let cookie = try #require(entry.headers["set-cookie"]?.split(separator: ";").first)
    let page = client.get("/", ["Cookie: \(cookie)"], host: fixture.host)
    #expect(page.status == 200 && page.text.contains("<title>Orrery live</title>"))
    #expect(page.headers["content-type"] == "text/html; charset=utf-8")
    let policy = try #require(page.headers["content-security-policy"])
    #expect(
      policy.hasPrefix("default-src 'none'; script-src 'self';") && !policy.contains("unsafe"))
    #expect(page.headers["x-content-type-options"] == "nosniff")
    let head = client.get("/main.js", ["Cookie: \(cookie)"], host: fixture.host, method: "HEAD")
    #expect(head.status == 200 && head.headers["content-length"] != "0")
    #expect(client.get("/nothing", ["Cookie: \(cookie)"], host: fixture.host).status == 404)
  }

  @Test func theSceneIsThatOfTheRun() throws {
    let fixture = try ServerFixture()
    let client = try fixture.client()
    #expect(client.get("/scene", [fixture.cookie], host: fixture.host).status == 404)
    fixture.begin()
    // The server learns of a run on a thread of its own.
    var scene = client.get("/scene", [fixture.cookie], host: fixture.host)
    try waitUntil("the scene") {
      scene = client.get("/scene", [fixture.cookie], host: fixture.host)
      return scene.status != 404
    }
    #expect(scene.status == 200 && scene.body == [1, 2, 3])
  }

  @Test func twoFramesAreOnTheirWayAndThenTheNewestComes() throws {
    let fixture = try ServerFixture()
    fixture.begin()
    let page = try fixture.page()
    for sequence in UInt64(1)...2 {
      fixture.publish(sequence)
      #expect(page.frame() == sequence)
    }
    for sequence in UInt64(3)...9 { fixture.publish(sequence) }
    page.say(#"{"clock":1}"#)
    #expect(page.text(with: "clock") != nil, "no frame before it, since two are in flight")
    page.say(#"{"drawn":1,"run":1}"#)
    #expect(page.frame() == 9)
    page.say(#"{"drawn":9,"run":1}"#)
    fixture.publish(10)
    #expect(page.frame() == 10)
    let stats = try fixture.client().get("/stats", [fixture.cookie], host: fixture.host)
    #expect(stats.text.contains(#""sent":4,"skipped":6"#), "\(stats.text)")
  }

  /// A scene of ten million entities has 90 MB: few connections take that as fast as a client has to speak.
  @Test func aLargeSceneIsReadForLongerThanAClientMayBeSilent() throws {
    let fixture = try ServerFixture()
    // More than the kernel takes, so that most of it waits in the server.
    let size = 32 << 20
    fixture.begin(layout: [UInt8](repeating: 7, count: size))
    let client = try fixture.client()
    try waitUntil("the scene") {
      client.get("/scene", [fixture.cookie], host: fixture.host, method: "HEAD").status == 200
    }
    client.send("GET /scene HTTP/1.1\r\nHost: \(fixture.host)\r\n\(fixture.cookie)\r\n\r\n")
    Clock.sleep(untilMonotonicNs: Clock.monotonicNs() + 11_000_000_000)
    #expect(client.answer().body.count == size)
  }

  @Test func aPageThatOpensLateGetsTheNewestFrame() throws {
    let fixture = try ServerFixture()
    fixture.begin()
    fixture.publish(5)
    #expect(try fixture.page().frame() == 5)
  }

  @Test func aBusyPageHoldsNoOtherUp() throws {
    let fixture = try ServerFixture()
    fixture.begin()
    let (busy, quick) = (try fixture.page(), try fixture.page())
    for sequence in UInt64(1)...20 {
      fixture.publish(sequence)
      #expect(quick.frame() == sequence)
      quick.say(#"{"drawn":\#(sequence),"run":1}"#)
    }
    #expect(busy.frame() == 1 && busy.frame() == 2)
  }

  @Test func aPageGetsTheEncodingThatItWants() throws {
    let fixture = try ServerFixture()
    fixture.begin()
    let (compact, exact) = (try fixture.page(), try fixture.page())
    exact.say(#"{"exact":true}"#)
    exact.say(#"{"clock":1}"#)
    #expect(exact.text(with: "clock") != nil)
    #expect(fixture.server.hub.demand.has(isExact: true))
    #expect(fixture.server.hub.demand.has(isExact: false))
    fixture.publish(1, isExact: false, isForAll: false)
    fixture.publish(2, isExact: true, isForAll: false)
    #expect(compact.frame() == 1)
    #expect(exact.frame() == 2)
  }

  /// Changes are of use only to a page whose last frame is the one that they begin from.
  @Test func aPageGetsChangesOfTheFrameThatItHas() throws {
    let fixture = try ServerFixture()
    fixture.begin()
    let page = try fixture.page()
    func next(_ sequence: UInt64, from base: UInt64?, isExact: Bool = false) -> UInt64? {
      fixture.publish(sequence, isExact: isExact, isForAll: false, changesFrom: base)
      defer { page.say(#"{"drawn":\#(sequence),"run":1}"#) }
      return page.frame()
    }
    #expect(next(1, from: nil) == 1)
    #expect(next(2, from: 1) == 1002)
    #expect(next(3, from: 2) == 1003)
    #expect(next(5, from: 4) == 5, "it was not sent 4")
    let late = try fixture.page()
    #expect(late.frame() == 5, "it has nothing yet")
    page.say(#"{"exact":true}"#)
    #expect(next(6, from: nil, isExact: true) == 6)
    page.say(#"{"exact":false}"#)
    page.say(#"{"clock":1}"#)
    #expect(page.text(with: "clock") != nil)
    #expect(next(7, from: 6) == 7, "its last frame was of the other encoding")
    fixture.begin(2)
    #expect(page.text(with: "scene") != nil)
    fixture.publish(8, isExact: false, isForAll: false, changesFrom: 7)
    #expect(page.frame() == 8, "its last frame was of another run")
  }

  @Test func nobodyWantsFramesWithoutCredit() throws {
    let fixture = try ServerFixture()
    fixture.begin()
    let demand = fixture.server.hub.demand
    #expect(!demand.has(isExact: false))
    let page = try fixture.page()
    // It is greeted before the server counts what it has room for.
    try waitUntil("demand") { demand.has(isExact: false) }
    fixture.publish(1)
    fixture.publish(2)
    #expect(page.frame() == 1 && page.frame() == 2)
    try waitUntil("no demand") { !demand.has(isExact: false) }
  }

  @Test func requestsReachTheSimAndAnswersTheirPage() throws {
    let fixture = try ServerFixture()
    fixture.begin()
    let (first, second) = (try fixture.page(), try fixture.page())
    second.say(#"{"do":"seek","id":4,"seconds":2.5}"#)
    try waitUntil("the request") { fixture.asked.read { !$0.isEmpty } }
    #expect(
      fixture.asked.read { $0 }
        == [ControlRequest(verb: .seek, id: 4, fields: ["seconds": .number(2.5)])])
    fixture.server.hub.answer(.done(), id: 4, to: 2)
    #expect(second.text(with: "id")?["ok"] == .bool(true))
    first.say(#"{"do":"quit","id":1}"#)
    #expect(
      first.text(with: "id")?["ok"] == .bool(false), "the first answer that it gets is its own")
  }

  @Test func theLastFrameComesWithoutCredit() throws {
    let fixture = try ServerFixture()
    fixture.begin()
    let page = try fixture.page()
    for sequence in UInt64(1)...5 { fixture.publish(sequence) }
    fixture.server.hub.finish(.ended)
    #expect(page.frame() == 1 && page.frame() == 2 && page.frame() == 5)
    #expect(page.text(with: "end") != nil)
  }

  @Test func theEndIsSaidAndNothingIsSteeredAfterIt() throws {
    let fixture = try ServerFixture()
    fixture.begin()
    let page = try fixture.page()
    fixture.server.hub.finish(.ended)
    #expect(page.text(with: "end")?["end"] == .string("ended"))
    page.say(#"{"do":"pause","id":1}"#)
    #expect(page.text(with: "id")?["reason"] == .string("the run is over"))
    #expect(fixture.asked.read { $0.isEmpty })
  }

  @Test func theNextRunBeginsWithFramesOfItsOwn() throws {
    let fixture = try ServerFixture()
    fixture.begin()
    let page = try fixture.page()
    fixture.publish(100)
    #expect(page.frame() == 100)
    fixture.begin(2)
    #expect(page.text(with: "scene")?["scene"] == .integer(2))
    // What comes late from the run before is no fault.
    page.say(#"{"drawn":100,"run":1}"#)
    fixture.publish(1)
    #expect(page.frame() == 1)
  }

  @Test func theServersClockIsTheOneThatDatesFrames() throws {
    let fixture = try ServerFixture()
    fixture.begin()
    let page = try fixture.page()
    let beforeUs = Int64(Clock.monotonicNs() / 1000)
    page.say(#"{"clock":12.5}"#)
    let answer = try #require(page.text(with: "clock"))
    #expect(answer["clock"]?.number == 12.5)
    // The made-up run's frames are dated five seconds ahead of the monotonic clock.
    #expect((answer["us"]?.integer ?? 0) >= beforeUs + 5_000_000)
  }
}
