// SPDX-License-Identifier: Apache-2.0

import CZeroMQ
import OrreryBase
import OrreryFrame

/// The bound sockets of a `WireServer`.
package struct WireSockets: @unchecked Sendable {
  /// Gets requests and sends replies and frames.
  package let router: Socket
  /// Checks keys; nil if the run has none.
  package let authenticator: KeyAuthenticator?
  /// Closes connections that send without end, or faster than requests are taken.
  package let connections: ConnectionGuard

  /// The TCP address with its port; nil if the run is not served over TCP.
  package let endpoint: String?

  /// Requests queued from one peer; 0: as many as there are.
  ///
  /// `connections` limits their bytes, and `limitSilence` says why their number is not.
  private static let receiveHighWaterMark: CInt = 0

  /// Messages queued for one peer: a window of frames, and replies.
  ///
  /// ZeroMQ's socket learns that messages have left only after half of its mark have left. So the
  /// mark is twice the window, and the window is always the limit that is reached first.
  private static let sendHighWaterMark = CInt(2 * SendWindow.messagesMax + 128)

  /// Kernel send buffer for a subscriber on this machine: small enough for a second-level cache.
  ///
  /// With the kernel's own choice of up to 4 MiB, frames of 4 and 16 MiB were sent at 5.4 and
  /// 4.7 GB/s instead of 7.2 and 5.7.
  private static let loopbackBytes: CInt = 512 << 10

  /// ZMQ_ZAP_ENFORCE_DOMAIN, a draft option that headers hide: no key is accepted unchecked.
  private static let enforceDomain: CInt = 93

  /// Binds the sockets.
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
    // Each bind keeps the options set before it: a client over the run directory needs no key.
    try router.bind(local)
    var authenticator: KeyAuthenticator?
    var endpoint: String?
    if let listen = options.listen {
      if case .server(let pair, let clients) = options.keys {
        authenticator = try KeyAuthenticator(context: context, clients: clients)
        try router.set(ZMQ_CURVE_SERVER, 1)
        try router.set(ZMQ_CURVE_SECRETKEY, pair.secretKey)
        try router.set(ZMQ_ZAP_DOMAIN, KeyAuthenticator.domain)
        // Not every ZeroMQ has this option. Without it the list is still checked, because the
        // authenticator is bound.
        try? router.set(Self.enforceDomain, 1)
      } else if !listen.isLoopback {
        throw .needsKeys(endpoint: listen.text)
      }
      // For other machines the kernel chooses: its buffer grows with the path to the other end.
      if listen.isLoopback { try router.set(ZMQ_SNDBUF, Self.loopbackBytes) }
      try router.bind(listen.text)
      endpoint = try router.lastEndpoint()
    }
    self.router = router
    self.authenticator = authenticator
    self.endpoint = endpoint
  }
}
