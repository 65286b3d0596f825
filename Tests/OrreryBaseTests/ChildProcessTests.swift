// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import TestSupport
import Testing

/// Goal: a child gets its files, its group and its signals as asked for, and its end is known once and for all.
///
/// Method: shells that print what they were given; every wait ends with the child, which ends by itself.
@Suite struct ChildProcessTests {
  /// All that a shell prints.
  private static func output(
    of commands: String, hasOwnGroup: Bool = true, resetsSignals: Bool = false
  ) throws -> String {
    let pipe = try PipeEnds("/bin/sh")
    let shell = try ChildProcess(
      "/bin/sh", ["-c", commands], output: .descriptor(pipe.writing.number),
      hasOwnGroup: hasOwnGroup, resetsSignals: resetsSignals)
    let output = pipe.closingWriter()
    let bytes = FileHandle(fileDescriptor: output.number).readDataToEndOfFile()
    #expect(shell.wait() == .exited(0))
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func standardFilesAreThoseAskedFor() throws {
    let base = try TemporaryBase()
    let (input, output) = (base.path + "/input", base.path + "/output")
    try "in\n".write(toFile: input, atomically: false, encoding: .utf8)
    try "before\n".write(toFile: output, atomically: false, encoding: .utf8)
    let pipe = try PipeEnds("/bin/sh")
    let shell = try ChildProcess(
      "/bin/sh", ["-c", "cat; echo error >&2"], input: .path(input), output: .path(output),
      errors: .descriptor(pipe.writing.number))
    let errors = pipe.closingWriter()
    let bytes = FileHandle(fileDescriptor: errors.number).readDataToEndOfFile()
    #expect(shell.wait() == .exited(0))
    #expect(String(decoding: bytes, as: UTF8.self) == "error\n")
    #expect(try String(contentsOfFile: output, encoding: .utf8) == "before\nin\n")
  }

  @Test func otherStandardFilesAreNothing() throws {
    #expect(
      try Self.output(of: "cat; readlink /proc/$$/fd/0 /proc/$$/fd/2")
        == "/dev/null\n/dev/null\n")
  }

  /// The descriptors of this process's own standard files may be those that are handed over.
  @Test func descriptorsMayHaveTheNumbersOfStandardFiles() async {
    await #expect(processExitsWith: .success) {
      let base = try TemporaryBase()
      let files = [base.path + "/0", base.path + "/1"]
      for (number, path) in files.enumerated() {
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        precondition(dup2(file, CInt(number)) == number)
      }
      let shell = try ChildProcess(
        "/bin/sh", ["-c", "echo out; echo error >&2"], output: .descriptor(0),
        errors: .descriptor(1))
      precondition(shell.wait() == .exited(0))
      let texts = try files.map { try String(contentsOfFile: $0, encoding: .utf8) }
      precondition(texts == ["out\n", "error\n"], "\(texts)")
    }
  }

  @Test func groupIsItsOwnUnlessAskedFor() throws {
    let group = "cut -d' ' -f5 /proc/$$/stat"
    let own = try Self.output(of: "echo $$; \(group)").split(separator: "\n")
    #expect(own.count == 2 && own.first == own.last)
    #expect(try Self.output(of: group, hasOwnGroup: false) == "\(getpgrp())\n")
  }

  @Test func ignoredSignalsAreResetOnlyIfAskedFor() async {
    await #expect(processExitsWith: .success) {
      signal(SIGPIPE, SIG_IGN)
      let commands =
        "while read key value; do [ $key = SigIgn: ] && echo $value; done < /proc/self/status; :"
      for resets in [false, true] {
        let text = try Self.output(of: commands, resetsSignals: resets)
        let ignored = try #require(UInt64(text.prefix { $0 != "\n" }, radix: 16))
        precondition((ignored >> UInt64(SIGPIPE - 1) & 1 == 0) == resets, text)
      }
    }
  }

  @Test func nameWithoutSlashIsLookedUp() throws {
    #expect(try ChildProcess("true", []).wait() == .exited(0))
    #expect(throws: SystemCallError(call: "posix_spawnp", path: "no-such-program", errno: ENOENT)) {
      _ = try ChildProcess("no-such-program", [])
    }
    #expect(throws: SystemCallError(call: "posix_spawn", path: "/no/program", errno: ENOENT)) {
      _ = try ChildProcess("/no/program", [])
    }
  }

  @Test func endIsKnownFromThenOn() throws {
    let child = try ChildProcess("sleep", ["30"])
    #expect(child.status == nil)
    #expect(!child.hasEnded(within: 0.01))
    child.kill()
    #expect(child.hasEnded(within: 0))
    #expect(child.status == .killed(signal: SIGKILL))
    #expect(child.status?.code == 128 + SIGKILL)
    // Its number may be another's by now.
    child.signal(SIGKILL)
    child.kill()
    #expect(child.wait() == .killed(signal: SIGKILL))
  }

  @Test func endThatOtherCodeWaitedForIsUnknown() throws {
    let child = try ChildProcess("true", [])
    #expect(waitpid(child.processID, nil, 0) == child.processID)
    #expect(child.status?.code == -1)
    #expect(child.processorTime == nil)
  }

  /// Its own time, and that of the programs for whose end it waits: one shell counts up, another has one do it.
  @Test(arguments: [false, true])
  func processorTimeIsKnownFromTheEndOn(isOfAnother: Bool) throws {
    let count = "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done"
    let waiting = try ChildProcess("sleep", ["30"])
    #expect(waiting.processorTime == nil)
    let child = try ChildProcess("sh", ["-c", isOfAnother ? "sh -c '\(count)'; :" : count])
    #expect(child.wait() == .exited(0))
    waiting.kill()
    let (idle, busy) = (try #require(waiting.processorTime), try #require(child.processorTime))
    #expect(busy.userSeconds > idle.userSeconds)
    #expect(busy.userSeconds > 0 && busy.systemSeconds >= 0)
  }

  @Test func endIsReadFromItsWord() {
    #expect(ChildStatus(waitWord: 0) == .exited(0))
    #expect(ChildStatus(waitWord: 74 << 8) == .exited(74))
    #expect(ChildStatus(waitWord: 255 << 8) == .exited(255))
    #expect(ChildStatus(waitWord: 9) == .killed(signal: 9))
    // With a core file.
    #expect(ChildStatus(waitWord: 11 | 0x80) == .killed(signal: 11))
  }

  @Test func stringsAreHandedOverWithAnEnd() {
    let read = ChildProcess.withCStrings(["a", "", "ü b"]) { pointers in
      pointers.map { $0.map { String(cString: $0) } }
    }
    #expect(read == ["a", "", "ü b", nil])
    #expect(ChildProcess.withCStrings([]) { $0.count } == 1)
  }
}
