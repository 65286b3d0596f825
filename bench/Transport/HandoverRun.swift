// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import OrreryFrame
import OrreryWire

/// A sim's servers around a ring: run directory, join server, announcer and wire server.
final class HandoverRun {
  /// Base path of the run's directory, for readers.
  let base: String

  private let lock: RunLock
  private let announcer: FrameAnnouncer
  private let joinServer: JoinServer
  private let wire: WireServer?

  /// The run's name; the base path is unique, so all runs share it.
  static let name = "bench"

  /// Refuses all requests: there is no sim.
  private final class NoRequests: ControlHandler {
    func handle(
      _ request: ControlRequest, answer: @escaping @Sendable (ControlReply) -> Void
    ) {
      answer(.refused("there is no sim behind this run"))
    }
  }

  /// Opens everything that a sim opens.
  ///
  /// - Parameters:
  ///   - writer: The writer of the ring.
  ///   - isRemote: Whether frames go over tcp.
  /// - Throws: Errors of directories and sockets.
  init(_ writer: FrameWriter, isRemote: Bool) throws {
    base =
      FileManager.default.temporaryDirectory
      .appendingPathComponent("orrery-bench-\(getpid())").path
    lock = try RunLock(RunDirectory(name: Self.name, base: base))
    let announcer = try FrameAnnouncer(writer: writer, directory: lock.directory)
    self.announcer = announcer
    let subscribers = try Subscribers(lock.directory)
    joinServer = try JoinServer(
      writer: writer, directory: lock.directory, subscribers: subscribers,
      audienceChanged: { announcer.listen(for: $0) })
    guard isRemote else {
      wire = nil
      return
    }
    var options = WireOptions()
    options.listen = try WireEndpoint("tcp://127.0.0.1:0")
    let wire = try WireServer(
      writer: writer,
      run: WireRun(
        name: Self.name, rate: (60, 1), delivery: .live, staticPart: [], descriptorSet: []),
      directory: lock.directory, subscribers: subscribers, options: options,
      handler: NoRequests())
    self.wire = wire
    announcer.setListener { wire.frameWasPublished() }
  }

  deinit {
    joinServer.stop()
    wire?.stop()
    announcer.stop()
    try? FileManager.default.removeItem(atPath: base)
  }

  /// The endpoint for remote readers; nil if frames do not go over TCP.
  var endpoint: String? { wire?.endpoint }

  /// Announces a frame as a sim does.
  @inline(__always) func announce(_ sequence: UInt64, _ stamp: FrameStamp) {
    announcer.announce(sequence: sequence, stamp)
  }
}
