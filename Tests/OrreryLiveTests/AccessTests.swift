// SPDX-License-Identifier: Apache-2.0

import NIOHTTP1
import OrreryLive
import Testing

/// Only a browser of this machine that was given the address is answered.
@Suite struct AccessTests {
  private let token = AccessToken()
  private var gate: RequestGate { RequestGate(port: 4711, token: token) }

  private func verdict(
    _ uri: String, host: String? = "127.0.0.1:4711", cookie: String? = nil,
    _ more: [(String, String)] = [], method: HTTPMethod = .GET
  ) -> RequestGate.Verdict {
    var headers = HTTPHeaders(more)
    if let host { headers.add(name: "Host", value: host) }
    headers.add(name: "Cookie", value: cookie ?? "other=1; orrery-live-4711=\(token.text); last=2")
    return gate.judge(
      HTTPRequestHead(version: .http1_1, method: method, uri: uri, headers: headers))
  }

  private func isRefused(_ verdict: RequestGate.Verdict) -> Bool {
    if case .refuse = verdict { true } else { false }
  }

  @Test func tokensAreLongAndDifferent() {
    let tokens = (0..<100).map { _ in AccessToken().text }
    #expect(Set(tokens).count == 100)
    #expect(tokens.allSatisfy { $0.count == 32 && $0.allSatisfy(\.isHexDigit) })
  }

  @Test func aTokenMatchesItselfOnly() {
    #expect(token.matches(token.text))
    #expect(!token.matches(""))
    #expect(!token.matches(token.text.dropLast()))
    #expect(!token.matches(token.text + "0"))
    for index in 0..<32 {
      var digits = Array(token.text)
      digits[index] = digits[index] == "0" ? "1" : "0"
      #expect(!token.matches(String(digits)), "digit \(index)")
    }
  }

  @Test func theAddressSetsACookieThatScriptsAndOtherSitesDoNotGet() {
    #expect(verdict("/?token=\(token.text)", cookie: "") == .enter)
    #expect(gate.address == "http://127.0.0.1:4711/?token=\(token.text)")
    for word in ["HttpOnly", "SameSite=Strict", "orrery-live-4711="] {
      #expect(gate.cookie.contains(word))
    }
  }

  @Test func theCookieOpensEverything() {
    for path in ["/", "/main.js", "/scene", "/live", "/stats"] {
      #expect(verdict(path) == .admit(path: path))
    }
  }

  @Test(arguments: [
    "", "orrery-live-4711=", "orrery-live-4711=0", "orrery-live-4712=TOKEN", "TOKEN",
  ])
  func anotherCookieOpensNothing(cookie: String) {
    let cookie = cookie.replacing("TOKEN", with: token.text)
    for path in ["/", "/main.js", "/scene", "/live", "/stats"] {
      #expect(isRefused(verdict(path, cookie: cookie)), "\(path) \(cookie)")
    }
    #expect(isRefused(verdict("/?token=0", cookie: cookie)))
    #expect(isRefused(verdict("/scene?token=\(token.text)", cookie: cookie)))
  }

  @Test(arguments: [
    "evil.example:4711", "127.0.0.1", "127.0.0.1:4712", "localhost.evil.example:4711", "",
  ])
  func aNameThatLeadsHereIsNotEnough(host: String) {
    #expect(isRefused(verdict("/", host: host)))
    #expect(isRefused(verdict("/?token=\(token.text)", host: host)))
  }

  @Test func theHostIsNamedOnce() {
    #expect(isRefused(verdict("/", host: nil)))
    #expect(isRefused(verdict("/", [("Host", "evil.example")])))
    for host in ["localhost:4711", "[::1]:4711", "LOCALHOST:4711"] {
      #expect(verdict("/", host: host) == .admit(path: "/"))
    }
  }

  @Test func aWebSocketComesFromThisPage() {
    let upgrade = ("Upgrade", "websocket")
    #expect(isRefused(verdict("/live", [upgrade])), "a browser says where it comes from")
    #expect(
      verdict("/live", [upgrade, ("Origin", "http://127.0.0.1:4711")]) == .admit(path: "/live"))
    for origin in [
      "http://evil.example", "http://127.0.0.1:4712", "https://127.0.0.1:4711", "null",
    ] {
      #expect(isRefused(verdict("/live", [upgrade, ("Origin", origin)])), "\(origin)")
      #expect(isRefused(verdict("/scene", [("Origin", origin)])), "\(origin)")
    }
  }

  @Test func whatChangesSomethingIsNoRequestHere() {
    #expect(isRefused(verdict("/", method: .POST)))
    #expect(isRefused(verdict("/", [("Content-Length", "1")])))
    #expect(isRefused(verdict("/", [("Transfer-Encoding", "chunked")])))
    #expect(verdict("/", [("Content-Length", "0")]) == .admit(path: "/"))
  }
}
