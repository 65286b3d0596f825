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
