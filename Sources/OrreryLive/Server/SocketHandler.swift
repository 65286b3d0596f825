// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOWebSocket

/// Reads what a page says on its WebSocket: whole masked texts, each one JSON object.
final class SocketHandler: ChannelInboundHandler {
  typealias InboundIn = WebSocketFrame
  typealias OutboundOut = WebSocketFrame

  /// Bytes of a frame of a page, at most.
  static let bytesMax = 64 << 10

  private let hub: LiveHub

  init(hub: LiveHub) { self.hub = hub }

  func handlerAdded(context: ChannelHandlerContext) { hub.open(context.channel) }

  func channelInactive(context: ChannelHandlerContext) {
    hub.close(context.channel)
    context.fireChannelInactive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let frame = unwrapInboundIn(data)
    // Browsers mask what they send; whoever does not is none.
    guard frame.maskKey != nil else { return close(context, .protocolError) }
    switch frame.opcode {
    case .text where frame.fin:
      hub.receive(Array(frame.unmaskedData.readableBytesView), from: context.channel)
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
