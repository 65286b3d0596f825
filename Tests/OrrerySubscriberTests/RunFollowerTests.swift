// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase
import OrreryFrame
import OrrerySubscriber
import OrreryWire
import TestSupport
import Testing

/// Goal: a follower prepares for each run, hands it to a consumer, says how it was, and goes on only if it was asked to.
///
/// Method: runs of this process, which are published whole when the consumer is made. The environment says where runs
/// are and belongs to the whole process; so these tests have processes of their own.
@Suite struct RunFollowerTests {
  @Test(arguments: [
    ("out.mcap", 1, "out.mcap"), ("out.mcap", 2, "out-2.mcap"), ("a.b/out", 3, "a.b/out-3"),
    ("a.b/.out", 2, "a.b/.out-2"), ("/a/b.tar.gz", 12, "/a/b.tar-12.gz"),
  ])
  func filesAreNumberedBeforeTheirEnding(path: String, number: Int, expected: String) {
    #expect(RunFollower.numbered(path, number) == expected)
  }

  /// A run of this process, with frames that wait for nobody.
  private final class Run {
    let writer: FrameWriter
    private let lock: RunLock
    private let server: JoinServer

    init() throws {
      lock = try RunLock(RunDirectory(name: "follow"))
      writer = try FrameWriter(
        layout: FrameLayout(columns: []), slotCount: 8, staticPart: [], generation: 1,
        delivery: .live)
      server = try JoinServer(
        writer: writer, directory: lock.directory, subscribers: Subscribers(lock.directory))
    }

    func publish(_ count: Int) {
      for _ in 0..<count {
        writer.claim()
        writer.publish(FrameStamp(tick: 0, simTimeNs: 0, publishTimeNs: 0, stateHash: 0))
      }
    }

    /// Hangs up: in order after `FrameWriter.end`, as one that died otherwise.
    func stop() { server.stop() }
  }

  /// A run that has published so many frames already.
  private static func run(frames: Int) -> Run {
    do {
      let run = try Run()
      run.publish(frames)
      return run
    } catch {
      preconditionFailure("\(error)")
    }
  }

  /// Counts what it is given.
  private final class Counter: FrameConsumer {
    private(set) var frames: [UInt64] = []
    private(set) var endings: [Bool] = []
    var shortfall: Failure?
    /// Called once, when it has joined and read what there was.
    var whenIdle: (() -> Void)?

    func use(_ frame: FrameView, source: any FrameSource) throws(Failure) -> Bool {
      frames.append(frame.sequence)
      return source.isWhole(frame)
    }
    func keep(sequence: UInt64) throws(Failure) {}
    func miss(_ gap: ClosedRange<UInt64>) throws(Failure) {}
    func idle() throws(Failure) {
      let body = whenIdle
      whenIdle = nil
      body?()
    }
    func finish(_ account: Losses, simEnded: Bool) throws(Failure) -> [String] {
      endings.append(simEnded)
      return ["file"]
    }
  }

  private static func follower(_ line: String) throws -> RunFollower {
    try RunFollower(
      program: "test", RunArguments.parse(line.split(separator: " ").map(String.init)))
  }

  private static func useOwnBase() throws -> TemporaryBase {
    let base = try TemporaryBase()
    setenv("XDG_RUNTIME_DIR", base.path, 1)
    return base
  }

