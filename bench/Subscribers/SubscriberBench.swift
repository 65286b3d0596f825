// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrreryBase
import OrreryCommandLine

/// Measures the effect of subscribers on a sim, with whole processes as in real use.
struct SubscriberBench: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "subscribers",
    abstract: "What a sim notices of its subscribers: attached, stopped, killed.",
    usage: "orrery bench subscribers [OPTIONS]",
    discussion: """
      Example:
        orrery bench subscribers --pairs 3 --duration 10,20,20 --check
      Starts sim, logger and renderer, which lie beside this program, in a runtime
      directory of their own. Other programs disturb: run it alone.
      """)

  @Option(help: "Entities of the scene stress, \(Self.entityRange).")
  var entities = 100_000

  @Option(help: "Pairs of runs, \(Self.pairRange), one with logger and renderer and one without.")
  var pairs: Int?

  @Option(help: "Seconds of a run, of the stop, and of the churn: three numbers, 1 to 3600.")
  var duration: NumberList?

  @Option(help: "Subscribers that come and go, \(Self.subscriberRange).")
  var subscribers = 64

  @Flag(help: "A few seconds in all: whether everything works, not how fast.")
  var quick = false

  @OptionGroup var goals: GoalOptions

  @OptionGroup var results: ResultOptions

  func validate() throws {
    try Self.entityRange.check("--entities", entities)
    try Self.pairRange.check("--pairs", pairs)
    if let duration, duration.numbers.count != 3 || duration.numbers.contains(where: { $0 > 3600 })
    {
      throw ValidationError("--duration: use three numbers of at most 3600, as 10,60,60")
    }
    try Self.subscriberRange.check("--subscribers", subscribers)
  }

  private static let entityRange = OptionRange(1...10_000_000)
  private static let pairRange = OptionRange(1...1000)
  private static let subscriberRange = OptionRange(1...SubscriberCounts.subscribersMax)

  func run() throws {
    try runArea(writing: [results.out], isChecked: goals.check) {
      let times = duration?.numbers ?? (quick ? [1, 2, 3] : [10, 60, 60])
      let run = try SubscriberRun(
        entities: quick ? min(entities, 10_000) : entities,
        pairCount: pairs ?? (quick ? 1 : 5), runSeconds: times[0], stopSeconds: times[1],
        churnSeconds: times[2], subscriberCount: quick ? min(subscribers, 8) : subscribers)
      return try run.measure(results)
    }
  }
}
