// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase
import OrreryFrame
import Testing

/// Goal: a run's name is a name and its paths fit the system.
@Suite struct RunDirectoryTests {
  @Test(
    arguments: ["a", "0", "Z9", "demo", "a.b-c_d", "a..b", String(repeating: "x", count: 64)])
  func goodNameGivesItsPaths(name: String) throws {
    let directory = try RunDirectory(name: name, base: "/base")
    #expect(directory.name == name)
    #expect(directory.path == "/base/\(name)")
    #expect(directory.joinPath == "/base/\(name)/join")
    #expect(directory.announcePath == "/base/\(name)/announce")
    #expect(directory.lockPath == "/base/\(name)/lock")
    #expect(directory.controlPath == "/base/\(name)/control")
    #expect(directory.eventsPath == "/base/\(name)/events")
    #expect(directory.base == "/base")
  }

  private static let lettersAndDigits =
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

  /// Of ASCII; a ring's name is one of the same.
  @Test func everyCharacterIsAllowedOrNot() throws {
    for byte in UInt8(1)...127 {
      let character = Character(UnicodeScalar(byte))
      let isFirst = Self.lettersAndDigits.contains(character)
      let isFurther = isFirst || "._-".contains(character)
      for (name, isName) in [("\(character)", isFirst), ("a\(character)", isFurther)] {
        let directory = try? RunDirectory(name: name, base: "/base")
        try #require((directory?.name == name) == isName, "byte \(byte)")
        let carrier = try? Carrier(name: name)
        try #require((carrier == .named(name)) == isName, "byte \(byte)")
      }
    }
  }

  @Test(
    arguments: [
      "", ".", "..", ".hidden", "-flag", "_a", "a/b", "/", "../../etc", "a b", "a\n", "a\0b", "é",
      "a\u{301}", "名", "a*", "a;b", "a:b", "a@b", "a\\b", String(repeating: "x", count: 65),
    ])
  func badNameIsRefused(name: String) {
    #expect(throws: RunDirectoryError.badName(name)) {
      _ = try RunDirectory(name: name, base: "/base")
    }
  }

  @Test func pathOfASocketIsAtMost107Bytes() throws {
    // "/a/announce" takes eleven of them.
    let longest = "/" + String(repeating: "b", count: 95)
    #expect(try RunDirectory(name: "a", base: longest).announcePath.utf8.count == 107)
    let error = #expect(throws: RunDirectoryError.self) {
      _ = try RunDirectory(name: "a", base: longest + "b")
    }
    #expect(error == .pathTooLong(path: longest + "b/a/announce", limit: 107))
    #expect(error?.description.contains("XDG_RUNTIME_DIR") == true)
  }

  /// The environment belongs to the whole process, so each case has a process of its own.
  @Test func baseComesFromTheEnvironment() async {
    await #expect(processExitsWith: .success) {
      setenv("TMPDIR", "/tmp/elsewhere", 1)
      setenv("XDG_RUNTIME_DIR", "/run/user/1", 1)
      precondition(RunDirectory.base() == "/run/user/1/orrery")
      let directory = try RunDirectory(name: "a")
      precondition(directory.path == "/run/user/1/orrery/a")
    }
    // A relative one would mean another place in every working directory.
    await #expect(processExitsWith: .success) {
      setenv("TMPDIR", "/tmp/elsewhere", 1)
      for value in ["relative", "./x", ""] {
        setenv("XDG_RUNTIME_DIR", value, 1)
        precondition(RunDirectory.base() == "/tmp/elsewhere/orrery-\(geteuid())")
      }
      unsetenv("XDG_RUNTIME_DIR")
      precondition(RunDirectory.base() == "/tmp/elsewhere/orrery-\(geteuid())")
      unsetenv("TMPDIR")
      precondition(RunDirectory.base() == "/tmp/orrery-\(geteuid())")
    }
    await #expect(processExitsWith: .success) {
      setenv("XDG_RUNTIME_DIR", "/" + String(repeating: "x", count: 200), 1)
      do {
        _ = try RunDirectory(name: "a")
        exit(1)
      } catch RunDirectoryError.pathTooLong(_, let limit) {
        precondition(limit == 107)
      }
    }
  }
}
