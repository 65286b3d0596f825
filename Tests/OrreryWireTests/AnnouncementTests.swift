// SPDX-License-Identifier: Apache-2.0

import CFrameLayout
import CZeroMQ
import Glibc
import OrreryBase
import OrreryFrame
import OrreryWire
import TestSupport
import Testing

/// Goal: announcements have the bytes of docs/reference/wire.md, never hold the sim up, and can do no
/// harm to a subscriber.
///
/// Method: ZeroMQ sockets of the test's own at either end.
@Suite struct AnnouncementTests {
  /// A socket that a test drives by hand.
  private final class RawSocket {
    let handle: UnsafeMutableRawPointer
    private let context: UnsafeMutableRawPointer

    init(_ type: CInt) throws {
      context = try #require(zmq_ctx_new())
      handle = try #require(zmq_socket(context, type))
      var linger: CInt = 0
      zmq_setsockopt(handle, ZMQ_LINGER, &linger, MemoryLayout<CInt>.size)
    }

    deinit {
      zmq_close(handle)
      zmq_ctx_term(context)
    }

    /// The next message, or nil after a while.
    func receive(waitMs: CInt) -> [UInt8]? {
      var wait = waitMs
      zmq_setsockopt(handle, ZMQ_RCVTIMEO, &wait, MemoryLayout<CInt>.size)
      var bytes = [UInt8](repeating: 0xee, count: 256)
      let count = zmq_recv(handle, &bytes, bytes.count, 0)
      return count < 0 ? nil : Array(bytes.prefix(Int(count)))
    }
  }

  private static func word(_ bytes: [UInt8], at offset: Int) -> UInt64 {
    (0..<8).reduce(0) { $0 | UInt64(bytes[offset + $1]) << UInt64(8 * $1) }
  }

