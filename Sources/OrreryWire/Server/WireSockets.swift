// SPDX-License-Identifier: Apache-2.0

import CZeroMQ
import OrreryBase
import OrreryFrame

/// The sockets of a `WireServer`, bound.
package struct WireSockets: @unchecked Sendable {
  package let router: Socket
  package let gate: KeyGate?
  package let connections: ConnectionGuard

  /// The TCP address, with its port; nil where there is none.
  package let endpoint: String?

  /// Requests that wait for one peer's turn.
  private static let receiveHighWaterMark: CInt = 16

  /// Messages for one peer: a window of frames, and replies.
  ///
  /// ZeroMQ's socket hears that messages have left only when half of its mark have: twice the window, so that
  /// what is full is always the window.
  private static let sendHighWaterMark = CInt(2 * OutFlow.messagesMax + 128)

  /// What the kernel may hold for a subscriber on this machine: as much as stays in a second-level cache.
  ///
  /// With its own choice of up to 4 MiB, frames of 4 and 16 MiB went at 5.4 and 4.7 GB/s instead of 7.2 and 5.7.
  private static let loopbackBytes: CInt = 512 << 10

  /// ZMQ_ZAP_ENFORCE_DOMAIN, a draft that headers hide: no key is taken without asking the list.
  private static let enforceDomain: CInt = 93

  /// Binds them.
  ///
  /// - Throws: `WireError`.
  package init(directory: RunDirectory, options: WireOptions) throws(WireError) {
    let context = try SocketContext(endpoint: directory.controlPath)
    let local = "ipc://" + directory.controlPath
    let router = try Socket(
      type: ZMQ_ROUTER, endpoint: local, context: context,
      messageBytesMax: Int64(ControlRequest.bytesMax))
    try router.set(ZMQ_ROUTER_MANDATORY, 1)
    try router.set(ZMQ_RCVHWM, Self.receiveHighWaterMark)
    try router.set(ZMQ_SNDHWM, Self.sendHighWaterMark)
    try router.limitSilence()
    connections = try ConnectionGuard(router)
    // Each bind keeps the options of its moment: who comes by the run directory needs no key.
    try router.bind(local)
    var gate: KeyGate?
    var endpoint: String?
    if let listen = options.listen {
      if case .server(let pair, let clients) = options.keys {
        gate = try KeyGate(context: context, clients: clients)
        try router.set(ZMQ_CURVE_SERVER, 1)
        try router.set(ZMQ_CURVE_SECRETKEY, pair.secretKey)
        try router.set(ZMQ_ZAP_DOMAIN, KeyGate.domain)
        // Not in every ZeroMQ; where it is missing, the list is asked all the same since it is there.
        try? router.set(Self.enforceDomain, 1)
      } else if !listen.isLoopback {
        throw .needsKeys(endpoint: listen.text)
      }
      // Elsewhere the kernel's own choice, which grows with the way to the other end.
      if listen.isLoopback { try router.set(ZMQ_SNDBUF, Self.loopbackBytes) }
      try router.bind(listen.text)
      endpoint = try router.lastEndpoint()
    }
    self.router = router
    self.gate = gate
    self.endpoint = endpoint
  }
}
