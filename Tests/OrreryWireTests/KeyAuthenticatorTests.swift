// SPDX-License-Identifier: Apache-2.0

import CZeroMQ
import Glibc
import OrreryBase
import OrreryFrame
import OrreryWire
import TestSupport
import Testing

/// Goal: only clients on the list are let in, and every question of ZeroMQ's is answered as its protocol (ZAP 1.0)
/// says.
///
/// Method: the test asks as ZeroMQ does, part by part, and takes the answers of the authenticator by hand.
@Suite struct KeyAuthenticatorTests {
  /// Asks at the authenticator of a context.
  private final class Asker {
    private let socket: UnsafeMutableRawPointer
    private let context: SocketContext

    init(_ context: SocketContext) throws {
      self.context = context
      socket = try #require(zmq_socket(context.handle, ZMQ_DEALER))
      for (option, value) in [(ZMQ_LINGER, 0), (ZMQ_RCVTIMEO, 20_000)] as [(CInt, CInt)] {
        var value = value
        zmq_setsockopt(socket, option, &value, MemoryLayout<CInt>.size)
      }
      try #require(zmq_connect(socket, "inproc://zeromq.zap.01") == 0)
    }

    deinit { zmq_close(socket) }

    func say(_ parts: [[UInt8]]) throws {
      for (index, part) in parts.enumerated() {
        let more = index < parts.count - 1 ? ZMQ_SNDMORE : 0
        try #require(zmq_send(socket, part, part.count, more) == CInt(part.count))
      }
    }

    func hear() throws -> [[UInt8]] {
      var parts: [[UInt8]] = []
      while true {
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = Int(zmq_recv(socket, &bytes, bytes.count, 0))
        try #require(count >= 0, "no answer")
        parts.append(Array(bytes.prefix(count)))
        var more: CInt = 0
        var size = MemoryLayout<CInt>.size
        zmq_getsockopt(socket, ZMQ_RCVMORE, &more, &size)
        if more == 0 { return parts }
      }
    }
  }

  /// An authenticator, a socket that asks at it, and the key of the one client on its list.
  private struct Stage {
    let base: TemporaryBase
    let authenticator: KeyAuthenticator
    let asker: Asker
    let key: [UInt8]
    let keyText: String

    var clientFile: String { base.path + "/keys/clients/client.pub" }

    init() throws {
      base = try TemporaryBase()
      let directory = base.path + "/keys"
      _ = try CurveKeys.generate(directory: directory, client: "client", overwrites: false)
      guard case .server(_, let clients) = try CurveKeys.server(directory: directory),
        case .client(let pair, _) = try CurveKeys.client(directory: directory)
      else { throw Failure(.badData, "no keys") }
      let context = try SocketContext(endpoint: "test")
      authenticator = try KeyAuthenticator(context: context, clients: clients)
      asker = try Asker(context)
      keyText = pair.publicKey
      key = try KeyAuthenticatorTests.bytes(of: keyText)
    }

    /// What ZeroMQ says where a client has proved that it has a key.
    func question(key: [UInt8]? = nil) -> [[UInt8]] {
      [
        [], Array("1.0".utf8), [7, 0, 9], Array("orrery".utf8), Array("127.0.0.1".utf8), [],
        Array("CURVE".utf8), key ?? self.key,
      ]
    }

    func ask(_ question: [[UInt8]]) throws -> [[UInt8]] {
      try asker.say(question)
      try waitUntil("a question at the authenticator") { authenticator.answerOne() }
      return try asker.hear()
    }
  }