  /// Subscribes to a prefix and publishes until the first message comes.
  private static func subscribe(_ run: LiveRun, _ topic: String) throws -> (RawSocket, [UInt8]) {
    let socket = try RawSocket(ZMQ_SUB)
    zmq_setsockopt(socket.handle, ZMQ_SUBSCRIBE, topic, topic.utf8.count)
    #expect(zmq_connect(socket.handle, "ipc://" + run.directory.announcePath) == 0)
    var first: [UInt8]?
    try waitUntil("the first announcement") {
      run.publish()
      first = socket.receive(waitMs: 5)
      return first != nil
    }
    return (socket, try #require(first))
  }

  @Test func topicsAreTheHeaders() {
    #expect(ANNOUNCEMENT_TOPIC_FRAME == "frame\0\0")
    #expect(ANNOUNCEMENT_TOPIC_END == "end\0\0\0\0")
    #expect(AnnouncementTopic.allCases.map(\.rawValue) == ["frame", "end"])
  }

  @Test func frameAnnouncementHasItsBytes() throws {
    let run = try LiveRun(slots: 64, announces: true)
    let (_, bytes) = try Self.subscribe(run, "frame")
    try #require(bytes.count == 64)
    let sequence = Self.word(bytes, at: 16)
    #expect(Array(bytes[0..<8]) == Array("frame\0\0\0".utf8))
    #expect(Self.word(bytes, at: 8) == 77)
    #expect((1...run.writer.sequence).contains(sequence))
    #expect(Self.word(bytes, at: 24) == sequence + 10)
    #expect(Self.word(bytes, at: 32) == sequence * 100)
    let now = Clock.monotonicNs()
    #expect(((now - 60_000_000_000)...now).contains(Self.word(bytes, at: 40)))
    #expect(Self.word(bytes, at: 48) == sequence ^ 0xabcd)
    #expect(Self.word(bytes, at: 56) == UInt64(FRAME_LAYOUT_VERSION))
  }

  @Test func endAnnouncementHasItsBytes() throws {
    let run = try LiveRun(slots: 64, announces: true)
    let (socket, _) = try Self.subscribe(run, "")
    run.end()
    while let bytes = socket.receive(waitMs: 30_000) {
      try #require(bytes.count == 64)
      guard bytes[0] == UInt8(ascii: "e") else { continue }
      #expect(Array(bytes[0..<8]) == Array("end\0\0\0\0\0".utf8))
      #expect(Self.word(bytes, at: 8) == 77)
      #expect(Self.word(bytes, at: 16) == run.writer.sequence)
      #expect(bytes[24..<56].allSatisfy { $0 == 0 })
      #expect(Self.word(bytes, at: 56) == UInt64(FRAME_LAYOUT_VERSION))
      return
    }
    Issue.record("no end was announced")
  }

  @Test func topicFiltersWhatComes() throws {
    let run = try LiveRun(slots: 64, announces: true)
    let (all, _) = try Self.subscribe(run, "")
    let socket = try RawSocket(ZMQ_SUB)
    zmq_setsockopt(socket.handle, ZMQ_SUBSCRIBE, "end", 3)
    zmq_connect(socket.handle, "ipc://" + run.directory.announcePath)
    // What comes on other topics meanwhile does not reach it.
    for _ in 0..<20 {
      run.publish()
      #expect(socket.receive(waitMs: 5) == nil)
    }
    run.end()
    #expect(socket.receive(waitMs: 30_000)?.first == UInt8(ascii: "e"))
    withExtendedLifetime(all) {}
  }

  @Test func subscriberThatTakesNothingDoesNotHoldTheSimUp() throws {
    let run = try LiveRun(slots: 4, announces: true)
    let (stuck, _) = try Self.subscribe(run, "")
    // Far more than the high-water marks of both ends: a socket that waits would hang here.
    run.publish(20_000)
    #expect(run.writer.sequence > 20_000)
    withExtendedLifetime(stuck) {}
  }

  @Test func strangeAnnouncementsOnlyWake() throws {
    let run = try LiveRun(slots: 64)
    let publisher = try RawSocket(ZMQ_PUB)
    #expect(zmq_bind(publisher.handle, "ipc://" + run.directory.announcePath) == 0)
    let follower = Follower(try run.join())
    for size in [0, 1, 5, 8, 63, 64, 65, 4096, 4097, 100_000] {
      var bytes = [UInt8](repeating: 0xff, count: size)
      for (index, byte) in "frame\0\0\0".utf8.enumerated() where index < size {
        bytes[index] = byte
      }
      for _ in 0..<20 {
        zmq_send(publisher.handle, bytes, size, 0)
        #expect(follower.next() == .idle)
      }
    }
    run.publish(1)
    #expect(follower.next() == .frame(sequence: 1))
    #expect(follower.next() == .idle)
  }

  @Test func socketThatCannotBeBoundIsAnError() throws {
    let directory = try RunDirectory(name: "x", base: "/nowhere/at/all")
    let error = #expect(throws: WireError.self) {
      _ = try FrameAnnouncer(writer: LiveRun.writer(), directory: directory)
    }
    guard case .zeroMQ("zmq_bind", let endpoint, let number)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(endpoint == "ipc:///nowhere/at/all/x/announce")
    #expect(number == ENOENT)
    #expect(error?.description == "\(endpoint): zmq_bind: No such file or directory")
  }

  @Test func longestPathThatARunMayHaveCanBeBound() throws {
    let base = try TemporaryBase()
    // "/announce" and the slash before the name take ten of 107 bytes.
    let name = String(repeating: "n", count: 40)
    let filler = 107 - 10 - name.utf8.count - base.path.utf8.count - 1
    let longBase = base.path + "/" + String(repeating: "b", count: filler)
    let directory = try RunDirectory(name: name, base: longBase)
    #expect(directory.announcePath.utf8.count == 107)
    let lock = try RunLock(directory)
    let announcer = try FrameAnnouncer(writer: LiveRun.writer(), directory: directory)
    announcer.stop()
    withExtendedLifetime(lock) {}
  }
}
