// SPDX-License-Identifier: Apache-2.0

import CLinux
import Foundation
import Glibc
import OrreryBase
import OrreryFrame
import TestSupport
import Testing

/// Goal: a run has one sim at a time, a dead one is in nobody's way, and nobody is led astray by what
/// else lies at its path.
@Suite(.serialized) struct RunLockTests {
  private static func exists(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }

  private static func mode(_ path: String) -> mode_t {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode & 0o777 : 0
  }

  /// Who holds a run, from the error that taking it gives.
  private static func holder(of directory: RunDirectory) -> String? {
    do {
      _ = try RunLock(directory)
      return nil
    } catch .taken(let name, let holder) {
      return name == directory.name ? holder : nil
    } catch {
      return nil
    }
  }

  @Test func lockMakesAPrivateDirectoryAndLeavesNothing() throws {
    let base = try TemporaryBase()
    rmdir(base.path)
    let directory = try base.run("x")
    do {
      let lock = try RunLock(directory)
      #expect(lock.directory.path == directory.path)
      #expect(Self.mode(base.path) == 0o700)
      #expect(Self.mode(directory.path) == 0o700)
      #expect(Self.mode(directory.lockPath) == 0o600)
      let socket = FileDescriptor(owning: linux_listen(directory.joinPath, 1))
      #expect(Self.exists(directory.joinPath))
      withExtendedLifetime((lock, socket.number)) {}
    }
    #expect(!Self.exists(directory.path))
    #expect(Self.exists(base.path))
    // And the name is free.
    _ = try RunLock(directory)
  }

  @Test func liveHolderKeepsTheNameAndIsNamed() throws {
    let base = try TemporaryBase()
    let directory = try base.run()
    let lock = try RunLock(directory)
    let text = try #require(Self.holder(of: directory))
    #expect(text.hasPrefix("pid \(getpid()), user \(geteuid()), since "))
    #expect(text.hasSuffix(" UTC"))
    // Being refused has changed nothing.
    #expect(Self.holder(of: directory) == text)
    #expect(Self.exists(directory.lockPath))
    // Other names are free.
    _ = try RunLock(base.run("other"))
    withExtendedLifetime(lock) {}
  }

  @Test(.enabled(if: access("/usr/bin/perl", X_OK) == 0, "needs perl"))
  func deathOfAnotherProcessFreesTheName() throws {
    let base = try TemporaryBase()
    let directory = try base.run()
    mkdir(directory.path, 0o700)
    let helper = try Helper(
      "/usr/bin/perl",
      [
        "-e",
        """
        use Fcntl ":flock"; $| = 1; open F, "+>>", $ARGV[0] or die; flock(F, LOCK_EX) or die;
        truncate F, 0; print F "pid $$\\nmade by hand\\n"; F->flush; print "held\\n"; <STDIN>;
        """, directory.lockPath,
      ])
    #expect(try helper.readLine("word that it holds the lock") == "held")
    #expect(Self.holder(of: directory) == "pid \(helper.processID), made by hand")
    // What a killed sim leaves behind.
    do { _ = FileDescriptor(owning: linux_listen(directory.joinPath, 1)) }
    do { _ = FileDescriptor(owning: linux_listen(directory.announcePath, 1)) }
    try helper.kill()
    do {
      let lock = try RunLock(directory)
      #expect(!Self.exists(directory.joinPath))
      #expect(!Self.exists(directory.announcePath))
      // The dead holder's words are gone.
      #expect(Self.holder(of: directory)?.hasPrefix("pid \(getpid()), user") == true)
      withExtendedLifetime(lock) {}
    }
    #expect(!Self.exists(directory.path))
  }

