// SPDX-License-Identifier: Apache-2.0

import CZeroMQ
import Glibc
import OrreryBase
import OrreryFrame
import OrreryWire
import TestSupport
import Testing

/// Goal: each socket has the limits of docs/reference/wire.md and of its comments: of lengths, of queues, of silence.
///
/// Method: sockets that no thread serves, and ZeroMQ's own word for each option.
@Suite struct SocketOptionTests {
  /// An option whose value is a C int; nil where ZeroMQ does not tell.
  private static func number(_ socket: Socket, _ option: CInt) -> CInt? {
    var value: CInt = 0
    var size = MemoryLayout<CInt>.size
    return zmq_getsockopt(socket.handle, option, &value, &size) == 0 ? value : nil
  }

  /// The longest message that it takes.
  private static func messageBytes(_ socket: Socket) -> Int64? {
    var value: Int64 = 0
    var size = MemoryLayout<Int64>.size
    return zmq_getsockopt(socket.handle, ZMQ_MAXMSGSIZE, &value, &size) == 0 ? value : nil
  }

  /// An option whose value is a text; `room` is its length and a zero.
  private static func text(_ socket: Socket, _ option: CInt, room: Int) -> String? {
    var bytes = [UInt8](repeating: 0, count: room)
    var size = room
    guard zmq_getsockopt(socket.handle, option, &bytes, &size) == 0 else { return nil }
    return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }

  private static func expect(
    _ socket: Socket, _ options: [(name: String, option: CInt, value: CInt)]
  ) {
    for (name, option, value) in options {
      #expect(number(socket, option) == value, "\(name)")
    }
  }

  /// How long a peer may be silent.
  private static let silence: [(name: String, option: CInt, value: CInt)] = [
    ("handshake", ZMQ_HANDSHAKE_IVL, 1000), ("heartbeat", ZMQ_HEARTBEAT_IVL, 1000),
    ("silence", ZMQ_HEARTBEAT_TIMEOUT, 3000), ("silence there", ZMQ_HEARTBEAT_TTL, 0),
    ("IPv6", ZMQ_IPV6, 0), ("linger", ZMQ_LINGER, 0),
  ]

  /// A run's directory, and what holds it.
  private static func directory() throws -> (lock: RunLock, base: TemporaryBase) {
    let base = try TemporaryBase()
    return (try RunLock(RunDirectory(name: "test", base: base.path)), base)
  }

  private static func keys(_ base: TemporaryBase) throws -> CurveKeys {
    let directory = base.path + "/keys"
    _ = try CurveKeys.generate(directory: directory, client: "client", overwrites: false)
    return try CurveKeys.server(directory: directory)
  }

  // MARK: - The sim's

  @Test func routerIsBounded() throws {
    let (lock, base) = try Self.directory()
    let sockets = try WireSockets(directory: lock.directory, options: WireOptions())
    Self.expect(sockets.router, Self.silence)
    Self.expect(
      sockets.router,
      [
        ("type", ZMQ_TYPE, ZMQ_ROUTER), ("requests", ZMQ_RCVHWM, 0),
        ("replies", ZMQ_SNDHWM, 2_176), ("the kernel's own choice", ZMQ_SNDBUF, -1),
        ("keys", ZMQ_CURVE_SERVER, 0),
      ])
    #expect(Self.messageBytes(sockets.router) == 65_536)
    #expect(sockets.endpoint == nil)
    let hasAuthenticator = sockets.authenticator != nil
    #expect(!hasAuthenticator)
    withExtendedLifetime(base) {}
  }

  @Test func loopbackNeedsNoKeysAndLittleMemory() throws {
    let (lock, base) = try Self.directory()
    var options = WireOptions()
    options.listen = try WireEndpoint("tcp://127.0.0.1:0")
    let sockets = try WireSockets(directory: lock.directory, options: options)
    #expect(Self.number(sockets.router, ZMQ_SNDBUF) == 512 << 10)
    #expect(Self.number(sockets.router, ZMQ_CURVE_SERVER) == 0)
    let hasAuthenticator = sockets.authenticator != nil
    #expect(!hasAuthenticator)
    // The port that the system chose.
    let endpoint = try WireEndpoint(#require(sockets.endpoint))
    #expect(endpoint.address == [127, 0, 0, 1])
    #expect(endpoint.port > 0)
    withExtendedLifetime(base) {}
  }

  @Test(arguments: ["tcp://127.0.0.1:0", "tcp://*:0"])
  func whereKeysAreGivenTheyAreNeeded(listen: String) throws {
    let (lock, base) = try Self.directory()
    var options = WireOptions()
    options.listen = try WireEndpoint(listen)
    options.keys = try Self.keys(base)
    let sockets = try WireSockets(directory: lock.directory, options: options)
    guard case .server(let pair, _)? = options.keys else {
      Issue.record("no keys of a server")
      return
    }
    let hasAuthenticator = sockets.authenticator != nil
    #expect(hasAuthenticator)
    #expect(Self.number(sockets.router, ZMQ_CURVE_SERVER) == 1)
    #expect(Self.text(sockets.router, ZMQ_CURVE_SECRETKEY, room: 41) == pair.secretKey)
    #expect(Self.text(sockets.router, ZMQ_ZAP_DOMAIN, room: 64) == "orrery")
    let isLoopback = listen.contains("127")
    #expect(Self.number(sockets.router, ZMQ_SNDBUF) == (isLoopback ? 512 << 10 : -1))
  }

  /// A client's keys are none that a sim could let others in by.
  @Test func keysOfAClientOpenNothing() throws {
    let (lock, base) = try Self.directory()
    _ = try Self.keys(base)
    var options = WireOptions()
    options.keys = try CurveKeys.client(directory: base.path + "/keys")
    options.listen = try WireEndpoint("tcp://*:0")
    #expect(throws: WireError.needsKeys(endpoint: "tcp://0.0.0.0:0")) {
      try WireSockets(directory: lock.directory, options: options)
    }
  }

