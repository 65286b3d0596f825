// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBench
import TestSupport
import Testing

/// What writers and readers tell each other arrives as it was told, and nowhere else.
///
/// Method: every word has its own number; a second mapping of the memory reads them all.
@Suite struct HandoverMemoryTests {
  private static let words: [HandoverMemory.ReaderWord] = [
    .ready, .done, .received, .missed, .had, .slept,
  ]

  @Test func everyWordOfEveryReaderIsItsOwn() throws {
    let memory = try HandoverMemory()
    let other = try HandoverMemory(path: memory.path)
    memory.count = 77
    for reader in 0..<HandoverMemory.readersMax {
      for (index, word) in Self.words.enumerated() {
        memory.write(word, of: reader, UInt64(1000 + reader * 10 + index))
      }
    }
    for reader in 0..<HandoverMemory.readersMax {
      for (index, word) in Self.words.enumerated() {
        #expect(other.read(word, of: reader) == UInt64(1000 + reader * 10 + index), "\(word)")
      }
    }
    #expect(other.count == 77)
    #expect(other.round == 0)
  }

  @Test func timesOfReadersDoNotMeet() throws {
    let memory = try HandoverMemory()
    let other = try HandoverMemory(path: memory.path)
    let last = HandoverMemory.messagesMax - 1
    for reader in 0..<HandoverMemory.readersMax {
      memory.times(of: reader)[0] = Int64(reader)
      memory.times(of: reader)[last] = Int64(100 + reader)
    }
    for reader in 0..<HandoverMemory.readersMax {
      #expect(other.times(of: reader)[0] == Int64(reader))
      #expect(other.times(of: reader)[last] == Int64(100 + reader))
      for word in Self.words { #expect(other.read(word, of: reader) == 0, "\(word)") }
    }
    #expect(other.count == 0)
  }

  /// Readers write their words while they fill their times, which begin behind all words, on lines of their own.
  @Test func timesAreBehindAllWords() throws {
    let memory = try HandoverMemory()
    for reader in 0..<HandoverMemory.readersMax {
      let times = memory.times(of: reader)
      #expect(UInt(bitPattern: times) % 64 == 0, "reader \(reader)")
      times.update(repeating: -1, count: 64)
    }
    for reader in 0..<HandoverMemory.readersMax {
      for word in Self.words { #expect(memory.read(word, of: reader) == 0, "\(reader), \(word)") }
    }
  }

  @Test func roundsBeginOneByOneAndNobodyWaitsForOneThatIsThere() throws {
    let memory = try HandoverMemory()
    memory.beginRound()
    #expect(memory.round == 1)
    memory.waitForRound(after: 0)
    memory.beginRound()
    #expect(memory.round == 2)
    memory.waitForRound(after: 1)
  }

  /// A reader that slept until its time was over would take a second for each round.
  @Test func readersAreWokenForEachRound() throws {
    let memory = try HandoverMemory()
    let path = memory.path
    let rounds: UInt64 = 1_000
    let reader = try TestThread("\(rounds) rounds") {
      let memory = try HandoverMemory(path: path)
      for round in 0..<rounds {
        memory.write(.ready, of: 0, round + 1)
        memory.waitForRound(after: round)
      }
      memory.write(.done, of: 0, memory.round)
    }
    try within("all rounds") {
      let memory = try HandoverMemory(path: path)
      for round in 1...rounds {
        try waitUntil("round \(round)") { memory.read(.ready, of: 0) >= round }
        // By now it sleeps, most of the time.
        usleep(500)
        memory.beginRound()
      }
    }
    try reader.join()
    #expect(memory.read(.done, of: 0) == rounds)
  }

  @Test func nobodysMemoryIsNoBoard() {
    #expect(throws: (any Error).self) { _ = try HandoverMemory(path: "/nonexistent/board") }
  }
}
