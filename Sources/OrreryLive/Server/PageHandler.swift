// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP1
import NIOWebSocket

/// Answers the requests of one connection: the page's files, the scene's layout, and what is known of the run.
final class PageHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let gate: RequestGate
  private let hub: LiveHub
  private let connections: OpenConnections
  private let bound: HeaderBound
  private var head: HTTPRequestHead?

  /// Closes a connection that sends nothing, or slowly.
  private var silence: Scheduled<Void>?

  /// Seconds in which a head must come, and for which a connection may wait for the next one.
  private static let secondsMax: Int64 = 10

  init(
    gate: RequestGate, hub: LiveHub, connections: OpenConnections, bound: HeaderBound
  ) {
    (self.gate, self.hub, self.connections, self.bound) = (gate, hub, connections, bound)
  }

  func handlerAdded(context: ChannelHandlerContext) {
    connections.add(context.channel)
    waitForHead(context)
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    connections.remove(context.channel)
    silence?.cancel()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      bound.headEnded()
      silence?.cancel()
      self.head = head
      // Before its body, which may have no end.
      if case .refuse(let status, let text) = gate.judge(head) {
        self.head = nil
        answer(context, head, status, text: text, closes: true)
      }
    case .body: break
    case .end:
      guard let head else { return }
      self.head = nil
      answer(context, head)
      waitForHead(context)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // A WebSocket that was refused: the request comes here, and is answered.
    if error is NIOWebSocketUpgradeError { return }
    context.close(promise: nil)
  }

  private func waitForHead(_ context: ChannelHandlerContext) {
    let channel = context.channel
    silence?.cancel()
    silence = context.eventLoop.scheduleTask(in: .seconds(Self.secondsMax)) {
      channel.close(promise: nil)
    }
  }

  private func answer(_ context: ChannelHandlerContext, _ head: HTTPRequestHead) {
    switch gate.judge(head) {
    case .refuse(let status, let text): answer(context, head, status, text: text, closes: true)
    case .enter:
      answer(
        context, head, .seeOther, text: "", more: [("Location", "/"), ("Set-Cookie", gate.cookie)])
    case .admit("/live"):
      let isFull = head.headers.contains(name: "upgrade") && !hub.hasRoom
      answer(
        context, head, isFull ? .serviceUnavailable : .upgradeRequired,
        text: isFull
          ? "\(hub.clientsMax) pages are open; --clients allows more" : "this is a WebSocket")
    case .admit("/scene"):
      guard let scene = hub.scene else {
        return answer(context, head, .notFound, text: "no run has begun")
      }
      answer(
        context, head, .ok, type: "application/x-protobuf",
        context.channel.allocator.buffer(bytes: scene.layout))
    case .admit("/stats"):
      answer(
        context, head, .ok, type: "application/json",
        context.channel.allocator.buffer(bytes: hub.report))
    case .admit(let path):
      guard let file = PageFiles.files[path] else {
        return answer(context, head, .notFound, text: "no such file")
      }
      answer(context, head, .ok, type: file.type, file.bytes)
    }
  }

  private func answer(
    _ context: ChannelHandlerContext, _ head: HTTPRequestHead, _ status: HTTPResponseStatus,
    text: String, more: [(String, String)] = [], closes: Bool = false
  ) {
    let line = text.isEmpty ? "" : text + "\n"
    answer(
      context, head, status, type: "text/plain; charset=utf-8",
      context.channel.allocator.buffer(string: line), more: more, closes: closes)
  }

  private func answer(
    _ context: ChannelHandlerContext, _ head: HTTPRequestHead, _ status: HTTPResponseStatus,
    type: String, _ body: ByteBuffer, more: [(String, String)] = [], closes: Bool = false
  ) {
    let closes = closes || !head.isKeepAlive
    var headers = HTTPHeaders(SecurityHeaders.all + more)
    headers.add(name: "Content-Type", value: type)
    headers.add(name: "Content-Length", value: "\(body.readableBytes)")
    headers.add(name: "Connection", value: closes ? "close" : "keep-alive")
    let response = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
    context.write(wrapOutboundOut(.head(response)), promise: nil)
    if head.method != .HEAD {
      context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
    }
    let channel = context.channel
    context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in
      if closes { channel.close(promise: nil) }
    }
  }
}
