// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import Logging
import OrreryBase
import OrreryCommandLine
import OrreryFrame
import OrreryWire

/// Arguments: which run a subscriber follows, and how it joins.
package struct RunArguments: ParsableArguments {
  @Option(help: "Name of the run to join, of this user on this machine.")
  package var run: String?

  @Option(
    help: """
      In place of --run: where a sim listens, as tcp://HOST:PORT. Of a run of several shards, one for each, in any order.
      """)
  package var connect: [String] = []

  @Option(
    help: """
      With --run: the directory where the run's shards meet, on any machines. Those of this user on this machine are \
      followed in memory, the others where they listen.
      """)
  package var rendezvous: String?

  @Option(
    help: "Directory with client.key and server.pub; needed where a sim is on another machine.")
  package var keys: String?

  @Flag(
    help: """
      With --connect or --rendezvous: get frames as LZ4, for links slower than a gigabyte a second.
      """)
  package var lz4 = false

  @Flag(help: "When a run ends or its sim dies, wait for the next one; files are numbered then.")
  package var follow = false

  @Option(
    help: "Every frame, or always the newest. Default: the logger every, the renderer newest.")
  package var reading: Reading?

  @Option(
    name: .customLong("from-frame"), parsing: .unconditional,
    help: "First frame that is wanted, from 1; 0 for the next one to be published.")
  package var from: UInt64 = 0

  @Option(
    help: """
      With --run: how to learn of frames. spin takes a processor; futex sleeps in the kernel; announcement waits for \
      ZeroMQ's message. Default: the logger futex, the renderer announcement.
      """)
  package var waiting: Waiting?

  @Option(
    parsing: .unconditional,
    help: """
      Seconds to wait for the run to appear, and with --connect for a sim that is not heard, \(OptionRanges.wait). \
      A sim that prepares its scene has appeared.
      """)
  package var wait: Double = 10

  @Option(
    parsing: .unconditional,
    help: """
      In a run of several shards: milliseconds to wait for a shard's part of a frame after the first part, \
      \(Self.leadRange).
      """)
  package var lead: Double = 200

  @Option(
    help: """
      auto, plain, json or none. auto: a line that is rewritten on a terminal, nothing elsewhere. plain: a \
      line every second. json: lines of JSON on standard error.
      """, transform: ProgressMode.init(argument:))
  package var progress = ProgressMode.auto

  @Option(
    help: """
      Write when each frame was found and done (drawn, recorded), one a line of CSV in ns of the monotonic clock. \
      A file that exists is replaced.
      """)
  package var frameTimes: String?

  @Option(
    help: """
      Write what is done with each frame and when to this file, a trace for Perfetto. A file that is there is added to, \
      so that all programs of a run share one.
      """)
  package var timeline: String?

  @OptionGroup package var memory: MemoryArguments

  @OptionGroup package var log: LogArguments

  @Flag(help: "Print the report as a line of JSON.")
  package var json = false

  /// Whether `orrery run` has started this program: it reads progress from its standard output.
  @Flag(help: .hidden)
  package var supervised = false

  package init() {}

  /// Refuses values out of range and options that exclude each other.
  package func validate() throws {
    try CommandLineProgram.checkOutputs(outputs)
    try OptionRanges.wait.check("--wait", wait)
    try Self.leadRange.check("--lead", lead)
    guard (run == nil) != connect.isEmpty else {
      throw ValidationError("use --run NAME or --connect tcp://HOST:PORT")
    }
    guard from <= FrameReader.sequenceMax else {
      throw ValidationError("--from-frame \(from): no run gets there")
    }
    if run == nil {
      if waiting != nil { throw ValidationError("--waiting needs --run") }
      if rendezvous != nil { throw ValidationError("--rendezvous needs --run") }
    } else if rendezvous == nil {
      if keys != nil { throw ValidationError("--keys needs --connect or --rendezvous") }
      if lz4 { throw ValidationError("--lz4 needs --connect or --rendezvous") }
    }
  }

  private static let leadRange = OptionRange(0...60_000.0, "milliseconds")

  /// Files that every subscriber can write.
  package var outputs: [(option: String, path: String?)] {
    [("--frame-times", frameTimes), ("--timeline", timeline)]
  }

  /// The run's location.
  ///
  /// - Throws: `Failure` if the keys or the address cannot be used.
  package func location() throws(Failure) -> RunLocation {
    try Failure.of {
      if let run {
        guard let rendezvous else { return .run(run) }
        return .rendezvous(
          name: run, directory: rendezvous,
          keys: try keys.map { try CurveKeys.client(directory: $0) }, isCompressed: lz4)
      }
      let addresses = try connect.map { try WireAddress.tcp($0, keysIn: keys, CurveKeys.client) }
      return addresses.count == 1
        ? .remote(addresses[0], isCompressed: lz4)
        : .remoteShards(addresses, isCompressed: lz4)
    }
  }
}

