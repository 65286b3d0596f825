// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryTrace

/// A folder of its own for each test, removed with what the test put there.
final class TemporaryFolder {
  private let path: String
  private var names: Set<String> = []

  init() {
    var template = Array("/tmp/orrery-trace-XXXXXX".utf8CString)
    let made = template.withUnsafeMutableBufferPointer { buffer in
      buffer.baseAddress.flatMap { mkdtemp($0) } != nil
    }
    precondition(made, "mkdtemp: errno \(errno)")
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { remove() }

  /// Removes it early, for a test that ends its process.
  func remove() {
    for name in names { unlink(path + "/" + name) }
    rmdir(path)
  }

  func file(_ name: String = "trace.mcap") -> String {
    names.insert(name)
    return path + "/" + name
  }
}

/// Bytes without a pattern, the same for the same seed (SplitMix64).
func noise(_ count: Int, seed: UInt64) -> [UInt8] {
  var state = seed
  return (0..<count).map { _ in
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return UInt8(truncatingIfNeeded: mixed ^ (mixed >> 31))
  }
}

/// All bytes of a file.
func bytes(of path: String) -> [UInt8] {
  guard let file = fopen(path, "r") else { return [] }
  defer { fclose(file) }
  var all: [UInt8] = []
  var block = [UInt8](repeating: 0, count: 1 << 16)
  while true {
    let count = fread(&block, 1, block.count, file)
    if count == 0 { return all }
    all += block[..<count]
  }
}

/// A message with its bytes kept, to be compared.
struct KeptMessage: Equatable {
  var topic: String
  var sequence: UInt32
  var logTimeNs: UInt64
  var publishTimeNs: UInt64
  var bytes: [UInt8]
}

extension TraceReader {
  /// All messages up to the end; in mode `scan`, up to where it stops.
  func keptMessages() throws(TraceError) -> [KeptMessage] {
    var messages: [KeptMessage] = []
    while let message = try nextMessage() {
      messages.append(
        KeptMessage(
          topic: message.topic, sequence: message.head.sequence, logTimeNs: message.head.logTimeNs,
          publishTimeNs: message.head.publishTimeNs, bytes: Array(message.bytes)))
    }
    return messages
  }
}

/// A small trace with something of every kind: two schemas, three channels, one of them without
/// messages, several chunks, attachments and metadata between them.
struct SmallTrace {
  static let messageCount = 12

  static let messages: [KeptMessage] = (0..<messageCount).map(message)

  private static func message(_ number: Int) -> KeptMessage {
    let bytes: [UInt8] = (0..<(20 + number)).map { UInt8(($0 / 4 * 7 + number) % 256) }
    return KeptMessage(
      topic: number % 3 == 2 ? "/loss" : "/frames", sequence: UInt32(number),
      logTimeNs: UInt64(1_000 + (number ^ 1)), publishTimeNs: UInt64(900 + number), bytes: bytes)
  }

  /// Writes it with chunks of four messages or so.
  static func write(
    to path: String, compression: TraceCompression, chunkBytes: Int = 200,
    overwrite: Bool = false, calls: TraceSystemCalls = .live
  ) throws(TraceError) {
    let writer = try TraceWriter(
      path: path, compression: compression, chunkBytes: chunkBytes, overwrite: overwrite,
      clock: { 0 }, calls: calls)
    try fill(writer)
    try writer.finish()
  }

  static func fill(_ writer: TraceWriter) throws(TraceError) {
    let frames = try writer.addSchema(
      TraceSchema(name: "Frame", encoding: "protobuf", data: [1, 2, 3]))
    let channel = try writer.addChannel(
      TraceChannel(
        schema: frames, topic: "/frames", messageEncoding: "protobuf",
        metadata: ["b": "2", "a": "1"]))
    try writer.addMetadata(name: "run", ["seed": "7", "scene": "prismatic"])
    try add(0..<5, to: writer, channels: ["/frames": channel, "/loss": nil])
    try writer.addAttachment(
      TraceAttachmentHead(
        name: "scene.toml", mediaType: "application/toml", logTimeNs: 5, createTimeNs: 4),
      Array("x = 1\n".utf8))
    let loss = try writer.addSchema(TraceSchema(name: "Loss", encoding: "protobuf", data: []))
    let lossChannel = try writer.addChannel(
      TraceChannel(schema: loss, topic: "/loss", messageEncoding: "protobuf"))
    _ = try writer.addChannel(TraceChannel(schema: nil, topic: "/silent", messageEncoding: "json"))
    try add(5..<messageCount, to: writer, channels: ["/frames": channel, "/loss": lossChannel])
    try writer.addAttachment(TraceAttachmentHead(name: "empty", mediaType: "", logTimeNs: 6), [])
  }

  /// The messages that `write` puts into the trace: those of "/loss" come only when it is open.
  static let written = messages.filter { $0.sequence >= 5 || $0.topic != "/loss" }

  private static func add(
    _ range: Range<Int>, to writer: TraceWriter, channels: [String: TraceChannelID?]
  ) throws(TraceError) {
    for message in messages[range] {
      guard let channel = channels[message.topic] ?? nil else { continue }
      try writer.write(
        TraceMessageHead(
          channel, sequence: UInt64(message.sequence), logTimeNs: message.logTimeNs,
          publishTimeNs: message.publishTimeNs), bytes: message.bytes)
    }
  }

  /// Its bytes.
  static func bytes(_ compression: TraceCompression, chunkBytes: Int = 200) throws -> [UInt8] {
    let folder = TemporaryFolder()
    try write(to: folder.file(), compression: compression, chunkBytes: chunkBytes)
    return OrreryTraceTests.bytes(of: folder.file())
  }
}
