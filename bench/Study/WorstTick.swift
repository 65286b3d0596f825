// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase
import OrrerySim

/// A tick that took long: what it did, and the commands that go there.
package struct WorstTick: Codable, Equatable, Sendable {
  /// Ticks since the scene began.
  package let tick: UInt64
  /// How long it took, and of this the handling of its events, in nanoseconds.
  package let ns, eventsNs: Double
  /// Time of the thread on its processor, in nanoseconds: much less than `ns` if others had it, or if other threads
  /// computed.
  package let processorNs: Double
  /// Animations that began at rest, and those that began while another moved the same property.
  package let begins, retargets: UInt64
  /// Animations that ended in their own time, and those that were ended early.
  package let ends, cuts: UInt64
  /// Transactions that became complete, and entries of the queue that were handled.
  package let completions, queued: UInt64
  /// Blocks of entities that were computed, of all, and the threads that shared them.
  ///
  /// Blocks that move by themselves are computed for up to eight ticks at once.
  package let blocks, blocksAll, threads: Int
  /// What the scene lets happen in it; nil in results of older programs.
  package var causes: [String]?
  /// The commands that start a run of the scene and end it; nil in results of older programs.
  package var run, quit: String?
  /// How often it was timed: the figures are of its fastest time; nil in results of older programs.
  package var visits: Int?
  /// The command that leads that run to it.
  package var seek = ""
  /// The command that prints the scene's values at it.
  package var sample = ""

  /// Its time without that in which other programs had its processor, in nanoseconds, as far as that is known.
  ///
  /// It is not known where threads shared the tick, nor of one so short that reading the processor's time takes too
  /// large a part of it.
  package var ownNs: Double {
    threads <= 1 && ns >= 10_000 && processorNs > 0 ? min(ns, processorNs) : ns
  }

  /// A tick without commands.
  ///
  /// - Parameters:
  ///   - tick: Ticks since the scene began.
  ///   - ns: How long it took.
  ///   - eventsNs: Of this, the handling of its events.
  ///   - processorNs: Time of the thread on its processor.
  ///   - counts: What its views did.
  ///   - blocks: Blocks that were computed.
  ///   - blocksAll: Blocks in all.
  ///   - threads: Threads that shared them.
  package init(
    tick: UInt64, ns: Double, eventsNs: Double = 0, processorNs: Double = 0,
    counts: DirectorCounts = DirectorCounts(), blocks: Int = 0, blocksAll: Int = 0, threads: Int = 0
  ) {
    (self.tick, self.ns, self.eventsNs, self.processorNs) = (tick, ns, eventsNs, processorNs)
    (begins, retargets, ends, cuts) = (counts.begins, counts.retargets, counts.ends, counts.cuts)
    (completions, queued) = (counts.completions, counts.queued)
    (self.blocks, self.blocksAll, self.threads) = (blocks, blocksAll, threads)
  }
}

/// The commands that go to a tick: one that starts a run of the scene, one that leads the run there, one that prints the
/// scene's values without a run, and one that ends the run.
package typealias TickCommands = (run: String, seek: String, sample: String, quit: String)

extension TimedWorld {
  /// Times the next tick by its parts.
  ///
  /// - Parameter planted: A slowdown, as a part: a test plants it.
  /// - Returns: Its time, and what it did.
  package func timeInParts(planted: Double = 0) -> WorstTick {
    let before = world.viewCounts
    let processor = ProcessorClock.seconds(CLOCK_THREAD_CPUTIME_ID)
    let begin = Clock.monotonicNs()
    // Evaluating the tick then finds these events already handled.
    for batch in world.batches { batch.prepare(tick: tick + 1) }
    let middle = Clock.monotonicNs()
    evaluateNext()
    let ns = Planted.wait(since: begin, planted)
    let processorNs = (ProcessorClock.seconds(CLOCK_THREAD_CPUTIME_ID) - processor) * 1e9
    return WorstTick(
      tick: tick, ns: Double(ns), eventsNs: Double(middle - begin), processorNs: processorNs,
      counts: world.viewCounts - before, blocks: world.evaluatedBlockCount,
      blocksAll: world.blockCount, threads: world.evaluatingThreadCount)
  }
}

