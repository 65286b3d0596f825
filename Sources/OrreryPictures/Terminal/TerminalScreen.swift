// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import OrreryBase
import OrrerySupervisor

/// The screen of the terminal on standard output, which is never waited for.
///
/// Bytes that the terminal does not take are kept and offered again. The terminal is as it was before when this object
/// is released, when the process ends in any other way but SIGKILL, and while it is stopped by Ctrl-Z. There can be one
/// at a time.
final class TerminalScreen {
  /// How pictures are shown; never `auto`.
  let graphics: TerminalGraphics

  /// Its size; `hasChanged` looks for another one.
  private(set) var size: TerminalSize

  /// An open file of its own: that nothing waits for it is no matter of who else has the terminal.
  private let file: FileDescriptor
  private let keyboard: Keyboard?
  private var errors: HeldErrors?
  private let answers: TerminalAnswers
  private var isOpen = true
  private var resumptions = linux_screen_resumptions()

  /// What the terminal has not taken yet.
  private var pending: ArraySlice<UInt8> = []

  /// How long answers of the terminal are waited for: a slow connection's way there and back.
  private static let answerNs: UInt64 = 500_000_000

  /// How long the terminal has for what is left at the end.
  private static let endNs: UInt64 = 500_000_000

  /// Checks that there is a screen.
  ///
  /// - Throws: `Failure` that says what is missing.
  static func check() throws(Failure) {
    guard TerminalSize.hasScreen else {
      throw Failure(.usage, "--terminal: standard output is no terminal that shows pictures")
    }
    guard linux_owns_terminal(STDOUT_FILENO) != 0 else {
      throw Failure(.usage, "--terminal: this process is in the background of its terminal")
    }
  }

  /// Takes the screen, and asks the terminal what it has.
  ///
  /// - Parameter wanted: How pictures are shown.
  /// - Throws: `Failure` if there is no screen, or it cannot be opened.
  init(_ wanted: TerminalGraphics) throws(Failure) {
    try Self.check()
    var name = [CChar](repeating: 0, count: 256)
    let path =
      ttyname_r(STDOUT_FILENO, &name, name.count - 1) == 0
      ? String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      : "/dev/tty"
    let file = FileDescriptor(
      owning: try Failure.of(.notPermitted) {
        try systemCall("open", path) { open(path, O_RDWR | O_NONBLOCK | O_NOCTTY | O_CLOEXEC) }
      })
    let number = file.number
    self.file = file
    errors = HeldErrors()
    keyboard = Keyboard(descriptor: number)
    linux_take_screen()
    answers = keyboard == nil ? TerminalAnswers([]) : Self.ask(number)
    graphics = wanted == .auto ? answers.best : wanted
    size = TerminalSize(of: number)
    setCell()
  }

  deinit { close() }

  /// Gives the screen back.
  func close() {
    guard isOpen else { return }
    isOpen = false
    // A person may have stopped the terminal, which would keep its screen.
    tcflow(file.number, TCOON)
    if graphics == .kitty { pending.append(contentsOf: KittyPicture.removal.utf8) }
    let deadlineNs = Clock.monotonicNs() + Self.endNs
    while !isFree, Clock.monotonicNs() < deadlineNs {
      wait(for: POLLOUT, ns: deadlineNs - Clock.monotonicNs())
      flush()
    }
    // A terminal that takes nothing is not waited for.
    let flags = fcntl(STDOUT_FILENO, F_GETFL)
    _ = fcntl(STDOUT_FILENO, F_SETFL, flags | O_NONBLOCK)
    linux_leave_screen()
    _ = fcntl(STDOUT_FILENO, F_SETFL, flags)
    linux_stop_reading_keys()
    errors = nil
  }

  /// Whether the terminal has taken everything, and this process may write.
  var isFree: Bool { pending.isEmpty && linux_owns_terminal(file.number) != 0 }

  /// Whether the screen has another size, or shows nothing of what was written, since the last call.
  func hasChanged() -> Bool {
    var now = TerminalSize(of: file.number)
    swap(&now, &size)
    setCell()
    defer { resumptions = linux_screen_resumptions() }
    return now != size || resumptions != linux_screen_resumptions()
  }

  /// Keeps bytes for the terminal, and offers them.
  func write(_ bytes: [UInt8]) {
    pending.append(contentsOf: bytes)
    flush()
  }

  /// Offers the terminal what it has not taken yet.
  func flush() {
    while !pending.isEmpty, linux_owns_terminal(file.number) != 0 {
      let count = pending.withUnsafeBytes { Glibc.write(file.number, $0.baseAddress, $0.count) }
      if count <= 0 {
        if count < 0, errno == EINTR { continue }
        // A terminal that has gone takes nothing more.
        if count < 0, errno != EAGAIN { pending = [] }
        return
      }
      pending = pending.dropFirst(count)
    }
    if pending.isEmpty { pending = [] }
  }

  /// Whether the key that ends the program was pressed.
  func isEnded() -> Bool {
    keyboard?.typed().contains(.character(UInt8(ascii: "q"))) ?? false
  }

  /// The size of a cell, where the system does not know it.
  private func setCell() {
    if size.cellWidth > 0, size.cellHeight > 0 { return }
    (size.cellWidth, size.cellHeight) =
      answers.cellWidth > 0 ? (answers.cellWidth, answers.cellHeight) : (10, 20)
  }

  private func wait(for events: CInt, ns: UInt64) { Self.wait(file.number, for: events, ns: ns) }

  private static func wait(_ descriptor: CInt, for events: CInt, ns: UInt64) {
    var polled = pollfd(fd: descriptor, events: Int16(events), revents: 0)
    poll(&polled, 1, CInt(ns / 1_000_000) + 1)
  }

  /// Asks the terminal what it has.
  private static func ask(_ descriptor: CInt) -> TerminalAnswers {
    let questions = Array(TerminalAnswers.questions.utf8)
    guard Glibc.write(descriptor, questions, questions.count) == questions.count else {
      return TerminalAnswers([])
    }
    let deadlineNs = Clock.monotonicNs() + answerNs
    var read: [UInt8] = []
    var answers = TerminalAnswers(read)
    while !answers.isComplete, read.count < 4096, StopSignals.count == 0 {
      let nowNs = Clock.monotonicNs()
      guard nowNs < deadlineNs else { break }
      wait(descriptor, for: POLLIN, ns: deadlineNs - nowNs)
      var bytes = [UInt8](repeating: 0, count: 256)
      let count = Glibc.read(descriptor, &bytes, bytes.count)
      read += bytes.prefix(max(count, 0))
      answers = TerminalAnswers(read)
    }
    return answers
  }
}