  /// The 32 bytes of a key.
  private static func bytes(of key: String) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 32)
    try #require(zmq_z85_decode(&bytes, key) != nil)
    return bytes
  }

  /// An answer that lets nobody in.
  private static let refusal: [[UInt8]] = [
    [], Array("1.0".utf8), [7, 0, 9], Array("400".utf8), Array("this key is not allowed".utf8), [],
    [],
  ]

  /// A peer is known by its key: another key in the file of its name is another client.
  @Test func clientOnTheListIsLetInByItsKey() throws {
    let stage = try Stage()
    #expect(!stage.authenticator.answerOne())
    let welcome: [[UInt8]] = [
      [], Array("1.0".utf8), [7, 0, 9], Array("200".utf8), Array("OK".utf8),
      Array(stage.keyText.utf8), [],
    ]
    for _ in 0..<3 { #expect(try stage.ask(stage.question()) == welcome) }
    #expect(stage.authenticator.refusedCount == 0)
    #expect(!stage.authenticator.answerOne())
  }

  @Test func everythingElseIsRefusedAndCounted() throws {
    let stage = try Stage()
    let good = stage.question()
    let stranger = try Self.bytes(of: CurveKeyPair().publicKey)
    var questions = [stage.question(key: stranger), stage.question(key: [])]
    questions.append(stage.question(key: Array(stage.key.dropLast())))
    questions.append(stage.question(key: stage.key + [0]))
    for (index, text) in [
      (3, "Orrery"), (3, ""), (6, "PLAIN"), (6, "NULL"), (6, "curve"), (6, ""),
    ] {
      var other = good
      other[index] = Array(text.utf8)
      questions.append(other)
    }
    // A part more, and as few as ZeroMQ says where there is no key.
    questions.append(good + [[]])
    questions.append(Array(good.dropLast()))
    questions.append(Array(good.dropLast(2)))
    for (index, question) in questions.enumerated() {
      #expect(try stage.ask(question) == Self.refusal, "question \(index)")
      #expect(stage.authenticator.refusedCount == UInt64(index + 1))
    }
  }

  /// What is no question has nobody who waits for an answer.
  @Test func whatIsTooShortIsPassedOver() throws {
    let stage = try Stage()
    try stage.asker.say(Array(stage.question().prefix(5)))
    #expect(!stage.authenticator.answerOne())
    // The next one is answered, and by itself.
    #expect(try stage.ask(stage.question())[3] == Array("200".utf8))
    #expect(stage.authenticator.refusedCount == 0)
  }

  @Test func listIsReadForEachQuestion() throws {
    let stage = try Stage()
    #expect(try stage.ask(stage.question())[3] == Array("200".utf8))
    #expect(chmod(stage.clientFile, 0o666) == 0)
    #expect(try stage.ask(stage.question()) == Self.refusal)
    #expect(chmod(stage.clientFile, 0o644) == 0)
    #expect(try stage.ask(stage.question())[5] == Array(stage.keyText.utf8))
    #expect(unlink(stage.clientFile) == 0)
    #expect(try stage.ask(stage.question()) == Self.refusal)
    #expect(stage.authenticator.refusedCount == 2)
  }

  /// A file that is copied is empty for a moment: the others' keys count, and the log says what is skipped, once.
  @Test func badFileIsSkippedAndNoted() throws {
    let stage = try Stage()
    #expect(stage.authenticator.faults.isEmpty)
    let bad = stage.base.path + "/keys/clients/bad.pub"
    let file = open(bad, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
    close(file)
    for _ in 0..<2 {
      #expect(try stage.ask(stage.question())[3] == Array("200".utf8))
      #expect(
        stage.authenticator.faults
          == ["\(KeyError.malformed(path: bad).description); this file is skipped"])
    }
    #expect(unlink(bad) == 0)
    #expect(try stage.ask(stage.question())[3] == Array("200".utf8))
    #expect(stage.authenticator.faults.isEmpty)
  }

  @Test func listThatCannotBeTrustedLetsNobodyIn() throws {
    let stage = try Stage()
    let clients = stage.base.path + "/keys/clients"
    #expect(chmod(clients, 0o777) == 0)
    #expect(try stage.ask(stage.question()) == Self.refusal)
    let fault = KeyError.open(path: clients, owner: geteuid(), mode: S_IFDIR | 0o777)
    #expect(stage.authenticator.faults == ["\(fault.description); no client can connect"])
    #expect(chmod(clients, 0o700) == 0)
    #expect(try stage.ask(stage.question())[3] == Array("200".utf8))
  }
}
