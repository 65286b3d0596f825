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
@Suite(.timeLimit(.minutes(10))) struct RunFollowerTests {
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
      server = try JoinServer(writer: writer, directory: lock.directory)
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

    func use(_ frame: FrameView, source: any FrameSource) throws(Failure) -> Bool {
      frames.append(frame.sequence)
      return source.isWhole(frame)
    }
    func keep(sequence: UInt64) throws(Failure) {}
    func miss(_ gap: ClosedRange<UInt64>) throws(Failure) {}
    func idle() throws(Failure) {}
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
        reading: .every, waiting: .futex, prepare: { number in "prepared \(number)" },
        consumer: { (prepared, loop) throws(Failure) in
          precondition(prepared == "prepared 1")
          precondition(loop.events == nil)
          precondition(loop.source.generation == 1)
          run.publish(3)
          run.writer.end()
          return counter
        })
      precondition(counter.frames == [1, 2, 3], "\(counter.frames)")
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
    #expect(lines.first?.hasPrefix("{\"schema\":\"orrery.subscriber.v1\",") == true)
  }

  @Test func argumentsDecideWhatIsReadAndHow() async {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardOutputContent]
    ) {
      let base = try Self.useOwnBase()
      let run = try Run()
      run.publish(5)
      let counter = Counter()
      try Self.follower("--run follow --wait 0 --reading every --waiting spin --from 2").follow(
        reading: .newest, waiting: .futex, wantsEvents: true, prepare: { _ in },
        consumer: { (_, loop) throws(Failure) in
          precondition(loop.events != nil)
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
        reading: .newest, waiting: .futex, prepare: { _ in },
        consumer: { (_, _) throws(Failure) in
          run.publish(4)
          run.writer.end()
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
          reading: .every, waiting: .futex, prepare: { _ in },
          consumer: { (_, _) throws(Failure) in
            run.publish(3)
            run.stop()
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
          reading: .every, waiting: .futex,
          prepare: { number in
            prepared.append(number)
            run?.stop()
            run = nil
            return number
          }, discard: { discarded.append($0) },
          consumer: { (_, _) throws(Failure) -> Counter in preconditionFailure("joined") })
        preconditionFailure("nobody noticed")
      } catch {
        precondition(error.status == .unavailable, "\(error)")
      }
      precondition(prepared == [1])
      precondition(discarded == [1])
      // Nothing is prepared for a run that is not there.
      do throws(Failure) {
        try follower.follow(
          reading: .every, waiting: .futex, prepare: { prepared.append($0) },
          consumer: { (_, _) throws(Failure) -> Counter in preconditionFailure("joined") })
      } catch {
        precondition(error.description.contains("no run named 'follow'"), "\(error)")
      }
      precondition(prepared == [1])
      withExtendedLifetime(base) {}
    }
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
      try Self.follower("--run follow --wait 0 --follow --from 1 --json").follow(
        reading: .every, waiting: .futex,
        prepare: { (number) throws(Failure) in numbers.append(number) },
        consumer: { (_, _) throws(Failure) in
          switch numbers.count {
          case 1: run?.stop()
          case 2: run?.writer.end()
          default: raise(SIGTERM)
          }
          // The next one takes over the name of one that has gone.
          run = nil
          run = Self.run(frames: 3)
          return counter
        }, died: { number in "; file \(number)" })
      precondition(numbers == [1, 2, 3], "\(numbers)")
      precondition(counter.endings == [false, true, false], "\(counter.endings)")
      // Another run has frames of its own: only the first is read from frame 1.
      precondition(counter.frames == [1, 2], "\(counter.frames)")
      withExtendedLifetime(base) {}
    }
    let text = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
    #expect(text.split(separator: "\n").filter { $0.hasPrefix("{") }.count == 3, "\(text)")
    let errors = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    let said = errors.split(separator: "\n").filter { $0.hasPrefix("test: ") }
    #expect(said == ["test: the sim of run 'follow' died after frame 2; file 1"], "\(errors)")
  }
}