  @Test func runThatEndsIsFollowedOnce() async {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardOutputContent]
    ) {
      let base = try Self.useOwnBase()
      let run = try Run()
      let counter = Counter()
      try Self.follower("--run follow --wait 0 --json").follow(
        .recording, reading: .every, waiting: .futex, prepare: { number in "prepared \(number)" },
        consumer: { (prepared, source, events) throws(Failure) in
          precondition(prepared == "prepared 1")
          precondition(events == nil)
          precondition(source.generation == 1)
          // What is published before it is ready is not missed.
          run.publish(2)
          counter.whenIdle = {
            run.publish(3)
            run.writer.end()
          }
          return counter
        })
      precondition(counter.frames == [3, 4, 5], "\(counter.frames)")
      precondition(counter.endings == [true])
      run.stop()
      withExtendedLifetime(base) {}
    }
    let text = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
    let lines = text.split(separator: "\n").filter { $0.hasPrefix("{") }
    #expect(lines.count == 1, "\(text)")
    let report: SubscriberReportMessage? = ReportLine.decode(lines.first ?? "")
    #expect(report?.received == 3)
    #expect(report?.waiting == "futex")
    #expect(report?.reading == "every")
    #expect(lines.first?.hasPrefix("{\"schema\":\"orrery.subscriber.v2\",") == true)
  }

  @Test func argumentsDecideWhatIsReadAndHow() async {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardOutputContent]
    ) {
      let base = try Self.useOwnBase()
      let run = try Run()
      run.publish(5)
      let counter = Counter()
      try Self.follower("--run follow --wait 0 --reading every --waiting spin --from-frame 2")
        .follow(
          .recording, reading: .newest, waiting: .futex, wantsEvents: true, prepare: { _ in },
          consumer: { (_, _, events) throws(Failure) in
            precondition(events != nil)
            run.writer.end()
            return counter
          })
      precondition(counter.frames == [2, 3, 4, 5], "\(counter.frames)")
      run.stop()
      withExtendedLifetime(base) {}
    }
    let text = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
    #expect(text.contains("received 4"), "\(text)")
    #expect(!text.contains("{"), "\(text)")
  }

  @Test func newestIsWhatTheProgramWants() async {
    await #expect(processExitsWith: .success) {
      let base = try Self.useOwnBase()
      let run = try Run()
      let counter = Counter()
      try Self.follower("--run follow --wait 0").follow(
        .recording, reading: .newest, waiting: .futex, prepare: { _ in },
        consumer: { (_, _, _) throws(Failure) in
          counter.whenIdle = {
            run.publish(4)
            run.writer.end()
          }
          return counter
        })
      precondition(counter.frames == [4], "\(counter.frames)")
      run.stop()
      withExtendedLifetime(base) {}
    }
  }

  @Test func deathOfTheSimIsAFailureThatSaysWhen() async {
    await #expect(processExitsWith: .success) {
      let base = try Self.useOwnBase()
      let run = try Run()
      run.publish(2)
      let counter = Counter()
      let follower = try Self.follower("--run follow --wait 0")
      do throws(Failure) {
        try follower.follow(
          .recording, reading: .every, waiting: .futex, prepare: { _ in },
          consumer: { (_, _, _) throws(Failure) in
            counter.whenIdle = {
              run.publish(3)
              run.stop()
            }
            return counter
          }, died: { number in "; file \(number)" })
        preconditionFailure("nobody noticed")
      } catch {
        precondition(error.status == .unavailable)
        precondition(
          error.description == "the sim of run 'follow' died after frame 5; file 1", "\(error)")
      }
      precondition(counter.endings == [false])
      withExtendedLifetime(base) {}
    }
  }

  /// What did not come is a failure after the report; the death of the sim is the graver one.
  @Test(arguments: [false, true]) func whatDidNotComeIsAFailure(simDies: Bool) async {
    let result = await #expect(
      processExitsWith: .success,
      observing: [\.standardOutputContent, \.standardErrorContent]
    ) { [simDies] in
      let base = try Self.useOwnBase()
      let run = try Run()
      let counter = Counter()
      counter.shortfall = Failure(.unmet, "half is missing")
      let follower = try Self.follower("--run follow --wait 0 --json")
      do throws(Failure) {
        try follower.follow(
          .drawing, reading: .every, waiting: .futex, prepare: { _ in },
          consumer: { (_, _, _) throws(Failure) in
            counter.whenIdle = {
              run.publish(3)
              if !simDies { run.writer.end() }
              run.stop()
            }
            return counter
          })
        preconditionFailure("nobody noticed")
      } catch {
        precondition(error.status == (simDies ? .unavailable : .unmet), "\(error)")
        precondition(simDies || error.description == "half is missing", "\(error)")
      }
      withExtendedLifetime(base) {}
    }
    let text = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
    #expect(text.split(separator: "\n").filter { $0.hasPrefix("{") }.count == 1, "\(text)")
    let errors = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(errors.contains("orrery test: half is missing\n") == simDies, "\(errors)")
  }

  /// The file of a run that could not be joined must not stand in the way.
  @Test func whatWasPreparedInVainIsDiscarded() async {
    await #expect(processExitsWith: .success) {
      let base = try Self.useOwnBase()
      var run: Run? = try Run()
      var prepared: [Int] = []
      var discarded: [Int] = []
      let follower = try Self.follower("--run follow --wait 0")
      do throws(Failure) {
        try follower.follow(
          .recording, reading: .every, waiting: .futex,
          prepare: { number in
            prepared.append(number)
            run?.stop()
            run = nil
            return number
          }, discard: { discarded.append($0) },
          consumer: { (_, _, _) throws(Failure) -> Counter in preconditionFailure("joined") })
        preconditionFailure("nobody noticed")
      } catch {
        precondition(error.status == .unavailable, "\(error)")
      }
      precondition(prepared == [1])
      precondition(discarded == [1])
      // Nothing is prepared for a run that is not there.
      do throws(Failure) {
        try follower.follow(
          .recording, reading: .every, waiting: .futex, prepare: { prepared.append($0) },
          consumer: { (_, _, _) throws(Failure) -> Counter in preconditionFailure("joined") })
      } catch {
        precondition(error.description.contains("no run named 'follow'"), "\(error)")
      }
      precondition(prepared == [1])
      withExtendedLifetime(base) {}
    }
  }

  /// A run that is gone before the program was ready for it is no reason to end: another one may follow.
  @Test func runThatGoesTooSoonIsNotFollowed() async {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardErrorContent]
    ) {
      let base = try Self.useOwnBase()
      StopSignals.installHandlers()
      var run: Run? = Self.run(frames: 2)
      var discarded: [Int] = []
      let counter = Counter()
      try Self.follower("--run follow --wait 0 --follow").follow(
        .recording, reading: .every, waiting: .futex,
        prepare: { (number) throws(Failure) in number }, discard: { discarded.append($0) },
        consumer: { (_, _, _) throws(Failure) in
          if discarded.isEmpty {
            run?.stop()
            run = nil
            run = Self.run(frames: 3)
          }
          counter.whenIdle = { raise(SIGTERM) }
          return counter
        })
      precondition(discarded == [1] && counter.endings == [false], "\(discarded)")
      withExtendedLifetime((base, run)) {}
    }
    let errors = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(errors.contains("orrery test: run 'follow' ended before it was joined"), "\(errors)")
  }

  /// A file of times that cannot be made is a failure before the run; one that cannot be written, after the report.
  @Test(arguments: [false, true]) func timesThatCannotBeWrittenAreAFailure(isFull: Bool) async {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardOutputContent]
    ) { [isFull] in
      let base = try Self.useOwnBase()
      let run = try Run()
      let counter = Counter()
      var discarded: [Int] = []
      let path = isFull ? "/dev/full" : "/nonexistent/times"
      let follower = try Self.follower("--run follow --wait 0 --json --frame-times \(path)")
      do throws(Failure) {
        try follower.follow(
          .drawing, reading: .every, waiting: .futex,
          prepare: { (number) throws(Failure) in number }, discard: { discarded.append($0) },
          consumer: { (_, _, _) throws(Failure) in
            counter.whenIdle = {
              run.publish(3)
              run.writer.end()
            }
            return counter
          })
        preconditionFailure("nobody noticed")
      } catch {
        precondition(error.status == .inputOutput, "\(error)")
        let why = isFull ? "write: No space left on device" : "open: No such file or directory"
        precondition(error.description == "\(path): \(why)", "\(error)")
      }
      precondition(counter.frames == (isFull ? [1, 2, 3] : []), "\(counter.frames)")
      precondition(discarded == (isFull ? [] : [1]), "\(discarded)")
      run.stop()
      withExtendedLifetime(base) {}
    }
    let text = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
    #expect(text.contains("\"received\":3") == isFull, "\(text)")
  }

  /// Runs that die and end, one after the other, until a stop signal.
  @Test func followerGoesOnUntilItIsStopped() async {
    let result = await #expect(
      processExitsWith: .success,
      observing: [\.standardOutputContent, \.standardErrorContent]
    ) {
      let base = try Self.useOwnBase()
      StopSignals.installHandlers()
      var run: Run? = Self.run(frames: 2)
      var numbers: [Int] = []
      let counter = Counter()
      let times = base.path + "/times.csv"
      try Self.follower(
        "--run follow --wait 0 --follow --from-frame 1 --json --frame-times \(times)"
      ).follow(
        .recording, reading: .every, waiting: .futex,
        prepare: { (number) throws(Failure) in numbers.append(number) },
        consumer: { (_, _, _) throws(Failure) in
          counter.whenIdle = {
            switch numbers.count {
            case 1: run?.stop()
            case 2: run?.writer.end()
            default: raise(SIGTERM)
            }
            // The next one takes over the name of one that has gone.
            run = nil
            run = Self.run(frames: 3)
          }
          return counter
        }, died: { number in "; file \(number)" })
      precondition(numbers == [1, 2, 3], "\(numbers)")
      precondition(counter.endings == [false, true, false], "\(counter.endings)")
      // Another run has frames of its own: only the first is read from frame 1.
      precondition(counter.frames == [1, 2], "\(counter.frames)")
      // Each run has a file of its own.
      let counts = try (1...3).map { number in
        let path = RunFollower.numbered(times, number)
        return try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").count
      }
      precondition(counts == [3, 1, 1], "\(counts)")
      withExtendedLifetime(base) {}
    }
    let text = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
    #expect(text.split(separator: "\n").filter { $0.hasPrefix("{") }.count == 3, "\(text)")
    let errors = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    let said = errors.split(separator: "\n").filter { $0.hasPrefix("orrery test: ") }
    #expect(
      said == ["orrery test: the sim of run 'follow' died after frame 2; file 1"], "\(errors)")
  }
}
