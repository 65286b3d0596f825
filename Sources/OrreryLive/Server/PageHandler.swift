// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP1
import NIOWebSocket

/// What a server answers; used on its thread only.
protocol Site {
  /// Decides whether a request is answered, by its head.
  func judge(_ head: HTTPRequestHead) -> RequestGate.Verdict

  /// The answer to a request that is.
  func answer(_ head: HTTPRequestHead, _ verdict: RequestGate.Verdict) -> Answer

  /// An answer that takes longer than a frame may wait, made on another thread; nil: `answer` has it at once.
  func work(_ head: HTTPRequestHead, _ verdict: RequestGate.Verdict) -> EventLoopFuture<Answer>?
}

extension Site {
  func work(_ head: HTTPRequestHead, _ verdict: RequestGate.Verdict) -> EventLoopFuture<Answer>? {
    nil
  }
}

/// What is sent back.
struct Answer: Sendable {
  let status: HTTPResponseStatus
  let type: String
  let body: ByteBuffer
  var headers: [(String, String)] = []

  /// An answer of bytes of a type.
  init(_ status: HTTPResponseStatus = .ok, type: String, _ body: ByteBuffer) {
    (self.status, self.type, self.body) = (status, type, body)
  }

  /// A line of text, or nothing.
  init(_ status: HTTPResponseStatus, text: String, headers: [(String, String)] = []) {
    let line = text.isEmpty ? "" : text + "\n"
    self.init(status, type: "text/plain; charset=utf-8", ByteBuffer(string: line))
    self.headers = headers
  }
}

/// Answers the requests of one connection, which is closed if it is silent, slow or sends what is not answered.
final class PageHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let site: any Site
  private let connections: OpenConnections
  private let bound: HeaderBound
  private var head: HTTPRequestHead?

  /// Closes a connection that sends nothing, or slowly.
  private var silence: Scheduled<Void>?

  /// Seconds in which a head must come, and for which a connection may wait for the next one.
  private static let secondsMax: Int64 = 10

  /// Bytes of an answer that a client reads in a second, at least.
  private static let bytesPerSecondMin = 32 << 10

  init(site: any Site, connections: OpenConnections, bound: HeaderBound) {
    (self.site, self.connections, self.bound) = (site, connections, bound)
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
      if case .refuse(let status, let text) = site.judge(head) {
        self.head = nil
        send(Answer(status, text: text), to: head, closes: true, context)
      }
    case .body: break
    case .end:
      guard let head else { return }
      self.head = nil
      let verdict = site.judge(head)
      guard let work = site.work(head, verdict) else {
        return end(site.answer(head, verdict), to: head, context)
      }
      // The pipeline holds the next request back until this one is answered.
      work.assumeIsolated().whenComplete { result in
        guard context.channel.isActive else { return }
        let failed = Answer(.serviceUnavailable, text: "the server ends")
        self.end((try? result.get()) ?? failed, to: head, context)
      }
    }
  }

  private func end(_ answer: Answer, to head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    send(answer, to: head, closes: !head.isKeepAlive, context)
    waitForHead(context, after: answer)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // A WebSocket that was refused: the request comes here, and is answered.
    if error is NIOWebSocketUpgradeError { return }
    context.close(promise: nil)
  }

  /// Waits for the next head, and before it for an answer to be read: a large scene takes longer than a client may be
  /// silent.
  private func waitForHead(_ context: ChannelHandlerContext, after answer: Answer? = nil) {
    let channel = context.channel
    let readingSeconds = Int64((answer?.body.readableBytes ?? 0) / Self.bytesPerSecondMin)
    silence?.cancel()
    silence = context.eventLoop.scheduleTask(in: .seconds(Self.secondsMax + readingSeconds)) {
      channel.close(promise: nil)
    }
  }

  private func send(
    _ answer: Answer, to head: HTTPRequestHead, closes: Bool, _ context: ChannelHandlerContext
  ) {
    var headers = HTTPHeaders(SecurityHeaders.all + answer.headers)
    headers.add(name: "Content-Type", value: answer.type)
    headers.add(name: "Content-Length", value: "\(answer.body.readableBytes)")
    if answer.status == .methodNotAllowed { headers.add(name: "Allow", value: "GET, HEAD") }
    headers.add(name: "Connection", value: closes ? "close" : "keep-alive")
    let response = HTTPResponseHead(version: .http1_1, status: answer.status, headers: headers)
    context.write(wrapOutboundOut(.head(response)), promise: nil)
    if head.method != .HEAD {
      context.write(wrapOutboundOut(.body(.byteBuffer(answer.body))), promise: nil)
    }
    let channel = context.channel
    context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in
      if closes { channel.close(promise: nil) }
    }
  }
}
