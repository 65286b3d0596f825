// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import OrreryBase
import OrreryConsole
import OrreryFrame
import OrrerySupervisor
import TestSupport
import Testing

/// Goal: `orrery top` says of each run what its processes have counted, in any width.
///
/// Method: counters pages of this process, for sims and subscribers that do not exist; reports made by hand.
@Suite struct TopTests {
  /// A sim's page, in which a test counts.
  private static func sim(
    _ run: String, _ base: TemporaryBase, generation: UInt64 = 1, periodNs: UInt64 = 16_666_667
  ) throws -> CounterPage {
    let page = try CounterPage(
      SimCounter.self, facts: ["program": "sim", "run": run, "scene": "flags"],
      in: CounterDirectory(base: base.path))
    page.setGeneration(generation)
    page.set(SimCounter.phase.rawValue, SimPhase.running.rawValue)
    page.set(SimCounter.periodNs.rawValue, periodNs)
    page.set(SimCounter.frameBytes.rawValue, 1000)
    page.set(SimCounter.entities.rawValue, 100_000)
    return page
  }

  /// Counts frames that took so long each.
  private static func count(_ page: CounterPage, to frames: UInt64, tick: UInt64, workNs: UInt64) {
    page.begin()
    page.set(SimCounter.frames.rawValue, frames)
    page.set(SimCounter.sequence.rawValue, frames)
    page.set(SimCounter.tick.rawValue, tick)
    page.set(SimCounter.events.rawValue, frames * 3)
    page.set(SimCounter.publishedNs.rawValue, Clock.monotonicNs())
    page.record(SimCounter.workTimesNs.rawValue, ns: workNs)
    page.end()
  }

  private static func subscriber(
    _ run: String, _ base: TemporaryBase, generation: UInt64, sequence: UInt64
  ) throws -> CounterPage {
    let page = try CounterPage(
      SubscriberCounter.self,
      facts: [
        "program": "logger", "run": run, "waiting": "futex", "reading": "every",
        "transport": "memory",
      ], in: CounterDirectory(base: base.path))
    page.setGeneration(generation)
    page.set(SubscriberCounter.sequence.rawValue, sequence)
    page.set(SubscriberCounter.missed.rawValue, 2)
    page.record(SubscriberCounter.ageTimesNs.rawValue, ns: 40_000)
    return page
  }

  @Test func figuresAreOfTheTimeBetweenTwoLooks() throws {
    let base = try TemporaryBase()
    let page = try Self.sim("demo", base)
    Self.count(page, to: 10, tick: 10, workNs: 9_000_000)
    var window = TopWindow(base: base.path)
    let first = try #require(try window.look().runs.first)
    #expect(first.work.count == 1 && first.work.p50Ns >= 9_000_000)
    usleep(50_000)
    for frame in UInt64(11)...20 { Self.count(page, to: frame, tick: frame, workNs: 2_000_000) }
    let report = try window.look()
    let run = try #require(report.runs.first)
    #expect(report.runs.count == 1 && run.name == "demo" && run.state == .running)
    #expect(run.notice == nil && run.pid == getpid() && run.scene == "flags")
    // The frame before the first look is not counted any more.
    #expect(run.work.count == 10 && run.work.maxNs < 3_000_000 && run.work.p99Ns >= 2_000_000)
    #expect(run.ticksPerSecond > 1 && run.ticksPerSecond <= 200)
    #expect(abs(run.bytesPerSecond / run.ticksPerSecond - 1000) < 1)
    #expect(run.eventsPerTick == 3 && run.entities == 100_000 && run.tick == 20)
    let share = try #require(run.budgetShare)
    #expect((0.11...0.13).contains(share), "\(share)")
  }

  @Test func runThatStandsStillSaysForHowLong() throws {
    let base = try TemporaryBase()
    let page = try Self.sim("demo", base)
    var window = TopWindow(base: base.path)
    Self.count(page, to: 10, tick: 7, workNs: 1)
    page.set(SimCounter.publishedNs.rawValue, Clock.monotonicNs() - 1_300_000_000)
    var run = try #require(try window.look().runs.first)
    #expect(run.state == .silent && run.notice == "no tick for 1.3 s, the last was 7")
    page.set(SimCounter.paused.rawValue, 1)
    run = try #require(try window.look().runs.first)
    #expect(run.state == .paused && run.notice == "paused at 7")
    page.set(SimCounter.paused.rawValue, 0)
    // A tick of ten seconds is not late after one.
    page.set(SimCounter.periodNs.rawValue, 10_000_000_000)
    #expect(try window.look().runs.first?.state == .running)
    page.set(SimCounter.phase.rawValue, SimPhase.waiting.rawValue)
    #expect(try window.look().runs.first?.state == .waiting)
    page.set(SimCounter.phase.rawValue, 99)
    #expect(try window.look().runs.first?.state == .running)
  }

