// SPDX-License-Identifier: Apache-2.0

import OrreryFrame

/// The shards of a run, their subscribers, and what happens to them: all of it from one seed.
///
/// Schedules, rings, joined frames and accounts are the real ones. Processes, time and connections are not.
/// Trouble ends at a moment, and what was broken is mended; from a while later on, all frames are whole.
final class ShardedRun {
  /// Kinds of trouble; a seed has some of them.
  enum Trouble: CaseIterable {
    case death
    case deathThenClockStep
    case deathThenWrongTick
    case stall
    case lostLink
    case stoppedSubscriber
  }

  /// What came about, to see that trouble was made.
  struct Counts {
    var joined = JoinedSubscriber.Counts()
    var followed = (received: 0, missed: 0)
    var deaths = 0
    var stalls = 0
    var published = 0
  }

  let scheduler: Scheduler
  private(set) var counts = Counts()

  private let plan: ShardPlan
  private let troubles: [Trouble]
  private var shards: [SimulatedShard] = []
  private var subscribers: [JoinedSubscriber] = []
  private var followers: [ShardFollower] = []

  /// Prepares the run of a seed.
  ///
  /// - Parameters:
  ///   - seed: Of everything that happens.
  ///   - shardCount: Nil: the seed decides, 2 … 24.
  init(seed: UInt64, shardCount: Int? = nil) {
    let scheduler = Scheduler(seed: seed)
    self.scheduler = scheduler
    plan = ShardPlan(scheduler, shardCount: shardCount ?? scheduler.number(2...24))
    troubles = Trouble.allCases.filter { _ in scheduler.chance(2) }
  }

  /// Lets everything happen.
  func run() {
    do throws(FrameError) {
      for index in 0..<plan.shardCount {
        shards.append(try SimulatedShard(index, plan, defect: slight(), scheduler: scheduler))
      }
    } catch {
      return scheduler.fail("a ring cannot be made: \(error)")
    }
    for number in 1...scheduler.number(1...3) {
      let subscriber = JoinedSubscriber(number, plan, shards, scheduler: scheduler)
      subscribers.append(subscriber)
      let latestNs = scheduler.chance(2) ? plan.startNs : plan.calmNs
      scheduler.after(scheduler.timeNs(0...latestNs)) { [self] in tryToJoin(subscriber) }
    }
    for _ in 0..<scheduler.number(1...4) {
      let shard = scheduler.number(0...plan.shardCount - 1)
      followers.append(ShardFollower(shard, plan, shards[shard], scheduler: scheduler))
    }
    for _ in 0..<scheduler.number(0...8 + plan.shardCount / 20) {
      scheduler.after(scheduler.timeNs(plan.startNs / 2...plan.calmNs)) { [self] in makeTrouble() }
    }
    scheduler.after(plan.calmNs) { [self] in mend() }
    scheduler.run(until: plan.dueNs(plan.tickCount) + 20_000_000_000)
    checkEnd()
    count()
  }

  private func checkEnd() {
    for (index, shard) in shards.enumerated() where !shard.process.hasEnded {
      scheduler.fail("shard \(index) hangs at frame \(shard.process.sequence)")
    }
    for subscriber in subscribers where !subscriber.isFinished {
      scheduler.fail("\(subscriber.name) hangs")
    }
    for follower in followers where !follower.isFinished {
      scheduler.fail("\(follower.name) hangs")
    }
  }

  private func count() {
    for subscriber in subscribers { counts.joined.add(subscriber.counts) }
    for follower in followers {
      counts.followed.received += follower.counts.received
      counts.followed.missed += follower.counts.missed
    }
    counts.published = shards.reduce(0) { $0 + Int($1.process.sequence) }
  }

  private func tryToJoin(_ subscriber: JoinedSubscriber) {
    guard !subscriber.isFinished else { return }
    if subscriber.wantsToJoin { subscriber.join() }
    scheduler.after(scheduler.timeNs(1_000_000...40_000_000)) { [self] in tryToJoin(subscriber) }
  }

  // MARK: - Trouble

  /// What every process may have: clocks agree to two milliseconds.
  private func slight() -> ShardProcess.Defect {
    ShardProcess.Defect(clockErrorNs: Int64(scheduler.number(-2_000_000...2_000_000)))
  }

  private func makeTrouble() {
    guard let trouble = troubles.randomElement(using: &scheduler.random) else { return }
    let index = scheduler.number(0...plan.shardCount - 1)
    let untilNs = min(scheduler.nowNs + scheduler.timeNs(10_000_000...3_000_000_000), plan.calmNs)
    var defect = slight()
    switch trouble {
    case .stall:
      counts.stalls += 1
      return shards[index].process.stall(untilNs: untilNs)
    case .lostLink:
      subscribers.randomElement(using: &scheduler.random)?.lose(index, untilNs: untilNs)
      return
    case .stoppedSubscriber:
      subscribers.randomElement(using: &scheduler.random)?.stop(untilNs: untilNs)
      return
    case .death: break
    case .deathThenClockStep:
      defect.clockErrorNs = scheduler.chance(2) ? 1_000_000_000 : -1_000_000_000
    case .deathThenWrongTick: defect.tickError = UInt64(scheduler.number(1...3))
    }
    // A run whose shards all have died is over.
    guard shards[index].process.isRunning, shards.count(where: \.process.isRunning) > 1 else {
      return
    }
    shards[index].process.kill()
    counts.deaths += 1
    scheduler.after(scheduler.timeNs(5_000_000...800_000_000)) { [self] in
      restart(index, scheduler.nowNs < plan.calmNs ? defect : slight())
    }
  }

  /// Ends all trouble: what is dead or wrong is started again as it should be.
  private func mend() {
    for (index, shard) in shards.enumerated() {
      if shard.process.defect.isGrave { shard.process.kill() }
      restart(index, slight())
    }
  }

  private func restart(_ index: Int, _ defect: ShardProcess.Defect) {
    do throws(FrameError) {
      try shards[index].restart(defect: defect)
    } catch {
      scheduler.fail("a ring cannot be made: \(error)")
    }
  }
}

extension JoinedSubscriber.Counts {
  mutating func add(_ other: Self) {
    received += other.received
    incomplete += other.incomplete
    overdue += other.overdue
    missed += other.missed
    overtaken += other.overtaken
    rejoined += other.rejoined
  }
}
