// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import OrreryBase
import OrreryConsole
import OrreryDocument
import OrreryFrame
import OrreryWire
import TestSupport
import Testing

/// Goal: the list of runs says what each does, in 80 columns for people and whole for programs.
///
/// Method: answers of sims by hand, and directories of runs with locks that this process holds.
@Suite struct RunListTests {
  private static let logger: DocumentValue = .table([
    "name": .string("logger"), "pid": .integer(9992), "waiting": .string("futex"),
    "reading": .string("every"), "joined_after": .integer(0), "received": .integer(600),
    "missed": .integer(2),
  ])
  private static let remote: DocumentValue = .table([
    "name": .string("remote"), "pid": .integer(0), "waiting": .string("message"),
    "reading": .string("latest"), "joined_after": .integer(5), "received": .integer(90),
    "missed": .integer(7), "sent": .integer(91), "skipped": .integer(6),
  ])

  private static func stats(_ more: [String: DocumentValue] = [:]) -> [String: DocumentValue] {
    let stats: [String: DocumentValue] = [
      "id": .integer(1), "ok": .bool(true), "run": .string("demo"), "scene": .string("flags"),
      "entities": .integer(25), "ticks_per_second": .number(60), "tick": .integer(720),
      "tick_mean_ns": .integer(1234), "tick_p50_ns": .integer(155),
      "tick_p99_ns": .integer(7200), "late_ticks": .integer(1),
      "age_s": .number(12.345), "pid": .integer(9990), "paused": .bool(false),
      "speed": .number(1), "subscribers": .integer(0), "subscribers_connected": .integer(0),
      "subscriber_accounts": .array([]),
    ]
    return stats.merging(more) { $1 }
  }

  private static func table(_ runs: RunStatus...) -> String { RunListText(runs).table }

  // MARK: - For people

  @Test func noRunsAreSaidSo() {
    #expect(RunListText([]).table == "no runs")
    #expect(RunListText([]).json == #"{"schema":"orrery.ps.v1","runs":[]}"#)
  }

