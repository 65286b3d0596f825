// SPDX-License-Identifier: Apache-2.0

import CZeroMQ
import OrreryBase
import OrreryFrame
import OrreryWire
import Testing

/// A bound ROUTER and its context, in a sim's place; one thread uses it.
struct BareRouter: @unchecked Sendable {
  let socket: UnsafeMutableRawPointer
  let address: WireAddress
  private let context: UnsafeMutableRawPointer

  /// Binds a ROUTER.
  ///
  /// - Parameters:
  ///   - options: ZeroMQ's; it does not linger unless they say so.
  ///   - endpoint: Where to listen at a TCP address.
  ///   - run: Where to listen instead; nil for none.
  /// - Throws: When there is no socket left.
  init(
    _ options: [(CInt, CInt)], at endpoint: String = "tcp://127.0.0.1:*",
    of run: RunDirectory? = nil
  ) throws {
    context = try #require(zmq_ctx_new())
    socket = try #require(zmq_socket(context, ZMQ_ROUTER))
    for (option, value) in [(ZMQ_LINGER, 0)] + options {
      var value = value
      zmq_setsockopt(socket, option, &value, MemoryLayout<CInt>.size)
    }
    if let run {
      address = .run(run)
      try #require(zmq_bind(socket, address.endpoint) == 0)
      return
    }
    try #require(zmq_bind(socket, endpoint) == 0)
    var name = [CChar](repeating: 0, count: 128)
    var count = name.count
    zmq_getsockopt(socket, ZMQ_LAST_ENDPOINT, &name, &count)
    let text = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    address = .tcp(try WireEndpoint(text), keys: nil)
  }

  /// Ends the socket and the context.
  func close() {
    zmq_close(socket)
    zmq_ctx_term(context)
  }
}
