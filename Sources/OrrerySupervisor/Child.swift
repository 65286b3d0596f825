// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import OrreryBase

/// A program to start, with its arguments.
package struct ChildCommand {
  package let name: String
  /// Path of the program; nil: the one called `name` in this program's directory.
  package let path: String?
  package let arguments: [String]

  /// Names a program in this program's directory, or the one at `path`.
  package init(name: String, path: String? = nil, arguments: [String]) {
    (self.name, self.path, self.arguments) = (name, path, arguments)
  }
}

/// A started program: its standard output is read in lines, its standard error is ours.
///
/// No signal is blocked in it. It has its own process group, so Ctrl-C reaches only the supervisor,
/// which ends its children in order. It ends when the supervisor dies.
package final class Child {
  package let name: String
  package let processID: pid_t

  /// Its standard output.
  package let output: FileDescriptor

  /// Nil while it runs.
  package private(set) var status: ChildStatus?

  private var partialLine: [UInt8] = []

  /// Starts it.
  ///
  /// - Throws: `Failure` if the program does not exist or cannot be started.
  package init(_ command: ChildCommand) throws(Failure) {
    guard let path = command.path ?? Sibling.path(command.name) else {
      throw Failure(.unavailable, "the program \(command.name) does not stand beside orrery")
    }
    var ends: [CInt] = [-1, -1]
    guard linux_pipe(&ends) == 0 else {
      throw Failure(.unavailable, SystemCallError(call: "pipe", path: path, errno: errno))
    }
    let output = FileDescriptor(owning: ends[0])
    let input = FileDescriptor(owning: ends[1])
    processID = try Self.spawn(path, command, output: input.number)
    name = command.name
    self.output = output
  }

  /// Reads the pending output, and returns whether more may follow.
  ///
  /// - Parameter line: Called with each whole line.
  /// - Returns: False once the program has closed its output.
  package func readLines(_ line: (String) -> Void) -> Bool {
    var bytes = [UInt8](repeating: 0, count: 64 * 1024)
    let count = bytes.withUnsafeMutableBytes { read(output.number, $0.baseAddress, $0.count) }
    if count < 0 { return errno == EINTR || errno == EAGAIN }
    partialLine += bytes[..<count]
    while let end = partialLine.firstIndex(of: UInt8(ascii: "\n")) {
      line(String(decoding: partialLine[..<end], as: UTF8.self))
      partialLine.removeSubrange(...end)
    }
    return count > 0
  }

  /// Sets `status` if the program has ended; does not wait.
  package func reap() {
    guard status == nil else { return }
    var word: CInt = 0
    if waitpid(processID, &word, WNOHANG) == processID { status = ChildStatus(waitWord: word) }
  }

  /// Sends a signal to the program if it still runs.
  package func signal(_ number: CInt) {
    if status == nil { kill(processID, number) }
  }

  private static func spawn(
    _ path: String, _ command: ChildCommand, output: CInt
  ) throws(Failure) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETPGROUP) | Int16(POSIX_SPAWN_SETSIGMASK))
    posix_spawnattr_setpgroup(&attributes, 0)
    // A child must receive the signals that end it, even if this thread blocks them.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    var processID: pid_t = 0
    let failure = Sibling.withCStrings([command.name] + command.arguments) { arguments in
      withEnvironment { posix_spawn(&processID, path, &actions, &attributes, arguments, $0) }
    }
    guard failure == 0 else {
      throw Failure(
        .unavailable, SystemCallError(call: "posix_spawn", path: path, errno: failure))
    }
    return processID
  }

  /// Calls `body` with a copy of this process's environment that names this process as the parent.
  ///
  /// The environment itself stays unchanged: another thread may start a program with it meanwhile.
  private static func withEnvironment<Result>(
    _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    let name = "ORRERY_PARENT="
    let parent = strdup("\(name)\(getpid())")
    defer { free(parent) }
    var variables = [parent]
    var next = environ
    while let variable = next.pointee {
      if strncmp(variable, name, name.utf8.count) != 0 { variables.append(variable) }
      next += 1
    }
    return body(variables + [nil])
  }
}

/// How a program ended.
package enum ChildStatus: Equatable {
  case exited(Int32)
  case killed(signal: Int32)

  /// Decodes the status word of `waitpid`.
  package init(waitWord: CInt) {
    let signal = waitWord & 0x7f
    self = signal == 0 ? .exited((waitWord >> 8) & 0xff) : .killed(signal: signal)
  }
}
