// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryFrame
import OrreryPublisher
import OrreryWire
import TestSupport
import Testing

/// Goal: a run that is over says so to subscribers and to those who ask it for something, though its simulation is kept.
///
/// Method: a subscriber that joined before the run, and a request after it.
@Suite struct SimulationEndTests {
  private static func subscriber(_ options: SimOptions) throws -> JoinClient {
    try JoinClient(JoinConnection(RunDirectory(name: options.run)), name: "witness")
  }

  @Test func runThatIsOverTellsSubscribersAndRefusesRequests() throws {
    let options = SimOptions(test: "over", ticks: 10)
    let simulation = try Simulation(.mixed, options: options)
    let subscriber = try Self.subscriber(options)
    #expect(!subscriber.reader.hasEnded)
    #expect(try finish(simulation).frames == 10)
    #expect(subscriber.reader.hasEnded)
    #expect(CommandQueueClient(queue: simulation.commands).reason(.pause) == "the run has ended")
    withExtendedLifetime(simulation) {}
  }

  /// A request that nobody has answered is answered at the end, too.
  @Test func runWithoutItsSubscribersEndsInTheSameWay() throws {
    var options = SimOptions(test: "unmet", ticks: 10)
    (options.waitFor, options.waitSeconds) = (2, 0.05)
    let simulation = try Simulation(.mixed, options: options)
    let subscriber = try Self.subscriber(options)
    let error = #expect(throws: Failure.self) { try finish(simulation) }
    #expect(error?.status == .unavailable)
    #expect(error?.description.contains("1 of 2 subscribers joined") == true)
    #expect(subscriber.reader.hasEnded)
    #expect(subscriber.reader.published == 0)
    #expect(CommandQueueClient(queue: simulation.commands).reason(.pause) == "the run has ended")
    withExtendedLifetime(simulation) {}
  }
}
