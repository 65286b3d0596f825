// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBench
import TestSupport
import Testing

/// Every row starts the program that its key and its label speak of.
///
/// Method: programs that are all there, none of which is started; what each row would start is held against
/// its key, its label and its way.
@Suite struct TransportRowsTests {
  /// Has everything, and starts nothing.
  private struct AllPrograms: TransportPrograms {
    let folder = URL(fileURLWithPath: "/folder")
    var has = true

    func program(_ name: String, _ arguments: String...) -> HandoverProgram.Launch? {
      has ? .init(path: "/folder/" + name, arguments: arguments) : nil
    }

    func iceoryx2(_ arguments: String...) -> HandoverProgram.Launch? {
      has ? .init(path: "/folder/python", arguments: arguments) : nil
    }
  }

  private func rows(_ group: TransportRow.Group, isShort: Bool = false) -> [TransportRow] {
    TransportRows(AllPrograms(), isShort: isShort).rows(of: group)
  }

  /// What a row of Orrery's is to do.
  private func task(_ row: TransportRow) throws -> HandoverTask {
    #expect(row.launch.path.hasSuffix("/bench"), "\(row.key)")
    #expect(row.launch.folder == "/folder", "\(row.key)")
    #expect(row.launch.arguments.first == "transport-part", "\(row.key)")
    return try #require(HandoverTask(text: row.launch.arguments.last ?? ""), "\(row.key)")
  }

  /// Whether a program of bench/peers is started, by name and arguments.
  private func starts(_ row: TransportRow, _ words: String) -> Bool {
    (row.launch.path + " " + row.launch.arguments.joined(separator: " ")) == "/folder/" + words
  }

