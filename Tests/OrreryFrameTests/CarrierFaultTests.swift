// SPDX-License-Identifier: Apache-2.0

import CFrameLayout
import Foundation
import Glibc
import OrreryBase
import OrreryFrame
import TestSupport
import Testing

/// Faults of the two carriers of a ring; `faultNN` is row NN of the catalogue.
///
/// Method: rings in /dev/shm under names that no other test has, and what a hostile reader may try with the
/// descriptor that it was given.
@Suite(.serialized) struct CarrierFaultTests {
  private static func freshName() -> String {
    "orrery-test-\(getpid())-\(UInt32.random(in: 0 ... .max))"
  }

  private static func writer(named name: String, generation: UInt64 = 5) throws -> FrameWriter {
    try FrameWriter(
      layout: FrameLayout(counts: [8]), slotCount: 4, staticPart: [1, 2, 3], generation: generation,
      delivery: .live, carrier: Carrier(name: name))
  }

  @Test func namedRingIsReadByItsNameAndGoesWithItsWriter() throws {
    let name = Self.freshName()
    var writer: FrameWriter? = try Self.writer(named: name)
    writer?.publishNext()
    let reader = try FrameReader(named: name)
    #expect(reader.generation == 5)
    #expect(reader.acquire(1).view?.holdsTestValues(reader.layout) == true)
    var status = stat()
    #expect(lstat(Carrier.path(of: name), &status) == 0)
    #expect(status.st_mode == S_IFREG | 0o600)
    #expect(throws: FrameError.segmentTaken(path: Carrier.path(of: name))) {
      _ = try Self.writer(named: name)
    }
    writer = nil
    #expect(access(Carrier.path(of: name), F_OK) != 0)
    // Who has it mapped goes on.
    #expect(reader.acquire(1).view?.holdsTestValues(reader.layout) == true)
  }

  @Test(arguments: ["", ".", "..", "a/b", "/abs", "-x", "a b", String(repeating: "x", count: 65)])
  func badNameOfASegmentIsRefused(name: String) {
    #expect(throws: FrameError.badSegmentName(name)) { _ = try Carrier(name: name) }
  }

  @Test func fault10StaleSegmentIsReclaimedAndOthersAreLeftAlone() throws {
    let name = Self.freshName()
    let path = Carrier.path(of: name)
    defer { unlink(path) }
    for _ in 0..<(10 * testEffort) {
      // What a killed sim leaves: a ring that nobody has locked.
      let bytes = withUnsafeBytes(of: RING_MAGIC) { Data($0) } + Data(count: 4088)
      #expect(
        FileManager.default.createFile(
          atPath: path, contents: bytes, attributes: [.posixPermissions: 0o600]))
      let writer = try Self.writer(named: name)
      #expect(try FrameReader(named: name).generation == 5)
      withExtendedLifetime(writer) {}
    }
    // A file of somebody else's making has no ring's magic.
    #expect(
      FileManager.default.createFile(
        atPath: path, contents: Data(count: 64), attributes: [.posixPermissions: 0o600]))
    #expect(throws: FrameError.notARing(found: 0)) { _ = try Self.writer(named: name) }
    #expect(access(path, F_OK) == 0)
  }

  /// Starters, their ends and readers at once: every error but "taken" and "not there" would be spurious.
  @Test func fault12CreatorsAndCleanersDoNotDisturbEachOther() throws {
    let name = Self.freshName()
    let found = Monitor((wins: 0, taken: 0, reads: 0, odd: [String]()))
    let isDone = Flag()
    var threads: [TestThread] = []
    for starter in 0..<2 as Range<UInt64> {
      threads.append(
        try TestThread("200 rings made and ended") {
          for round in 0..<(200 * testEffort) {
            do {
              let writer = try Self.writer(named: name, generation: 10 + starter)
              writer.publishNext()
              // Now and then for long enough that readers come.
              if round % 20 == 0 { Clock.sleep(untilMonotonicNs: Clock.monotonicNs() + 2_000_000) }
              // Nobody takes a living writer's name.
              let holder = try FrameReader(named: name).generation
              if holder != writer.generation { found.change { $0.odd.append("taken away") } }
              found.change { $0.wins += 1 }
            } catch FrameError.segmentTaken {
              found.change { $0.taken += 1 }
            } catch {
              found.change { $0.odd.append("\(error)") }
            }
          }
        })
    }
    let reader = try TestThread("the reader's end") {
      while !isDone.isSet {
        do {
          let reader = try FrameReader(named: name)
          found.change {
            $0.reads += 1
            if reader.generation != 10, reader.generation != 11 {
              $0.odd.append("generation \(reader.generation)")
            }
          }
        } catch FrameError.system(let error) where error.errno == ENOENT {
          continue
        } catch {
          found.change { $0.odd.append("reader: \(error)") }
        }
      }
    }
    for thread in threads { try thread.join() }
    isDone.set()
    try reader.join()
    let (wins, taken, reads, odd) = found.read { $0 }
    #expect(odd.isEmpty, "\(odd.prefix(3))")
    #expect(wins + taken == 400 * testEffort)
    #expect(wins > 0)
    #expect(reads > 0)
    #expect(access(Carrier.path(of: name), F_OK) != 0)
  }

  /// What a reader may try with the descriptor that it was handed; each must fail.
  private static func attacks(_ descriptor: CInt, bytes: Int) -> [(name: String, succeeded: Bool)] {
    var results: [(String, Bool)] = []
    let writable = mmap(nil, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
    results.append(("mmap for writing", writable != MAP_FAILED))
    let mapping = mmap(nil, bytes, PROT_READ, MAP_SHARED, descriptor, 0)
    results.append(("mprotect", mprotect(mapping, bytes, PROT_READ | PROT_WRITE) == 0))
    // MADV_REMOVE, which punches a hole.
    results.append(("punch a hole", madvise(mapping, 4096, 9) == 0))
    munmap(mapping, bytes)
    var byte: UInt8 = 0xff
    results.append(("write", pwrite(descriptor, &byte, 1, 128) >= 0))
    results.append(("shrink", ftruncate(descriptor, 0) == 0))
    results.append(("grow", ftruncate(descriptor, off_t(bytes * 2)) == 0))
    return results
  }

  @Test func fault21HostileReaderCannotWriteOrTruncate() throws {
    let ring = try ServedRing()
    ring.writer.publishNext()
    let connection = try RawConnection(ring.directory)
    connection.send(joinRequest())
    let (_, attached) = connection.receive()
    try #require(attached >= 0)
    defer { close(attached) }
    let bytes = Int(ring.writer.segmentBytes)
    for (name, succeeded) in Self.attacks(attached, bytes: bytes) { #expect(!succeeded, "\(name)") }
    // Opened once more with the rights that the file's mode gives.
    let reopened = open("/proc/self/fd/\(attached)", O_RDWR)
    if reopened >= 0 {
      for (name, succeeded) in Self.attacks(reopened, bytes: bytes) {
        #expect(!succeeded, "\(name), opened again")
      }
      close(reopened)
    }
    let reader = try ring.writer.makeReader()
    #expect(reader.acquire(1).view?.holdsTestValues(reader.layout) == true)
  }

  @Test func fault21ReaderOfANamedRingGetsItForReadingOnly() throws {
    let writer = try Self.writer(named: Self.freshName())
    writer.publishNext()
    let bytes = Int(writer.segmentBytes)
    for (name, succeeded) in Self.attacks(writer.descriptor.number, bytes: bytes) {
      #expect(!succeeded, "\(name)")
    }
  }
}

// MARK: - Squatters

extension CarrierFaultTests {
  private typealias Squat = (name: String, make: @Sendable (_ path: String) -> Void)

  /// What may stand under the ring's name before the sim comes.
  private static let squats: [Squat] = [
    ("symbolic link", { symlink("/tmp", $0) }),
    ("symbolic link to nothing", { symlink("/nowhere", $0) }),
    ("file open to others", { Self.file($0, mode: 0o666) }),
    ("file readable by a group", { Self.file($0, mode: 0o640) }),
    ("directory", { mkdir($0, 0o700) }),
    ("pipe", { mkfifo($0, 0o600) }),
    (
      "second name of a file",
      { path in
        Self.file(path, mode: 0o600)
        link(path, path + ".2")
      }
    ),
    (
      "another user's file",
      { path in
        Self.file(path, mode: 0o600)
        chown(path, 65_534, 65_534)
      }
    ),
  ]

  private static func file(_ path: String, mode: Int) {
    let bytes = withUnsafeBytes(of: RING_MAGIC) { Data($0) }
    #expect(FileManager.default.createFile(atPath: path, contents: bytes))
    chmod(path, mode_t(mode))
  }

  @Test(
    .enabled(if: geteuid() == 0, "needs root: one squatter is another user"),
    arguments: squats.indices)
  func fault19SquattedNameIsRefusedAndLeftAlone(index: Int) throws {
    let squat = Self.squats[index]
    let name = Self.freshName()
    let path = Carrier.path(of: name)
    squat.make(path)
    defer {
      unlink(path)
      unlink(path + ".2")
      rmdir(path)
    }
    let writing = #expect(throws: FrameError.self, "\(squat.name)") {
      _ = try Self.writer(named: name)
    }
    let reading = #expect(throws: FrameError.self, "\(squat.name)") {
      _ = try FrameReader(named: name)
    }
    for error in [writing, reading].compactMap({ $0 }) {
      #expect(error.exitStatus == .notPermitted, "\(squat.name): \(error)")
    }
    var status = stat()
    #expect(lstat(path, &status) == 0, "\(squat.name) was removed")
  }
}