  @Test func symbolicLinkInPlaceOfTheDirectoryIsRefused() throws {
    let base = try TemporaryBase()
    let directory = try base.run()
    let target = base.path + "/target"
    mkdir(target, 0o700)
    symlink(target, directory.path)
    let error = #expect(throws: RunDirectoryError.self) { _ = try RunLock(directory) }
    guard case .unsafe(directory.path, geteuid(), let mode)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(mode & S_IFMT == S_IFLNK)
    #expect(!Self.exists(target + "/lock"))
    // The same for the directory of all runs.
    let link = base.path + "/base"
    symlink(target, link)
    #expect(throws: RunDirectoryError.self) {
      _ = try RunLock(RunDirectory(name: "x", base: link))
    }
    #expect(!Self.exists(target + "/x"))
  }

  @Test func symbolicLinkInPlaceOfTheLockIsRefused() throws {
    let base = try TemporaryBase()
    let directory = try base.run()
    let target = base.path + "/precious"
    mkdir(directory.path, 0o700)
    try "keep me".write(toFile: target, atomically: false, encoding: .utf8)
    symlink(target, directory.lockPath)
    let error = #expect(throws: RunDirectoryError.self) { _ = try RunLock(directory) }
    #expect(error == .notALock(path: directory.lockPath))
    #expect(try String(contentsOfFile: target, encoding: .utf8) == "keep me")
    // One that leads nowhere makes no file there.
    unlink(directory.lockPath)
    symlink(base.path + "/nowhere", directory.lockPath)
    #expect(throws: RunDirectoryError.self) { _ = try RunLock(directory) }
    #expect(!Self.exists(base.path + "/nowhere"))
  }

  @Test(arguments: [0o701, 0o710, 0o750, 0o755, 0o777] as [mode_t])
  func directoryThatOthersCanEnterIsRefused(mode: mode_t) throws {
    let base = try TemporaryBase()
    let directory = try base.run()
    mkdir(directory.path, 0o700)
    chmod(directory.path, mode)
    #expect(
      throws: RunDirectoryError.unsafe(
        path: directory.path, owner: geteuid(), mode: S_IFDIR | mode)
    ) { _ = try RunLock(directory) }
    #expect(!Self.exists(directory.lockPath))
    chmod(directory.path, 0o700)
    chmod(base.path, mode)
    #expect(
      throws: RunDirectoryError.unsafe(path: base.path, owner: geteuid(), mode: S_IFDIR | mode)
    ) { _ = try RunLock(directory) }
  }

  @Test(.enabled(if: geteuid() == 0, "needs root"))
  func directoryOfSomebodyElseIsRefused() throws {
    let base = try TemporaryBase()
    let directory = try base.run()
    mkdir(directory.path, 0o700)
    chown(directory.path, 65_534, 65_534)
    #expect(
      throws: RunDirectoryError.unsafe(
        path: directory.path, owner: 65_534, mode: S_IFDIR | 0o700)
    ) { _ = try RunLock(directory) }
  }

  @Test func fileInPlaceOfTheDirectoryIsRefused() throws {
    let base = try TemporaryBase()
    let directory = try base.run()
    try "x".write(toFile: directory.path, atomically: false, encoding: .utf8)
    #expect(throws: RunDirectoryError.self) { _ = try RunLock(directory) }
  }

  /// What is no plain file and has the name of a file of a run.
  enum Nuisance: String, CaseIterable {
    case pipe, directory, socket, link, danglingLink

    func put(_ path: String) {
      switch self {
      case .pipe: #expect(mkfifo(path, 0o600) == 0)
      case .directory: #expect(mkdir(path, 0o700) == 0)
      case .socket:
        let listener = linux_listen(path, 1)
        #expect(listener >= 0)
        close(listener)
      case .link: #expect(symlink("/etc/hostname", path) == 0)
      case .danglingLink: #expect(symlink("/nowhere", path) == 0)
      }
    }
  }

  /// A start, a look and a removal: none waits for it, none uses it, and none removes it.
  @Test(arguments: Nuisance.allCases) func whatIsNoLockIsRefusedAndStays(nuisance: Nuisance) throws
  {
    let base = try TemporaryBase()
    let directory = try base.run()
    #expect(mkdir(directory.path, 0o700) == 0)
    nuisance.put(directory.lockPath)
    try within("an answer about \(nuisance)") {
      let refusal = RunDirectoryError.notALock(path: directory.lockPath)
      #expect(throws: refusal) { _ = try RunLock(directory) }
      #expect(throws: refusal) { try directory.state() }
      #expect(Failure(refusal).status == .notPermitted)
      #expect(directory.holder == nil)
      #expect(directory.owner.processID == nil)
      #expect(directory.reclaim() == nil)
      var past = [timespec](repeating: timespec(tv_sec: 1_000_000_000, tv_nsec: 0), count: 2)
      #expect(utimensat(AT_FDCWD, directory.lockPath, &past, AT_SYMLINK_NOFOLLOW) == 0)
      #expect(directory.reclaim() == nil)
    }
    var status = stat()
    #expect(lstat(directory.lockPath, &status) == 0)
  }

  /// Whatever the umask, its own user can enter the directory and open the lock, and nobody else.
  @Test func modesDoNotDependOnTheUmask() async {
    await #expect(processExitsWith: .success) {
      for mask in [0o000, 0o077, 0o177, 0o277, 0o777] as [mode_t] {
        let base = try TemporaryBase()
        umask(mask)
        let directory = try RunDirectory(name: "a", base: base.path + "/runs")
        let lock = try RunLock(directory)
        umask(0o022)
        #expect(Self.mode(directory.base) == 0o700)
        #expect(Self.mode(directory.path) == 0o700)
        #expect(Self.mode(directory.lockPath) == 0o600)
        withExtendedLifetime((base, lock)) {}
      }
    }
  }

  /// A directory that an earlier umask closed to its own user spoils no later start, and no look.
  @Test(arguments: [0o600, 0o500, 0o000] as [mode_t])
  func directoryThatItsUserCannotEnterIsOpened(mode: mode_t) throws {
    let base = try TemporaryBase()
    let directory = try RunDirectory(name: "a", base: base.path + "/runs")
    #expect(mkdir(directory.base, 0o700) == 0)
    #expect(mkdir(directory.path, mode) == 0)
    #expect(chmod(directory.base, mode) == 0)
    #expect(try RunDirectory.names(in: directory.base) == ["a"])
    let lock = try RunLock(directory)
    #expect(Self.mode(directory.base) == 0o700)
    #expect(Self.mode(directory.path) == 0o700)
    withExtendedLifetime(lock) {}
  }

  @Test func baseThatCannotBeMadeIsAnError() throws {
    let directory = try RunDirectory(name: "a", base: "/nowhere/at/all")
    #expect(
      throws: RunDirectoryError.system(
        SystemCallError(call: "mkdir", path: "/nowhere/at/all", errno: ENOENT))
    ) { _ = try RunLock(directory) }
  }
}