  @Test(
    arguments: [
      (
        TransportRow.Group.spin,
        [
          "line: limit line, wakes line: a cache line",
          "swapped: limit swapped, wakes swapped: a cache line, the other way",
          "iceoryx/64: peer spin, iceoryx spin 64: iceoryx 2.0.3, 64 B",
          "iceoryx/4096: peer spin, iceoryx spin 4096: iceoryx 2.0.3, 4 KiB",
          "iceoryx/1048576: peer spin, iceoryx spin 1048576: iceoryx 2.0.3, 1 MiB",
          "python: limit line, python line 64: a cache line, in Python",
          "iceoryx2/64: peer spin, python spin 64: iceoryx2, Python, 64 B",
          "iceoryx2/4096: peer spin, python spin 4096: iceoryx2, Python, 4 KiB",
          "iceoryx2/1048576: peer spin, python spin 1048576: iceoryx2, Python, 1 MiB",
        ]
      ),
      (
        .wake,
        [
          "futex: limit futex, wakes futex: futex",
          "eventfd: limit eventfd, wakes eventfd: eventfd",
          "pipe: limit pipe, wakes pipe: pipe", "socket: limit socket, wakes socket: Unix socket",
          "zeromq/ipc: limit request, zeromq latency ipc:///folder/zeromq- 64:"
            + " libzmq REQ and REP, ipc, half",
          "zeromq-paced/ipc: limit pair, zeromq paced ipc:///folder/zeromq- 64:"
            + " libzmq PAIR, ipc, paced",
          "zeromq/tcp: limit request, zeromq latency tcp://127.0.0.1:* 64:"
            + " libzmq REQ and REP, tcp, half",
          "zeromq-paced/tcp: limit pair, zeromq paced tcp://127.0.0.1:* 64:"
            + " libzmq PAIR, tcp, paced",
          "iceoryx-waitset/64: peer waitset, iceoryx waitset 64: iceoryx 2.0.3 waitset, 64 B",
          "iceoryx-waitset/4096: peer waitset, iceoryx waitset 4096: iceoryx 2.0.3 waitset, 4 KiB",
          "iceoryx-waitset/1048576: peer waitset, iceoryx waitset 1048576:"
            + " iceoryx 2.0.3 waitset, 1 MiB",
          "iceoryx2-listener: peer listener, python listener 64: iceoryx2 listener, Python, 64 B",
        ]
      ),
      (
        .rate,
        [
          "ring/handed/window/1: limit handed window, ring handed window 1 4096 64:"
            + " bare ring, handed over, 1 reading",
          "ring/handed/window/3: limit handed window, ring handed window 3 4096 64:"
            + " bare ring, handed over, 3 reading",
          "ring/copied/window/1: limit copied window, ring copied window 1 4096 64:"
            + " bare ring, copied, 1 reading",
          "ring/copied/window/3: limit copied window, ring copied window 3 4096 64:"
            + " bare ring, copied, 3 reading",
          "ring/copied/free/1: limit copied free, ring copied free 1 4096 64:"
            + " bare ring, copied, 1 reading, free",
          "ring/copied/free/3: limit copied free, ring copied free 3 4096 64:"
            + " bare ring, copied, 3 reading, free",
        ]
      ),
      (
        .remote,
        [(4096, "4 KiB"), (262_144, "256 KiB"), (4_194_304, "4 MiB"), (16_777_216, "16 MiB")]
          .flatMap { bytes, size in
            [
              "throughput/\(bytes): limit push, zeromq throughput tcp://127.0.0.1:* \(bytes):"
                + " libzmq PUSH and PULL, \(size)",
              "inplace/\(bytes): limit push in place, zeromq inplace tcp://127.0.0.1:* \(bytes):"
                + " libzmq PUSH and PULL, in place, \(size)",
            ]
          }
      ), (.cost, []),
    ] as [(TransportRow.Group, [String])])
  func limitsAndPeersStartWhatTheirLabelsSay(group: TransportRow.Group, expected: [String]) {
    let rows = rows(group).filter { $0.subject != .ours }
    let found = rows.map { row in
      let words = [row.launch.path.replacingOccurrences(of: "/folder/", with: "")]
      return "\(row.key): \(row.subject.rawValue) \(row.way.rawValue), "
        + "\((words + row.launch.arguments).joined(separator: " ")): \(row.name)"
    }
    for (found, expected) in zip(found, expected) where found != expected {
      Issue.record("\(found), but \(expected) is right")
      break
    }
    #expect(found.count == expected.count)
    for row in rows { #expect(row.group == group, "\(row.key)") }
  }

  @Test func rowsOfOrreryDoWhatTheirKeysSay() throws {
    for group in TransportRow.Group.allCases {
      for row in rows(group) where row.subject == .ours {
        let task = try task(row)
        #expect(row.way == task.way, "\(row.key)")
        #expect(row.messageBytes == task.frameBytes, "\(row.key)")
        #expect(row.readerCount == task.readerCount, "\(row.key)")
        #expect(row.name.hasPrefix("Orrery, "), "\(row.key)")
        #expect(row.group == group, "\(row.key)")
      }
    }
  }

  /// What a round of a limit or a peer is: messages, the pause before each, bytes, readers.
  static let rounds: [(TransportRow.Group, [String])] = [
    (
      .spin,
      [
        "line: 20000 2000 64 1", "swapped: 20000 2000 64 1", "iceoryx/64: 10000 2000 64 1",
        "iceoryx/4096: 10000 2000 4096 1", "iceoryx/1048576: 256 2000 1048576 1",
        "python: 4000 20000 64 1", "iceoryx2/64: 4000 20000 64 1",
        "iceoryx2/4096: 4000 20000 4096 1", "iceoryx2/1048576: 400 20000 1048576 1",
      ]
    ),
    (
      .wake,
      [
        "futex: 1000 200000 8 1", "eventfd: 1000 200000 8 1", "pipe: 1000 200000 8 1",
        "socket: 1000 200000 8 1", "zeromq/ipc: 2000 0 64 1", "zeromq-paced/ipc: 1000 200000 64 1",
        "zeromq/tcp: 2000 0 64 1", "zeromq-paced/tcp: 1000 200000 64 1",
        "iceoryx-waitset/64: 1000 200000 64 1", "iceoryx-waitset/4096: 1000 200000 4096 1",
        "iceoryx-waitset/1048576: 1000 200000 1048576 1", "iceoryx2-listener: 1000 200000 64 1",
      ]
    ),
    (
      .rate,
      [
        "ring/handed/window/1: 1000000 0 4096 1", "ring/handed/window/3: 200000 0 4096 3",
        "ring/copied/window/1: 200000 0 4096 1", "ring/copied/window/3: 200000 0 4096 3",
        "ring/copied/free/1: 200000 0 4096 1", "ring/copied/free/3: 200000 0 4096 3",
      ]
    ),
    (
      .remote,
      [
        "throughput/4096: 100000 0 4096 1", "inplace/4096: 100000 0 4096 1",
        "throughput/262144: 4096 0 262144 1", "inplace/262144: 4096 0 262144 1",
        "throughput/4194304: 256 0 4194304 1", "inplace/4194304: 256 0 4194304 1",
        "throughput/16777216: 64 0 16777216 1", "inplace/16777216: 64 0 16777216 1",
      ]
    ), (.cost, []),
  ]

  @Test(arguments: rounds)
  func roundsOfLimitsAndPeersAreAsLongAsOurs(group: TransportRow.Group, expected: [String]) {
    let found = rows(group).filter { $0.subject != .ours }.map { row in
      "\(row.key): \(row.request.count) \(row.request.pauseNs) \(row.messageBytes) \(row.readerCount)"
    }
    #expect(firstDifference(found, expected) == nil)
  }

  /// Rings of 4 KiB have 64 slots each; those of large frames are as large as a sim's may be, or of twelve frames.
  @Test func ringsHaveTheirSlots() throws {
    var found: [String: UInt64] = [:]
    for group in TransportRow.Group.allCases {
      for row in rows(group) where row.subject == .ours {
        found["\(group)/\(row.messageBytes)"] = try task(row).slotCount
      }
    }
    #expect(
      found == [
        "spin/64": 64, "spin/4096": 64, "spin/65536": 64, "spin/1048576": 32, "spin/16777216": 12,
        "wake/4096": 64, "rate/4096": 64, "remote/4096": 1024, "remote/262144": 256,
        "remote/4194304": 16, "remote/16777216": 12, "cost/4096": 64, "cost/1048576": 32,
        "cost/16777216": 12,
      ])
  }

