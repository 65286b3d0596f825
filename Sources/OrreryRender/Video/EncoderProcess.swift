// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase

/// An encoder: it reads pictures from this process, which reads its error messages.
///
/// Its standard input and error are sockets, not pipes: writing to a dead reader is then an error
/// of the call and not a signal to the whole process. An interrupt typed at the terminal reaches only
/// this process, so the video can be completed.
final class EncoderProcess {
  private let program: String
  private let process: ChildProcess

  /// This process's end of its standard input; nil once the input has ended.
  private var input: FileDescriptor?

  /// This process's end of its standard error.
  private let messages: FileDescriptor

  /// Whether it has closed its standard error.
  private var messagesEnded = false

  /// The last bytes of its messages, at most `tailMax`, without its lines of progress.
  private var tail: [UInt8] = []

  /// The start of a line of messages that is not complete.
  private var openLine: [UInt8] = []

  /// Pictures that it has encoded, by its last report.
  private(set) var encodedCount: UInt64 = 0

  /// Bytes of its file, by its last report; nil without a report.
  private(set) var fileBytes: UInt64?

  /// Whether it has reported an error; its exit status does not always show one.
  private var hasComplained = false

  /// What ffmpeg's `-loglevel level+error` puts before a message.
  private static let levels = ["[error] ", "[fatal] ", "[panic] "]

  /// Names in the lines of ffmpeg's `-progress`.
  private static let progressNames: Set<String> = [
    "frame", "fps", "bitrate", "total_size", "out_time_us", "out_time_ms", "out_time", "dup_frames",
    "drop_frames", "speed", "progress",
  ]

  /// Time between two polls of its progress.
  private static let pollNs: UInt64 = 200_000_000

  /// Bytes of messages to keep.
  private static let tailMax = 4096

  /// - Parameters:
  ///   - program: Found by PATH unless it has a slash.
  ///   - arguments: The arguments after the program's name.
  ///   - output: Its standard output.
  /// - Throws: `encoderMissing`, `file`.
  init(program: String, arguments: [String], output: CInt) throws(RenderError) {
    let inputs = try Self.connect(program)
    let outputs = try Self.connect(program)
    do throws(SystemCallError) {
      process = try ChildProcess(
        program, arguments, input: .descriptor(inputs.theirs.number), output: .descriptor(output),
        errors: .descriptor(outputs.theirs.number), resetsSignals: true)
    } catch {
      throw error.errno == ENOENT ? .encoderMissing(program: program) : .file(error)
    }
    self.program = program
    input = consume inputs.ours
    messages = outputs.ours
  }

  deinit { kill() }

  /// Sends all bytes.
  ///
  /// - Throws: `encoderFailed` if the process has ended or closed its input, `encoderStalled` if it
  ///   reads no byte for `stallSeconds` and then does nothing for half of that, or reads none for twelve times as
  ///   long: on a busy machine an encoder may wait for a processor or a disk.
  func write(_ bytes: UnsafeRawBufferPointer, stallSeconds: Double) throws(RenderError) {
    guard let input = input?.number, var next = bytes.baseAddress else { return }
    var left = bytes.count
    var deadline = Self.deadline(seconds: stallSeconds)
    var lastDeadline = Self.deadline(seconds: 12 * stallSeconds)
    var usedTicks: UInt64?
    while left > 0 {
      let sent = send(input, next, left, CInt(MSG_NOSIGNAL))
      if sent > 0 {
        next += sent
        left -= sent
        (deadline, usedTicks) = (Self.deadline(seconds: stallSeconds), nil)
        lastDeadline = Self.deadline(seconds: 12 * stallSeconds)
      } else if errno == EAGAIN {
        let now = Clock.monotonicNs()
        if now >= deadline {
          let tree = ProcessTree(of: process.processID)
          guard now < lastDeadline, tree.isBusy || tree.processorTicks != usedTicks else {
            throw .encoderStalled(seconds: stallSeconds, lastLine: lastLine)
          }
          (deadline, usedTicks) = (Self.deadline(seconds: stallSeconds / 2), tree.processorTicks)
        }
        wait(for: input, until: deadline)
      } else if errno != EINTR {
        throw ended()
      }
    }
  }

  /// Sends all bytes; see the other `write`.
  func write(_ bytes: [UInt8], stallSeconds: Double) throws(RenderError) {
    try bytes.span.bytes.withUnsafeBytes { (buffer) throws(RenderError) in
      try write(buffer, stallSeconds: stallSeconds)
    }
  }

  /// Ends the program's input and waits for its end.
  ///
  /// - Parameters:
  ///   - limitSeconds: How long to wait, from its last progress.
  ///   - progress: Called after each progress, with the number of pictures that it has encoded.
  /// - Throws: `encoderFailed` unless it ends with status 0 and without an error message, `encoderStalled` if
  ///   it does not end.
  func finish(limitSeconds: Double, progress: (UInt64) -> Void) throws(RenderError) {
    input = nil
    var deadline = Self.deadline(seconds: limitSeconds)
    var seen = (encoded: encodedCount, written: writtenBytes)
    var nextPollNs = Clock.monotonicNs()
    while process.status == nil {
      let now = Clock.monotonicNs()
      guard now < deadline else {
        throw .encoderStalled(seconds: limitSeconds, lastLine: lastLine)
      }
      wait(for: nil, until: deadline)
      guard now >= nextPollNs else { continue }
      nextPollNs = now + Self.pollNs
      let found = (encoded: encodedCount, written: writtenBytes)
      if found == seen { continue }
      seen = found
      deadline = Self.deadline(seconds: limitSeconds)
      progress(encodedCount)
    }
    readMessages()
    if process.status != .exited(0) || hasComplained { throw failure() }
  }