  @Test func runIsARowAndEachSubscriberALine() {
    let accounts = DocumentArray([Self.logger, Self.remote])
    let run = RunStatus(
      name: "demo",
      stats: Self.stats([
        "subscribers_connected": .integer(3), "subscriber_accounts": .array(accounts),
      ]))
    #expect(
      Self.table(run) == """
        NAME  SCENE  ENTITIES  RATE  TICK    MEAN     P50     P99  LATE  AGE   PID
        demo  flags        25    60   720  1.2 µs  155 ns  7.2 µs     1  12s  9990
          logger (pid 9992, futex, every): received 600, missed 2
          remote (message, latest): received 90, missed 7, sent 91, skipped 6
          and 1 more
        """)
  }

  @Test func runsStandUnderEachOther() {
    let slow = Self.stats([
      "paused": .bool(true), "speed": .number(0.25), "ticks_per_second": .number(59.94),
      "age_s": .number(7200), "entities": .integer(1_000_000),
    ])
    let stopped = RunStatus(name: "z", state: .stopped, reason: "stopped by hand")
    #expect(
      Self.table(
        RunStatus(name: "a", stats: Self.stats()), RunStatus(name: "long-name", stats: slow),
        stopped) == """
          NAME       SCENE  ENTITIES   RATE  TICK    MEAN     P50     P99  LATE  AGE   PID
          a          flags        25     60   720  1.2 µs  155 ns  7.2 µs     1  12s  9990
          long-name  flags   1000000  59.94   720  1.2 µs  155 ns  7.2 µs     1   2h  9990
            paused
            at 0.25 times its speed
          z          -             -      -     -       -       -       -     -    -     -
            stopped: stopped by hand
          """)
  }

  @Test func ageIsInItsLargestUnit() {
    for (seconds, text) in [
      (0, "0s"), (59.9, "59s"), (60, "1m"), (3599, "59m"), (3600, "1h"), (86_399, "23h"),
      (86_400, "1d"), (8_640_000, "100d"),
    ] {
      let run = RunStatus(name: "a", stats: Self.stats(["age_s": .number(seconds)]))
      #expect(Self.table(run).contains(" \(text)  9990"), "\(seconds)")
    }
  }

  @Test func longNameHasALineOfItsOwn() {
    let name = String(repeating: "n", count: 40)
    #expect(
      Self.table(
        RunStatus(name: name, stats: Self.stats()), RunStatus(name: "b", stats: Self.stats()))
          == """
          NAME SCENE ENTITIES RATE TICK   MEAN    P50    P99 LATE AGE  PID
          \(name)
               flags       25   60  720 1.2 µs 155 ns 7.2 µs    1 12s 9990
          b    flags       25   60  720 1.2 µs 155 ns 7.2 µs    1 12s 9990
          """)
  }

  /// First the columns move together, then long names get lines of their own.
  @Test(arguments: [1, 12, 17, 24, 40, 64])
  func listHasAtMost80Columns(nameLength: Int) {
    let name = String(repeating: "n", count: nameLength)
    let logger: DocumentValue = .table([
      "name": .string(String(repeating: "s", count: 31)), "pid": .integer(4_194_304),
      "waiting": .string("announcement"), "reading": .string("newest"),
      "received": .integer(12_345), "missed": .integer(0),
    ])
    let large = Self.stats([
      "scene": .string(String(repeating: "s", count: 60)), "entities": .integer(1_000_000),
      "tick": .integer(5_184_000), "tick_p99_ns": .integer(123_456), "pid": .integer(4_194_304),
      "subscribers_connected": .integer(1), "subscriber_accounts": .array([logger]),
    ])
    let text = Self.table(
      RunStatus(name: name, stats: large), RunStatus(name: "b", stats: Self.stats()))
    for line in text.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
    // A name can be copied.
    #expect(text.contains(name))
    #expect(text.contains("5184000"))
  }

  /// Any user of the machine may join by message under any name.
  @Test func namesCannotSteerATerminal() {
    let account: DocumentValue = .table([
      "name": .string("a\u{1b}[2Jb\r\nc"), "waiting": .string("message"),
      "reading": .string("every"),
    ])
    let run = RunStatus(
      name: "demo",
      stats: Self.stats([
        "scene": .string("x\u{7}y"), "subscriber_accounts": .array([account]),
      ]))
    let text = Self.table(run)
    #expect(text.contains("a?[2Jb?c (message, every): received -, missed -"))
    #expect(text.contains("x?y"))
  }

  @Test func subscriberThatPreparesIsSaidSo() {
    let account: DocumentValue = .table([
      "name": .string("renderer"), "pid": .integer(7), "waiting": .string("preparing"),
      "reading": .string("none"), "received": .integer(0), "missed": .integer(0),
    ])
    let run = RunStatus(name: "demo", stats: Self.stats(["subscriber_accounts": .array([account])]))
    #expect(Self.table(run).hasSuffix("\n  renderer (pid 7): preparing"))
  }

  @Test func oneRunIsShownInFull() throws {
    let run = RunStatus(
      name: "demo",
      stats: [
        "run": .string("demo"), "pid": .integer(9990), "age_s": .number(61),
        "paused": .bool(true), "tick": .integer(720), "subscribers_connected": .integer(1),
        "subscriber_accounts": .array([Self.logger]),
      ])
    let (place, other) = (try RunDirectory(name: "demo").path, try RunDirectory(name: "a").path)
    #expect(
      RunListText.details(of: run) == """
        run 'demo': paused, pid 9990, 1m old
        in \(place)
        age_s                  61
        paused                 yes
        pid                    9990
        subscribers_connected  1
        tick                   720
        subscriber logger (pid 9992, futex, every): received 600, missed 2
        """)
    #expect(
      RunListText.details(of: RunStatus(name: "a", state: .silent, reason: "no word"))
        == "run 'a': silent\nin \(other)\nno word")
  }

  // MARK: - For programs

  @Test func jsonHasEveryRunWithItsState() throws {
    let owner = RunOwner(lockText: "pid 7\nuser 1\nsince 100 Unix time\n")
    let runs = [
      RunStatus(
        name: "demo", stats: Self.stats(["subscriber_accounts": .array([Self.logger])])),
      RunStatus(name: "z", state: .stopped, reason: "by hand", owner: owner, nowSeconds: 130),
    ]
    let text = RunListText(runs).json
    #expect(!text.contains("\n"))
    #expect(try Repository.schema("ps").faults(of: Data(text.utf8)) == [])
    let list = try #require(JSONParser.parse(Array(text.utf8)).table)
    #expect(list["schema"] == .string("orrery.ps.v1"))
    let found = try #require(list["runs"]?.array).compactMap(\.table)
    try #require(found.count == 2)
    #expect(found[0]["name"] == .string("demo"))
    #expect(found[0]["state"] == .string("running"))
    #expect(found[0]["tick_p99_ns"] == .integer(7200))
    #expect(found[0]["age_s"]?.number == 12.345)
    #expect(found[0]["subscriber_accounts"]?.array?.first?.table?["received"] == .integer(600))
    // What belongs to the message is not part of the run.
    for key in ["id", "ok", "run", "reason"] { #expect(!found[0].has(key), "\(key)") }
    #expect(
      found[1] == [
        "name": .string("z"), "state": .string("stopped"), "reason": .string("by hand"),
        "pid": .integer(7), "age_s": .integer(30),
      ])
  }
}