// MARK: - What is left behind

extension RunLockTests {
  /// All files of a directory, but for the lock.
  private static func files(of directory: RunDirectory) -> [String] {
    [directory.joinPath, directory.announcePath, directory.controlPath, directory.eventsPath]
  }

  @Test func filesOfADeadSimAreRemovedAndSoAreThoseOfTheNextOne() throws {
    let base = try TemporaryBase()
    let directory = try base.run()
    mkdir(directory.path, 0o700)
    for path in Self.files(of: directory) + [directory.lockPath] {
      close(open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600))
    }
    do {
      let lock = try RunLock(directory)
      #expect(Self.files(of: directory).filter(Self.exists) == [])
      for path in Self.files(of: directory) {
        close(open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600))
      }
      withExtendedLifetime(lock) {}
    }
    // A directory with a file in it could not be removed.
    #expect(!Self.exists(directory.path))
  }

  @Test func holderThatHasNotSignedYetIsStarting() throws {
    let base = try TemporaryBase()
    let directory = try base.run()
    mkdir(directory.path, 0o700)
    let file = FileDescriptor(
      owning: open(directory.lockPath, O_RDWR | O_CREAT | O_CLOEXEC, 0o600))
    #expect(flock(file.number, LOCK_EX | LOCK_NB) == 0)
    #expect(Self.holder(of: directory) == "starting")
  }

  /// A program may be started without standard input: descriptor 0 is one like any other.
  @Test func programWithoutStandardInputHoldsItsRun() async {
    await #expect(processExitsWith: .success) {
      let base = try TemporaryBase()
      close(STDIN_FILENO)
      let lock = try RunLock(base.run())
      #expect(fcntl(STDIN_FILENO, F_GETFD) >= 0)
      #expect(Self.exists(lock.directory.lockPath))
      withExtendedLifetime(lock) {}
    }
    await #expect(processExitsWith: .success) {
      close(STDIN_FILENO)
      #expect(SmallFile.read("/proc/self/status") != nil)
      // Another thread may have opened something meanwhile: here it is 0 for certain.
      let file = open("/dev/null", O_RDONLY)
      #expect(FileDescriptor(owning: dup2(file, STDIN_FILENO)).number == 0)
    }
  }
}

// MARK: - Who holds it

