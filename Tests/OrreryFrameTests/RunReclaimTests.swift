// SPDX-License-Identifier: Apache-2.0

import CFrameLayout
import Foundation
import Glibc
import OrreryBase
import OrreryFrame
import TestSupport
import Testing

/// A run's directory as a test makes it by hand.
private struct HandMadeRun {
  let directory: RunDirectory

  /// Number of a process that has ended.
  static let deadProcess: pid_t = {
    guard let child = try? ChildProcess("/bin/true", []) else { return pid_t.max }
    _ = child.hasEnded(within: patienceSeconds)
    return child.processID
  }()

  init(_ base: TemporaryBase, _ name: String = "dead") throws {
    directory = try base.run(name)
    mkdir(directory.path, 0o700)
  }

  static func signature(
    _ processID: pid_t = deadProcess, since: UInt64 = 1, more: String = ""
  ) -> String {
    "pid \(processID)\nuser \(geteuid())\nsince \(since) Unix time\n" + more
  }

  var files: [String] {
    [directory.joinPath, directory.announcePath, directory.controlPath, directory.eventsPath]
  }

  func makeFiles() { for path in files { Self.make(path) } }

  /// Makes a file; does nothing if its directory has been removed.
  static func make(_ path: String, _ text: String = "") {
    let number = open(path, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0o600)
    guard number >= 0 else { return }
    let file = FileDescriptor(owning: number)
    _ = text.withCString { write(file.number, $0, strlen($0)) }
  }

  func sign(_ text: String) { Self.make(directory.lockPath, text) }

  /// Makes a file seem to be a minute old.
  static func age(_ path: String) {
    let time = timespec(tv_sec: time(nil) - 60, tv_nsec: 0)
    #expect(utimensat(AT_FDCWD, path, [time, time], 0) == 0)
  }

  static func isThere(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }
}

