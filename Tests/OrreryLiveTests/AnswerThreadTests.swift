// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import TestSupport
import Testing

/// Goal: pages get motions evaluated and texts shaped, and nobody waits for that but who asked.
///
/// Method: a client of sockets; what evaluates is made up.
@Suite struct AnswerThreadTests {
  @Test func aMotionIsAskedForByItsText() throws {
    let fixture = try ServerFixture()
    let client = try fixture.client()
    let asked = "/curve?spec=spring(duration%3A%200.5)"
    let answer = client.get(asked, [fixture.cookie], host: fixture.host)
    #expect(answer.status == 200 && answer.text == #"{"asked":"spring(duration: 0.5)"}"#)
    #expect(answer.headers["content-type"] == "application/json")
    let form = client.get(
      "/curve?spec=a+b%2Bc", [fixture.cookie], host: fixture.host)
    #expect(form.text == #"{"asked":"a b+c"}"#)
    // One connection answers its requests in their order.
    #expect(client.get("/stats", [fixture.cookie], host: fixture.host).status == 200)
    for path in ["/curve", "/curve?", "/curve?sp=1", "/curve?spec=%ff"] {
      #expect(client.get(path, [fixture.cookie], host: fixture.host).status == 400, "\(path)")
    }
    #expect(try fixture.client().get(asked, host: fixture.host).status == 403)
  }

  @Test func theTextsAreThoseOfTheScene() throws {
    let fixture = try ServerFixture()
    let client = try fixture.client()
    let before = client.get("/texts", [fixture.cookie], host: fixture.host)
    #expect(before.status == 404 && before.text == "no run has begun\n")
    fixture.begin()
    try waitUntil("the scene") {
      client.get("/scene", [fixture.cookie], host: fixture.host).status == 200
    }
    let answer = client.get("/texts", [fixture.cookie], host: fixture.host)
    #expect(answer.status == 200 && answer.text.hasSuffix(#""made_up":[1, 2, 3]}"#), "\(answer)")
    #expect(answer.headers["content-type"] == "application/json")
    #expect(try fixture.client().get("/texts", host: fixture.host).status == 403)
  }

  @Test func aSlowMotionHoldsNothingUp() throws {
    let gate = Monitor((isAsked: false, isOpen: false))
    let fixture = try ServerFixture { spec in
      gate.change { $0.isAsked = true }
      _ = gate.wait(atMostNs: patienceNs) { $0.isOpen ? true : nil }
      return spec
    }
    let slow = try fixture.client()
    slow.send("GET /curve?spec=a HTTP/1.1\r\nHost: \(fixture.host)\r\n\(fixture.cookie)\r\n\r\n")
    try waitUntil("the question") { gate.read { $0.isAsked } }
    fixture.begin()
    fixture.publish(1)
    let frame = try fixture.page().frame()
    let stats = try fixture.client().get("/stats", [fixture.cookie], host: fixture.host)
    gate.change { $0.isOpen = true }
    #expect(frame == 1 && stats.status == 200)
    #expect(slow.answer().text == "a")
  }

  @Test func whatWasAskedBeforeTheEndIsAnswered() throws {
    let gate = Monitor((askedCount: 0, isOpen: false))
    var fixture: ServerFixture? = try ServerFixture { spec in
      gate.change { $0.askedCount += 1 }
      _ = gate.wait(atMostNs: patienceNs) { $0.isOpen ? true : nil }
      return spec
    }
    let (port, host, cookie) = try #require(fixture.map { ($0.port, $0.host, $0.cookie) })
    // The second waits for the first.
    let clients = try ["a", "b"].map { spec in
      let client = try #require(LoopbackClient(port: port))
      client.send("GET /curve?spec=\(spec) HTTP/1.1\r\nHost: \(host)\r\n\(cookie)\r\n\r\n")
      try waitUntil("the question") { gate.read { $0.askedCount > 0 } }
      return client
    }
    // What came before this request is read when it is answered.
    let other = try #require(LoopbackClient(port: port))
    #expect(other.get("/stats", [cookie], host: host).status == 200)
    let opening = try BackgroundThread {
      // Nobody listens any more: the end has begun.
      guard (try? waitUntil("the end") { LoopbackClient(port: port) == nil }) != nil else { return }
      gate.change { $0.isOpen = true }
    }
    fixture = nil
    opening.join()
    #expect(clients.map { $0.answer().text } == ["a", "b"])
  }
}
