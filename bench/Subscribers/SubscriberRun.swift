// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase

/// One run of `bench subscribers`.
final class SubscriberRun {
  private let entities: Int
  private let pairCount: Int
  private let runSeconds: Int
  private let stopSeconds: Int
  private let churnSeconds: Int
  private let subscriberCount: Int
  private let folder: ProgramFolder
  private var runNumber = 0

  /// - Throws: `Failure` if the folder cannot be made.
  init(
    entities: Int, pairCount: Int, runSeconds: Int, stopSeconds: Int, churnSeconds: Int,
    subscriberCount: Int
  ) throws(Failure) {
    (self.entities, self.pairCount, self.runSeconds) = (entities, pairCount, runSeconds)
    (self.stopSeconds, self.churnSeconds) = (stopSeconds, churnSeconds)
    self.subscriberCount = subscriberCount
    folder = try ProgramFolder("subscribers")
  }

  /// Measures everything and prints it.
  ///
  /// - Parameter results: Where the result goes.
  /// - Returns: The goals.
  /// - Throws: `Failure`, `SystemCallError`.
  func measure(_ results: ResultOptions) throws -> [BenchGoal] {
    let area = AreaResult("subscribers", results)
    var report = SubscriberBenchReport(entities: entities)
    for number in 0..<pairCount {
      // The order changes with each pair, so a machine that slows down favours neither run.
      let first = try runSim(isAttached: number % 2 == 1)
      let second = try runSim(isAttached: number % 2 == 0)
      let pair =
        number % 2 == 0
        ? SubscriberBenchReport.Pair(alone: first, attached: second)
        : SubscriberBenchReport.Pair(alone: second, attached: first)
      report.pairs.append(pair)
    }
    area.add(report.pairRows)
    report.stop = try measureStop()
    area.add(report.stopRows)
    report.churn = try measureChurn()
    area.add(report.churnRows)
    return try area.finish(report.goals)
  }

  // MARK: - Programs

  private func startSim(seconds: Int, waitFor: Int = 0) throws(Failure) -> (StartedProgram, String)
  {
    runNumber += 1
    let name = "run-\(runNumber)"
    let sim = try StartedProgram(
      "sim",
      [
        "stress", "--entities", "\(entities)", "--duration", "\(seconds)", "--run", name, "--json",
        "--wait-for", "\(waitFor)",
      ], in: folder.url)
    return (sim, name)
  }

  private func startLogger(_ run: String) throws(Failure) -> StartedProgram {
    try StartedProgram(
      "logger",
      ["--run", run, "--out", folder.path(run + ".mcap"), "--force"],
      in: folder.url)
  }

  private func startRenderer(_ run: String) throws(Failure) -> StartedProgram {
    try StartedProgram(
      "renderer",
      ["--run", run, "--png", folder.path(run + ".png"), "--force"],
      in: folder.url)
  }

  private func startSubscriber(
    _ run: String, number: Int, waiting: String, _ counts: SubscriberCounts
  ) throws(Failure) -> StartedProgram {
    try StartedProgram(
      "bench",
      [
        "subscriber-part", "--run", run, "--waiting", waiting, "--counts", counts.path, "--number",
        "\(number)",
      ], in: folder.url)
  }

  /// Waits for a sim's end and reads its report.
  private func figures(_ sim: StartedProgram) throws(Failure) -> SubscriberBenchReport.SimFigures {
    let longest = Double(runSeconds + stopSeconds + churnSeconds) + 60
    guard sim.wait(seconds: longest) else { throw Failure(.unavailable, "the sim hangs") }
    guard let report: SimReport = sim.report("orrery.sim") else {
      throw Failure(.unavailable, "the sim said nothing: \(sim.lines.joined(separator: " "))")
    }
    return .init(report)
  }

  private func runSim(isAttached: Bool) throws -> SubscriberBenchReport.SimFigures {
    let (sim, name) = try startSim(seconds: runSeconds, waitFor: isAttached ? 2 : 0)
    let subscribers = isAttached ? [try startLogger(name), try startRenderer(name)] : []
    let figures = try figures(sim)
    for subscriber in subscribers where !subscriber.wait(seconds: 30) { subscriber.end(SIGKILL) }
    try? FileManager.default.removeItem(atPath: folder.path(name + ".mcap"))
    return figures
  }
}

