// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A program that this process has started.
///
/// No signal is blocked in it, whatever this thread blocks.
package final class ChildProcess: Sendable {
  /// A standard file of a child.
  package enum StandardFile: Sendable {
    /// This process's own.
    case shared
    /// The file at a path: read as input, appended to as output.
    case path(String)
    /// An open descriptor of this process.
    case descriptor(CInt)

    /// An input without bytes; an output that is discarded.
    package static let nothing = Self.path("/dev/null")
  }

  /// Its number; another process may get it once `status` is not nil.
  package let processID: pid_t

  private let ending = Monitor<(status: ChildStatus, processorTime: ProcessorTime?)?>(nil)

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - path: The program; without a slash, a name that is looked up in PATH.
  ///   - arguments: Those after its name.
  ///   - name: Its name in its arguments; nil: `path`.
  ///   - environment: Variables that differ from those of this process.
  ///   - input: Its standard input.
  ///   - output: Its standard output.
  ///   - errors: Its standard error.
  ///   - hasOwnGroup: Whether it is in a process group of its own, so that an interrupt typed at the
  ///     terminal does not reach it.
  ///   - resetsSignals: Whether it receives the signals that this process ignores.
  /// - Throws: `SystemCallError`.
  package init(
    _ path: String, _ arguments: [String], name: String? = nil,
    environment: KeyValuePairs<String, String> = [:], input: StandardFile = .nothing,
    output: StandardFile = .nothing, errors: StandardFile = .nothing, hasOwnGroup: Bool = true,
    resetsSignals: Bool = false
  ) throws(SystemCallError) {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    var copies: [CInt] = []
    defer { for copy in copies { close(copy) } }
    for (target, file) in [input, output, errors].enumerated() {
      switch file {
      case .shared: break
      case .path(let path):
        posix_spawn_file_actions_addopen(
          &actions, CInt(target), path, target == 0 ? O_RDONLY : O_WRONLY | O_APPEND, 0)
      case .descriptor(let number):
        // A copy above the standard numbers, which the other files do not replace.
        copies.append(try systemCall("fcntl", path) { fcntl(number, F_DUPFD_CLOEXEC, 3) })
        posix_spawn_file_actions_adddup2(&actions, copies[copies.count - 1], CInt(target))
      }
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    if resetsSignals { sigfillset(&signals) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes,
      Int16(
        POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | (hasOwnGroup ? POSIX_SPAWN_SETPGROUP : 0)))
    let spawn = path.contains("/") ? posix_spawn : posix_spawnp
    var processID: pid_t = 0
    let failure = Self.withCStrings([name ?? path] + arguments) { words in
      Self.withEnvironment(environment) {
        spawn(&processID, path, &actions, &attributes, words, $0)
      }
    }
    guard failure == 0 else {
      let call = path.contains("/") ? "posix_spawn" : "posix_spawnp"
      throw SystemCallError(call: call, path: path, errno: failure)
    }
    self.processID = processID
  }

  /// How it ended; nil while it runs.
  package var status: ChildStatus? { status(waiting: WNOHANG) }

  /// The processor time that it took; nil while it runs, or if other code has waited for its end.
  package var processorTime: ProcessorTime? { ending.read { $0?.processorTime } }

  /// Waits for its end.
  ///
  /// - Parameter seconds: How long.
  /// - Returns: False if it still runs.
  package func hasEnded(within seconds: Double) -> Bool {
    Clock.wait(seconds: seconds, everyNs: 2_000_000) { status != nil }
  }

  /// Sends a signal if it still runs.
  package func signal(_ number: CInt) {
    if status == nil { Glibc.kill(processID, number) }
  }

  /// Kills it if it still runs, and waits for its end.
  package func kill() {
    signal(SIGKILL)
    wait()
  }

  /// Waits for its end.
  @discardableResult
  package func wait() -> ChildStatus { status(waiting: 0) ?? .unknown }

  private func status(waiting options: CInt) -> ChildStatus? {
    ending.change { ending in
      if let ending { return ending.status }
      var word: CInt = 0
      var usage = rusage()
      var found: pid_t
      repeat { found = wait4(processID, &word, options, &usage) } while found < 0 && errno == EINTR
      if found > 0 {
        ending = (ChildStatus(waitWord: word), ProcessorTime(usage))
      } else if found < 0 {
        ending = (.unknown, nil)
      }
      return ending?.status
    }
  }

  /// Calls `body` with a copy of this process's environment in which some variables differ.
  ///
  /// The environment itself stays unchanged: another thread may start a program with it meanwhile.
  private static func withEnvironment<Result>(
    _ changes: KeyValuePairs<String, String>, _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    let names = changes.map { $0.key + "=" }
    var kept: [UnsafeMutablePointer<CChar>?] = []
    var next = environ
    while let variable = next.pointee {
      if !names.contains(where: { strncmp(variable, $0, $0.utf8.count) == 0 }) {
        kept.append(variable)
      }
      next += 1
    }
    return withCStrings(zip(names, changes).map { $0 + $1.value }) { body(kept + $0) }
  }

  /// Calls `body` with a null-terminated array of C strings.
  package static func withCStrings<Result>(
    _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    let pointers = strings.map { strdup($0) }
    defer { for pointer in pointers { free(pointer) } }
    return body(pointers + [nil])
  }
}

/// Processor time of a program that has ended, and of the programs for whose end it has waited.
package struct ProcessorTime: Equatable, Sendable {
  /// Time in its own code, in seconds.
  package let userSeconds: Double
  /// Time in the kernel, in seconds.
  package let systemSeconds: Double

  /// Both, in seconds.
  package var seconds: Double { userSeconds + systemSeconds }

  init(_ usage: rusage) {
    func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
    (userSeconds, systemSeconds) = (seconds(usage.ru_utime), seconds(usage.ru_stime))
  }
}

/// How a program ended.
package enum ChildStatus: Equatable, Sendable {
  case exited(Int32)
  case killed(signal: Int32)

  /// That of a child for which other code has waited.
  static let unknown = Self.exited(-1)

  /// Decodes the status word of `waitpid`.
  package init(waitWord: CInt) {
    let signal = waitWord & 0x7f
    self = signal == 0 ? .exited((waitWord >> 8) & 0xff) : .killed(signal: signal)
  }

  /// The exit code, or 128 plus the signal's number, as in shells; -1 if it is unknown.
  package var code: Int32 {
    switch self {
    case .exited(let code): code
    case .killed(let signal): 128 + signal
    }
  }
}
