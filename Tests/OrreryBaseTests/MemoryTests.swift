// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import Testing

/// Goal: what the machine says of itself is read right.
@Suite struct MemoryTests {
  @Test func availableMemoryIsWithinWhatTheMachineHas() throws {
    let machine = ProcessInfo.processInfo.physicalMemory
    let available = Memory.availableBytes()
    #expect(available > 1 << 20)
    #expect(available <= machine)
  }

  @Test func lastLevelCacheIsOfASensibleSize() throws {
    let bytes = try #require(Memory.lastLevelCacheBytes())
    #expect((1 << 17...1 << 33).contains(bytes))
  }

  @Test(
    arguments: [
      ("48K\n", 48 << 10), ("491520K", 491_520 << 10), ("2M\n", 2 << 20), ("1G", 1 << 30),
      ("512\n", 512), ("", nil), ("K", nil), ("12X", nil), ("18446744073709551615K", nil),
    ] as [(String, UInt64?)])
  func cacheSizeIsReadWithItsUnit(text: String, bytes: UInt64?) {
    #expect(Memory.cacheBytes(text) == bytes)
  }

  @Test(
    arguments: [
      ("Two:   7 kB\nOne:\t5 kB\n", 5 * 1_024), ("One: 0 kB\n", 0), ("One:\n", nil),
      ("OneMore: 3 kB\n", nil), ("One: many kB\n", nil), ("One: 5\nOne: 6\n", 5 * 1_024),
      ("", nil), (" One: 5 kB", nil),
    ] as [(String, UInt64?)])
  func lineIsReadAsTheKernelWritesIt(text: String, bytes: UInt64?) {
    #expect(Memory.bytes(of: "One", in: text) == bytes)
  }

  /// Whatever lies beside whole huge pages is left alone, and nothing is lost.
  @Test func preferenceForHugePagesKeepsWhatIsThere() {
    let page = Memory.hugePageBytes
    for (offset, bytes) in [(0, 3 * page), (64, 3 * page), (4096, page), (0, page - 1), (0, 0)] {
      let memory = UnsafeMutableRawPointer.allocate(byteCount: 4 * page, alignment: page)
      defer { memory.deallocate() }
      memory.initializeMemory(as: UInt8.self, repeating: 7, count: 4 * page)
      Memory.preferHugePages(memory + offset, bytes: bytes)
      let words = memory.assumingMemoryBound(to: UInt8.self)
      #expect((0..<(4 * page)).allSatisfy { words[$0] == 7 })
    }
  }

  @Test func smallFileIsReadWhole() throws {
    let path = NSTemporaryDirectory() + "orrery-small-file-\(UUID())"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let text = String(repeating: "orrery\n", count: 2_000)
    try text.write(toFile: path, atomically: false, encoding: .utf8)
    #expect(SmallFile.read(path) == text)
    // Longer ones are cut at 64 KiB.
    try String(repeating: "x", count: 70_000).write(
      toFile: path, atomically: false, encoding: .utf8)
    #expect(SmallFile.read(path)?.utf8.count == 65_536)
  }

  @Test(
    arguments: [("42\n", 42), ("7 8", 7), ("max\n", nil), ("", nil), ("-1\n", nil)]
      as [(String, UInt64?)])
  func numberIsReadUpToTheFirstSpace(text: String, number: UInt64?) throws {
    let path = NSTemporaryDirectory() + "orrery-number-\(UUID())"
    defer { try? FileManager.default.removeItem(atPath: path) }
    try text.write(toFile: path, atomically: false, encoding: .utf8)
    #expect(SmallFile.readNumber(path) == number)
  }

  @Test func fileThatIsNotThereIsNil() {
    #expect(SmallFile.read("/nowhere/at/all") == nil)
    #expect(SmallFile.readNumber("/nowhere/at/all") == nil)
  }
}
