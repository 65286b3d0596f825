// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase

/// A client of a server of this machine that says whatever bytes a test wants, over HTTP or as a WebSocket.
package final class LoopbackClient {
  private let socket: FileDescriptor

  /// Bytes that came and were not used.
  private var inbox: [UInt8] = []

  /// A WebSocket message that has not come whole: its opcode, and what has come of it.
  private var unfinished: (opcode: UInt8, content: [UInt8])?

  /// Whether the server has closed the connection.
  package private(set) var isClosed = false

  /// Connects to a port of 127.0.0.1; nil if nobody listens.
  package init?(port: Int) {
    let descriptor = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { return nil }
    socket = FileDescriptor(owning: descriptor)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else { return nil }
  }

  /// Sends bytes.
  ///
  /// - Returns: False if the server has closed the connection.
  @discardableResult
  package func send(_ bytes: [UInt8]) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        Glibc.send(
          socket.number, buffer.baseAddress?.advanced(by: sent), buffer.count - sent,
          Int32(MSG_NOSIGNAL))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  /// Sends a text.
  @discardableResult
  package func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  /// Receives what is there.
  ///
  /// - Parameter seconds: How long to wait for it.
  /// - Returns: False if nothing came.
  private func receive(seconds: Double) -> Bool {
    guard !isClosed else { return false }
    var item = pollfd(fd: socket.number, events: Int16(POLLIN), revents: 0)
    guard poll(&item, 1, Int32(seconds * 1000)) > 0 else { return false }
    var room = [UInt8](repeating: 0, count: 1 << 16)
    let count = recv(socket.number, &room, room.count, 0)
    guard count > 0 else {
      isClosed = true
      return false
    }
    inbox += room.prefix(count)
    return true
  }

  /// Whether the server closes the connection; what it says before is read.
  package func isClosed(within seconds: Double = patienceSeconds) -> Bool {
    let endNs = Clock.monotonicNs() + UInt64(seconds * 1e9)
    while !isClosed, Clock.monotonicNs() < endNs { _ = receive(seconds: 0.05) }
    return isClosed
  }
}

// MARK: - HTTP

extension LoopbackClient {
  /// An answer of a server.
  package struct Answer {
    /// The status, such as 200; 0 if none came.
    package var status = 0
    /// Header lines, names in lower case.
    package var headers: [String: String] = [:]
    /// The content.
    package var body: [UInt8] = []

    /// The content as text.
    package var text: String { String(decoding: body, as: UTF8.self) }
  }

  /// Asks for a path and waits for the answer.
  ///
  /// - Parameters:
  ///   - path: The path, with a query.
  ///   - lines: Further header lines.
  ///   - host: What stands as `Host`.
  ///   - method: The method.
  /// - Returns: The answer.
  package func get(
    _ path: String, _ lines: [String] = [], host: String, method: String = "GET"
  ) -> Answer {
    send(
      "\(method) \(path) HTTP/1.1\r\nHost: \(host)\r\n" + lines.map { $0 + "\r\n" }.joined()
        + "\r\n")
    return answer(hasBody: method != "HEAD")
  }

  /// Waits for an answer.
  package func answer(hasBody: Bool = true) -> Answer {
    var answer = Answer()
    let endNs = Clock.monotonicNs() + UInt64(patienceSeconds * 1e9)
    let separator = Array("\r\n\r\n".utf8)
    var end = inbox.firstRange(of: separator)
    while end == nil, !isClosed, Clock.monotonicNs() < endNs {
      if receive(seconds: 0.1) { end = inbox.firstRange(of: separator) }
    }
    guard let end else { return answer }
    let head = String(decoding: inbox[..<end.lowerBound], as: UTF8.self)
    inbox.removeFirst(end.upperBound)
    let lines = head.split(separator: "\r\n")
    answer.status = lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      answer.headers[parts[0].lowercased()] =
        parts.count > 1 ? String(parts[1].drop { $0 == " " }) : ""
    }
    let count = hasBody ? answer.headers["content-length"].flatMap { Int($0) } ?? 0 : 0
    while inbox.count < count, !isClosed, Clock.monotonicNs() < endNs { _ = receive(seconds: 0.1) }
    answer.body = Array(inbox.prefix(count))
    inbox.removeFirst(min(count, inbox.count))
    return answer
  }
}

