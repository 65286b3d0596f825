// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase
import TestSupport
import Testing

/// Goal: a program hears of signals, writes whole lines, and ends with its status.
///
/// Method: signals, descriptors and limits belong to the whole process, so each test has a process of its own.
@Suite struct ProcessTests {
  /// Whether a descriptor becomes readable in time.
  private static func isReadable(_ descriptor: CInt, milliseconds: CInt) -> Bool {
    var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&polled, 1, milliseconds) == 1
  }

  @Test func stopSignalsAreCounted() async {
    await #expect(processExitsWith: .success) {
      precondition(StopSignals.count == 0 && StopSignals.descriptor == -1)
      StopSignals.installHandlers()
      precondition(StopSignals.count == 0)
      precondition(!Self.isReadable(StopSignals.descriptor, milliseconds: 0))
      kill(getpid(), SIGTERM)
      precondition(Self.isReadable(StopSignals.descriptor, milliseconds: 300_000))
      precondition(StopSignals.count == 1)
      kill(getpid(), SIGINT)
      try waitUntil("the second signal") { StopSignals.count == 2 }
      // A reader that has gone is an error of `write`, and no end of the program.
      kill(getpid(), SIGPIPE)
      precondition(StopSignals.count == 2)
    }
  }

  /// The kernel and the shell may both send it for one terminal, so it never counts as the second.
  @Test func terminalThatClosesAsksOnce() async {
    await #expect(processExitsWith: .success) {
      signal(SIGHUP, SIG_DFL)
      StopSignals.installHandlers()
      for _ in 0..<3 { raise(SIGHUP) }
      precondition(StopSignals.count == 1)
      precondition(Self.isReadable(StopSignals.descriptor, milliseconds: 0))
      raise(SIGTERM)
      raise(SIGHUP)
      precondition(StopSignals.count == 2)
    }
    await #expect(processExitsWith: .exitCode(130)) {
      signal(SIGHUP, SIG_DFL)
      StopSignals.installHandlers()
      StopSignals.endAtSecond(message: "ended")
      raise(SIGHUP)
      raise(SIGHUP)
      raise(SIGINT)
    }
  }

  @Test func ignoredEndOfATerminalStaysIgnored() async {
    await #expect(processExitsWith: .success) {
      signal(SIGHUP, SIG_IGN)
      StopSignals.installHandlers()
      raise(SIGHUP)
      precondition(StopSignals.count == 0)
      raise(SIGTERM)
      precondition(StopSignals.count == 1)
    }
  }

  /// The kernel says it once for each thread that the parent had.
  @Test func deathOfTheParentCountsOnce() async {
    await #expect(processExitsWith: .success) {
      setenv("ORRERY_PARENT", "1", 1)
      StopSignals.installHandlers()
      StopSignals.endAtSecond(message: "ended")
      for _ in 0..<3 { StopSignals.endWithParent() }
      precondition(StopSignals.count == 1)
    }
  }

  @Test func terminalThatHasClosedIsNoFailure() async {
    await #expect(processExitsWith: .success) {
      let master = open("/dev/ptmx", O_RDWR | O_NOCTTY)
      // TIOCSPTLCK and TIOCGPTN, which Swift does not know.
      var (lock, number) = (CInt(0), CInt(-1))
      precondition(ioctl(master, 0x4004_5431, &lock) == 0)
      precondition(ioctl(master, 0x8004_5430, &number) == 0)
      let slave = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
      precondition(dup2(slave, STDOUT_FILENO) == STDOUT_FILENO)
      precondition(Standard.output("read\n"))
      close(master)
      precondition(!Standard.output("not read\n"))
    }
  }

  @Test func programWithoutDescriptorsSaysSo() async {
    let result = await #expect(
      processExitsWith: .exitCode(71), observing: [\.standardErrorContent]
    ) {
      var limit = rlimit()
      getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      limit.rlim_cur = 40
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      StopSignals.installHandlers()
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("/dev/null: open: Too many open files\n"), "\(text)")
  }

  /// As many as are open anyhow, and those that a program wants.
  @Test func roomForDescriptorsIsLookedForAndLeft() async {
    await #expect(processExitsWith: .success) {
      /// The numbers of so many descriptors that are open for a moment.
      func nextNumbers(_ count: Int) -> [CInt] {
        let numbers = (0..<count).map { _ in open("/dev/null", O_RDONLY | O_CLOEXEC) }
        for number in numbers { close(number) }
        return numbers
      }
      var limit = rlimit()
      getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      /// Whether room is found as long as there is some, and nothing is left open.
      func isLookedForAndLeft() -> Bool {
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        let before = nextNumbers(20)
        var narrow = limit
        narrow.rlim_cur = rlim_t((before.max() ?? 0) + 1)
        do {
          try FileDescriptor.checkRoom(for: 20)
          guard nextNumbers(20) == before else { return false }
          setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &narrow)
          try FileDescriptor.checkRoom(for: 20)
        } catch {
          return false
        }
        do {
          try FileDescriptor.checkRoom(for: 21)
          return false
        } catch {
          let expected = SystemCallError(call: "open", path: "/dev/null", errno: EMFILE)
          return error == expected && nextNumbers(20) == before
        }
      }
      // Threads of the system's libraries open descriptors of their own once in a while.
      precondition((0..<10).contains { _ in isLookedForAndLeft() })
    }
  }

  @Test func childOfAParentThatIsGoneEnds() async {
    // SIGRTMIN: what the C library leaves of the real-time signals begins there.
    await #expect(processExitsWith: .signal(34)) {
      // Whoever started the tests may have blocked it, and a mask is inherited.
      var ended = sigset_t()
      sigemptyset(&ended)
      sigaddset(&ended, 34)
      pthread_sigmask(SIG_UNBLOCK, &ended, nil)
      signal(34, SIG_DFL)
      setenv("ORRERY_PARENT", "1", 1)
      // This process is not the first one's child, wherever tests run as usual.
      precondition(getppid() != 1)
      StopSignals.endWithParent()
    }
    await #expect(processExitsWith: .success) {
      setenv("ORRERY_PARENT", "\(getppid())", 1)
      StopSignals.endWithParent()
      unsetenv("ORRERY_PARENT")
      StopSignals.endWithParent()
      setenv("ORRERY_PARENT", "nobody", 1)
      StopSignals.endWithParent()
    }
  }

  @Test func outputIsWrittenWhole() async {
    let count = 300_000
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardOutputContent]
    ) {
      // More than a pipe holds.
      precondition(Standard.output(String(repeating: "o", count: 300_000)))
      precondition(Standard.output(Array("end\n".utf8)))
      precondition(Standard.output(""))
    }
    let written = result?.standardOutputContent ?? []
    #expect(written.count { $0 == UInt8(ascii: "o") } >= count)
    #expect(written.suffix(4) == Array("end\n".utf8)[...])
  }

  @Test func readerThatHasHadEnoughIsNoFailureAndAFullDiskIs() async {
    await #expect(processExitsWith: .success) {
      signal(SIGPIPE, SIG_IGN)
      var ends: [CInt] = [0, 0]
      precondition(pipe(&ends) == 0)
      close(ends[0])
      dup2(ends[1], STDOUT_FILENO)
      precondition(!Standard.output("nobody reads this\n"))
    }
    let result = await #expect(
      processExitsWith: .exitCode(74), observing: [\.standardErrorContent]
    ) {
      dup2(open("/dev/full", O_WRONLY), STDOUT_FILENO)
      Standard.output("this is lost\n")
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(
      text.contains("orrery: standard output: write: No space left on device\n"), "\(text)")
  }

  @Test func addressSpaceThatIsLeftBoundsWhatIsAvailable() async {
    await #expect(processExitsWith: .success) {
      func setLimit(_ bytes: UInt64) {
        var limit = rlimit(rlim_cur: rlim_t(bytes), rlim_max: rlim_t(bitPattern: -1))
        precondition(setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0)
      }
      let used = try #require(
        Memory.bytes(of: "VmSize", in: SmallFile.read("/proc/self/status") ?? ""))
      // What seven threads take is kept back; a thread of the test's own may come meanwhile.
      let threads: UInt64 = 504 << 20
      let room: UInt64 = 200 << 20
      setLimit(used + threads + room)
      let available = Memory.availableBytes()
      precondition(available <= room, "\(available)")
      precondition(available > room / 2, "\(available)")
      setLimit(used + threads / 2)
      precondition(Memory.availableBytes() == 0)
    }
  }

  @Test func residentMemoryFollowsWhatIsTouched() async {
    await #expect(processExitsWith: .success) {
      let bytes = 64 << 20
      let before = try #require(Memory.residentBytes())
      let memory = try #require(malloc(bytes))
      memset(memory, 7, bytes)
      let during = try #require(Memory.residentBytes())
      precondition(during >= before + UInt64(bytes) / 2, "\(before) \(during)")
      free(memory)
      let after = try #require(Memory.residentBytes())
      // A sanitizer keeps what was freed.
      precondition(isSanitized || after < during, "\(during) \(after)")
      let most = try #require(Memory.residentBytesMost())
      precondition(most + 1 << 20 >= during, "\(during) \(most)")
    }
  }

  @Test(
    arguments: [
      (.done, 0), (.unmet, 1), (.usage, 64), (.badData, 65), (.unavailable, 69),
      (.resource, 71), (.inputOutput, 74), (.nameTaken, 75), (.mismatch, 76), (.notPermitted, 77),
    ] as [(OrreryBase.ExitStatus, Int32)])
  func statusesAreThoseOfThePage(status: OrreryBase.ExitStatus, number: Int32) throws {
    #expect(status.rawValue == number)
    let page = try Repository.text("docs/reference/exit-codes.md")
    #expect(page.contains("\n| \(number) | "))
  }
}