/// Goal: what dead sims left is removed, once, with a list; nothing of a sim that is alive or starting ever is.
///
/// Method: directories by hand with locks of processes that have ended, and threads that start, look and clean at once.
@Suite struct RunReclaimTests {
  @Test func whatADeadSimLeftIsRemoved() throws {
    let base = try TemporaryBase()
    let dead = try HandMadeRun(base)
    dead.makeFiles()
    dead.sign(HandMadeRun.signature())
    let other = try RunLock(base.run("alive"))
    let removed = try RunDirectory.reclaim(in: base.path)
    #expect(removed.map(\.name) == ["dead"])
    #expect(removed.first?.owner.processID == HandMadeRun.deadProcess)
    #expect(
      removed.first?.removed
        == dead.files + [dead.directory.lockPath, dead.directory.path])
    #expect(removed.first?.foreign == [])
    #expect(!HandMadeRun.isThere(dead.directory.path))
    #expect(HandMadeRun.isThere(other.directory.lockPath))
    #expect(try RunDirectory.reclaim(in: base.path) == [])
    withExtendedLifetime(other) {}
  }

  @Test(.enabled(if: access("/usr/bin/perl", X_OK) == 0, "needs perl"))
  func killedHolderIsDeadAtOnce() throws {
    let base = try TemporaryBase()
    let run = try HandMadeRun(base)
    let helper = try Helper(
      "/usr/bin/perl",
      [
        "-e",
        """
        use Fcntl ":flock"; $| = 1; open F, "+>>", $ARGV[0] or die; flock(F, LOCK_EX) or die;
        truncate F, 0; print F "pid $$\\n"; F->flush; print "held\\n"; <STDIN>;
        """, run.directory.lockPath,
      ])
    #expect(try helper.readLine("word that it holds the lock") == "held")
    let owner = run.directory.owner
    #expect(owner.processID == helper.processID)
    #expect(try run.directory.state() == .running(owner))
    #expect(try RunDirectory.reclaim(in: base.path) == [])
    kill(helper.processID, SIGSTOP)
    try waitUntil("the holder to be stopped") {
      (try? run.directory.state()) == .stopped(owner)
    }
    #expect(try RunDirectory.reclaim(in: base.path) == [])
    try helper.kill()
    #expect(try run.directory.state() == .dead(owner))
    #expect(try RunDirectory.reclaim(in: base.path).map(\.name) == ["dead"])
    #expect(try run.directory.state() == .missing)
  }

  @Test func ringOfADeadSimGoesWithItsRun() throws {
    let base = try TemporaryBase()
    let name = "orrery-test-\(getpid())-\(UInt32.random(in: 0 ... .max))"
    let path = Carrier.path(of: name)
    defer { unlink(path) }
    let dead = try HandMadeRun(base)
    dead.sign(HandMadeRun.signature(more: "segment \(name)\n"))
    let bytes = withUnsafeBytes(of: RING_MAGIC) { Data($0) } + Data(count: 4088)
    func makeRing() {
      #expect(
        FileManager.default.createFile(
          atPath: path, contents: bytes, attributes: [.posixPermissions: 0o600]))
    }
    makeRing()
    #expect(try RunDirectory.reclaim(in: base.path).first?.removed.first == path)
    #expect(!HandMadeRun.isThere(path))

    // Another sim may have a ring of that name by now.
    let again = try HandMadeRun(base)
    again.sign(HandMadeRun.signature(more: "segment \(name)\n"))
    makeRing()
    let living = FileDescriptor(owning: open(path, O_RDONLY | O_CLOEXEC))
    #expect(flock(living.number, LOCK_EX | LOCK_NB) == 0)
    #expect(try RunDirectory.reclaim(in: base.path).first?.removed.contains(path) == false)
    #expect(HandMadeRun.isThere(path))
    _ = consume living

    // The next sim of the run's name removes it, too.
    let third = try HandMadeRun(base)
    third.sign(HandMadeRun.signature(more: "segment \(name)\n"))
    let lock = try RunLock(third.directory, segment: "another")
    #expect(!HandMadeRun.isThere(path))
    #expect(third.directory.owner.segment == "another")
    withExtendedLifetime(lock) {}
  }

  @Test func pathIsNoNameOfARing() {
    for text in ["segment ../x\n", "segment /x\n", "segment \n", "segment", "segments a\n"] {
      #expect(RunOwner(lockText: text).segment == nil, "\(text)")
    }
  }

  @Test func runThatIsAliveIsLeftAlone() throws {
    let base = try TemporaryBase()
    let lock = try RunLock(base.run("alive"))
    HandMadeRun.make(lock.directory.controlPath)
    HandMadeRun.age(lock.directory.lockPath)
    HandMadeRun.age(lock.directory.path)
    #expect(try RunDirectory.reclaim(in: base.path) == [])
    // Whatever it says of itself: its lock counts.
    HandMadeRun.make(lock.directory.lockPath, HandMadeRun.signature())
    #expect(try RunDirectory.reclaim(in: base.path) == [])
    #expect(HandMadeRun.isThere(lock.directory.controlPath))
    withExtendedLifetime(lock) {}
  }

  /// A sim makes its directory, then its lock, takes it, and signs.
  @Test func runThatIsBeingMadeIsLeftAlone() throws {
    let base = try TemporaryBase()
    let run = try HandMadeRun(base)
    #expect(run.directory.reclaim() == nil)
    #expect(HandMadeRun.isThere(run.directory.path))
    run.sign("")
    #expect(run.directory.reclaim() == nil)
    #expect(try run.directory.state() == .starting)
    #expect(HandMadeRun.isThere(run.directory.lockPath))
    // A minute later nobody can be making it any more.
    HandMadeRun.age(run.directory.lockPath)
    #expect(run.directory.reclaim()?.removed == [run.directory.lockPath, run.directory.path])
    mkdir(run.directory.path, 0o700)
    HandMadeRun.make(run.directory.joinPath)
    HandMadeRun.age(run.directory.path)
    #expect(
      run.directory.reclaim()?.removed
        == [run.directory.joinPath, run.directory.lockPath, run.directory.path])
  }

  /// A process may have the number of a dead sim.
  @Test func numberOfAnotherProcessIsNoSignOfLife() throws {
    let base = try TemporaryBase()
    let run = try HandMadeRun(base)
    // This process began after that.
    run.sign(HandMadeRun.signature(getpid(), since: 1))
    #expect(run.directory.owner.process == nil)
    #expect(run.directory.reclaim() != nil)
    let now = Clock.wallNs() / 1_000_000_000
    let signed = try HandMadeRun(base)
    signed.sign(HandMadeRun.signature(getpid(), since: now))
    #expect(signed.directory.owner.process != nil)
    #expect(signed.directory.reclaim() == nil)
    #expect(HandMadeRun.isThere(signed.directory.lockPath))
  }

  @Test func filesThatNoSimMakesStay() throws {
    let base = try TemporaryBase()
    let run = try HandMadeRun(base)
    run.makeFiles()
    run.sign(HandMadeRun.signature())
    let notes = run.directory.path + "/notes"
    HandMadeRun.make(notes, "mine")
    let leftovers = try #require(run.directory.reclaim())
    #expect(leftovers.removed == run.files + [run.directory.lockPath])
    #expect(leftovers.foreign == [notes])
    #expect(SmallFile.read(notes) == "mine")
    // Nothing is left to remove, at any age.
    HandMadeRun.age(run.directory.path)
    #expect(run.directory.reclaim() == nil)
    #expect(SmallFile.read(notes) == "mine")
    HandMadeRun.make(base.path + "/a-file", "mine")
    #expect(try RunDirectory.reclaim(in: base.path) == [])
    #expect(SmallFile.read(base.path + "/a-file") == "mine")
  }

  @Test func linksAreNotFollowed() throws {
    let base = try TemporaryBase()
    let elsewhere = try TemporaryBase()
    let target = try HandMadeRun(elsewhere)
    target.makeFiles()
    target.sign(HandMadeRun.signature())
    symlink(target.directory.path, base.path + "/link")
    let run = try HandMadeRun(base)
    symlink(target.directory.lockPath, run.directory.lockPath)
    #expect(try RunDirectory.reclaim(in: base.path) == [])
    #expect(target.files.allSatisfy(HandMadeRun.isThere))
    let link = base.path + "/base"
    symlink(elsewhere.path, link)
    #expect(throws: RunDirectoryError.self) { try RunDirectory.reclaim(in: link) }
    #expect(target.files.allSatisfy(HandMadeRun.isThere))
  }

  @Test func nothingIsLeftWhereNothingWas() throws {
    let base = try TemporaryBase()
    let missing = base.path + "/missing"
    #expect(try RunDirectory.reclaim(in: missing) == [])
    #expect(!HandMadeRun.isThere(missing))
    #expect(try RunDirectory.names(in: missing) == [])
    #expect(try RunDirectory(name: "none", base: base.path).state() == .missing)
    #expect(try RunDirectory(name: "none", base: missing).state() == .missing)
  }
}

