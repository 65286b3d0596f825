// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import OrrerySupervisor
import Testing

/// Goal: a child gets what it is told, says it in lines, and its end is read right.
///
/// Method: shells that print what they were given; every wait ends with the child, which ends by itself.
@Suite(.timeLimit(.minutes(2))) struct ChildTests {
  /// Reads all that a shell prints, until it closes its output.
  private static func lines(_ commands: String, _ arguments: [String] = []) throws -> [String] {
    let child = try Child(
      ChildCommand(name: "child", path: "/bin/sh", arguments: ["-c", commands] + arguments))
    var lines: [String] = []
    while child.readLines({ lines.append($0) }) {}
    while child.status == nil {
      child.reap()
      usleep(1000)
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

  /// Ctrl-C reaches the supervisor only, which ends its children in order.
  @Test func childHasAGroupOfItsOwnAndKnowsItsParent() throws {
    let lines = try Self.lines(
      "echo $ORRERY_PARENT; echo $$; cut -d' ' -f5 /proc/$$/stat; read line || echo no input")
    #expect(lines.count == 4)
    #expect(lines.first == "\(getpid())")
    #expect(lines[1] == lines[2])
    #expect(lines.last == "no input")
  }

  @Test func signalsReachAChildThatRuns() throws {
    let child = try Child(
      ChildCommand(name: "child", path: "/bin/sh", arguments: ["-c", "exec sleep 30"]))
    child.reap()
    #expect(child.status == nil)
    child.signal(SIGKILL)
    while child.readLines({ _ in }) {}
    while child.status == nil {
      child.reap()
      usleep(1000)
    }
    #expect(child.status == .killed(signal: SIGKILL))
    #expect(child.name == "child")
    // Its number may be another's by now.
    child.signal(SIGKILL)
    child.reap()
    #expect(child.status == .killed(signal: SIGKILL))
  }

  @Test func endIsReadFromItsWord() {
    #expect(ChildStatus(waitWord: 0) == .exited(0))
    #expect(ChildStatus(waitWord: 74 << 8) == .exited(74))
    #expect(ChildStatus(waitWord: 255 << 8) == .exited(255))
    #expect(ChildStatus(waitWord: 9) == .killed(signal: 9))
    // With a core file.
    #expect(ChildStatus(waitWord: 11 | 0x80) == .killed(signal: 11))
  }
}

/// Programs are looked for beside this one, under plain names only.
@Suite struct SiblingTests {
  private static let folder =
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
    .map { String($0[..<($0.lastIndex(of: "/") ?? $0.endIndex)]) }

  @Test(arguments: ["", "../sim", "Sim", "sim.py", "a b", "sim1", "no-such-program", "/bin/sh"])
  func namesThatAreNotPlainOrNotThereHaveNoPath(name: String) {
    #expect(Sibling.path(name) == nil)
  }

  @Test func programBesideThisOneIsFound() throws {
    let folder = try #require(Self.folder)
    // What a build leaves beside its tests, if anything that may be run.
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { name in
      name.utf8.allSatisfy { (97...122).contains($0) || $0 == 45 }
        && access(folder + "/" + name, X_OK) == 0
    }
    for name in names { #expect(Sibling.path(name) == folder + "/" + name) }
  }

  @Test func stringsAreHandedOverWithAnEnd() {
    let read = Sibling.withCStrings(["a", "", "ü b"]) { pointers in
      pointers.map { $0.map { String(cString: $0) } }
    }
    #expect(read == ["a", "", "ü b", nil])
    #expect(Sibling.withCStrings([]) { $0.count } == 1)
  }
}
