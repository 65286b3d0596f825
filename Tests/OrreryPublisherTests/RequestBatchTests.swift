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

/// Goal: requests that a run finds together are done one after the other, and each is answered with the frame
/// that it asked for.
///
/// Method: they wait on the queue before the run begins, so that its loop takes them at once.
@Suite struct RequestBatchTests {
  typealias Request = (verb: ControlVerb, fields: [String: DocumentValue])

  /// What an answer says.
  enum Answer: Equatable, Sendable {
    /// Done at this frame, which shows this tick.
    case frame(UInt64, tick: UInt64)
    case refused(String)

    init(_ reply: ControlReply) {
      switch reply {
      case .done(let said, _):
        self = .frame(said.count("sequence") ?? .max, tick: said.count("tick") ?? .max)
      case .refused(let reason): self = .refused(reason)
      }
    }
  }

  private static func step(_ ticks: Int64) -> Request { (.step, ["ticks": .integer(ticks)]) }
  private static func seek(_ tick: Int64) -> Request { (.seek, ["tick": .integer(tick)]) }
  private static let pause: Request = (.pause, [:])

  /// Where a run is that has published nothing.
  private static let atFirst = Answer.frame(0, tick: 0)
  private static let pausedFirst = Answer.refused("the run was paused first")

  /// Requests, their answers, and where the run stands then: frames, and the tick of the next.
  static let batches: [(requests: [Request], answers: [Answer], frames: UInt64, next: UInt64)] = [
    (
      [pause, step(5), seek(100)], [atFirst, .frame(5, tick: 104), .frame(1, tick: 100)], 5, 105
    ),
    (
      [pause, seek(100), step(5)], [atFirst, .frame(1, tick: 100), .frame(6, tick: 105)], 6, 106
    ),
    ([pause, step(2), step(3)], [atFirst, .frame(2, tick: 2), .frame(5, tick: 5)], 5, 6),
    ([pause, seek(70), seek(50)], [atFirst, .frame(1, tick: 50), .frame(1, tick: 50)], 1, 51),
    ([pause, seek(0)], [atFirst, .frame(1, tick: 0)], 1, 1),
    ([step(3)], [.frame(3, tick: 3)], 3, 4),
    ([pause, step(5), pause], [atFirst, pausedFirst, atFirst], 0, 1),
    ([pause, seek(30), pause], [atFirst, pausedFirst, atFirst], 0, 30),
    (
      [step(4), (.resume, [:]), seek(9), pause, step(1)],
      [pausedFirst, atFirst, pausedFirst, atFirst, .frame(1, tick: 9)], 1, 10
    ),
  ]

  /// A small scene.
  private static func plan() -> ScenePlan {
    var layout = Orrery_SceneLayout()
    layout.batches = [Orrery_Batch()]
    let specs = Specs(count: 10) { OrbitSpec(radius: Double($0), period: 10, phase: 0) }
    return ScenePlan(name: "batch", seed: 1, rate: 60, batches: [.orbit(specs)], layout: layout)
  }

  @Test(arguments: batches.indices)
  func eachRequestOfABatchIsAnsweredWithItsFrame(index: Int) throws {
    let batch = Self.batches[index]
    let options = SimOptions(test: "batch-\(index)", ticks: nil)
    let simulation = try Simulation(Self.plan(), options: options)
    let client = CommandQueueClient(queue: simulation.commands)
    let posted = batch.requests.map { client.post($0.verb, $0.fields) }
    nonisolated(unsafe) let unsafe = simulation
    let running = try TestThread("the run's end") { _ = try unsafe.run() }
    #expect(posted.map { Answer($0.wait()) } == batch.answers)
    let stats = client.done(.stats)
    #expect(stats.count("sequence") == batch.frames)
    #expect(stats.count("next_tick") == batch.next)
    #expect(stats["paused"] == .bool(true))
    client.done(.quit)
    try running.join()
    // Once each.
    #expect(posted.allSatisfy { $0.answerCount == 1 })
  }
}
