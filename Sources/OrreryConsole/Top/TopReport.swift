// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryFrame

/// What `orrery top` shows: the runs of this user, as their processes count them.
///
/// Rates and lengths of time are of the last seconds; what is counted from the beginning says so.
package struct TopReport: Codable, Equatable, Sendable {
  /// The kind and version of the document.
  package static let schema = "orrery.top.v1"

  /// By name.
  package var runs: [TopRun]

  /// Counters that could not be read, and why.
  package var unreadable: [String] = []

  /// What was found.
  package init(runs: [TopRun], unreadable: [String] = []) {
    (self.runs, self.unreadable) = (runs, unreadable)
  }
}

/// A run or one of its shards.
package struct TopRun: Codable, Equatable, Sendable {
  /// What a run is doing.
  package enum State: String, Codable, Sendable {
    /// The sim plans and builds its scene.
    case preparing
    /// It waits for subscribers or for the other shards.
    case waiting
    case running
    case paused
    /// No frame follows.
    case ending
    /// It should publish frames, and does not.
    case silent
    /// A signal or a debugger has stopped the sim.
    case stopped
    /// Its sim has no counters here: it is on another machine, or has ended.
    case elsewhere
  }

  /// Its name.
  package var name: String
  /// What it is doing.
  package var state: State
  /// What is wrong, for people; nil: nothing.
  package var notice: String?
  /// Name of its scene.
  package var scene: String?
  /// The sim's process; nil if there are several, or none is known.
  package var pid: Int32?
  /// Time since the sim has its counters.
  package var ageSeconds: Double = 0
  /// The rate that was reached.
  package var ticksPerSecond: Double = 0
  /// From one tick to the next at the run's speed; nil if ticks are due at no time.
  package var periodNs: UInt64?
  /// The newest tick.
  package var tick: UInt64 = 0
  /// The number of its frame.
  package var sequence: UInt64 = 0
  /// Time since the newest frame was published.
  package var sinceTickSeconds: Double = 0
  /// Times to compute a frame.
  package var work = DurationReport(Histogram())
  /// Times to publish it.
  package var publish = DurationReport(Histogram())
  /// Events of views.
  package var eventsPerTick: Double = 0
  /// Entities of the scene, or of the shard.
  package var entities: UInt64 = 0
  /// Bytes of the frames that were published.
  package var bytesPerSecond: Double = 0
  /// Ticks begun after the next one was due, from the beginning.
  package var lateTicks: UInt64 = 0
  /// Frames that took longer than a tick, from the beginning.
  package var overBudgetFrames: UInt64 = 0
  /// The longest time between two frames beyond the due one, from the beginning.
  package var stallMaxNs: UInt64 = 0
  /// Subscribers that are connected, also those that keep no counters here.
  package var subscribersConnected: UInt64 = 0
  /// By their numbers; empty if one sim runs the whole scene.
  package var shards: [TopRun] = []
  /// Those of this machine.
  package var subscribers: [TopSubscriber] = []

  /// A run of which nothing else is known.
  package init(name: String, state: State, notice: String? = nil) {
    (self.name, self.state, self.notice) = (name, state, notice)
  }

  /// The part of the budget that a tick takes in the mean; nil if ticks are due at no time.
  package var budgetShare: Double? {
    periodNs.map { Double(work.meanNs &+ publish.meanNs) / Double($0) }
  }
}