// MARK: - Files that are no rings, and no room

extension CarrierFaultTests {
  /// Shorter than a magic number, and than a header.
  @Test(arguments: [0, 4, 7, 8, 255])
  func fileThatIsTooShortForARingKeepsItsName(bytes: Int) throws {
    let name = Self.freshName()
    let path = Carrier.path(of: name)
    defer { unlink(path) }
    #expect(
      FileManager.default.createFile(
        atPath: path, contents: Data(count: bytes), attributes: [.posixPermissions: 0o600]))
    #expect(throws: FrameError.notARing(found: 0)) { _ = try Self.writer(named: name) }
    #expect(throws: FrameError.corruptHeader(field: "segment_bytes", value: UInt64(bytes))) {
      _ = try FrameReader(named: name)
    }
    #expect(access(path, F_OK) == 0)
  }

  @Test func ringThatNobodyHasIsAnErrorWithItsPath() {
    let name = Self.freshName()
    let missing = SystemCallError(call: "open", path: Carrier.path(of: name), errno: ENOENT)
    #expect(throws: FrameError.system(missing)) { _ = try FrameReader(named: name) }
  }

  @Test func ringLargerThanTheFileSystemIsAnError() throws {
    let name = Self.freshName()
    var status = statvfs()
    try #require(statvfs("/dev/shm", &status) == 0)
    // One without a limit says that it has no blocks.
    guard status.f_blocks > 0 else { return }
    let free = UInt64(status.f_bavail) * UInt64(status.f_frsize)
    let layout = try FrameLayout(counts: [500_000_000])
    let carrier = try Carrier(name: name)
    let error = #expect(throws: FrameError.self) {
      _ = try FrameWriter(
        layout: layout, slotCount: 65_536, staticPart: [], generation: 1, delivery: .live,
        carrier: carrier)
    }
    guard case .notEnoughSpace(let path, let needed, let available)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(path == Carrier.path(of: name))
    #expect(needed > 65_536 * 2_000_000_000)
    #expect(available < needed)
    // Other tests take some of it meanwhile.
    #expect(available > free / 2)
    #expect(access(path, F_OK) != 0)
  }
}