  @Test func shardsAndSubscribersAreBelowTheirRun() throws {
    let base = try TemporaryBase()
    let pages = try [
      Self.sim("demo.1of2", base, generation: 2), Self.sim("demo.0of2", base, generation: 1),
      Self.sim("alone", base, generation: 3),
    ]
    for (page, frames) in zip(pages, [UInt64(40), 30, 5]) {
      Self.count(page, to: frames, tick: frames, workNs: frames * 1000)
    }
    let subscribers = try [
      Self.subscriber("demo", base, generation: 1, sequence: 38),
      Self.subscriber("tcp://10.0.0.1:7450", base, generation: 3, sequence: 5),
      Self.subscriber("tcp://10.0.0.2:7450", base, generation: 9, sequence: 5),
    ]
    var window = TopWindow(base: base.path)
    let report = try window.look()
    #expect(report.runs.map(\.name) == ["alone", "demo", "tcp://10.0.0.2:7450"])
    let demo = report.runs[1]
    #expect(demo.shards.map(\.name) == ["demo.0of2", "demo.1of2"])
    #expect(demo.entities == 200_000 && demo.tick == 30 && demo.work.maxNs >= 40_000)
    #expect(demo.subscribers.first?.lagFrames == 2 && demo.subscribers.first?.missed == 2)
    #expect(report.runs[0].subscribers.first?.lagFrames == 0)
    #expect(report.runs[2].state == .elsewhere)
    #expect(report.runs[2].subscribers.first?.lagFrames == nil)
    withExtendedLifetime(subscribers) {}
    var one = TopWindow(["demo.1of2"], base: base.path)
    #expect(try one.look().runs.map(\.name) == ["demo"])
    let line = ReportLine.encode(report, schema: TopReport.schema)
    #expect(try Repository.schema("top").faults(of: Data(line.utf8)) == [], "\(line)")
  }

  @Test func runWithoutCountersIsListed() throws {
    let base = try TemporaryBase()
    let lock = try RunLock(RunDirectory(name: "young", base: base.path))
    var window = TopWindow(base: base.path)
    let run = try #require(try window.look().runs.first)
    #expect(run.name == "young" && run.state == .preparing)
    withExtendedLifetime(lock) {}
  }

  @Test func unreadableCountersAreSaid() throws {
    let base = try TemporaryBase()
    let page = try Self.sim("demo", base)
    let directory = CounterDirectory(base: base.path)
    let path = directory.path + "/" + (try #require(try directory.links().first))
    let number = open(path, O_RDONLY)
    let file = FileDescriptor(owning: number)
    var bytes = [UInt8](repeating: 0, count: 36_864)
    let count = read(file.number, &bytes, bytes.count)
    bytes[8] = 7
    let copy = try SharedSegment.makeFile(bytes: UInt64(count), name: "test")
    let segment = try SharedSegment(writing: copy, bytes: UInt64(count))
    segment.base.copyMemory(from: bytes, byteCount: count)
    _ = try directory.link(to: copy.number)
    var window = TopWindow(base: base.path)
    let report = try window.look()
    #expect(report.runs.count == 1 && report.unreadable.count == 1)
    #expect(report.unreadable.first?.hasSuffix("no counters page: version 7, not 1") == true)
    withExtendedLifetime(page) {}
  }
}

/// Goal: the screen of `orrery top` fits, its keys do what its help says, and only what has changed is written.
@Suite struct TopScreenTests {
  private static func run(_ name: String, rate: Double = 60) -> TopRun {
    var run = TopRun(name: name, state: .running)
    (run.pid, run.scene, run.periodNs, run.ticksPerSecond) = (4711, "flags", 16_666_667, rate)
    var times = Histogram()
    for ns in [UInt64(7_700), 123_456, 12_300_000] { times.record(ns) }
    run.work = DurationReport(times)
    (run.entities, run.bytesPerSecond, run.eventsPerTick, run.tick) = (
      6_300_000, 4.1e9, 0.25, 123_456
    )
    return run
  }