/// The slowest of many ticks by their own time, each tick once: the fastest of its visits counts, since what made another
/// one slower was not the tick.
package struct WorstTicks {
  private var fastest: [UInt64: WorstTick] = [:]
  private let countMax: Int
  private let commands: (_ tick: UInt64) -> TickCommands

  /// Ticks that are known at most; further ones are not looked at.
  private static let knownMax = 1 << 18

  /// - Parameters:
  ///   - countMax: How many are kept.
  ///   - commands: The commands that go to a tick.
  package init(
    _ countMax: Int, commands: @escaping (_ tick: UInt64) -> TickCommands
  ) {
    (self.countMax, self.commands) = (countMax, commands)
  }

  /// Adds a visit of a tick.
  package mutating func add(_ tick: WorstTick) {
    guard countMax > 0 else { return }
    let known = fastest[tick.tick]
    guard known != nil || fastest.count < Self.knownMax else { return }
    var kept = known.flatMap { $0.ownNs <= tick.ownNs ? $0 : nil } ?? tick
    kept.visits = (known?.visits ?? 0) + 1
    fastest[tick.tick] = kept
  }

  /// The slowest first, of those that were visited at least half as often as any.
  package var ticks: [WorstTick] {
    let visitsMax = fastest.values.reduce(0) { max($0, $1.visits ?? 0) }
    let all = fastest.values.filter { 2 * ($0.visits ?? 0) >= visitsMax }
      .sorted { ($1.ownNs, $0.tick) < ($0.ownNs, $1.tick) }
    return all.prefix(countMax).map { tick in
      var tick = tick
      (tick.run, tick.seek, tick.sample, tick.quit) = commands(tick.tick)
      return tick
    }
  }
}

/// The slowest ticks of each workload, at most 80 columns wide.
package enum WorstText {
  private static let columns = TextTable([
    .right(8), .right(9), .right(9), .right(8), .right(8), .right(9), .right(7), .right(7),
    .right(7), .right(8),
  ])
  /// The names of the cells.
  package static let heading = [
    "tick", "µs", "own µs", "events%", "begin", "retarget", "end", "cut", "blocks", "threads",
  ]

  /// A tick's figures.
  package static func cells(_ tick: WorstTick) -> [String] {
    func percent(_ part: Double) -> String {
      decimal(min(part / max(tick.ns, 1), 1) * 100, places: 0)
    }
    return [
      "\(tick.tick)", StudyText.figure(tick.ns / 1e3), StudyText.figure(tick.ownNs / 1e3),
      percent(tick.eventsNs),
    ] + [tick.begins, tick.retargets, tick.ends, tick.cuts].map { "\($0)" }
      + ["\(tick.blocks)", "\(tick.threads)"]
  }

  /// What the figures of a row's slowest ticks do not say by themselves.
  package static func notes(_ row: StudyRow) -> [String] {
    guard let worst = row.worst else { return [] }
    var notes: [String] = []
    if row.histogram == nil {
      notes.append(
        "ticks of \(row.name.dropFirst(5)) are too short to be timed one by one in its rounds:"
          + " these were timed after them, each with its readings of the clock")
    }
    for tick in worst {
      if let causes = tick.causes, !causes.isEmpty {
        notes.append("tick \(tick.tick): \(causes.joined(separator: "; "))")
      }
      let isPreempted = tick.ownNs < tick.ns / 2
      if isPreempted {
        notes.append(
          "tick \(tick.tick): for \(decimal((1 - tick.processorNs / tick.ns) * 100, places: 0)) % of"
            + " its time another program or the machine had the processor")
      }
      if tick.queued > 0, tick.begins + tick.retargets + tick.ends + tick.cuts == 0 {
        notes.append(
          "tick \(tick.tick): its events are \(counted(tick.queued, "step")) of the queue that begin"
            + " and end no animation, such as a value set without one")
      } else if tick.queued == 0, tick.eventsNs > tick.ns / 2, !isPreempted {
        notes.append("tick \(tick.tick): it has no event; the time is that of looking for one")
      }
    }
    return notes
  }

  /// The commands that go to a row's slowest ticks: first the one that starts a run.
  package static func commands(_ worst: [WorstTick]) -> [String] {
    [worst.first?.run].compactMap { $0 } + worst.flatMap { [$0.seek, $0.sample] }
      + [worst.first?.quit].compactMap { $0 }
  }

  /// The tables of all rows that have them.
  package static func text(_ rows: [StudyRow]) -> String {
    rows.compactMap { row in
      guard let worst = row.worst, !worst.isEmpty else { return nil }
      var text =
        "\n"
        + TextTable.wrapped(
          "worst ticks of \(row.name.dropFirst(5)) by their own time"
            + (worst[0].visits.map { $0 > 1 ? ", the fastest of \($0) visits" : "" } ?? "")
            + "; \(counted(worst[0].blocksAll, "block"))")
      text += columns.line(heading)
      for tick in worst { text += columns.line(cells(tick)) }
      text += notes(row).map { TextTable.wrapped("  " + $0) }.joined()
      return text + commands(worst).map { "  \($0)\n" }.joined()
    }.joined()
  }
}
