// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP1

/// What a page gets: its files, the scene's layout, what is known of the run, and motions for its editor.
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
    case .admit("/live"):
      let isFull = head.headers.contains(name: "upgrade") && !hub.hasRoom
      return Answer(
        isFull ? .serviceUnavailable : .upgradeRequired,
        text: isFull
          ? "\(hub.clientsMax) pages are open; --clients allows more" : "this is a WebSocket")
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

  func work(_ head: HTTPRequestHead, _ verdict: RequestGate.Verdict) -> EventLoopFuture<Answer>? {
    guard verdict == .admit(path: "/curve"), let spec = CurveService.spec(of: head.uri) else {
      return nil
    }
    return curves.sheet(spec)
  }
}
