// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import OrreryBase
import OrreryFrame
import Synchronization
import TestSupport
import Testing

/// Goal: a ring whose bytes change under its readers, as no honest writer would change them, is an error or
/// wrong values, and never a trap or a look outside the segment.
///
/// Method: flip bits of a copy of a ring, most of them where sizes and places stand, while a reader that
/// had opened it goes on, and others open it anew; in one thread after each flip, and in two at a time.
/// 1,000,000 flips with `ORRERY_TEST_EFFORT=25`.
@Suite struct CorruptMappingTests {
  /// A ring's bytes in a memory file that this test can write to.
  private final class Copy: @unchecked Sendable {
    let file: FileDescriptor
    let byteCount: Int
    private let good: [UInt8]
    private let base: UnsafeMutableRawPointer

    init() throws {
      let layout = try FrameLayout(columns: [
        ColumnDescription(
          batch: 0, field: 1, firstEntity: 0, valueCount: 9, format: .float32),
        ColumnDescription(
          batch: 1, field: 2, firstEntity: 9, valueCount: 5, format: .fixed16(unit: 0.5)),
      ])
      let writer = try FrameWriter(
        layout: layout, slotCount: 4, spareCount: 2, staticPart: [1, 2, 3, 4], generation: 7,
        delivery: .live, lookAhead: 1)
      for sequence in 1...6 as ClosedRange<UInt64> {
        writer.claim()
        writer.publish(
          FrameStamp(tick: sequence, simTimeNs: 1, publishTimeNs: 2, stateHash: 3))
      }
      byteCount = Int(writer.segmentBytes)
      var bytes = [UInt8](repeating: 0, count: byteCount)
      let got = pread(writer.descriptor.number, &bytes, bytes.count, 0)
      try #require(got == byteCount)
      good = bytes
      file = FileDescriptor(
        owning: try systemCall("memfd_create", "test") { linux_memory_file("orrery-test") })
      let number = file.number
      try systemCall("ftruncate", "test") { ftruncate(number, off_t(bytes.count)) }
      // Mapped before it is sealed, as the writer of a ring does.
      let base = mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_SHARED, number, 0)
      self.base = try #require(base == MAP_FAILED ? nil : base)
      try systemCall("fcntl", "test") { linux_seal_against_readers(number) }
      restore()
    }

    deinit { munmap(base, byteCount) }

    func restore() {
      let target = UnsafeMutableRawBufferPointer(start: base, count: byteCount)
      good.withUnsafeBytes { target.copyMemory(from: $0) }
    }

    /// Flips one bit: of the header, of the columns' table or of the slots' state three times of four.
    func flip(_ random: inout SeededRandom) {
      let page = Int.random(in: 0..<4, using: &random)
      let offset =
        page < 3
        ? page * 4096 + Int.random(in: 0..<256, using: &random)
        : Int.random(in: 0..<byteCount, using: &random)
      let byte = base.load(fromByteOffset: offset, as: UInt8.self)
      let bit = UInt8(1) << UInt8.random(in: 0..<8, using: &random)
      base.storeBytes(of: byte ^ bit, toByteOffset: offset, as: UInt8.self)
    }

    func open() throws(FrameError) -> FrameReader {
      try FrameReader(descriptor: file, segmentBytes: UInt64(byteCount))
    }
  }

  /// Uses everything that a reader offers.
  private static func use(_ reader: FrameReader, _ random: inout SeededRandom) -> UInt64 {
    var sum = reader.staticPart.reduce(0) { $0 &+ UInt64($1) } &+ (reader.hasEnded ? 1 : 0)
    let newest = reader.published
    for sequence in [UInt64.random(in: 1...8, using: &random), max(newest, 1), newest + 1, .max] {
      guard case .frame(let view) = reader.acquire(sequence) else { continue }
      sum &+= view.stamp().tick
      let values = FloatColumns(reader.layout)
      for index in reader.layout.columns.indices {
        sum = values.values(index, in: view.bytes).reduce(sum) { $0 &+ UInt64($1.bitPattern) }
      }
      sum &+= reader.isWhole(view) ? 1 : 0
    }
    return sum
  }

  /// What was computed, so that it is.
  private static let sink = Atomic<UInt64>(0)

  @Test
  func fault13FlippedBitsNeverTrap() throws {
    let copy = try Copy()
    var random = SeededRandom(seed: 13)
    var (opened, refused) = (0, 0)
    var reader = try copy.open()
    for flip in 0..<40_000 * testEffort {
      if flip % 16 == 0 {
        copy.restore()
        reader = try copy.open()
      }
      copy.flip(&random)
      var sum = Self.use(reader, &random)
      do throws(FrameError) {
        let other = try copy.open()
        opened += 1
        sum &+= Self.use(other, &random)
      } catch {
        refused += 1
      }
      Self.sink.wrappingAdd(sum, ordering: .relaxed)
    }
    #expect(opened > 1000)
    #expect(refused > 1000)
    print("fault 13: \(40_000 * testEffort) flips: opened \(opened) times, refused \(refused)")
  }

  @Test
  func fault13BitsFlippedWhileReadingNeverTrap() throws {
    let copy = try Copy()
    let reader = try copy.open()
    let isOver = Atomic<Bool>(false)
    let flips = Atomic<Int>(0)
    let thread = try BackgroundThread {
      var random = SeededRandom(seed: 131)
      while !isOver.load(ordering: .relaxed) {
        if flips.add(1, ordering: .relaxed).newValue % 64 == 0 { copy.restore() }
        copy.flip(&random)
      }
    }
    var random = SeededRandom(seed: 132)
    let looks = 4_000 * testEffort
    for _ in 0..<looks {
      var sum = Self.use(reader, &random)
      if let other = try? copy.open() { sum &+= Self.use(other, &random) }
      Self.sink.wrappingAdd(sum, ordering: .relaxed)
    }
    isOver.store(true, ordering: .relaxed)
    thread.join()
    print("fault 13: \(flips.load(ordering: .relaxed)) flips under \(looks) looks")
  }
}