  @Test func spinningRowsAreOfFiveSizesReadAndSubscribed() throws {
    let rows = rows(.spin).filter { $0.subject == .ours }
    let sizes = [(64, "64 B"), (4096, "4 KiB"), (65_536, "64 KiB"), (1 << 20, "1 MiB")]
    var expected: [String] = []
    for who in ["reader", "subscription"] {
      for (bytes, size) in sizes + [(16 << 20, "16 MiB")] {
        expected.append("spin/\(who)/\(bytes): Orrery, \(who), \(size)")
      }
    }
    #expect(rows.map { "\($0.key): \($0.name)" } == expected)
    for row in rows {
      let task = try task(row)
      #expect(task.measure == .latency)
      #expect(task.waiting == .spin)
      #expect(task.subscribes == row.key.contains("subscription"), "\(row.key)")
      // 32 MiB of frames, but at most 64 and at least 12.
      let slots: UInt64 = row.messageBytes >= 16 << 20 ? 12 : row.messageBytes >= 1 << 20 ? 32 : 64
      #expect(task.slotCount == slots, "\(row.key)")
      #expect(row.request.pauseNs == 2000)
      let counts = [64: 20_000, 4096: 20_000, 65_536: 4096, 1 << 20: 256, 16 << 20: 100]
      #expect(row.request.count == UInt64(counts[row.messageBytes] ?? 0), "\(row.key)")
    }
  }