  @Test func whatIsPublishedIsBounded() throws {
    let (lock, base) = try Self.directory()
    let announcer = try EventAnnouncer(directory: lock.directory)
    Self.expect(
      announcer.socket,
      [
        ("type", ZMQ_TYPE, ZMQ_XPUB), ("messages", ZMQ_SNDHWM, 128), ("linger", ZMQ_LINGER, 1000),
        ("handshake", ZMQ_HANDSHAKE_IVL, 1000),
      ])
    #expect(Self.messageBytes(announcer.socket) == 256 << 10)
    let receiver = try EventReceiver(directory: lock.directory)
    Self.expect(
      receiver.socket,
      [("type", ZMQ_TYPE, ZMQ_SUB), ("messages", ZMQ_RCVHWM, 512), ("linger", ZMQ_LINGER, 0)])
    #expect(Self.messageBytes(receiver.socket) == 256 << 10)
    let announcementSocket = try AnnouncementSocket(directory: lock.directory, generation: 7)
    Self.expect(
      announcementSocket.socket,
      [
        ("type", ZMQ_TYPE, ZMQ_XPUB), ("messages", ZMQ_SNDHWM, 1000), ("linger", ZMQ_LINGER, 0),
        ("handshake", ZMQ_HANDSHAKE_IVL, 1000),
      ])
    #expect(Self.messageBytes(announcementSocket.socket) == 4096)
    withExtendedLifetime(base) {}
  }

  /// A socket that its own user may not write to is one that they cannot connect to.
  @Test func socketsAreForTheirUserWhateverTheUmask() async {
    await #expect(processExitsWith: .success) {
      for mask in [0o000, 0o177, 0o277, 0o777] as [mode_t] {
        let (lock, base) = try Self.directory()
        let directory = lock.directory
        umask(mask)
        let announcer = try EventAnnouncer(directory: directory)
        let announcements = try AnnouncementSocket(directory: directory, generation: 7)
        let sockets = try WireSockets(directory: directory, options: WireOptions())
        umask(0o022)
        for path in [directory.eventsPath, directory.announcePath, directory.controlPath] {
          var status = stat()
          #expect(stat(path, &status) == 0)
          #expect(status.st_mode == S_IFSOCK | 0o600, "\(path), umask \(String(mask, radix: 8))")
        }
        withExtendedLifetime((lock, base, announcer, announcements, sockets)) {}
      }
    }
  }

  // MARK: - A client's

  @Test func clientIsBounded() throws {
    let (lock, base) = try Self.directory()
    // ZeroMQ's thread shakes hands by itself.
    let sockets = try WireSockets(directory: lock.directory, options: WireOptions())
    let connection = try RemoteSubscription.connect(to: .run(lock.directory), waitSeconds: 20)
    Self.expect(
      connection.socket,
      [
        ("handshake", ZMQ_HANDSHAKE_IVL, 1000), ("no heartbeat", ZMQ_HEARTBEAT_IVL, 0),
        ("IPv6", ZMQ_IPV6, 0), ("linger", ZMQ_LINGER, 0), ("type", ZMQ_TYPE, ZMQ_DEALER),
        ("messages", ZMQ_RCVHWM, 1000),
        ("requests", ZMQ_SNDHWM, 64),
        ("try", ZMQ_CONNECT_TIMEOUT, 1000), ("pause", ZMQ_RECONNECT_IVL_MAX, 1000),
      ])
    #expect(Self.messageBytes(connection.socket) == Int64(FrameLayout.frameBytesMax))
    // 32 MiB of messages, at least two and at most a thousand; never more than before.
    for (bytes, count) in [
      (0, 1000), (1, 1000), (33_554, 1000), (33_555, 999), (1 << 20, 32), (11_184_810, 3),
      (11_184_811, 2), (16 << 20, 2), (1 << 31, 2),
    ] as [(UInt64, CInt)] {
      connection.expect(messageBytes: bytes)
      #expect(Self.number(connection.socket, ZMQ_RCVHWM) == count, "\(bytes) bytes")
    }
    withExtendedLifetime((sockets, lock, base)) {}
  }

  @Test func limitsOfServingAreThoseOfTheDocument() {
    let options = WireOptions()
    #expect(options.listen == nil)
    #expect(options.keys == nil)
    #expect(options.stallLimitSeconds == 10)
    #expect(options.windowBytes == 4 << 20)
    #expect(SendWindow.messagesMax == 1024)
    #expect(ConnectionGuard.connectionMax == 256)
    #expect(ControlRequest.bytesMax == 64 << 10)
  }
}