  /// Bytes that it has written so far: they grow while it encodes, and while it copies the file.
  private var writtenBytes: UInt64 {
    let lines = SmallFile.read("/proc/\(process.processID)/io")?.split(separator: "\n") ?? []
    let line = lines.first { $0.hasPrefix("wchar: ") }
    return line.flatMap { UInt64($0.dropFirst("wchar: ".count)) } ?? 0
  }

  /// Kills the process if it still runs, and waits for its end.
  func kill() {
    input = nil
    process.kill()
  }

  /// The last line of its messages.
  private var lastLine: String {
    let lines = String(decoding: tail + openLine, as: UTF8.self).split(whereSeparator: \.isNewline)
    let last = lines.last { !$0.contains("Last message repeated") }
    return last.map { line in
      Self.levels.reduce(String(line)) { $0.replacing($1, with: "") }
    } ?? "\(program) gave no reason"
  }

  /// The error for a process that no longer reads; it gets a second to end by itself.
  private func ended() -> RenderError {
    let deadline = Self.deadline(seconds: 1)
    while process.status == nil && Clock.monotonicNs() < deadline {
      wait(for: nil, until: deadline)
    }
    kill()
    readMessages()
    return failure()
  }

  private func failure() -> RenderError {
    .encoderFailed(status: Int(process.status?.code ?? -1), lastLine: lastLine)
  }

  /// Waits at most 10 ms until the process has room for input, if `input` is given, or sends a
  /// message.
  ///
  /// `poll` does not report the end of a process.
  private func wait(for input: CInt?, until deadline: UInt64) {
    let now = Clock.monotonicNs()
    let left = deadline > now ? (deadline - now) / 1_000_000 + 1 : 0
    var polls = [pollfd(fd: messages.number, events: Int16(POLLIN), revents: 0)]
    if let input { polls.append(pollfd(fd: input, events: Int16(POLLOUT), revents: 0)) }
    // Once ended, the messages' socket is always ready, so it is not polled any more.
    if messagesEnded { polls[0].fd = -1 }
    _ = poll(&polls, nfds_t(polls.count), CInt(min(left, 10)))
    readMessages()
  }

  private func readMessages() {
    var chunk = [UInt8](repeating: 0, count: Self.tailMax)
    while !messagesEnded {
      let count = read(messages.number, &chunk, chunk.count)
      if count < 0 && errno == EINTR { continue }
      if count < 0 { return }
      if count == 0 { messagesEnded = true }
      openLine += chunk[..<count]
      takeLines()
    }
  }

  /// Keeps the whole lines of messages, and reads those of progress.
  private func takeLines() {
    var start = 0
    while let end = openLine[start...].firstIndex(of: UInt8(ascii: "\n")) {
      if !readProgress(openLine[start..<end]) {
        let line = String(decoding: openLine[start..<end], as: UTF8.self)
        if Self.levels.contains(where: line.contains) { hasComplained = true }
        tail += openLine[start...end]
      }
      start = end + 1
    }
    openLine = openLine[start...].suffix(Self.tailMax)
    tail = tail.suffix(Self.tailMax)
  }

  /// Reads a line of progress, `name=value`.
  ///
  /// - Returns: False if it is another message.
  private func readProgress(_ line: ArraySlice<UInt8>) -> Bool {
    guard let equals = line.prefix(24).firstIndex(of: UInt8(ascii: "=")) else { return false }
    let name = String(decoding: line[..<equals], as: UTF8.self)
    guard Self.isProgressName(name) else { return false }
    let value = String(decoding: line[(equals + 1)...], as: UTF8.self)
    let count = UInt64(value.drop { $0 == " " }.prefix { $0 != " " })
    if name == "frame", let count { encodedCount = count }
    if name == "total_size" { fileBytes = count }
    return true
  }

  private static func isProgressName(_ name: String) -> Bool {
    progressNames.contains(name) || (name.hasPrefix("stream_") && name.hasSuffix("_q"))
  }

  private static func deadline(seconds: Double) -> UInt64 {
    Clock.monotonicNs() + UInt64(seconds * 1e9)
  }

  /// The two ends of a connection to the process.
  private struct Ends: ~Copyable {
    let ours: FileDescriptor
    let theirs: FileDescriptor
  }

  /// A pair of sockets.
  private static func connect(_ program: String) throws(RenderError) -> Ends {
    do {
      return try makeSockets(program)
    } catch {
      throw .file(error)
    }
  }

  private static func makeSockets(_ program: String) throws(SystemCallError) -> Ends {
    var numbers: [CInt] = [0, 0]
    let kind = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    try systemCall("socketpair", program) { socketpair(AF_UNIX, kind, 0, &numbers) }
    let ours = FileDescriptor(owning: numbers[0])
    let ends = Ends(ours: ours, theirs: FileDescriptor(owning: numbers[1]))
    // Calls on this process's end must not block: `wait` polls it.
    try systemCall("fcntl", program) { fcntl(numbers[0], F_SETFL, O_NONBLOCK) }
    return ends
  }
}
