// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP1
import NIOPosix
import OrreryBase
import OrreryFrame

/// The server of `orrery metrics`: answers `GET /metrics` with the counters of all processes, on one thread.
///
/// No process is asked: a scrape reads shared memory, so it neither waits for a sim nor makes a tick late.
package final class MetricsServer {
  /// Where it is answered.
  package let address: String

  private let group: MultiThreadedEventLoopGroup
  private let channel: any Channel

  /// Begins to listen.
  ///
  /// - Parameters:
  ///   - host: An address of this machine's loopback.
  ///   - port: The port; 0: one that is free.
  ///   - source: What is answered.
  /// - Throws: `Failure` if the port cannot be had.
  package init(host: String, port: Int, source: MetricsSource) throws(Failure) {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let connections = OpenConnections()
    do {
      let bootstrap = ServerBootstrap.ofClients(group)
        .childChannelInitializer { channel in
          channel.eventLoop.makeCompletedFuture {
            let site = MetricsSite(
              host: host, port: channel.localAddress?.port ?? 0, source: source)
            let bound = HeaderBound()
            let pipeline = channel.pipeline.syncOperations
            try pipeline.addHandler(bound)
            try pipeline.configureHTTPServerPipeline(withErrorHandling: true)
            try pipeline.addHandler(
              PageHandler(site: site, connections: connections, bound: bound))
          }
        }
      channel = try bootstrap.bind(host: host, port: port).wait()
    } catch {
      try? group.syncShutdownGracefully()
      throw Failure(.unavailable, "--listen \(host):\(port) cannot be had: \(error)")
    }
    self.group = group
    address = "http://\(host):\(channel.localAddress?.port ?? port)/metrics"
  }

  /// Ends all connections.
  package func close() {
    try? channel.close().wait()
    try? group.syncShutdownGracefully()
  }
}

/// What the server answers.
private struct MetricsSite: Site {
  let host: String
  let port: Int
  let source: MetricsSource

  func judge(_ head: HTTPRequestHead) -> RequestGate.Verdict {
    if let refusal = RequestGate.refusal(of: head, port: port, hosts: [host]) { return refusal }
    return .admit(path: String(head.uri.prefix { $0 != "?" }))
  }

  func answer(_ head: HTTPRequestHead, _ verdict: RequestGate.Verdict) -> Answer {
    switch verdict {
    case .admit("/metrics"):
      guard let text = source.text(nowNs: Clock.monotonicNs()) else {
        return Answer(.internalServerError, text: "the counters of this user cannot be read")
      }
      return Answer(type: MetricsText.type, ByteBuffer(string: text))
    case .refuse(let status, let text): return Answer(status, text: text)
    case .admit, .enter: return Answer(.notFound, text: "the metrics are at /metrics")
    }
  }
}

/// The text of all counters, read anew if it is older than a twentieth of a second: many scrapes cost what one does.
package final class MetricsSource: @unchecked Sendable {
  private let runs: Set<String>
  private var last: (text: String, readNs: UInt64)?

  private static let freshNs: UInt64 = 50_000_000

  /// Has read nothing yet.
  ///
  /// - Parameter runs: The runs that are wanted, by name; empty: all.
  package init(_ runs: [String]) { self.runs = Set(runs) }

  /// The text; nil if the directory of all runs cannot be used.
  ///
  /// For one thread.
  package func text(nowNs: UInt64) -> String? {
    if let last, nowNs < last.readNs + Self.freshNs { return last.text }
    guard let (readings, faults) = try? CounterDirectory().readings() else { return nil }
    let text = MetricsText.text(
      readings, runs: runs, unreadableCount: faults.count,
      wallOffsetNs: Int64(bitPattern: Clock.wallNs() &- Clock.monotonicNs()))
    last = (text, nowNs)
    return text
  }
}
