// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// Ends a connection whose request does not come to an end: NIO would read its head for ever.
final class HeaderBound: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer
  typealias OutboundOut = ByteBuffer

  /// Bytes of a request line and its headers, at most.
  static let bytesMax = 64 << 10

  private var bytes = 0

  /// A head was read whole: the next one begins.
  func headEnded() { bytes = 0 }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard bytes <= Self.bytesMax else { return }
    bytes += unwrapInboundIn(data).readableBytes
    guard bytes <= Self.bytesMax else {
      let answer = "HTTP/1.1 431 Request Header Fields Too Large\r\nConnection: close\r\n\r\n"
      let channel = context.channel
      context.writeAndFlush(wrapOutboundOut(channel.allocator.buffer(string: answer)))
        .whenComplete { _ in channel.close(promise: nil) }
      return
    }
    context.fireChannelRead(data)
  }
}