  @Test func sleepingRowsSayByWhatTheyAreWoken() throws {
    let rows = rows(.wake).filter { $0.subject == .ours }
    #expect(
      rows.map { "\($0.key): \($0.name)" } == [
        "futex/reader: Orrery, reader, futex, 4 KiB",
        "futex/subscription: Orrery, subscription, futex, 4 KiB",
        "announcement/subscription: Orrery, subscription, announcement, 4 KiB",
      ])
    for row in rows {
      let task = try task(row)
      #expect(task.measure == .latency)
      #expect(row.key.hasPrefix(task.waiting.rawValue), "\(row.key)")
      #expect(task.subscribes == row.key.hasSuffix("subscription"), "\(row.key)")
    }
    for row in self.rows(.wake) where !row.key.hasPrefix("zeromq/") {
      #expect(row.request.pauseNs == 200_000, "\(row.key)")
      #expect(row.request.count == 1000, "\(row.key)")
    }
  }

  @Test func ratesAreHeldAgainstTheBareRingOfTheSameKind() throws {
    let rows = rows(.rate)
    for row in rows where row.subject == .ours {
      let task = try task(row)
      #expect(task.measure == .rate)
      let words = row.key.split(separator: "/")
      #expect(task.copies == (words[1] == "copied"), "\(row.key)")
      #expect(task.isFree == (words[2] == "free"), "\(row.key)")
      #expect(task.slotCount == 64)
      #expect("\(task.readerCount)" == words[3], "\(row.key)")
      let key = "ring/" + words.dropFirst().joined(separator: "/")
      let ring = try #require(rows.first { $0.key == key }, "\(row.key)")
      #expect(ring.name == row.name.replacingOccurrences(of: "Orrery", with: "bare ring"))
      #expect(ring.way == row.way, "\(row.key)")
      #expect(ring.request.count == row.request.count, "\(row.key)")
      #expect(ring.readerCount == row.readerCount, "\(row.key)")
      #expect(ring.messageBytes == row.messageBytes, "\(row.key)")
      let many = row.key == "rate/handed/window/1"
      #expect(row.request.count == (many ? 1_000_000 : 200_000), "\(row.key)")
    }
    #expect(rows.count == 12)
  }

  @Test func remoteRowsHaveRingsOfASim() throws {
    let rows = rows(.remote).filter { $0.subject == .ours }
    let slots: [UInt64] = [1024, 256, 16, 12]
    let counts: [UInt64] = [100_000, 4096, 256, 64]
    #expect(rows.map(\.key) == [4096, 262_144, 4_194_304, 16_777_216].map { "remote/\($0)" })
    for (index, row) in rows.enumerated() {
      let task = try task(row)
      #expect(task.measure == .remote)
      #expect(task.subscribes)
      #expect(!task.isFree)
      #expect(task.slotCount == slots[index], "\(row.key)")
      #expect(row.request.count == counts[index], "\(row.key)")
    }
    for row in self.rows(.remote) { #expect(row.request.pauseNs == 0, "\(row.key)") }
  }

  @Test func costsAreOfEverySortOfSubscribersPacedAndNot() throws {
    let rows = rows(.cost)
    #expect(rows.count == 30)
    let names = [
      "spin/0": "nobody", "spin/3": "3 by spin", "futex/1": "1 by futex", "futex/3": "3 by futex",
      "announcement/3": "3 by announcement",
    ]
    for row in rows {
      let task = try task(row)
      #expect(task.measure == .cost)
      #expect(task.isFree)
      #expect(task.subscribes)
      let pace = row.key.hasSuffix("/paced") ? "paced" : "unpaced"
      let who = "\(task.waiting)/\(task.readerCount)"
      #expect(row.key == "cost/\(task.frameBytes)/\(who)/\(pace)")
      let name = "Orrery, \(TextTable.size(task.frameBytes)), \(names[who] ?? "?")"
      #expect(row.name == name + (pace == "paced" ? "" : ", unpaced"))
      #expect(row.request.pauseNs == (pace == "paced" ? 1_000_000 : 0), "\(row.key)")
      let unpaced = [4096: 5000, 1 << 20: 256, 16 << 20: 100][task.frameBytes] ?? 0
      #expect(row.request.count == (pace == "paced" ? 200 : UInt64(unpaced)), "\(row.key)")
    }
  }

  @Test func shortRunsAskForATwentiethButNeverForLessThanTwenty() {
    for group in TransportRow.Group.allCases {
      for (long, short) in zip(rows(group), rows(group, isShort: true)) {
        #expect(short.request.count == max(long.request.count / 20, 20), "\(long.key)")
        #expect(short.request.pauseNs == long.request.pauseNs, "\(long.key)")
        #expect(short.key == long.key)
      }
    }
  }

  @Test func keysAreDifferent() {
    let keys = TransportRow.Group.allCases.flatMap { rows($0).map(\.key) }
    #expect(Set(keys).count == keys.count)
  }

  @Test func withoutProgramsThereAreOrrerysRowsAlone() {
    let alone = TransportRows(AllPrograms(has: false), isShort: false)
    for group in TransportRow.Group.allCases {
      let ours = rows(group).filter { $0.subject == .ours }
      #expect(alone.rows(of: group).map(\.key) == ours.map(\.key), "\(group)")
    }
  }

  @Test(arguments: [
    (1, "1 B"), (1023, "1023 B"), (1024, "1 KiB"), (1_048_575, "1023 KiB"), (1 << 20, "1 MiB"),
    (16 << 20, "16 MiB"),
  ])
  func sizesAreInTheLargestUnitThatFits(bytes: Int, text: String) {
    #expect(TextTable.size(bytes) == text)
  }
}
