// SPDX-License-Identifier: Apache-2.0

/// Chooses how many threads share a round, by measured times.
///
/// Whether another thread pays depends on the round's length, on who else uses the processors, and on the
/// time that a sleeping thread takes to wake; all three change during a run. So it is tried: a trial compares
/// the number in use with half or twice as many, in turns, and keeps the faster number. If both are about as
/// fast it keeps the smaller, which leaves processors to others. Between trials nothing is measured. Trials
/// that change nothing become rarer.
package struct ThreadChoice: Equatable, Sendable {
  /// The threads that share the next round.
  package var threads: Int { trial.map { $0.isOther ? $0.other : chosen } ?? chosen }

  /// The threads that were found best so far.
  package private(set) var chosen: Int

  /// Whether the next round is to be timed and given to `record`.
  package var wantsTime: Bool { trial != nil }

  private let threadCount: Int
  private var trial: Trial?
  /// Rounds until the next trial.
  private var restCount = 0
  /// Rounds between the last trial and the next.
  private var restLength = Self.restMin
  /// Whether the next trial tries more threads.
  private var triesMore = false

  /// A comparison that is under way.
  private struct Trial: Equatable, Sendable {
    /// The number that is compared with the chosen one.
    let other: Int
    var isOther = false
    /// Rounds that counted in the present turn.
    var roundCount = 0
    /// Turns that are over.
    var turnCount = 0
    /// Rounds in which threads woke: in the present turn; and in all turns together, without the first round
    /// of each.
    var wakingCount = 0
    var moreWakingCount = 0
    /// Time of these rounds in the present turn; nil once rounds of the turn count.
    var wakingNs: UInt64? = 0
    var chosenCost = Cost()
    var otherCost = Cost()

    mutating func add(tasks: UInt64, ns: UInt64) {
      if isOther {
        otherCost.add(tasks: tasks, ns: ns)
      } else {
        chosenCost.add(tasks: tasks, ns: ns)
      }
    }
  }

  /// Time and tasks of rounds.
  private struct Cost: Equatable, Sendable {
    var ns: UInt64 = 0
    var tasks: UInt64 = 0
    /// Nanoseconds a task.
    var perTask: Double { Double(ns) / Double(max(tasks, 1)) }

    mutating func add(tasks: UInt64, ns: UInt64) {
      self.tasks += tasks
      self.ns += ns
    }
  }

  /// Rounds in a turn that count: as many as all blocks need to begin a tile.
  ///
  /// Others come before them, in which threads wake and fill their caches: one if it is long enough.
  package static let turnLength = 8
  /// Time in which a sleeping thread wakes.
  package static let wakingNs: UInt64 = 100_000
  /// Rounds in which threads wake, at most.
  private static let wakingMax = 1024
  /// Short rounds between two trials, for each round in which threads woke: so trials cost a hundredth of the
  /// time.
  private static let restPerWaking = 64
  /// Turns of a trial, half of them with either number.
  package static let turnCount = 6
  /// Rounds between two trials at first, and at most.
  package static let restMin = 128
  package static let restMax = 8192
  /// More threads are kept if they take less than this part of the time.
  private static let paysBelow = 0.97

  /// Begins with all threads, and with a trial.
  ///
  /// - Parameter threadCount: The largest number of threads to choose.
  package init(threadCount: Int) {
    precondition(threadCount >= 1, "\(threadCount) threads")
    self.threadCount = threadCount
    chosen = threadCount
    beginTrial()
  }

  /// Counts a round that was not timed.
  package mutating func skip() {
    guard threadCount > 1, trial == nil else { return }
    restCount -= 1
    if restCount <= 0 { beginTrial() }
  }

  /// Counts a round that was timed.
  ///
  /// - Parameters:
  ///   - tasks: Its tasks.
  ///   - ns: The time that they took, with `threads` threads.
  package mutating func record(tasks: Int, ns: UInt64) {
    guard var trial else { return }
    if let wakingNs = trial.wakingNs {
      let passedNs = wakingNs + ns
      if trial.wakingCount > 0 { trial.moreWakingCount += 1 }
      trial.wakingCount += 1
      let isAwake = passedNs >= Self.wakingNs || trial.wakingCount == Self.wakingMax
      trial.wakingNs = isAwake ? nil : passedNs
    } else {
      trial.add(tasks: UInt64(tasks), ns: ns)
      trial.roundCount += 1
    }
    if trial.roundCount == Self.turnLength {
      (trial.roundCount, trial.isOther) = (0, !trial.isOther)
      (trial.wakingCount, trial.wakingNs) = (0, 0)
      trial.turnCount += 1
    }
    self.trial = trial
    if trial.turnCount == Self.turnCount { end(trial) }
  }

  private mutating func beginTrial() {
    guard threadCount > 1 else { return }
    if chosen == 1 { triesMore = true }
    if chosen == threadCount { triesMore = false }
    trial = Trial(other: triesMore ? min(chosen * 2, threadCount) : (chosen + 1) / 2)
  }

  private mutating func end(_ trial: Trial) {
    let isMore = trial.other > chosen
    let (fewer, more) =
      isMore ? (trial.chosenCost, trial.otherCost) : (trial.otherCost, trial.chosenCost)
    let morePays = more.perTask < fewer.perTask * Self.paysBelow
    if morePays == isMore {
      // The next trial goes on in the same direction.
      (chosen, restLength) = (trial.other, Self.restMin)
      restCount = restLength
    } else {
      restLength = min(restLength * 2, Self.restMax)
      restCount = max(restLength, trial.moreWakingCount * Self.restPerWaking)
      triesMore.toggle()
    }
    self.trial = nil
  }
}