/// A subscriber of this machine.
package struct TopSubscriber: Codable, Equatable, Sendable {
  /// The program's name.
  package var name: String
  /// Its process.
  package var pid: Int32
  /// What is wrong, for people; nil: nothing.
  package var notice: String?
  /// Frames that it received.
  package var framesPerSecond: Double
  /// Frames that were published after the last one that it has seen; nil if the sim is elsewhere.
  package var lagFrames: UInt64?
  /// From publishing a frame to the start of its use.
  package var age: DurationReport
  /// Times to use a frame.
  package var work: DurationReport
  /// Frames received from the beginning.
  package var received: UInt64
  /// Frames missed from the beginning.
  package var missed: UInt64
  /// How it waits for frames.
  package var waiting: String
  /// Which frames it wants.
  package var reading: String
  /// How frames come.
  package var transport: String
  /// Bytes of the frames that it received.
  package var bytesPerSecond: Double
  /// Of the file that it writes; nil: it has none.
  package var fileBytes: UInt64?

  /// A subscriber of these figures.
  package init(
    name: String, pid: Int32, notice: String? = nil, framesPerSecond: Double,
    lagFrames: UInt64? = nil, age: DurationReport, work: DurationReport, received: UInt64,
    missed: UInt64, waiting: String, reading: String, transport: String, bytesPerSecond: Double,
    fileBytes: UInt64? = nil
  ) {
    (self.name, self.pid, self.notice) = (name, pid, notice)
    (self.framesPerSecond, self.lagFrames) = (framesPerSecond, lagFrames)
    (self.age, self.work, self.received, self.missed) = (age, work, received, missed)
    (self.waiting, self.reading, self.transport) = (waiting, reading, transport)
    (self.bytesPerSecond, self.fileBytes) = (bytesPerSecond, fileBytes)
  }
}

// MARK: - From counters

extension TopRun {
  /// The run of a sim.
  ///
  /// - Parameters:
  ///   - now: What it has counted.
  ///   - before: The same some seconds ago; nil: it had not begun.
  ///   - isStopped: Whether a signal or a debugger has stopped its process.
  init(_ now: CounterReading, before: CounterReading?, isStopped: Bool) {
    let publishedNs = now[SimCounter.publishedNs]
    let sinceNs = now.readNs.less(publishedNs == 0 ? now.startedNs : publishedNs)
    let period = now[SimCounter.periodNs]
    let words = "no tick for \(decimal(Double(sinceNs) / 1e9, places: 1)) s"
    let tick = now[SimCounter.tick]
    let last = "\(words), the last was \(tick)"
    let phase = SimPhase(rawValue: now[SimCounter.phase])
    let isLate = sinceNs > max(Self.silentNs, period.multipliedReportingOverflow(by: 4).0)
    let state: State
    var notice: String?
    switch phase {
    case _ where isStopped:
      (state, notice) = (.stopped, "stopped by a signal or a debugger: \(last)")
    case .waiting: (state, notice) = (.waiting, "waits for subscribers or other shards")
    case .ending: (state, notice) = (.ending, "ends: waits for subscribers' last reports")
    case .running where now[SimCounter.paused] == 1:
      (state, notice) = (.paused, "paused at \(tick)")
    case .running where isLate: (state, notice) = (.silent, last)
    case .running, nil: state = .running
    }
    self.init(name: now.fact("run") ?? "?", state: state, notice: notice)
    let seconds = now.seconds(since: before)
    func grown(_ counter: SimCounter) -> Double {
      Double(now[counter].less(before?[counter] ?? 0))
    }
    func times(_ counter: SimCounter) -> DurationReport {
      DurationReport(
        before.map { now.times(counter).since($0.times(counter)) } ?? now.times(counter))
    }
    let frames = grown(.frames)
    scene = now.fact("scene")
    pid = now.processID
    ageSeconds = Double(now.readNs.less(now.startedNs)) / 1e9
    ticksPerSecond = frames / seconds
    periodNs = period == 0 ? nil : period
    self.tick = tick
    sequence = now[SimCounter.sequence]
    sinceTickSeconds = Double(sinceNs) / 1e9
    work = times(.workTimesNs)
    publish = times(.publishTimesNs)
    eventsPerTick = frames > 0 ? grown(.events) / frames : 0
    entities = now[SimCounter.entities]
    subscribersConnected = now[SimCounter.subscribers]
    bytesPerSecond = ticksPerSecond * Double(now[SimCounter.frameBytes])
    lateTicks = now[SimCounter.lateTicks]
    overBudgetFrames = now[SimCounter.overBudgetFrames]
    stallMaxNs = now[SimCounter.stallMaxNs]
  }