extension RunLockTests {
  @Test func holderSaysWhoItIsAndSinceWhen() throws {
    let base = try TemporaryBase()
    let directory = try base.run()
    mkdir(directory.path, 0o700)
    // More than a holder says of itself.
    let stale = String(repeating: "stale\n", count: 100)
    try stale.write(toFile: directory.lockPath, atomically: false, encoding: .utf8)
    let earliest = Clock.wallNs() / 1_000_000_000
    let lock = try RunLock(directory)
    let latest = Clock.wallNs() / 1_000_000_000
    let text = try #require(SmallFile.read(directory.lockPath))
    let numbers = text.split { $0 == " " || $0 == "\n" }.compactMap { UInt64($0) }
    let since = try #require(numbers.last)
    #expect(text == "pid \(getpid())\nuser \(geteuid())\nsince \(since) Unix time\n")
    #expect((earliest...latest).contains(since))
    let holder = RunOwner(lockText: text).description
    #expect(Self.holder(of: directory) == holder)
    #expect(holder.hasPrefix("pid \(getpid()), user \(geteuid()), since 20"))
    #expect(
      RunOwner(lockText: "pid 7\nsince 1795400000 Unix time\n").description
        == "pid 7, since 2026-11-23 02:13:20 UTC")
    // What no calendar has, and what is no number, stays as it was written.
    for line in ["since 18446744073709551615 Unix time", "since 999999999999999 s", "since when"] {
      #expect(RunOwner(lockText: "pid 7\n\(line)\n").description == "pid 7, \(line)")
    }
    withExtendedLifetime(lock) {}
  }

  /// What a call that failed long ago left in `errno` is not taken for a failure of this one.
  @Test func lockThatIsDescriptorZeroIsTakenOnce() async {
    await #expect(processExitsWith: .success) {
      /// Whether the lock takes the number, and leaves it.
      func isTakenOnce() throws -> Bool {
        let base = try TemporaryBase()
        let directory = try base.run()
        rmdir(base.path)
        close(STDIN_FILENO)
        errno = ENOENT
        do {
          let lock = try RunLock(directory)
          guard fcntl(STDIN_FILENO, F_GETFD) >= 0 else { return false }
          withExtendedLifetime(lock) {}
        }
        return fcntl(STDIN_FILENO, F_GETFD) == -1
      }
      // A thread of a library may take the number meanwhile; a lock that stays has it each time.
      let isTaken = try (0..<10).contains { _ in try isTakenOnce() }
      #expect(isTaken)
    }
  }
}

// MARK: - A lock's file that is replaced

/// A lease on a file: whoever opens it waits until the lease is given back.
///
/// Linux alone has these, and not on every file system.
private final class Lease: Sendable {
  private let file: FileDescriptor

  /// From linux/fcntl.h, whose macros Swift does not see.
  private static let setSignal: CInt = 10
  private static let setLease: CInt = 1024
  private static let getLease: CInt = 1025

  /// Makes a file and takes its lease.
  init(_ path: String) throws {
    file = FileDescriptor(
      owning: try systemCall("open", path) { open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600) })
    // Who is to give it back is told by a signal: one that nobody minds.
    try systemCall("fcntl", path) { fcntl(file.number, Self.setSignal, SIGURG) }
    try systemCall("fcntl", path) { fcntl(file.number, Self.setLease, F_WRLCK) }
  }

  /// Whether somebody waits for it.
  var isWanted: Bool { fcntl(file.number, Self.getLease) != F_WRLCK }

  func giveBack() { _ = fcntl(file.number, Self.setLease, F_UNLCK) }

  /// Whether the file system at a place has leases.
  static func exists(at path: String) -> Bool { (try? Lease(path + "/lease")) != nil }
}

extension RunLockTests {
  /// A sim that ends removes the lock's file and its successor makes another: who had opened the first one just before
  /// holds a lock on nothing.
  @Test func lockOfAFileThatWasReplacedIsNoHold() throws {
    let base = try TemporaryBase()
    guard Lease.exists(at: base.path) else { return }
    let directory = try base.run()
    mkdir(directory.path, 0o700)
    let lease = try Lease(directory.lockPath)
    let outcome = Monitor<String?>(nil)
    let starting = try TestThread("a start") {
      let holder = Self.holder(of: directory)
      outcome.change { $0 = holder ?? "nobody" }
    }
    // It has the first file's name, and waits to have it open.
    try waitUntil("the lock's file to be opened") { lease.isWanted }
    unlink(directory.lockPath)
    let successor = try RunLock(directory)
    lease.giveBack()
    try starting.join()
    #expect(outcome.read { $0 }?.hasPrefix("pid \(getpid()), user ") == true)
    #expect(Self.exists(directory.lockPath))
    withExtendedLifetime(successor) {}
  }