// MARK: - Asking

extension RunListTests {
  @Test func runsThatDoNotAnswerAreListedAndDeadOnesAreNot() throws {
    let base = try TemporaryBase()
    let silent = try RunLock(RunDirectory(name: "silent", base: base.path))
    // What a sim opens when it can be joined.
    #expect(FileManager.default.createFile(atPath: silent.directory.joinPath, contents: nil))
    let dead = try RunDirectory(name: "dead", base: base.path)
    mkdir(dead.path, 0o700)
    let file = FileDescriptor(
      owning: open(dead.lockPath, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600))
    #expect(write(file.number, "pid 1\n", 6) == 6)
    let found = try RunStatus.all(in: base.path, answerSeconds: 0.2)
    #expect(found.map(\.name) == ["silent"])
    #expect(found.first?.state == .silent)
    #expect(found.first?.processID == Int64(getpid()))
    #expect(found.first?.reason == "no answer within 0.2 s")
    #expect(found.first?.stats.isEmpty == true)
    #expect(throws: WireError.runDied(name: "dead", owner: "pid 1")) {
      _ = try RunStatus(asking: dead, answerSeconds: 0.2)
    }
    #expect(try RunStatus.all(in: base.path + "/missing").isEmpty)
    withExtendedLifetime(silent) {}
  }

  /// A scene of many millions takes its time, and nobody waits for an answer meanwhile.
  @Test func runThatPreparesSaysSo() throws {
    let base = try TemporaryBase()
    let lock = try RunLock(RunDirectory(name: "large", base: base.path))
    let status = try RunStatus(asking: lock.directory, answerSeconds: 600)
    #expect(status.state == .preparing)
    #expect(status.processID == Int64(getpid()))
    #expect(RunListText([status]).table.contains("preparing: its scene; no tick yet"))
    #expect(try Repository.schema("ps").faults(of: Data(RunListText([status]).json.utf8)) == [])
  }

  /// Only a living run is meant, and only one that was not waited for.
  @Test func nearestNameIsThatOfALivingRun() throws {
    let base = try TemporaryBase()
    let living = try RunLock(RunDirectory(name: "second", base: base.path))
    mkdir(try RunDirectory(name: "secnds", base: base.path).path, 0o700)
    func said(_ error: WireError) -> String {
      "\(Failure(ofRequest: error, base: base.path))"
    }
    let missing = WireError.noRun(name: "secnd", waitedSeconds: 0)
    #expect(
      said(missing) == "no run named 'secnd'; did you mean second? all of them: orrery ps")
    for error: WireError in [
      .noRun(name: "other", waitedSeconds: 0), .noRun(name: "secnd", waitedSeconds: 1),
      .runEnded(name: "secnd"),
    ] {
      #expect(said(error) == error.description)
    }
    #expect(Failure(ofRequest: missing, base: base.path).status == .unavailable)
    #expect("\(Failure(ofRequest: missing, base: base.path + "/none"))" == missing.description)
    withExtendedLifetime(living) {}
  }

  @Test func runWithoutATickHasNoTimeOfOne() {
    let run = RunStatus(
      name: "demo",
      stats: Self.stats([
        "tick_mean_ns": .integer(0), "tick_p50_ns": .integer(0), "tick_p99_ns": .integer(0),
      ]))
    #expect(Self.table(run).contains("   720     -    -    -     1"))
  }
}

// MARK: - What dead runs left

extension RunListTests {
  @Test func removalIsListedByRun() throws {
    let base = try TemporaryBase()
    #expect(DeadRuns.text(try RunDirectory.reclaim(in: base.path)) == "nothing to clean")
    let child = try ChildProcess("/bin/true", [])
    #expect(child.hasEnded(within: patienceSeconds))
    for name in ["a", "b"] {
      let dead = try RunDirectory(name: name, base: base.path)
      mkdir(dead.path, 0o700)
      for path in [dead.joinPath, dead.lockPath] + (name == "b" ? [dead.path + "/notes"] : []) {
        let file = FileDescriptor(owning: open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600))
        if path == dead.lockPath { dprint("pid \(child.processID)\n", to: file.number) }
      }
    }
    let (id, path) = (child.processID, base.path)
    #expect(
      DeadRuns.text(try RunDirectory.reclaim(in: path)) == """
        dead run 'a' (pid \(id)): removed \(path)/a
        dead run 'b' (pid \(id)): removed \(path)/b/join, \(path)/b/lock; kept, since no sim \
        made it: \(path)/b/notes
        """)
  }

  private func dprint(_ text: String, to descriptor: CInt) {
    #expect(text.withCString { write(descriptor, $0, strlen($0)) } == text.utf8.count)
  }
}
