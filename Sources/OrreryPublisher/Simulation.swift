// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryFrame
import OrreryScene
import OrrerySim
import OrreryWire

/// Runs a world and publishes its frames: tick clock → world → ring → announcement; a trace that is played takes the
/// world's place.
///
/// The loop has one thread; each tick is computed directly into its slot. The threads of the join server, the
/// wire server and ZeroMQ serve subscribers; in live delivery no subscriber can delay the loop.
///
/// Commands are queued in `commands` and performed between two ticks (`RunCommands`). A frame's state is a function
/// of the scene, its seed, the frame's tick and the changes applied so far, each at its tick.
/// Seeking back replays the changes; the same changes at the same ticks give the same hashes.
package final class Simulation {
  private let course: RunCourse
  private let requests: RunCommands

  /// Commands to this run that its loop has not performed yet; the publication's.
  package let commands: CommandQueue

  /// Takes the run's directory, builds the world and the ring, and opens the run's sockets.
  ///
  /// - Throws: `Failure` with the exit status of its cause.
  package convenience init(_ plan: ScenePlan, options: SimOptions) throws(Failure) {
    try self.init(
      RunLock(run: options.run, carrier: options.carrier), plan, options: options)
  }

  /// Builds the ring of a run whose directory is taken, and opens its sockets.
  ///
  /// - Parameters:
  ///   - lock: The run's directory.
  ///   - plan: The scene; of a played trace its name, seed, rate and layout are enough.
  ///   - maker: What fills the frames; nil: a world that is built from the plan.
  ///   - options: How the run is published.
  /// - Throws: `Failure` with the exit status of its cause.
  package init(
    _ lock: RunLock, _ plan: ScenePlan, maker: (any FrameMaker)? = nil, options: SimOptions
  ) throws(Failure) {
    course = try RunCourse(lock, plan, maker: maker, options: options)
    requests = RunCommands(course)
    commands = requests.queue
    try requests.applyPastChanges()
  }

  /// Runs all ticks, or until a stop signal.
  ///
  /// - Parameters:
  ///   - frameTimes: Gets the times of each frame; the caller finishes it.
  ///   - timeline: Gets what each tick did; the caller finishes it.
  ///   - progress: Called after each tick with its number, and the frames and the late ticks so far;
  ///     it decides how often to print.
  /// - Returns: The run's report.
  /// - Throws: `Failure` when the required subscribers or the other shards did not come in time.
  package func run(
    frameTimes: FrameTimesFile<SimFrameTimes>? = nil, timeline: ProgramTimeline? = nil,
    progress: (_ tick: UInt64, _ frames: UInt64, _ lateTicks: UInt64) -> Void = { _, _, _ in }
  ) throws(Failure) -> SimReport {
    course.frameTimes = frameTimes
    course.timeline = timeline.map { SimTimeline($0, course.plan, course.maker) }
    do throws(Failure) {
      try waitForSubscribers()
      // Nothing is touched for the first time in a tick that is timed.
      if try !course.computeFirstFrame() { course.maker.prepare() }
      try begin()
      try publishFrames(progress)
    } catch {
      finish()
      throw error
    }
    var report = course.report(
      nowNs: Clock.monotonicNs(), residentMaxBytes: Memory.residentBytesMost() ?? 0)
    finish()
    report.subscribers = course.publication.accounts
    return report
  }

  /// Publishes frames until the run ends.
  ///
  /// - Throws: `Failure` if this is a shard and the others have changed the run without it.
  private func publishFrames(
    _ progress: (_ tick: UInt64, _ frames: UInt64, _ lateTicks: UInt64) -> Void
  ) throws(Failure) {
    // A shard that comes into a run may have read a change whose frame is among its first: nobody wakes it for that.
    try requests.takeProposals()
    while true {
      if commands.isWaiting {
        let beginNs = course.timeline.map { _ in Clock.monotonicNs() }
        requests.serve()
        try requests.takeProposals()
        if let beginNs { course.timeline?.recordCommands(fromNs: beginNs) }
        course.publication.counters?.notePace(of: course)
      }
      if course.hasToEnd || course.isComplete { return }
      if try requests.meetNextChange() {
        course.publication.counters?.notePace(of: course)
        continue
      }
      if let waitNs = course.nsToNextTick() {
        commands.wait(ns: waitNs)
      } else if let ahead = course.claimableTicks() {
        try course.publish(ahead: ahead)
        if requests.areAwaited { requests.answerAwaited() }
        progress(course.figures.newest.tick, course.writer.sequence, course.clock.lateTicks)
      }
    }
  }

  /// Ends the run in order: no command is performed any more, and no frame follows.
  private func finish() {
    requests.close()
    course.publication.finish()
  }
}

// MARK: - Beginning

extension Simulation {
  private func waitForSubscribers() throws(Failure) {
    let (publication, options) = (course.publication, course.options)
    let deadline = Clock.monotonicNs() + UInt64(options.waitSeconds * 1e9)
    while publication.joinedCount < options.waitFor, !course.hasToEnd {
      serveCommands()
      let now = Clock.monotonicNs()
      guard now < deadline else {
        throw Failure(
          .unavailable,
          "\(publication.joinedCount) of \(options.waitFor) subscribers joined run"
            + " '\(options.run)' within \(options.waitSeconds) s")
      }
      commands.wait(ns: 2_000_000)
    }
  }

  /// Begins the schedule: now, or when all shards begin.
  private func begin() throws(Failure) {
    guard let sharding = course.sharding else {
      let startNs = Clock.monotonicNs()
      var clock = TickClock(rate: course.plan.rate, startNs: startNs)
      // A command may have set the speed while the run waited for subscribers.
      clock.continues(at: course.clock.speed, nowNs: startNs)
      course.begin(clock, startNs: startNs)
      return
    }
    do throws(RendezvousError) {
      let start = try sharding.begin(
        course.plan, waitSeconds: course.options.waitSeconds, waking: commands
      ) {
        serveCommands()
        return course.hasToEnd
      }
      course.begin(start.clock, startNs: max(start.startNs, Clock.monotonicNs()))
      // Without ticks that are due, nothing else would wait for the start.
      while !course.options.isPaced, !course.hasToEnd {
        let nowNs = Clock.monotonicNs()
        guard nowNs < start.startNs else { break }
        commands.wait(ns: start.startNs - nowNs)
        serveCommands()
      }
    } catch .cancelled {
      // The run ends before it has begun.
    } catch {
      throw Failure(error)
    }
  }

  private func serveCommands() {
    if commands.isWaiting { requests.serve() }
  }
}

extension ScenePlan {
  /// Index of the batch that commands change.
  package var viewsBatch: Int? {
    batches.firstIndex { if case .views = $0 { true } else { false } }
  }
}

extension RunLock {
  /// Takes a run's directory.
  ///
  /// Do this before anything else: a second sim of a name must report that it is taken, not that there
  /// is too little memory.
  ///
  /// - Throws: `Failure`: a living sim has the name, or the directory cannot be used.
  package convenience init(run: String, carrier: Carrier) throws(Failure) {
    do throws(RunDirectoryError) {
      try self.init(RunDirectory(name: run), segment: carrier.segment)
    } catch {
      throw Failure(error)
    }
  }
}
