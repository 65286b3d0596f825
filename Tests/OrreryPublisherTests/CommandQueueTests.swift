// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryBase
import OrreryDocument
import OrreryMessages
import OrreryPublisher
import OrreryScene
import OrreryWire
import TestSupport
import Testing

/// Goal: every request to a run is answered once: done, or refused with a reason that says what to write
/// instead.
///
/// Method: requests to a queue while nobody serves it, and to runs that a thread of their own serves.
@Suite struct CommandQueueTests {
  /// A run of `planets` that begins paused, while `body` asks.
  private func whileRunning(
    _ name: String, ticks: UInt64? = nil, isPaced: Bool = true,
    _ body: (CommandQueueClient) throws -> Void
  ) throws {
    var options = SimOptions(test: name, ticks: 0)
    (options.tickCount, options.isPaced) = (ticks, isPaced)
    let simulation = try Simulation(PlaybackTests.plan(), options: options)
    let client = CommandQueueClient(queue: simulation.commands)
    let paused = client.post(.pause)
    let running = try RunningSimulation(simulation)
    let outcome = Result {
      _ = paused.wait()
      try body(client)
    }
    _ = client.ask(.quit)
    _ = try running.join()
    try outcome.get()
  }

  @Test func pausedRunAnswersAndPublishesNothing() throws {
    try whileRunning("paused") { client in
      for _ in 0..<3 {
        let stats = client.done(.stats)
        #expect(stats.count("sequence") == 0)
        #expect(stats["paused"] == .bool(true))
        #expect(stats.string("scene") == "planets")
        #expect(stats.count("tick_max_ns") == 0)
      }
      #expect(client.done(.step, ["ticks": .integer(3)]).count("tick") == 3)
      #expect(client.done(.stats).count("sequence") == 3)
      #expect(client.done(.seek, ["seconds": .number(12.5)]).count("tick") == 750)
      #expect(client.done(.stats).count("sequence") == 4)
      #expect(client.done(.resume)["paused"] == .bool(false))
    }
  }

  @Test func runEndsAtItsLastFrameWhereverThatIs() throws {
    try whileRunning("last", ticks: 5) { client in
      #expect(client.done(.seek, ["tick": .integer(1_000)]).count("tick") == 1_000)
      // Four frames are left; the fifth that is asked for never comes.
      #expect(
        client.reason(.step, ["ticks": .integer(5)]) == "the run has ended; ticks stepped: 4")
      #expect(client.reason(.stats).contains("ended"))
    }
  }

  @Test func fullDeskRefuses() throws {
    let simulation = try Simulation(
      PlaybackTests.plan(), options: SimOptions(test: "full", ticks: 0))
    let client = CommandQueueClient(queue: simulation.commands)
    let waiting = (0..<CommandQueue.capacity).map { _ in client.post(.stats) }
    #expect(waiting.allSatisfy { $0.answerCount == 0 })
    #expect(client.reason(.stats) == "64 requests wait already; try again")
    _ = try finish(simulation)
    // Each was answered once: a run of no ticks serves what waits, or refuses it at its end.
    #expect(waiting.allSatisfy { $0.answerCount == 1 })
    #expect(client.reason(.stats) == "the run has ended")
  }

  /// What is asked, and a part of the reason.
  static let bad: [(ControlVerb, [String: DocumentValue], String)] = [
    (.step, ["ticks": .integer(0)], "use 1 to 1000000"),
    (.step, ["ticks": .number(1.5)], "whole number"),
    (.seek, [:], "one of 'tick' and 'seconds'"),
    (.seek, ["tick": .integer(1), "seconds": .integer(1)], "one of 'tick' and 'seconds'"),
    (.seek, ["tick": .integer(-1)], "whole number"),
    (.seek, ["tick": .integer(60_000_001)], "use 0 to 60000000"),
    (.seek, ["seconds": .number(-0.1)], "use 0 to 1000000"),
    (.speed, [:], "missing"),
    (.speed, ["factor": .number(0.001)], "use 0.01 to 100"),
    (.speed, ["factor": .integer(101)], "use 0.01 to 100"),
    (.speed, ["factor": .string("fast")], "must be a number"),
    (.set, [:], "'views' is missing"),
    (.set, ["views": .integer(1)], "set: "),
    (.set, ["views": .table([:])], "one of set"),
    (
      .set, ["views": .table(["Mars.pnel": .table(["x": .integer(1)])])],
      "did you mean Mars.panel"
    ),
    (
      .set, ["views": .table(["Mars.panel": .table(["z": .integer(1)])])],
      "set.Mars.panel.z: "
    ),
    (
      .set, ["views": .table(["Mars.panel": .table(["x": .number(1e9)])])],
      "set.Mars.panel.x: 1000000000 is out of range"
    ),
    (
      .set,
      [
        "views": .table(["Mars.panel": .table(["x": .integer(1)])]),
        "animation": .string("easIn"),
      ], "did you mean easeIn"
    ),
    (
      .set, ["views": .table(["Mars.panel": .table(["rotation": .integer(1)])])],
      "--columns rotation"
    ),
    (.toggle, ["names": .string("Marz")], "not a known view"),
    (.toggle, ["names": .string("Mars"), "criteria": .string("removed")], "completion"),
  ]

  @Test func everyBadRequestIsRefusedWithAReason() throws {
    try whileRunning("bad") { client in
      for (verb, fields, part) in Self.bad {
        let reason = client.reason(verb, fields)
        #expect(reason.contains(part), "\(verb) \(fields): \(reason)")
      }
      #expect(client.done(.stats).count("changes") == 0)
    }
  }

  @Test func speedIsForPacedRuns() throws {
    try whileRunning("unpaced", isPaced: false) { client in
      #expect(client.reason(.speed, ["factor": .integer(2)]).contains("--unpaced"))
    }
  }

  @Test func snapshotIsTheFrameThatIsShown() throws {
    try whileRunning("snapshot") { client in
      #expect(client.reason(.snapshot) == "no frame was published yet")
      let said = client.done(.seek, ["tick": .integer(77)])
      guard case .done(let fields, let attachments) = client.ask(.snapshot) else {
        Issue.record("refused")
        return
      }
      #expect(fields.count("tick") == 77)
      #expect(fields["state_hash"] == said["state_hash"])
      let frame = try Orrery_Frame(serializedBytes: attachments[0])
      #expect(frame.tick == 77)
      #expect(hexadecimal(frame.stateHash) == said.string("state_hash"))
      let layout = try Orrery_SceneLayout(serializedBytes: attachments[1])
      #expect(layout.generation == frame.generation)
      #expect(layout.scene == "planets")
    }
  }

  @Test func pauseInTheMiddleOfStepsIsSaid() throws {
    try whileRunning("middle") { client in
      client.done(.speed, ["factor": .number(0.01)])
      client.done(.step)
      let long = client.post(.step, ["ticks": .integer(1_000)])
      client.done(.pause)
      guard case .refused(let reason) = long.wait() else {
        Issue.record("done")
        return
      }
      #expect(reason.contains("paused"))
    }
  }
}