// MARK: - Subscribers that are stopped

extension SubscriberRun {
  /// How much longer a sim would run whose end is asked for: on a busy machine what is done meanwhile takes longer.
  private static let spareSeconds = 600

  private func measureStop() throws -> SubscriberBenchReport.Stop {
    var sims: [SubscriberBenchReport.SimFigures] = []
    var resources: [StartedProgram.Resources] = []
    for isStopped in [false, true] {
      let (sim, name) = try startSim(seconds: stopSeconds + Self.spareSeconds, waitFor: 3)
      let counts = try SubscriberCounts(path: folder.path(name + ".counts"))
      let subscribers = [
        try startLogger(name),
        try startSubscriber(name, number: 0, waiting: "announcement", counts),
        try startSubscriber(name, number: 1, waiting: "futex", counts),
      ]
      usleep(1_500_000)
      if isStopped {
        let before = sim.resources()
        for subscriber in subscribers { subscriber.send(SIGSTOP) }
        usleep(useconds_t(stopSeconds) * 1_000_000)
        let after = sim.resources()
        for subscriber in subscribers { subscriber.send(SIGCONT) }
        guard let before, let after else { throw Failure(.unavailable, "the sim is gone") }
        resources = [before, after]
      } else {
        usleep(useconds_t(stopSeconds) * 1_000_000)
      }
      usleep(Self.noticeUs)
      sim.send(SIGTERM)
      sims.append(try figures(sim))
      for subscriber in subscribers where !subscriber.wait(seconds: 30) { subscriber.end(SIGKILL) }
      try? FileManager.default.removeItem(atPath: folder.path(name + ".mcap"))
    }
    return .init(
      seconds: stopSeconds, sim: sims[1], undisturbed: sims[0], before: resources[0],
      after: resources[1])
  }
}

// MARK: - Subscribers that are killed

extension SubscriberRun {
  /// Time between two kills; with 64 subscribers, each lives three seconds on average.
  private static let killUs: useconds_t = 50_000

  /// Time for the sim to notice the last killed subscriber.
  private static let noticeUs: useconds_t = 1_500_000

  private func measureChurn() throws -> SubscriberBenchReport.Churn {
    let (first, _) = try startSim(seconds: churnSeconds)
    let alone = try figures(first)
    let (sim, name) = try startSim(seconds: churnSeconds + Self.spareSeconds)
    let counts = try SubscriberCounts(path: folder.path(name + ".counts"))
    let ways = ["futex", "announcement"]
    var subscribers: [StartedProgram] = []
    // One subscriber joins and is killed first: the sim allocates some memory only once.
    try startSubscriber(name, number: 0, waiting: "announcement", counts).wait(joined: counts)
    usleep(Self.noticeUs)
    guard let before = sim.resources() else { throw Failure(.unavailable, "the sim is gone") }
    for number in 0..<subscriberCount {
      subscribers.append(
        try startSubscriber(name, number: number, waiting: ways[number % 2], counts))
    }
    var killed = 0
    var random = SystemRandomNumberGenerator()
    let end = Clock.monotonicNs() + UInt64(churnSeconds) * 1_000_000_000
    while Clock.monotonicNs() < end {
      usleep(Self.killUs)
      let number = Int.random(in: 0..<subscriberCount, using: &random)
      subscribers[number].end(SIGKILL)
      killed += 1
      subscribers[number] = try startSubscriber(
        name, number: number, waiting: ways[number % 2], counts)
    }
    for subscriber in subscribers { subscriber.end(SIGKILL) }
    killed += subscribers.count
    usleep(Self.noticeUs)
    guard let after = sim.resources() else { throw Failure(.unavailable, "the sim is gone") }
    sim.send(SIGTERM)
    return .init(
      seconds: churnSeconds, subscribers: subscriberCount, killed: killed,
      joined: counts.sum(.joined),
      whole: counts.sum(.whole), torn: counts.sum(.torn), missed: counts.sum(.missed),
      sim: try figures(sim), alone: alone, before: before, after: after)
  }
}

extension StartedProgram {
  /// Waits until a subscriber has joined, and kills this program.
  fileprivate func wait(joined counts: SubscriberCounts) {
    _ = Clock.wait(seconds: 10, everyNs: 5_000_000) { counts.sum(.joined) > 0 }
    end(SIGKILL)
  }
}