/// A program that follows a run.
package protocol SubscriberCommand: MemoryLimited {
  /// Which run it follows, and how.
  var runArguments: RunArguments { get }
}

extension SubscriberCommand {
  package var memory: MemoryArguments { runArguments.memory }
  package static var memoryKind: MemoryLimit.Kind { .subscriber }
}

extension Reading: ExpressibleByArgument {
  /// Reads `every` or `newest`.
  package init?(argument: String) {
    guard let reading = Self.allCases.first(where: { "\($0)" == argument }) else { return nil }
    self = reading
  }

  package static var allValueStrings: [String] { allCases.map { "\($0)" } }
}

extension Waiting: ExpressibleByArgument {
  /// Reads `spin`, `futex` or `announcement`.
  package init?(argument: String) {
    guard let waiting = Self.allCases.first(where: { "\($0)" == argument }) else { return nil }
    self = waiting
  }

  package static var allValueStrings: [String] { allCases.map { "\($0)" } }
}

/// Joins a run, follows it to its end and prints the report; with `--follow`, repeats this for the
/// next run.
package struct RunFollower {
  private let program: String
  private let arguments: RunArguments
  private let location: RunLocation

  /// Where the program's work is reported.
  package let progress: SubscriberProgress

  /// Reads the run's location from the arguments.
  ///
  /// - Throws: `Failure` if the keys or the address cannot be used.
  package init(program: String, _ arguments: RunArguments) throws(Failure) {
    self.program = program
    self.arguments = arguments
    location = try arguments.location()
    progress = SubscriberProgress(
      program: program, style: arguments.progress.style(isForPrograms: arguments.json),
      isSupervised: arguments.supervised)
  }

  /// Follows one run, or one after the other with `--follow`.
  ///
  /// - Parameters:
  ///   - phase: What the program does with a frame, for its progress.
  ///   - reading: Default for which frames are wanted.
  ///   - waiting: Default for how to wait for them.
  ///   - wantsEvents: Whether events are wanted too.
  ///   - mergesBatches: Whether frames of several shards are joined to those of one sim; see `ShardJoining`.
  ///   - prepare: Work that can fail and does not depend on the run; it gets the run's number, from 1.
  ///   - discard: Undoes `prepare` if the run cannot be joined.
  ///   - consumer: Makes the consumer, before the sim counts this subscriber: it gets the source of
  ///     frames, and that of events if they are wanted.
  ///   - died: Text to add to the message that the sim has died.
  /// - Throws: `Failure` when the run cannot be joined, or when its sim died or the consumer misses
  ///   something and no other run follows.
  package func follow<Prepared, Consumer: FrameConsumer>(
    _ phase: WorkReport.Phase, reading: Reading, waiting: Waiting, wantsEvents: Bool = false,
    mergesBatches: Bool = false,
    prepare: (_ number: Int) throws(Failure) -> Prepared,
    discard: (Prepared) -> Void = { _ in },
    consumer: (Prepared, any FrameSource, (any EventSource)?) throws(Failure) -> Consumer,
    died: (_ number: Int) -> String = { _ in "" }
  ) throws(Failure) {
    let log = Logger(label: program)
    var number = 1
    while true {
      progress.report(.waiting)
      // When its sim was first seen to prepare the scene.
      var preparesSinceNs: UInt64?
      var isPreparationNoted = false
      var prepared: Prepared?
      var made: Consumer?
      var frameTimes: FrameTimesFile<SubscriberFrameTimes>?
      var timeline: ProgramTimeline?
      let loop: SubscriberLoop
      do throws(Failure) {
        loop = try SubscriberLoop(
          program: program, location: location, reading: arguments.reading ?? reading,
          waiting: arguments.waiting ?? waiting,
          // `--from` applies to the first run only: each run numbers its own frames.
          from: number == 1 ? arguments.from : 0,
          joining: ShardJoining(
            mergesBatches: mergesBatches, leadSeconds: arguments.lead / 1000),
          wantsEvents: wantsEvents,
          waitSeconds: number == 1 ? arguments.wait : Self.forever,
          mayEndFirst: arguments.supervised,
          whileWaiting: { simPrepares in
            if simPrepares, !isPreparationNoted, !arguments.supervised {
              let nowNs = Clock.monotonicNs()
              let sinceNs = preparesSinceNs ?? nowNs
              preparesSinceNs = sinceNs
              if nowNs >= sinceNs + Self.notedNs {
                isPreparationNoted = true
                log.notice("the sim of \(location) prepares its scene")
              }
            }
            progress.report(.waiting)
          },
          prepare: { () throws(Failure) in
            prepared = try prepare(number)
            frameTimes = try arguments.frameTimes.map { (path) throws(Failure) in
              try FrameTimesFile(path: Self.numbered(path, number))
            }
            timeline = try arguments.timeline.map { (path) throws(Failure) in
              try ProgramTimeline(path: path, TimelineOwner(program: program, run: location.name))
            }
          },
          ready: { (source, events) throws(Failure) in
            guard let prepared else { preconditionFailure("ready without preparing") }
            progress.report(.preparing)
            made = try consumer(prepared, source, events)
          })
      } catch {
        progress.close()
        if let prepared { discard(prepared) }
        // The supervisor sees that there is no report, and says so.
        if arguments.supervised, error.status == .done { return }
        // Another run may follow one that went before this program was ready for it.
        guard arguments.follow, made != nil, error.status == .unavailable, StopSignals.count == 0
        else { throw error }
        StandardErrorLog.say("\(error)", by: "orrery \(program)")
        continue
      }
      guard let consumer = made else { preconditionFailure("joined without being ready") }
      let (report, failure, unwritten) = follow(loop, phase, consumer, frameTimes, timeline)
      Standard.output(
        (arguments.json
          ? ReportLine.encode(report, schema: SubscriberReportMessage.schema) : report.text) + "\n")
      if let failure { throw failure }
      if let shortfall = consumer.shortfall ?? unwritten {
        // A sim that died, or the next run, comes before this failure.
        guard report.ended != .runEnded || arguments.follow, StopSignals.count == 0 else {
          throw shortfall
        }
        StandardErrorLog.say("\(shortfall)", by: "orrery \(program)")
      }
      if StopSignals.count > 0 { return }
      if report.ended != .runEnded {
        let last = report.joinedAfter + report.published
        let end = location.isRemote ? "died or cannot be heard" : "died"
        let text = "the sim of \(location) \(end) after frame \(last)\(died(number))"
        guard arguments.follow else { throw Failure(.unavailable, text) }
        StandardErrorLog.say(text, by: "orrery \(program)")
      }
      guard arguments.follow else { return }
      number += 1
    }
  }

  /// Follows one run, with its progress.
  ///
  /// - Returns: The report; why it ended early, and why the times of frames or the timeline are incomplete, or nil.
  private func follow(
    _ loop: SubscriberLoop, _ phase: WorkReport.Phase, _ consumer: some FrameConsumer,
    _ frameTimes: FrameTimesFile<SubscriberFrameTimes>?, _ timeline: ProgramTimeline?
  ) -> (SubscriberReportMessage, failure: Failure?, unwritten: Failure?) {
    defer {
      progress.close()
      // The files are finished, or their failure is reported: nothing is incomplete any more.
      StopSignals.onlyCount()
    }
    // The supervisor names who holds the run up.
    let (report, failure) = loop.followAndAccount(
      consumer, notesStandstill: !arguments.supervised, frameTimes: frameTimes, timeline: timeline
    ) { done, missed in
      progress.report(phase, done: done, missed: missed, fileBytes: consumer.fileBytes)
    }
    // The lines so far are kept, even if another failure is the one to report.
    let failures = [frameTimes?.finish(), timeline?.finish()]
    return (report, failure, failures.compactMap { $0 }.first)
  }

  /// How long a sim prepares its scene before a notice says so.
  private static let notedNs: UInt64 = 1_000_000_000

  /// Seconds that no user waits for.
  private static let forever = 1e9

  /// The name of the n-th run's file, as `out.mcap`, `out-2.mcap`.
  package static func numbered(_ path: String, _ number: Int) -> String {
    number > 1 ? marked(path, with: "-\(number)") : path
  }

  /// A path with a mark before its suffix.
  package static func marked(_ path: String, with mark: String) -> String {
    PathHalves(path).joined(by: mark)
  }
}
