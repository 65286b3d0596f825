// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP1

/// What a page gets: its files, the scene's layout, what is known of the run, and motions for its editor; and which
/// WebSockets open.
struct LiveSite: Site {
  let gate: RequestGate
  let hub: LiveHub
  let curves: CurveService

  func judge(_ head: HTTPRequestHead) -> RequestGate.Verdict { gate.judge(head) }

  func answer(_ head: HTTPRequestHead, _ verdict: RequestGate.Verdict) -> Answer {
    switch verdict {
    case .refuse(let status, let text): return Answer(status, text: text)
    case .enter:
      return Answer(
        .seeOther, text: "", headers: [("Location", "/"), ("Set-Cookie", gate.cookie)])
    case .admit(RequestGate.foxglovePath)
    where head.headers.contains(name: "upgrade") && hub.refusal == nil:
      let names = FoxgloveSubprotocol.allCases.map(\.rawValue).joined(separator: " or ")
      return Answer(.badRequest, text: "this WebSocket speaks \(names)")
    case .admit("/live"), .admit(RequestGate.foxglovePath):
      guard head.headers.contains(name: "upgrade"), let refusal = hub.refusal else {
        return Answer(.upgradeRequired, text: "this is a WebSocket")
      }
      return Answer(.serviceUnavailable, text: refusal)
    case .admit("/scene"):
      guard let scene = hub.scene else { return Answer(.notFound, text: "no run has begun") }
      return Answer(type: "application/x-protobuf", ByteBuffer(bytes: scene.layout))
    case .admit("/curve"):
      return Answer(.badRequest, text: "a motion is asked for by /curve?spec=TEXT")
    case .admit("/stats"): return Answer(type: "application/json", ByteBuffer(bytes: hub.report))
    case .admit(let path):
      guard let file = PageFiles.files[path] else {
        return Answer(.notFound, text: "no such file")
      }
      return Answer(type: file.type, file.bytes)
    }
  }

  /// The headers with which a WebSocket opens, and who gets what it says; nil: it does not open, and `answer` says why.
  func welcome(_ head: HTTPRequestHead) -> (headers: HTTPHeaders, hub: any SocketHub)? {
    guard case .admit(let path) = gate.judge(head), hub.refusal == nil else { return nil }
    if path == "/live" { return ([:], hub) }
    let offers = head.headers["sec-websocket-protocol"]
    guard path == RequestGate.foxglovePath, let subprotocol = FoxgloveSubprotocol(offers: offers)
    else { return nil }
    return (["Sec-WebSocket-Protocol": subprotocol.rawValue], hub.foxglove)
  }

  func work(_ head: HTTPRequestHead, _ verdict: RequestGate.Verdict) -> EventLoopFuture<Answer>? {
    guard verdict == .admit(path: "/curve"), let spec = CurveService.spec(of: head.uri) else {
      return nil
    }
    return curves.sheet(spec)
  }
}
