// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import OrrerySupervisor
import TestSupport
import Testing

/// Goal: a child gets what it is told, says it in lines, and its end is read right.
///
/// Method: shells that print what they were given; every wait ends with the child, which ends by itself.
@Suite struct ChildTests {
  /// Reads all that a shell prints, until it closes its output.
  private static func lines(_ commands: String, _ arguments: [String] = []) throws -> [String] {
    let child = try Child(
      ChildCommand(name: "child", path: "/bin/sh", arguments: ["-c", commands] + arguments))
    var lines: [String] = []
    repeat {
      // What an earlier call met is nothing to this one.
      errno = EAGAIN
    } while child.readLines({ lines.append($0) })
    try waitUntil("the child's end") {
      child.reap()
      return child.status != nil
    }
    return lines
  }

  @Test func argumentsArriveAsTheyWere() throws {
    let lines = try Self.lines(
      "printf '%s\\n' \"$0\" \"$@\"", ["a b", "", "ü", "*"])
    #expect(lines == ["a b", "", "ü", "*"])
  }

  @Test func linesComeWholeHoweverTheyArrive() throws {
    #expect(
      try Self.lines("printf 'one\\ntw'; sleep 0.1; printf 'o\\n\\nthree\\nrest'")
        == ["one", "two", "", "three"])
    let long = try Self.lines("head -c 200000 /dev/zero | tr '\\0' x; echo; echo end")
    #expect(long.map(\.count) == [200_000, 3])
  }

  @Test func outputThatIsNotThereYetIsNotTheEnd() throws {
    let child = try Child(
      ChildCommand(name: "child", path: "/bin/sh", arguments: ["-c", "exec sleep 30"]))
    #expect(fcntl(child.output.number, F_SETFL, O_NONBLOCK) == 0)
    #expect(child.readLines { _ in Issue.record("nothing was said") })
    // What cannot be read at all is the end.
    let folder = open("/", O_RDONLY | O_DIRECTORY)
    #expect(dup2(folder, child.output.number) == child.output.number)
    close(folder)
    #expect(!child.readLines { _ in Issue.record("nothing was said") })
    child.signal(SIGKILL)
    try waitUntil("the child's end") {
      child.reap()
      return child.status != nil
    }
  }

  /// This process's input would be the child's otherwise.
  @Test func childHasNoInput() async {
    await #expect(processExitsWith: .success) {
      let file = open("/proc/self/status", O_RDONLY)
      precondition(dup2(file, STDIN_FILENO) == STDIN_FILENO)
      let lines = try Self.lines("readlink /proc/$$/fd/0; cat")
      precondition(lines == ["/dev/null"], "\(lines)")
    }
  }

  /// Ctrl-C reaches the supervisor only, which ends its children in order.
  @Test func childHasAGroupOfItsOwnAndKnowsItsParent() throws {
    let lines = try Self.lines(
      "echo $ORRERY_PARENT; echo $$; cut -d' ' -f5 /proc/$$/stat")
    #expect(lines.count == 3)
    #expect(lines.first == "\(getpid())")
    #expect(lines[1] == lines[2])
  }

  /// Whoever else is started from this process has another parent.
  @Test func environmentOfThisProcessStaysAsItIs() async {
    await #expect(processExitsWith: .success) {
      setenv("ORRERY_PARENT", "1", 1)
      let lines = try Self.lines("env | grep ^ORRERY_PARENT=")
      precondition(lines == ["ORRERY_PARENT=\(getpid())"], "\(lines)")
      let own = getenv("ORRERY_PARENT").map { String(cString: $0) }
      precondition(own == "1", "\(own ?? "nothing")")
    }
  }

  /// The threads of a pool have signals blocked, and a child would have the same.
  @Test func childBlocksNoSignal() throws {
    var signals = sigset_t()
    sigfillset(&signals)
    var before = sigset_t()
    pthread_sigmask(SIG_SETMASK, &signals, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    // By the shell itself, which blocks signals while it starts another program.
    let lines = try Self.lines(
      "while read key value; do [ $key = SigBlk: ] && echo $value; done < /proc/self/status")
    #expect(lines == ["0000000000000000"])
  }

  @Test func signalsReachAChildThatRuns() throws {
    let child = try Child(
      ChildCommand(name: "child", path: "/bin/sh", arguments: ["-c", "exec sleep 30"]))
    child.reap()
    #expect(child.status == nil)
    child.signal(SIGKILL)
    while child.readLines({ _ in }) {}
    try waitUntil("the child's end") {
      child.reap()
      return child.status != nil
    }
    #expect(child.status == .killed(signal: SIGKILL))
    #expect(child.name == "child")
    // Its number may be another's by now.
    child.signal(SIGKILL)
    child.reap()
    #expect(child.status == .killed(signal: SIGKILL))
  }
}

/// Programs are looked for beside this one, under plain names only.
@Suite struct SiblingTests {
  /// A folder with programs of these names.
  private static func folder(_ names: [String]) throws -> TemporaryBase {
    let base = try TemporaryBase()
    for name in names {
      let path = base.path + "/" + name
      try "#!/bin/sh\n".write(toFile: path, atomically: false, encoding: .utf8)
      #expect(chmod(path, 0o755) == 0)
    }
    return base
  }

  @Test func programsOfPlainNamesAreFound() throws {
    let names = ["sim", "az", "a", "z", "-", "orrery-sim"]
    let base = try Self.folder(names)
    for name in names {
      #expect(Sibling.path(name, in: base.path) == base.path + "/" + name)
    }
  }

  @Test func otherNamesAreNot() throws {
    let names = ["Sim", "sim.py", "a b", "sim1", "a{", "a`", "a,b", "ü"]
    let base = try Self.folder(names)
    for name in names + ["", "no-such-program", "../sim", "/bin/sh"] {
      #expect(Sibling.path(name, in: base.path) == nil, "\(name)")
    }
    #expect(Sibling.path("sim", in: nil) == nil)
  }

  @Test func fileThatCannotBeRunIsNoProgram() throws {
    let base = try Self.folder(["sim"])
    #expect(chmod(base.path + "/sim", 0o644) == 0)
    #expect(Sibling.path("sim", in: base.path) == nil)
  }

  @Test func programsAreLookedForBesideThisOne() throws {
    let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    #expect(
      Sibling.directory == program[..<(program.lastIndex(of: "/") ?? program.endIndex)].description)
    #expect(Sibling.path("no-such-program") == nil)
  }
}