  @Test(arguments: [(80, 24), (200, 50), (20, 5), (1, 1), (80, 2), (0, 0)])
  func linesFit(columns: Int, rows: Int) {
    var screen = TopScreen()
    screen.report = TopReport(
      runs: (0..<30).map { Self.run("a-name-that-is-rather-long-\($0)") }, unreadable: ["x"])
    for key in [nil, TerminalKey.down, .enter, .left] {
      if let key { _ = screen.press(key) }
      let lines = screen.lines(columns: columns, rows: rows)
      #expect(lines.count == rows)
      #expect(lines.allSatisfy { $0.text.count <= columns })
    }
  }

  @Test func widthChoosesColumns() {
    let narrow = TopTable([Self.run("demo")], columns: 80)
    #expect(
      narrow.text == """
        NAME            RATE      P50      P99      MAX BUDGET EV/TICK  ENT  B/S   LATE
        demo            60.0 124.9 µs 12.30 ms 12.30 ms  24.9%     0.3 6.3M 4.1G      0
        """, "\(narrow.text)")
    let wide = TopTable([Self.run("demo")], columns: 200).heading.split(separator: " ")
    for title in ["SCENE", "MEAN", "OVER", "TICK", "AGE", "PID"] as [Substring] {
      #expect(wide.contains(title))
      #expect(!narrow.heading.split(separator: " ").contains(title), "\(title)")
    }
    #expect(TopTable([], columns: 80).text == "no runs")
  }