// MARK: - WebSocket

extension LoopbackClient {
  /// A message of a server.
  package enum Message: Equatable {
    case text(String)
    case binary([UInt8])
    /// The server closes: the code.
    case close(UInt16)
  }

  /// Asks for a WebSocket; call it once, before anything else is sent.
  ///
  /// - Returns: The answer; status 101 if it is one now.
  package func upgrade(_ path: String, _ lines: [String] = [], host: String) -> Answer {
    get(
      path,
      [
        "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
      ] + lines, host: host)
  }

  /// Sends a frame as a browser does.
  ///
  /// - Parameters:
  ///   - opcode: 1 is text, 2 binary.
  ///   - content: The content.
  ///   - isMasked: Whether it is masked, as a client must.
  /// - Returns: False if the server has closed the connection.
  @discardableResult
  package func send(opcode: UInt8, _ content: [UInt8], isMasked: Bool = true) -> Bool {
    var bytes: [UInt8] = [0x80 | opcode]
    let mark: UInt8 = isMasked ? 0x80 : 0
    if content.count < 126 {
      bytes.append(mark | UInt8(content.count))
    } else {
      let (code, width) = content.count < 1 << 16 ? (126, 2) : (127, 8)
      bytes.append(mark | UInt8(code))
      for shift in (0..<width).reversed() {
        bytes.append(UInt8(truncatingIfNeeded: content.count >> (shift * 8)))
      }
    }
    guard isMasked else { return send(bytes + content) }
    let key: [UInt8] = [7, 11, 13, 17]
    return send(bytes + key + content.enumerated().map { $1 ^ key[$0 % 4] })
  }

  /// Sends a text message.
  @discardableResult
  package func say(_ text: String) -> Bool { send(opcode: 1, Array(text.utf8)) }

  /// Waits for the next message; nil if none comes in time.
  package func message(within seconds: Double = patienceSeconds) -> Message? {
    let endNs = Clock.monotonicNs() + UInt64(seconds * 1e9)
    while true {
      if let message = takeMessage() { return message }
      guard !isClosed, Clock.monotonicNs() < endNs else { return nil }
      _ = receive(seconds: 0.02)
    }
  }

  private func takeMessage() -> Message? {
    while let (isLast, opcode, content) = takePiece() {
      // What controls the connection may come between the pieces of a message.
      if opcode >= 8 { return message(opcode, content) }
      let whole = (
        opcode: unfinished?.opcode ?? opcode, content: (unfinished?.content ?? []) + content
      )
      unfinished = isLast ? nil : whole
      if isLast { return message(whole.opcode, whole.content) }
    }
    return nil
  }

  private func takePiece() -> (isLast: Bool, opcode: UInt8, content: [UInt8])? {
    guard inbox.count >= 2 else { return nil }
    var (start, count) = (2, Int(inbox[1] & 127))
    if count > 125 {
      let width = count == 126 ? 2 : 8
      guard inbox.count >= 2 + width else { return nil }
      count = inbox[2..<2 + width].reduce(0) { $0 << 8 | Int($1) }
      start += width
    }
    guard inbox.count >= start + count else { return nil }
    let content = Array(inbox[start..<start + count])
    let head = inbox[0]
    inbox.removeFirst(start + count)
    return (head & 0x80 != 0, head & 15, content)
  }

  private func message(_ opcode: UInt8, _ content: [UInt8]) -> Message {
    switch opcode {
    case 1: return .text(String(decoding: content, as: UTF8.self))
    case 8: return .close(content.count < 2 ? 0 : UInt16(content[0]) << 8 | UInt16(content[1]))
    default: return .binary(content)
    }
  }
}
