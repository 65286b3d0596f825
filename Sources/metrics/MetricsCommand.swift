// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import OrreryBase
import OrreryCommandLine
import OrreryLive
import OrreryWire

/// Gives the counters of runs to a monitoring system.
@main struct MetricsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    program: "metrics",
    abstract: "Answer scrapes of Prometheus with the counters of this user's runs.",
    usage: "[RUN ...] [OPTIONS]",
    discussion: """
      Examples:
        orrery metrics --once
        orrery metrics --listen 127.0.0.1:9464
      Prints the address, and answers GET on it with OpenMetrics text until Ctrl-C:
      counters of all sims and subscribers of this user on this machine, in seconds
      and bytes, and histograms of times. It reads counters in shared memory as
      `orrery top` does, so a sim that hangs is seen, and no scrape makes a tick late.
      """)

  static func main() { CommandLineProgram(Self.self).run() }

  @Argument(help: "The runs whose counters are given; all runs where they are missing.")
  var names: [String] = []

  @Option(help: "Where to listen: 127.0.0.1:PORT or localhost:PORT; port 0: one that is free.")
  var listen = "127.0.0.1:9464"

  @Flag(help: "Print the text once, without a server.")
  var once = false

  /// Below the sim and the logger: a scrape may be late, a tick may not.
  private static let niceness: Int32 = 10

  private func endpoint() throws -> WireEndpoint {
    guard let endpoint = try? WireEndpoint("tcp://" + listen), endpoint.isLoopback else {
      throw ValidationError(
        "--listen \(listen): use 127.0.0.1:PORT; a collector there can forward it")
    }
    return endpoint
  }

  func validate() throws { _ = try endpoint() }

  func run() throws {
    StopSignals.installHandlers(threads: 2)
    StopSignals.endWithParent()
    let source = MetricsSource(names)
    if once {
      guard let text = source.text(nowNs: Clock.monotonicNs()) else {
        throw Failure(.notPermitted, "the counters of this user cannot be read: orrery doctor")
      }
      Standard.output(text)
      return
    }
    setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, Self.niceness)
    let endpoint = try endpoint()
    let server = try MetricsServer(
      host: endpoint.address.map(String.init).joined(separator: "."), port: Int(endpoint.port),
      source: source)
    defer { server.close() }
    Standard.output(server.address + "\n")
    var polled = pollfd(fd: StopSignals.descriptor, events: Int16(POLLIN), revents: 0)
    while StopSignals.count == 0 { poll(&polled, 1, 1000) }
  }
}
