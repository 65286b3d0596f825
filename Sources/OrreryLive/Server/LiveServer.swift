// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket
import OrreryBase

/// The server of the page: HTTP and WebSocket on one thread, for browsers of this machine.
package final class LiveServer {
  /// What pages are sent.
  package let hub: LiveHub

  /// The address to open, with the token.
  package var address: String { gate.address }

  private let gate: RequestGate
  private let answers: AnswerThread
  private let group: MultiThreadedEventLoopGroup
  private let channel: any Channel

  /// How long pages have at the end to take what is left and to be answered.
  private static let closingSeconds: Int64 = 2

  /// Begins to listen on 127.0.0.1.
  ///
  /// - Parameters:
  ///   - port: The port; 0: one that is free.
  ///   - clientsMax: Pages and Foxglove clients that may be open at a time.
  ///   - work: What others do for the pages.
  /// - Throws: `Failure` if the port cannot be had.
  package init(
    port: Int, clientsMax: Int, work: PageWork
  ) throws(Failure) {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let answers = AnswerThread(loop: group.next())
    let hub = LiveHub(loop: group.next(), clientsMax: clientsMax)
    let token = AccessToken()
    let connections = OpenConnections()
    do {
      let bootstrap = ServerBootstrap.ofClients(group)
        .childChannelInitializer { channel in
          channel.eventLoop.makeCompletedFuture {
            let port = channel.localAddress?.port ?? 0
            let site = LiveSite(
              gate: RequestGate(port: port, token: token), hub: hub, answers: answers, work: work)
            try Self.configure(channel, site, connections)
          }
        }
      channel = try bootstrap.bind(host: "127.0.0.1", port: port).wait()
    } catch {
      answers.close()
      try? group.syncShutdownGracefully()
      throw Failure(.unavailable, "--port \(port) of 127.0.0.1 cannot be had: \(error)")
    }
    self.group = group
    self.hub = hub
    self.answers = answers
    gate = RequestGate(port: channel.localAddress?.port ?? port, token: token)
  }

  /// Ends all connections, once pages have taken what was sent last and all that was asked for is answered.
  package func close() {
    try? channel.close().wait()
    let loop = group.next()
    let left = loop.scheduleTask(in: .seconds(Self.closingSeconds)) {}
    hub.closeAll { [answers] in answers.answerAll().whenComplete { _ in left.cancel() } }
    _ = try? left.futureResult.wait()
    answers.close()
    try? group.syncShutdownGracefully()
  }

  private static func configure(
    _ channel: any Channel, _ site: LiveSite, _ connections: OpenConnections
  ) throws {
    let bound = HeaderBound()
    let page = PageHandler(site: site, connections: connections, bound: bound)
    let upgrader = NIOWebSocketServerUpgrader(
      maxFrameSize: SocketHandler.bytesMax,
      shouldUpgrade: { (channel, head) in
        // A nil lets the page handler answer why not.
        channel.eventLoop.makeSucceededFuture(site.welcome(head)?.headers)
      },
      upgradePipelineHandler: { (channel, head) in
        channel.eventLoop.makeCompletedFuture {
          guard let hub = site.welcome(head)?.hub else { return channel.close(promise: nil) }
          try channel.pipeline.syncOperations.addHandler(SocketHandler(hub: hub, head))
        }
      })
    let handlers = NIOLoopBound((page, bound), eventLoop: channel.eventLoop)
    let pipeline = channel.pipeline.syncOperations
    try pipeline.addHandler(bound)
    try pipeline.configureHTTPServerPipeline(
      withServerUpgrade: (
        upgraders: [upgrader],
        completionHandler: { context in
          let (page, bound) = handlers.value
          context.pipeline.syncOperations.removeHandler(page, promise: nil)
          context.pipeline.syncOperations.removeHandler(bound, promise: nil)
        }
      ))
    try pipeline.addHandler(page)
  }
}

extension ServerBootstrap {
  /// What all servers of this module have in common: many may knock at once, and answers leave without waiting for more.
  static func ofClients(_ group: MultiThreadedEventLoopGroup) -> ServerBootstrap {
    ServerBootstrap(group: group)
      .serverChannelOption(.backlog, value: 256)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelOption(.socketOption(.tcp_nodelay), value: 1)
  }
}
