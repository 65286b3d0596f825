// SPDX-License-Identifier: Apache-2.0

import NIOHTTP1

/// Decides which requests are answered: those of a browser on this machine that was given the address.
///
/// A page of another site can send requests here, too, and a name that it owns may lead to 127.0.0.1. So `Host` must
/// name this server, `Origin` must be its own, and the cookie must hold the token.
///
/// A Foxglove client is a program, or a page of another site that its user trusts, and has no cookie of ours. At its path
/// the address itself must hold the token, whatever the `Origin`, and the cookie opens nothing: a browser adds it to what
/// any site asks for, but no site can guess the token.
package struct RequestGate: Sendable {
  /// What becomes of a request.
  package enum Verdict: Equatable, Sendable {
    /// It is answered: the path, without a query.
    case admit(path: String)
    /// It has the token: it gets the cookie, and is sent to the page.
    case enter
    /// It is refused.
    case refuse(HTTPResponseStatus, String)
  }

  /// Where Foxglove clients come in.
  static let foxglovePath = "/foxglove"

  /// The server's port.
  package let port: Int

  /// The token of the printed address.
  package let token: AccessToken

  /// A gate of the server at this port.
  package init(port: Int, token: AccessToken) { (self.port, self.token) = (port, token) }

  /// The address to open.
  package var address: String { "http://127.0.0.1:\(port)/?token=\(token.text)" }

  /// Sets the cookie: for this server alone, since browsers do not tell ports apart.
  package var cookie: String { "\(cookieName)=\(token.text); Path=/; HttpOnly; SameSite=Strict" }

  private var cookieName: String { "orrery-live-\(port)" }

  /// Refuses requests with a body, for another host and of other sites; nil: it may be answered.
  ///
  /// - Parameters:
  ///   - head: The request.
  ///   - port: The server's port.
  ///   - more: Other names of the server's host.
  ///   - ofAnySite: Whether any `Origin` will do.
  /// - Returns: Why it is refused.
  package static func refusal(
    of head: HTTPRequestHead, port: Int, hosts more: [String] = [], ofAnySite: Bool = false
  ) -> Verdict? {
    guard head.method == .GET || head.method == .HEAD else {
      return .refuse(.methodNotAllowed, "only GET and HEAD are answered")
    }
    guard !head.headers.contains(name: "transfer-encoding"),
      head.headers["content-length"].allSatisfy({ $0 == "0" })
    else { return .refuse(.payloadTooLarge, "a request has no body here") }
    let hosts = (["127.0.0.1", "localhost", "[::1]"] + more).map { "\($0):\(port)" }
    let named = head.headers["host"]
    guard named.count == 1, hosts.contains(named[0].lowercased()) else {
      return .refuse(.misdirectedRequest, "this server is \(hosts[0]) only")
    }
    let origins = head.headers["origin"]
    let isUpgrade = head.headers.contains(name: "upgrade")
    guard
      ofAnySite
        || origins.count <= 1
          && origins.first.map({ $0 == "http://" + named[0].lowercased() }) ?? !isUpgrade
    else { return .refuse(.forbidden, "requests of other sites are not answered") }
    return nil
  }

  /// Judges a request by its head.
  package func judge(_ head: HTTPRequestHead) -> Verdict {
    let parts = head.uri.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let path = String(parts[0])
    let isFoxglove = path == Self.foxglovePath
    if let refusal = Self.refusal(of: head, port: port, ofAnySite: isFoxglove) { return refusal }
    if isFoxglove || path == "/" && parts.count == 2 {
      let given = parts.last?.split(separator: "&").first { $0.hasPrefix("token=") }
      guard let given, token.matches(given.dropFirst("token=".count)) else { return Self.unknown }
      return isFoxglove ? .admit(path: path) : .enter
    }
    guard hasCookie(head) else { return Self.unknown }
    return .admit(path: path)
  }

  private static let unknown = Verdict.refuse(
    .forbidden, "open the address that orrery live has printed: it has the token")

  private func hasCookie(_ head: HTTPRequestHead) -> Bool {
    head.headers["cookie"].contains { line in
      line.split(separator: ";").contains { cookie in
        let cookie = cookie.drop { $0 == " " }
        return cookie.hasPrefix(cookieName + "=")
          && token.matches(cookie.dropFirst(cookieName.count + 1))
      }
    }
  }
}