// MARK: - Races

extension RunReclaimTests {
  /// Starts, on a thread of its own, what is done again and again until a flag is set.
  private static func repeating(
    _ what: String, until isOver: Flag, _ body: @escaping @Sendable () throws -> Void
  ) throws -> TestThread {
    try TestThread(what) { while !isOver.isSet { try body() } }
  }

  /// The only sim of its name never finds it taken, and its directory stays as long as it lives.
  @Test func startsAreNotDisturbedByLooksAndCleaners() throws {
    let base = try TemporaryBase()
    let directory = try base.run("run")
    let isOver = Flag()
    let others = [
      try Self.repeating("the end of a cleaner", until: isOver) {
        _ = try RunDirectory.reclaim(in: base.path)
      },
      try Self.repeating("the end of another cleaner", until: isOver) {
        _ = directory.reclaim()
      },
      try Self.repeating("the end of a look", until: isOver) { _ = try directory.state() },
    ]
    defer { for other in others { do { try other.join() } catch { Issue.record("\(error)") } } }
    defer { isOver.set() }
    for round in 0..<(50 * testEffort) {
      // Every other round finds what a dead sim left, which the cleaners want, too.
      if round % 2 == 1 {
        mkdir(directory.path, 0o700)
        HandMadeRun.make(directory.joinPath)
        HandMadeRun.make(directory.lockPath, HandMadeRun.signature())
      }
      let lock = try RunLock(directory)
      HandMadeRun.make(directory.controlPath)
      for _ in 0..<3 { sched_yield() }
      try #require(directory.owner.processID == getpid(), "round \(round)")
      try #require(HandMadeRun.isThere(directory.controlPath), "round \(round)")
      withExtendedLifetime(lock) {}
    }
  }

  @Test func ofManyCleanersOneRemovesARun() throws {
    let base = try TemporaryBase()
    for round in 0..<(20 * testEffort) {
      let run = try HandMadeRun(base, "round-\(round)")
      run.makeFiles()
      run.sign(HandMadeRun.signature())
      let removals = Monitor(0)
      let threads = try (0..<4).map { number in
        try TestThread("cleaner \(number)") {
          let removed = try RunDirectory.reclaim(in: base.path)
          removals.change { $0 += removed.count }
        }
      }
      for thread in threads { try thread.join() }
      try #require(removals.read { $0 } == 1, "round \(round)")
      try #require(!HandMadeRun.isThere(run.directory.path), "round \(round)")
    }
  }
}
