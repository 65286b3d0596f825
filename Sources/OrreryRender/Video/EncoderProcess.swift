// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase

/// An encoder: it reads pictures from this process, which reads its error messages.
///
/// Its standard input and error are sockets, not pipes: writing to a dead reader is then an error
/// of the call and not a signal to the whole process. It has its own process group, so an interrupt
/// typed at the terminal reaches only this process, and the video can be completed.
final class EncoderProcess {
  private let program: String
  private let process: pid_t

  /// This process's end of its standard input; nil once the input has ended.
  private var input: FileDescriptor?

  /// This process's end of its standard error.
  private let messages: FileDescriptor

  /// Whether it has closed its standard error.
  private var messagesEnded = false

  /// The last bytes of its messages, at most `tailMax`.
  private var tail: [UInt8] = []

  /// Exit status; nil until the process has ended and was waited for.
  private var status: Int?

  /// Bytes of messages to keep.
  private static let tailMax = 4096

  /// - Parameters:
  ///   - program: Found by PATH unless it has a slash.
  ///   - arguments: The arguments after the program's name.
  /// - Throws: `encoderMissing`, `file`.
  init(program: String, arguments: [String]) throws(RenderError) {
    let inputs = try Self.connect(program)
    let outputs = try Self.connect(program)
    process = try Self.spawn(
      program, arguments, input: inputs.theirs.number, messages: outputs.theirs.number)
    self.program = program
    input = consume inputs.ours
    messages = outputs.ours
  }

  deinit { kill() }

  /// Sends all bytes.
  ///
  /// - Throws: `encoderFailed` if the process has ended or closed its input, `encoderStalled` if it
  ///   reads no byte for `stallSeconds`.
  func write(_ bytes: UnsafeRawBufferPointer, stallSeconds: Double) throws(RenderError) {
    guard let input = input?.number, var next = bytes.baseAddress else { return }
    var left = bytes.count
    var deadline = Self.deadline(seconds: stallSeconds)
    while left > 0 {
      let sent = send(input, next, left, CInt(MSG_NOSIGNAL))
      if sent > 0 {
        next += sent
        left -= sent
        deadline = Self.deadline(seconds: stallSeconds)
      } else if errno == EAGAIN {
        guard Clock.monotonicNs() < deadline else {
          throw .encoderStalled(seconds: stallSeconds, lastLine: lastLine)
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
  /// - Throws: `encoderFailed` unless it ends with status 0, `encoderStalled` if it does not end.
  func finish(limitSeconds: Double) throws(RenderError) {
    input = nil
    let deadline = Self.deadline(seconds: limitSeconds)
    while !hasEnded() {
      guard Clock.monotonicNs() < deadline else {
        throw .encoderStalled(seconds: limitSeconds, lastLine: lastLine)
      }
      wait(for: nil, until: deadline)
    }
    readMessages()
    guard status == 0 else { throw .encoderFailed(status: status ?? -1, lastLine: lastLine) }
  }

  /// Kills the process if it still runs, and waits for its end.
  func kill() {
    input = nil
    if hasEnded() { return }
    _ = Glibc.kill(process, SIGKILL)
    var raw: CInt = 0
    while waitpid(process, &raw, 0) < 0 && errno == EINTR {}
    status = Self.status(raw)
  }

  /// The last line of its messages.
  private var lastLine: String {
    let lines = String(decoding: tail, as: UTF8.self).split(whereSeparator: \.isNewline)
    return lines.last.map(String.init) ?? "\(program) gave no reason"
  }

  /// The error for a process that no longer reads; it gets a second to end by itself.
  private func ended() -> RenderError {
    let deadline = Self.deadline(seconds: 1)
    while !hasEnded() && Clock.monotonicNs() < deadline { wait(for: nil, until: deadline) }
    kill()
    readMessages()
    return .encoderFailed(status: status ?? -1, lastLine: lastLine)
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
      tail = (tail + chunk[..<count]).suffix(Self.tailMax)
    }
  }

  private func hasEnded() -> Bool {
    if status != nil { return true }
    var raw: CInt = 0
    let result = waitpid(process, &raw, WNOHANG)
    if result == process { status = Self.status(raw) }
    // Other code has waited for the process: its status is unknown.
    if result < 0 && errno == ECHILD { status = -1 }
    return status != nil
  }

  /// The exit status, or 128 plus the signal's number, as in shells.
  private static func status(_ raw: CInt) -> Int {
    raw & 0x7F == 0 ? Int(raw >> 8) & 0xFF : 128 + Int(raw & 0x7F)
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
    let ends = Ends(ours: ours, theirs: try aboveStandard(numbers[1], program))
    // Calls on this process's end must not block: `wait` polls it.
    try systemCall("fcntl", program) { fcntl(numbers[0], F_SETFL, O_NONBLOCK) }
    return ends
  }

  /// The descriptor with a number above 2, which setting the child's standard descriptors does not
  /// overwrite, even if this process has closed its own.
  private static func aboveStandard(
    _ number: CInt, _ program: String
  ) throws(SystemCallError) -> FileDescriptor {
    let descriptor = FileDescriptor(owning: number)
    if number > 2 { return descriptor }
    return FileDescriptor(
      owning: try systemCall("fcntl", program) { fcntl(number, F_DUPFD_CLOEXEC, 3) })
  }

  private static func spawn(
    _ program: String, _ arguments: [String], input: CInt, messages: CInt
  ) throws(RenderError) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, input, 0)
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, messages, 2)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // The encoder starts with no signal blocked or ignored, whatever this process has set.
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes,
      Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) }
    defer { for word in words { free(word) } }
    words.append(nil)
    var process: pid_t = 0
    let failure = posix_spawnp(&process, program, &actions, &attributes, words, environ)
    if failure == ENOENT { throw .encoderMissing(program: program) }
    guard failure == 0 else {
      throw .file(SystemCallError(call: "posix_spawnp", path: program, errno: failure))
    }
    return process
  }
}
