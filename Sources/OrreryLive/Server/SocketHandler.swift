// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP1
import NIOWebSocket

/// Reads what a client says on its WebSocket: whole masked messages.
final class SocketHandler: ChannelInboundHandler {
  typealias InboundIn = WebSocketFrame
  typealias OutboundOut = WebSocketFrame

  /// Bytes of a message of a client, at most.
  static let bytesMax = 64 << 10

  private let hub: any SocketHub
  private let head: HTTPRequestHead

  /// - Parameters:
  ///   - hub: Gets what is said.
  ///   - head: The request by which the WebSocket has opened.
  init(hub: any SocketHub, _ head: HTTPRequestHead) { (self.hub, self.head) = (hub, head) }

  func handlerAdded(context: ChannelHandlerContext) { hub.open(context.channel, head) }

  func channelInactive(context: ChannelHandlerContext) {
    hub.close(context.channel)
    context.fireChannelInactive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let frame = unwrapInboundIn(data)
    // Browsers mask what they send; whoever does not is none.
    guard frame.maskKey != nil else { return close(context, .protocolError) }
    switch frame.opcode {
    case .text where frame.fin, .binary where frame.fin:
      let isRead = hub.receive(
        Array(frame.unmaskedData.readableBytesView), isText: frame.opcode == .text,
        from: context.channel)
      if !isRead { close(context, .unacceptableData) }
    case .ping where frame.fin:
      // Answered only when earlier ones have left: a flood of them takes no memory.
      guard context.channel.isWritable else { return }
      let pong = WebSocketFrame(fin: true, opcode: .pong, data: frame.unmaskedData)
      context.writeAndFlush(wrapOutboundOut(pong), promise: nil)
    case .pong: break
    case .connectionClose: close(context, .normalClosure)
    default: close(context, .unacceptableData)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }

  private func close(_ context: ChannelHandlerContext, _ code: WebSocketErrorCode) {
    var bytes = context.channel.allocator.buffer(capacity: 2)
    bytes.write(webSocketErrorCode: code)
    let frame = WebSocketFrame(fin: true, opcode: .connectionClose, data: bytes)
    let channel = context.channel
    context.writeAndFlush(wrapOutboundOut(frame)).whenComplete { _ in channel.close(promise: nil) }
  }
}
