// SPDX-License-Identifier: Apache-2.0

import OrreryLive
import TestSupport
import Testing

/// No client, whatever it sends or leaves unsent, gets what is not for it, takes much memory, or keeps others out.
///
/// Method: a client of sockets sends what no browser sends; afterwards a page must open and get a frame.
@Suite struct HostileClientTests {
  /// A page opens and gets a frame: the server is as well as before.
  private func expectService(_ fixture: ServerFixture, _ sequence: UInt64 = 1_000_000) throws {
    fixture.begin()
    fixture.publish(sequence)
    #expect(try fixture.page().frame() == sequence)
  }

  @Test func anEndlessHeaderIsRefused() throws {
    let fixture = try ServerFixture()
    let client = try fixture.client()
    client.send("GET / HTTP/1.1\r\nHost: \(fixture.host)\r\nX: ")
    let piece = [UInt8](repeating: 0x61, count: 16 << 10)
    var sent = 0
    while sent < 200 << 20, client.send(piece) { sent += piece.count }
    // What the kernel took on both sides of the connection is all that was sent.
    #expect(sent < 20 << 20, "\(sent) bytes were taken")
    #expect(client.isClosed())
    try expectService(fixture)
  }

  @Test func anEndlessRequestLineIsRefused() throws {
    let fixture = try ServerFixture()
    let client = try fixture.client()
    client.send("GET /" + String(repeating: "a", count: 70_000))
    #expect(client.answer().status == 431)
    #expect(client.isClosed())
  }

  @Test func headersOfManyLinesAreRefused() throws {
    let fixture = try ServerFixture()
    let client = try fixture.client()
    client.send("GET / HTTP/1.1\r\nHost: \(fixture.host)\r\n")
    var isTaken = true
    for _ in 0..<4000 where isTaken { isTaken = client.send("X-Y: aaaaaaaaaaaaaaaaaaaaaaaaa\r\n") }
    #expect(client.isClosed())
    try expectService(fixture)
  }

  @Test(arguments: ["Content-Length: 1000000000000", "Transfer-Encoding: chunked"])
  func aBodyIsRefusedBeforeItComes(line: String) throws {
    let fixture = try ServerFixture()
    let client = try fixture.client()
    #expect(client.get("/", [line, fixture.cookie], host: fixture.host).status == 413)
    #expect(client.isClosed())
  }

  @Test func otherSitesGetNothing() throws {
    let fixture = try ServerFixture()
    fixture.begin()
    for path in ["/", "/scene", "/stats", "/main.js", "/?token=\(fixture.token)"] {
      let answer = try fixture.client().get(
        path, [fixture.cookie], host: "evil.example:\(fixture.port)")
      #expect(answer.status == 421 && answer.headers["set-cookie"] == nil, "\(path)")
    }
    for (lines, what) in [
      ([fixture.cookie], "no origin"),
      ([fixture.cookie, "Origin: http://evil.example"], "another"),
      ([fixture.origin], "no cookie"),
      ([fixture.origin, "Cookie: orrery-live-\(fixture.port)=0"], "a wrong one"),
    ] {
      let answer = try fixture.client().upgrade("/live", lines, host: fixture.host)
      #expect(answer.status == 403, "\(what): \(answer.status)")
    }
    #expect(try fixture.client().get("/", host: fixture.host).status == 403)
    #expect(try fixture.client().get("/?token=0", host: fixture.host).status == 403)
  }

  @Test func aFrameThatDeclaresATebibyteIsRefused() throws {
    let fixture = try ServerFixture()
    fixture.begin()
    let page = try fixture.page()
    page.send([0x81, 0x80 | 127, 0, 0, 1, 0, 0, 0, 0, 0, 1, 2, 3, 4])
    #expect(page.closeCode() == 1009)
    #expect(page.isClosed())
    try expectService(fixture)
  }

  @Test func aFrameOverTheLimitIsRefused() throws {
    let fixture = try ServerFixture()
    fixture.begin()
    let page = try fixture.page()
    page.send(opcode: 1, [UInt8](repeating: 0x20, count: (64 << 10) + 1))
    #expect(page.closeCode() == 1009)
  }

  @Test func whatNoBrowserSendsEndsTheConnection() throws {
    let fixture = try ServerFixture()
    fixture.begin()
    for (code, send) in [
      (1002, { (page: LoopbackClient) in page.send(opcode: 1, Array("{}".utf8), isMasked: false) }),
      (1003, { page in page.send(opcode: 2, [1, 2, 3]) }),
      // The first of several pieces.
      (1003, { page in page.send([0x01, 0x80, 0, 0, 0, 0]) }),
      (1008, { page in page.say("not JSON") }),
      (1008, { page in page.say(#"{"drawn":5,"run":1}"#) }),
      (1008, { page in page.say("[" + String(repeating: "[", count: 30_000)) }),
    ] as [(UInt16, (LoopbackClient) -> Bool)] {
      let page = try fixture.page()
      _ = send(page)
      #expect(page.closeCode() == code)
      #expect(page.isClosed())
    }
    try expectService(fixture)
  }

  @Test func aFloodOfMessagesEndsTheConnection() throws {
    let fixture = try ServerFixture()
    fixture.begin()
    let page = try fixture.page()
    for _ in 0..<20_000 where page.say(#"{"exact":false}"#) {}
    #expect(page.closeCode() == 1008 || page.isClosed)
    try expectService(fixture)
  }

  @Test func silentConnectionsKeepNobodyOut() throws {
    let fixture = try ServerFixture()
    let silent = try (0..<500).map { _ in try fixture.client() }
    #expect(silent[0].isClosed(), "the oldest go first")
    try expectService(fixture)
  }

  @Test func morePagesThanAllowedAreRefused() throws {
    let fixture = try ServerFixture(clientsMax: 2)
    fixture.begin()
    let pages = (try fixture.page(), try fixture.page())
    let third = try fixture.client().upgrade(
      "/live", [fixture.cookie, fixture.origin], host: fixture.host)
    #expect(third.status == 503 && third.text.contains("--clients"))
    pages.0.send(opcode: 8, [])
    #expect(pages.0.isClosed())
    try expectService(fixture)
    _ = pages.1
  }

  @Test func aPageThatReadsNothingHoldsOneFrame() throws {
    let fixture = try ServerFixture()
    fixture.begin()
    let stalled = try fixture.page()
    // More than the kernel takes for a socket, so that most of it waits in the server.
    fixture.publish(1, byteCount: 64 << 20)
    let quick = try fixture.page()
    #expect(quick.frame() == 1)
    quick.say(#"{"drawn":1,"run":1}"#)
    for sequence in UInt64(2)...20 {
      fixture.publish(sequence)
      #expect(quick.frame() == sequence)
      quick.say(#"{"drawn":\#(sequence),"run":1}"#)
    }
    let stats = try fixture.client().get("/stats", [fixture.cookie], host: fixture.host)
    #expect(stats.text.contains(#""page":1,"sent":1,"#), "\(stats.text)")
    // Once it reads, it gets the newest.
    #expect(stalled.frame() == 1)
    #expect(stalled.frame() == 20)
  }
}