  @Test func lockOfAFileThatWasRemovedIsNoHold() throws {
    let base = try TemporaryBase()
    guard Lease.exists(at: base.path) else { return }
    let directory = try base.run()
    mkdir(directory.path, 0o700)
    let lease = try Lease(directory.lockPath)
    let taken = Monitor<RunLock?>(nil)
    let starting = try TestThread("a start") {
      let lock = try RunLock(directory)
      taken.change { $0 = lock }
    }
    try waitUntil("the lock's file to be opened") { lease.isWanted }
    unlink(directory.lockPath)
    lease.giveBack()
    try starting.join()
    // It made the file again, and holds that.
    #expect(Self.holder(of: directory)?.hasPrefix("pid \(getpid()), user ") == true)
    #expect(taken.read { $0 != nil })
  }
}

// MARK: - Races

extension RunLockTests {
  /// What starters met.
  private struct Tally {
    var wins = 0
    var taken = 0
    var others: [String] = []
    var holders = 0
    var holdersMost = 0
  }

  /// Counts what taking the lock gives; a winner keeps it until `release`.
  private static func start(
    _ directory: RunDirectory, _ tally: Monitor<Tally>
  ) -> RunLock? {
    do {
      let lock = try RunLock(directory)
      tally.change {
        $0.wins += 1
        $0.holders += 1
        $0.holdersMost = max($0.holdersMost, $0.holders)
      }
      return lock
    } catch .taken {
      tally.change { $0.taken += 1 }
    } catch {
      tally.change { $0.others.append("\(error)") }
    }
    return nil
  }

  /// Waits, without sleeping, until so many have come to a gate.
  private static func pass(_ gate: Monitor<Int>, _ count: Int) throws {
    let deadline = Clock.monotonicNs() + patienceNs
    while gate.read({ $0 < count }) {
      if Clock.monotonicNs() > deadline { throw StartersMissing() }
      sched_yield()
    }
  }

  private struct StartersMissing: Error {}

  @Test(arguments: [2, 4])
  func ofStartersAtOnceExactlyOneWins(starters: Int) throws {
    let base = try TemporaryBase()
    for round in 0..<(100 * testEffort) {
      let directory = try base.run("round-\(round)")
      // Every other round finds what a dead sim left.
      if round % 2 == 1 {
        mkdir(directory.path, 0o700)
        close(open(directory.lockPath, O_RDWR | O_CREAT | O_CLOEXEC, 0o600))
      }
      let tally = Monitor(Tally())
      let gate = Monitor(0)
      let threads = try (0..<starters).map { _ in
        try TestThread("one of \(starters) starters of round \(round)") {
          gate.change { $0 += 1 }
          try Self.pass(gate, starters)
          let lock = Self.start(directory, tally)
          gate.change { $0 += 1 }
          try Self.pass(gate, 2 * starters)
          withExtendedLifetime(lock) {}
        }
      }
      for thread in threads { try thread.join() }
      let found = tally.change { $0 }
      try #require(found.wins == 1, "round \(round): \(found)")
      try #require(found.taken == starters - 1, "round \(round): \(found)")
      try #require(!Self.exists(directory.path), "round \(round)")
    }
  }

  @Test func comingAndGoingSimsAreNeverTwo() throws {
    let base = try TemporaryBase()
    let directory = try base.run()
    let tally = Monitor(Tally())
    let threads = try (0..<3).map { _ in
      try TestThread("500 starts and ends") {
        for _ in 0..<(500 * testEffort) {
          guard let lock = Self.start(directory, tally) else { continue }
          // Long enough for another to slip in, if it could.
          for _ in 0..<3 { sched_yield() }
          tally.change { $0.holders -= 1 }
          withExtendedLifetime(lock) {}
        }
      }
    }
    for thread in threads { try thread.join() }
    let found = tally.change { $0 }
    #expect(found.holdersMost == 1)
    #expect(found.others.isEmpty, "\(found.others.prefix(3)) of \(found.others.count)")
    #expect(found.wins + found.taken == 1500 * testEffort)
    #expect(!Self.exists(directory.path))
  }
}