// MARK: - Descriptors

extension CarrierFaultTests {
  /// This process's open descriptors, with what they are open on.
  private static func descriptors() -> [CInt: String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    var found: [CInt: String] = [:]
    for name in names {
      guard let number = CInt(name), fcntl(number, F_GETFD) >= 0 else { continue }
      found[number] =
        try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)")
    }
    return found
  }

  /// What a program starts must not hold its ring, its lock or a subscriber's lease.
  @Test func noDescriptorIsInherited() async {
    await #expect(processExitsWith: .success) {
      let before = Self.descriptors()
      let ring = try ServedRing()
      let client = try ring.join()
      let named = try Self.writer(named: Self.freshName())
      let reader = try FrameReader(named: named.carrier.testName)
      // Ring, lock, listener, two wake-ups, both ends of a connection; the named ring for writing and for reading.
      // A number of another file than before is ours, too: a library's thread may have had it.
      let opened = Self.descriptors().filter { before[$0.key] != $0.value }.map(\.key)
      precondition(opened.count >= 9, "\(opened) of \(before)")
      // A thread of a library may have a file open for a moment; ours stay.
      var inherited = opened
      for _ in 0..<10 where !inherited.isEmpty {
        inherited = inherited.filter { number in
          let flags = fcntl(number, F_GETFD)
          return flags >= 0 && flags & FD_CLOEXEC == 0
        }
        if !inherited.isEmpty { usleep(10_000) }
      }
      precondition(inherited.isEmpty, "\(inherited) of \(Self.descriptors())")
      withExtendedLifetime((client, reader)) {}
    }
  }

  @Test func ringThatIsDescriptorZeroCanBeRead() async {
    await #expect(processExitsWith: .success) {
      let writer = try Self.writer(named: Self.freshName())
      writer.publishNext()
      close(STDIN_FILENO)
      let reader = try FrameReader(named: writer.carrier.testName)
      #expect(reader.acquire(1).view?.holdsTestValues(reader.layout) == true)
    }
  }

  /// Each ring has tables of half a MiB beside its segment: one that stays shows after a few.
  @Test(.disabled(if: isSanitized, "a sanitizer keeps memory of its own"))
  func ringsAndColumnsLeaveNothingBehind() async {
    await #expect(processExitsWith: .success) {
      let layout = try FrameLayout(counts: [1 << 18], formats: [.fixed16(unit: 0.5)])
      let frame = [UInt8](repeating: 1, count: Int(layout.frameBytes))
      func use() throws {
        _ = try FrameWriter(counts: [], slots: 65_536)
        _ = try FrameWriter(counts: [], slots: 2, spares: 65_536)
        let columns = FloatColumns(layout)
        let values = frame.withUnsafeBytes { columns.values(0, in: $0).count }
        #expect(values == 1 << 18)
      }
      for _ in 0..<2 { try use() }
      let before = try #require(Memory.residentBytes())
      for _ in 0..<10 { try use() }
      let after = try #require(Memory.residentBytes())
      #expect(after < before + 3 << 20, "\(before) bytes before, \(after) after")
    }
  }
}

extension Carrier {
  /// The name that a test gave it; empty if it has none.
  fileprivate var testName: String {
    if case .named(let name) = self { name } else { "" }
  }
}
