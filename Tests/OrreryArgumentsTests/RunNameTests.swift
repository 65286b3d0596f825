// SPDX-License-Identifier: Apache-2.0

import OrreryArguments
import OrreryBase
import OrreryFrame
import TestSupport
import Testing

/// Goal: a run of `orrery run` has the name that was given, or one that says which scene it is and that no live sim has.
///
/// Method: locks that stand for live sims, in a directory of their own.
@Suite struct RunNameTests {
  private static func next(_ given: String?, scene: String, _ base: TemporaryBase) throws -> String
  {
    var name = RunName(given: given, scene: scene, base: base.path)
    return try name.next()
  }

  private static func lock(_ name: String, _ base: TemporaryBase) throws -> RunLock {
    try RunLock(RunDirectory(name: name, base: base.path))
  }

  @Test func runIsCalledAfterItsScene() throws {
    let base = try TemporaryBase()
    #expect(try Self.next(nil, scene: "flow-text", base) == "flow-text")
    #expect(try Self.next("demo", scene: "flags", base) == "demo")
  }

  @Test(arguments: [
    ("a/ü b.1-Z_", "ab.1-Z_"), ("-._x", "x"), ("日本", "scene"), ("", "scene"),
    (String(repeating: "x", count: 41), String(repeating: "x", count: 40)),
  ])
  func sceneMayHaveAnyName(scene: String, run: String) throws {
    let base = try TemporaryBase()
    #expect(try Self.next(nil, scene: scene, base) == run)
  }

  @Test func takenNamesAreCountedOn() throws {
    let base = try TemporaryBase()
    let first = try Self.lock("flags", base)
    #expect(try Self.next(nil, scene: "flags", base) == "flags-2")
    let second = try Self.lock("flags-2", base)
    var name = RunName(given: nil, scene: "flags", base: base.path)
    #expect(name.isFree)
    #expect(try name.next() == "flags-3")
    // Another sim took that one first.
    #expect(try name.next() == "flags-4")
    withExtendedLifetime((first, second)) {}
  }

  @Test func nameOfADeadSimIsFree() throws {
    let base = try TemporaryBase()
    // A directory with a lock file that nobody holds.
    let directory = try RunDirectory(name: "flags", base: base.path)
    _ = try Self.lock("flags-2", base)
    #expect(directory.holder == nil)
    #expect(try Self.next(nil, scene: "flags", base) == "flags")
    #expect(try Self.next("flags-2", scene: "flags", base) == "flags-2")
  }

  @Test func givenNameThatIsTakenIsRefusedWithItsHolder() throws {
    let base = try TemporaryBase()
    let lock = try Self.lock("demo", base)
    #expect {
      try Self.next("demo", scene: "flags", base)
    } throws: { error in
      (error as? Failure)?.status == .nameTaken && "\(error)".contains("run 'demo' is taken")
        && "\(error)".contains("pid ")
    }
    withExtendedLifetime(lock) {}
  }

  @Test func unusableNameIsRefused() throws {
    let base = try TemporaryBase()
    #expect {
      try Self.next("../up", scene: "flags", base)
    } throws: { error in (error as? Failure)?.status == .usage }
  }

  /// Whoever only looks must not keep a sim from its name.
  @Test func lookDoesNotTakeTheName() throws {
    let base = try TemporaryBase()
    let directory = try RunDirectory(name: "demo", base: base.path)
    let looker = try TestThread("looks") {
      for _ in 0..<20_000 { _ = directory.holder }
    }
    while !looker.isOver { _ = try Self.lock("demo", base) }
    try looker.join()
  }
}