  @Test func subscribersStandBelowEachOther() {
    var run = Self.run("demo")
    let idle = DurationReport(Histogram())
    run.subscribers = [
      TopSubscriber(
        name: "logger", pid: 1, framesPerSecond: 60, lagFrames: 0, age: run.work, work: idle,
        received: 9, missed: 0, waiting: "futex", reading: "every", transport: "memory",
        bytesPerSecond: 4.1e9),
      TopSubscriber(
        name: "renderer", pid: 2, notice: "stopped", framesPerSecond: 7.25, age: idle, work: idle,
        received: 9, missed: 1234, waiting: "announcement", reading: "newest",
        transport: "tcp, lz4",
        bytesPerSecond: 1),
    ]
    #expect(
      TopTable([run], columns: 100).lines.dropFirst().map(\.text) == [
        "  logger   60.0/s lag 0, 12.30 ms missed 0    futex        every  memory   4.1GB/s",
        "  renderer  7.3/s lag -,        - missed 1234 announcement newest tcp, lz4    1B/s",
        "    stopped",
      ])
  }

  @Test(arguments: [
    (0.0, "0"), (0.25, "0.3"), (0.94, "0.9"), (1, "1"), (9.9, "9.9"), (12, "12"), (999, "999"),
    (999.6, "1.0k"),
    (312_000, "312k"), (6_300_000, "6.3M"), (1e30, "1000000000000E"), (.nan, "0"), (.infinity, "0"),
  ])
  func numbersAreShort(value: Double, text: String) {
    let run = {
      var run = Self.run("a")
      run.eventsPerTick = value
      return run
    }()
    #expect(
      TopTable([run], columns: 200).lines[0].text.split(separator: " ").contains(Substring(text)))
  }

  @Test func keysPickOpenSortAndPause() {
    var screen = TopScreen()
    var sharded = TopRun(name: "c", state: .running)
    sharded.shards = [Self.run("c.0of2"), Self.run("c.1of2")]
    screen.report = TopReport(runs: [Self.run("a", rate: 30), Self.run("b", rate: 60), sharded])
    func picked() -> String? {
      screen.lines(columns: 80, rows: 24).first(where: \.isPicked)?.text.split(separator: " ").first
        .map(String.init)
    }
    #expect(picked() == "a")
    #expect(screen.press(.up) == nil && picked() == "a")
    #expect(screen.press(.down) == nil && picked() == "b")
    #expect(screen.press(.character(UInt8(ascii: " "))) == .pause("b"))
    for _ in 0..<9 { _ = screen.press(.down) }
    #expect(picked() == "c.1of2")
    // A change of time is one of all shards.
    #expect(screen.press(.character(UInt8(ascii: " "))) == .pause("c.0of2"))
    _ = screen.press(.up)
    _ = screen.press(.up)
    #expect(screen.press(.character(UInt8(ascii: "s"))) == nil)
    let sorted = screen.lines(columns: 80, rows: 24).map(\.text)
    #expect(sorted[2].hasPrefix("b") && sorted[3].hasPrefix("a"), "\(sorted)")
    #expect(sorted.last == "sorted by rate")
    _ = screen.press(.enter)
    let details = screen.lines(columns: 80, rows: 24).map(\.text)
    #expect(details[1].hasPrefix("run 'c': running"), "\(details)")
    #expect(details.contains { $0.hasPrefix("c.1of2") })
    #expect(screen.press(.character(UInt8(ascii: "q"))) == nil && picked() == "c")
    #expect(screen.press(.character(UInt8(ascii: "x"))) == nil)
    #expect(screen.lines(columns: 80, rows: 24).last?.text.hasPrefix("the keys are") == true)
    #expect(screen.press(.character(UInt8(ascii: "q"))) == .end)
  }

  @Test func pickStaysWithItsRunWhenRowsChangePlaces() {
    var screen = TopScreen()
    screen.report = TopReport(runs: [Self.run("a", rate: 60), Self.run("b", rate: 30)])
    let space = TerminalKey.character(UInt8(ascii: " "))
    #expect(screen.press(.character(UInt8(ascii: "s"))) == nil)
    #expect(screen.press(space) == .pause("a"))
    screen.report = TopReport(runs: [Self.run("a", rate: 0), Self.run("b", rate: 30)])
    #expect(screen.press(space) == .pause("a"))
  }

  @Test func pickedRunIsSeenInAnyHeight() {
    var screen = TopScreen()
    screen.report = TopReport(runs: (10..<40).map { Self.run("run-\($0)") })
    for _ in 0..<29 {
      _ = screen.press(.down)
      #expect(screen.lines(columns: 80, rows: 8).count { $0.isPicked } == 1)
    }
    #expect(screen.lines(columns: 80, rows: 8)[6].text.hasPrefix("run-39"))
  }

  // MARK: - Painting

  private typealias Line = TopScreen.Line

  @Test func onlyWhatHasChangedIsWritten() {
    var painter = ScreenPainter(isUTF8: true)
    let first = painter.paint([Line("rate 60.0 x"), Line("same")])
    #expect(first == "\u{1b}[0m\u{1b}[2J\u{1b}[1;1Hrate 60.0 x\u{1b}[2;1Hsame")
    #expect(painter.paint([Line("rate 60.0 x"), Line("same")]) == "")
    #expect(painter.paint([Line("rate 59.9 x"), Line("same")]) == "\u{1b}[1;6H59.9")
    #expect(painter.paint([Line("rate 59.9"), Line("same")]) == "\u{1b}[1;10H\u{1b}[K")
    #expect(
      painter.paint([Line("rate 59.9"), Line("same", isPicked: true)])
        == "\u{1b}[2;1H\u{1b}[7msame\u{1b}[0m\u{1b}[K")
    painter.forget()
    #expect(painter.paint([Line("a"), Line("")]) == "\u{1b}[0m\u{1b}[2J\u{1b}[1;1Ha")
    // A screen of another height is painted anew.
    #expect(painter.paint([Line("a")]) == "\u{1b}[0m\u{1b}[2J\u{1b}[1;1Ha")
  }

  @Test func wideCharactersLeaveNothingBehind() {
    var painter = ScreenPainter(isUTF8: true)
    _ = painter.paint([Line("旗 60")])
    #expect(painter.paint([Line("旗 61")]) == "\u{1b}[1;1H旗 61\u{1b}[K")
  }

  @Test func terminalWithoutUTF8GetsASCII() {
    var painter = ScreenPainter(isUTF8: false)
    #expect(painter.paint([Line("7 µs a… 旗")]).hasSuffix("7 us a~ ?"))
    #expect(!TerminalText.isUTF8 { _ in nil })
    #expect(TerminalText.isUTF8 { $0 == "LANG" ? "en_US.UTF-8" : nil })
    #expect(!TerminalText.isUTF8 { $0 == "LANG" ? "en_US.UTF-8" : $0 == "LC_ALL" ? "C" : nil })
    #expect(TerminalText.isUTF8 { $0 == "LC_CTYPE" ? "C.utf8" : nil })
  }
}
