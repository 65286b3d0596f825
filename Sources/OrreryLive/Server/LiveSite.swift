// SPDX-License-Identifier: Apache-2.0

import Foundation
import NIOCore
import NIOHTTP1

/// What a page gets: its files, the scene's layout, the looks of its texts, what is known of the run, and motions
/// for its editor; and which WebSockets open.
struct LiveSite: Site {
  let gate: RequestGate
  let hub: LiveHub
  let answers: AnswerThread
  let work: PageWork

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
    case .admit("/scene"), .admit("/texts"):
      // Of a run that has begun, `work` has the texts.
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
    guard case .admit(let path) = verdict else { return nil }
    switch path {
    case "/curve":
      return Self.spec(of: head.uri).map { spec in answers.answer { work.curve(spec) } }
    case "/texts":
      return hub.scene.map { scene in answers.answer { work.texts(scene.layout) } }
    default: return nil
    }
  }

  /// The text that an address asks for, in which forms write a space as `+`; nil if it asks for none.
  private static func spec(of address: String) -> String? {
    let query = address.drop { $0 != "?" }.dropFirst()
    let field = query.split(separator: "&").first { $0.hasPrefix("spec=") }
    return field.flatMap { field in
      String(field.dropFirst("spec=".count).map { $0 == "+" ? " " : $0 }).removingPercentEncoding
    }
  }
}