  /// No run at 60 Hz is silent for that long, and a person notices it.
  private static let silentNs: UInt64 = 500_000_000

  /// The run of several shards: it is as fast as the slowest.
  init(_ name: String, shards: [TopRun]) {
    let worst = shards.first { ![.running, .paused].contains($0.state) } ?? shards[0]
    self.init(name: name, state: worst.state)
    if worst.state == .paused { notice = worst.notice }
    self.shards = shards
    scene = shards[0].scene
    ageSeconds = shards.map(\.ageSeconds).max() ?? 0
    ticksPerSecond = shards.map(\.ticksPerSecond).min() ?? 0
    periodNs = shards.compactMap(\.periodNs).min()
    tick = shards.map(\.tick).min() ?? 0
    sequence = shards.map(\.sequence).max() ?? 0
    sinceTickSeconds = shards.map(\.sinceTickSeconds).max() ?? 0
    for shard in shards {
      work.raise(to: shard.work)
      publish.raise(to: shard.publish)
      eventsPerTick += shard.eventsPerTick
      entities &+= shard.entities
      subscribersConnected = max(subscribersConnected, shard.subscribersConnected)
      bytesPerSecond += shard.bytesPerSecond
      lateTicks &+= shard.lateTicks
      overBudgetFrames &+= shard.overBudgetFrames
      stallMaxNs = max(stallMaxNs, shard.stallMaxNs)
    }
  }
}

extension TopSubscriber {
  /// A subscriber.
  ///
  /// - Parameters:
  ///   - now: What it has counted.
  ///   - before: The same some seconds ago; nil: it had not begun.
  ///   - run: Its run; nil: the sim is elsewhere.
  ///   - isStopped: Whether a signal or a debugger has stopped its process.
  init(_ now: CounterReading, before: CounterReading?, run: TopRun?, isStopped: Bool) {
    let seconds = now.seconds(since: before)
    func times(_ counter: SubscriberCounter) -> DurationReport {
      DurationReport(
        before.map { now.times(counter).since($0.times(counter)) } ?? now.times(counter))
    }
    let received = now[SubscriberCounter.received]
    let rate = Double(received.less(before?[SubscriberCounter.received] ?? 0)) / seconds
    let fileBytes = now[SubscriberCounter.fileBytes]
    self.init(
      name: now.fact("program") ?? "?", pid: now.processID,
      notice: isStopped ? "stopped by a signal or a debugger" : nil, framesPerSecond: rate,
      lagFrames: run.map { $0.sequence.less(now[SubscriberCounter.sequence]) },
      age: times(.ageTimesNs), work: times(.workTimesNs), received: received,
      missed: now[SubscriberCounter.missed], waiting: now.fact("waiting") ?? "?",
      reading: now.fact("reading") ?? "?", transport: now.fact("transport") ?? "?",
      bytesPerSecond: rate * Double(now[SubscriberCounter.frameBytes]),
      fileBytes: fileBytes == 0 ? nil : fileBytes)
  }
}

extension CounterReading {
  /// Time from an earlier reading of the same page, or from its beginning; more than 0.
  fileprivate func seconds(since before: CounterReading?) -> Double {
    max(Double(readNs.less(before?.readNs ?? startedNs)), 1) / 1e9
  }
}

extension UInt64 {
  /// The difference, and 0 if it would be negative: another process has counted both.
  fileprivate func less(_ other: UInt64) -> UInt64 { self > other ? self - other : 0 }
}

extension DurationReport {
  /// Takes what is longer in another report.
  fileprivate mutating func raise(to other: DurationReport) {
    count = max(count, other.count)
    meanNs = max(meanNs, other.meanNs)
    p50Ns = max(p50Ns, other.p50Ns)
    p90Ns = max(p90Ns, other.p90Ns)
    p99Ns = max(p99Ns, other.p99Ns)
    p999Ns = max(p999Ns, other.p999Ns)
    maxNs = max(maxNs, other.maxNs)
  }
}
