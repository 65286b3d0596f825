// SPDX-License-Identifier: Apache-2.0

import CFrameLayout
import Glibc
import OrreryBase
import OrreryFrame
import TestSupport
import Testing

/// Goal: what a process counts is what others read, whatever stands in the directory of counters; and nothing stays of a
/// process that has ended.
///
/// Method: pages of this process in directories of a test; pages whose bytes are made by hand, in sealed memory files
/// as well; each byte of what describes a page, changed.
@Suite struct CounterPageTests {
  private static func page(_ base: TemporaryBase) throws -> CounterPage {
    try CounterPage(
      SimCounter.self, facts: ["program": "sim", "run": "demo", "scene": "a\nb \u{1b}[2J"],
      in: CounterDirectory(base: base.path))
  }

  private static func path(_ base: TemporaryBase) throws -> String {
    let directory = CounterDirectory(base: base.path)
    return directory.path + "/" + (try #require(try directory.links().first))
  }

  private static func bytes(_ path: String) throws -> [UInt8] {
    let file = FileDescriptor(owning: try systemCall("open", path) { open(path, O_RDONLY) })
    var status = stat()
    fstat(file.number, &status)
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    #expect(read(file.number, &bytes, bytes.count) == bytes.count)
    return bytes
  }

  /// A page of these bytes, linked like one of this process.
  private final class HandMadePage {
    let path: String
    private let file: FileDescriptor
    private let segment: SharedSegment

    init(_ bytes: [UInt8], in base: TemporaryBase) throws {
      let file = try SharedSegment.makeFile(bytes: UInt64(bytes.count), name: "test")
      segment = try SharedSegment(writing: file, bytes: UInt64(bytes.count))
      segment.base.copyMemory(from: bytes, byteCount: bytes.count)
      let directory = CounterDirectory(base: base.path)
      path = directory.path + "/" + (try directory.link(to: file.number))
      self.file = file
    }

    deinit { unlink(path) }
  }

  @Test func whatIsCountedIsRead() throws {
    let base = try TemporaryBase()
    let page = try Self.page(base)
    page.setGeneration(.max)
    page.begin()
    page.set(SimCounter.frames.rawValue, 12)
    page.set(SimCounter.frameBytes.rawValue, .max)
    for ns in [UInt64(0), 7, 7, 1_000_000, .max] {
      page.record(SimCounter.workTimesNs.rawValue, ns: ns)
    }
    page.end()
    let path = try Self.path(base)
    let reading = try CounterReading(path: path)
    #expect(reading.processID == getpid() && reading.generation == .max && reading.isWhole)
    #expect(reading.startedNs <= reading.readNs && reading.readNs <= Clock.monotonicNs())
    #expect(reading[SimCounter.frames] == 12 && reading[SimCounter.frameBytes] == .max)
    #expect(reading[SimCounter.tick] == 0 && reading[SubscriberCounter.received] == 0)
    let times = reading.times(SimCounter.workTimesNs)
    #expect(times.count == 5 && times.quantile(0.5) == 7 && times.max == .max)
    #expect(times.sum == 1_000_013, "the sum wraps")
    #expect(reading.times(SimCounter.publishTimesNs).count == 0)
    // Without what a terminal would obey.
    #expect(reading.fact("run") == "demo" && reading.fact("scene") == "a b ?[2J")
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
  }

  @Test func labelsAreInSnakeCaseAndEndInTheirUnit() {
    #expect(SimCounter.workTimesNs.label == "work_times_ns")
    #expect(SimCounter.frames.label == "frames")
    #expect(SubscriberCounter.fileBytes.label == "file_bytes")
  }

  /// A process may be stopped while it stores.
  @Test func wordsOfTwoMomentsAreReadButNotCalledWhole() throws {
    let base = try TemporaryBase()
    let page = try Self.page(base)
    page.begin()
    page.set(SimCounter.frames.rawValue, 3)
    let reading = try CounterReading(path: Self.path(base))
    #expect(!reading.isWhole && reading[SimCounter.frames] == 3)
    page.end()
    #expect(try CounterReading(path: Self.path(base)).isWhole)
  }

  @Test func nothingStaysOfAPage() throws {
    let base = try TemporaryBase()
    let directory = CounterDirectory(base: base.path)
    do {
      let pages = try [Self.page(base), Self.page(base)]
      #expect(try directory.links().count == 2)
      withExtendedLifetime(pages) {}
    }
    #expect(try directory.links() == [])
    #expect(access(directory.path, F_OK) != 0)
  }

  /// Of a process that was killed; another container's is out of sight.
  @Test func linksOfDeadProcessesAreRemoved() throws {
    let base = try TemporaryBase()
    let page = try Self.page(base)
    let directory = CounterDirectory(base: base.path)
    let living = try #require(try directory.links().first)
    let space = try #require(living.split(separator: "-").first)
    let dead = directory.path + "/\(space)-2147483000-0"
    let foreign = directory.path + "/1-2147483000-0"
    for path in [dead, foreign] { symlink("/proc/2147483000/fd/3", path) }
    let ours = directory.path + "/\(space)-\(getpid())-77"
    // A number that another process got: its descriptor leads to something else.
    symlink("/proc/self/fd/0", ours)
    #expect(try directory.readings().readings.count == 1)
    #expect(try Set(directory.reclaim()) == [dead, ours])
    #expect(try directory.links() == [living])
    var status = stat()
    #expect(lstat(foreign, &status) == 0)
    withExtendedLifetime(page) {}
  }

  @Test func directoryOfOthersIsRefused() throws {
    let base = try TemporaryBase()
    let directory = CounterDirectory(base: base.path)
    mkdir(directory.path, 0o700)
    chmod(directory.path, 0o755)
    #expect(throws: RunDirectoryError.self) { try directory.readings() }
    #expect(throws: RunDirectoryError.self) { try Self.page(base) }
  }

  // MARK: - Bytes of others

  private static func change(_ bytes: [UInt8], at offset: Int, to value: UInt8) -> [UInt8] {
    var bytes = bytes
    bytes[offset] = value
    return bytes
  }

  /// What is no page at all is that of a process that has ended; what is one of another version is said.
  @Test func whatIsNoPageOfThisVersionIsRefused() throws {
    let base = try TemporaryBase()
    let page = try Self.page(base)
    let bytes = try Self.bytes(Self.path(base))
    withExtendedLifetime(page) {}
    func fault(_ bytes: [UInt8]) throws -> CounterFault? {
      let page = try HandMadePage(bytes, in: base)
      do throws(CounterFault) {
        _ = try CounterReading(path: page.path)
        return nil
      } catch {
        return error
      }
    }
    #expect(try fault(bytes) == nil)
    #expect(try fault(Self.change(bytes, at: 0, to: 0)) == .gone)
    #expect(try fault(Array(bytes.prefix(64))) == .gone)
    for (offset, value, words) in [
      (8, 2, "version 2, not 1"), (16, 1, "bytes, not"), (33, 255, "labels"), (37, 255, "text"),
      (1024 + 40, 9, "counter 1, 'phase', is outside"), (1024 + 44, 2, "counter 1"),
      (1024 + 48, 1, "counter 1"), (1024 + 52, 255, "counter 1"), (1024 + 64 + 49, 0, "counter 2"),
    ] as [(Int, UInt8, String)] {
      let fault = try fault(Self.change(bytes, at: offset, to: value))
      #expect(fault?.description.contains(words) == true, "\(offset): \(fault as Any)")
      #expect(fault?.description.contains("\n") == false)
    }
  }

  @Test func eachChangedByteIsReportedOrHarmless() throws {
    let base = try TemporaryBase()
    let page = try Self.page(base)
    let bytes = try Self.bytes(Self.path(base))
    withExtendedLifetime(page) {}
    for offset in (0..<128).map({ $0 }) + Array(1024..<1024 + 64 * SimCounter.allCases.count) {
      for value in [bytes[offset] ^ 0xff, bytes[offset] ^ 1, 0x80] {
        let page = try HandMadePage(Self.change(bytes, at: offset, to: value), in: base)
        if let reading = try? CounterReading(path: page.path) {
          _ = DurationReport(reading.times(SimCounter.workTimesNs))
        }
      }
    }
    // Counts whose sums wrap.
    let full = Array(bytes.prefix(2304)) + [UInt8](repeating: 0xff, count: bytes.count - 2304)
    let wrapping = try HandMadePage(full, in: base)
    let reading = try CounterReading(path: wrapping.path)
    _ = DurationReport(reading.times(SimCounter.workTimesNs).since(Histogram()))
  }

  /// A file that could be cut under its reader is not mapped.
  @Test func plainFileIsNoPage() throws {
    let base = try TemporaryBase()
    let page = try Self.page(base)
    let path = try Self.path(base)
    let bytes = try Self.bytes(path)
    let file = base.path + "/file"
    let descriptor = FileDescriptor(owning: open(file, O_RDWR | O_CREAT, 0o600))
    try descriptor.writeAll(bytes, path: file)
    let link = CounterDirectory(base: base.path).path + "/1-\(getpid())-9"
    symlink(file, link)
    #expect(throws: CounterFault.gone) { try CounterReading(path: link) }
    withExtendedLifetime(page) {}
  }
}
