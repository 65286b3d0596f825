// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryBase
import OrreryPublisher
import OrreryScene
import OrreryWire
import TestSupport
import Testing

/// Goal: what is put on a desk is taken once, in its order, and whoever asks is answered once, also by a desk that is
/// full or closed.
///
/// Method: desks without a run, whose loop's side the test is.
@Suite(.timeLimit(.minutes(10))) struct CommandQueueOrderTests {
  private static func desk() -> CommandQueue {
    CommandQueue(reader: OrderReader(names: LiveNames(), rate: 60, isPaced: true)) {
      .refused("no picture")
    }
  }

  /// The ticks of steps.
  private static func steps(_ entries: [CommandQueue.Entry]) -> [UInt64] {
    entries.compactMap { if case .step(let count) = $0.order { count } else { nil } }
  }

  @Test func requestsAreTakenOnceInTheirOrder() {
    let desk = Self.desk()
    let client = CommandQueueClient(desk: desk)
    #expect(!desk.isWaiting)
    #expect(desk.takeAll().isEmpty)
    for round in 0..<3 {
      let posted = [5, 3, 4].map { client.post(.step, ["ticks": .integer($0)]) }
      #expect(desk.isWaiting, "round \(round)")
      let entries = desk.takeAll()
      #expect(Self.steps(entries) == [5, 3, 4], "round \(round)")
      #expect(!desk.isWaiting, "round \(round)")
      #expect(desk.takeAll().isEmpty, "round \(round)")
      #expect(posted.allSatisfy { $0.answerCount == 0 })
      for entry in entries { entry.answer(.done()) }
      #expect(posted.allSatisfy { $0.answerCount == 1 })
    }
  }

  @Test func whatNeedsNoLoopIsAnsweredAtOnce() {
    let desk = Self.desk()
    let client = CommandQueueClient(desk: desk)
    for (verb, reason) in [(.snapshot, "no picture"), (.speed, "'factor' is missing")]
      as [(ControlVerb, String)]
    {
      let posted = client.post(verb)
      #expect(posted.answerCount == 1)
      #expect(posted.wait() == .refused(reason))
    }
    #expect(!desk.isWaiting)
  }

  @Test func loopIsInterruptedForEachRequestThatWaits() {
    let desk = Self.desk()
    let client = CommandQueueClient(desk: desk)
    let interrupts = Monitor(0)
    _ = client.post(.stats)
    desk.setInterrupt { interrupts.change { $0 += 1 } }
    for _ in 1..<64 { _ = client.post(.stats) }
    #expect(interrupts.read { $0 } == 63)
    // Refused: there is no room, it is wrong, or it is answered already.
    #expect(client.reason(.stats) == "64 requests wait already; try again")
    #expect(client.reason(.speed) == "'factor' is missing")
    #expect(client.reason(.snapshot) == "no picture")
    #expect(interrupts.read { $0 } == 63)
    #expect(desk.takeAll().count == 64)
    _ = client.post(.stats)
    #expect(interrupts.read { $0 } == 64)
    desk.close()
    #expect(client.reason(.stats) == "the run has ended")
    #expect(interrupts.read { $0 } == 64)
  }

  @Test func closedDeskRefusesOnce() {
    let desk = Self.desk()
    let client = CommandQueueClient(desk: desk)
    let posted = (0..<3).map { _ in client.post(.step) }
    for _ in 0..<2 {
      desk.close()
      #expect(posted.map(\.answerCount) == [1, 1, 1])
    }
    #expect(posted.allSatisfy { $0.wait() == .refused("the run has ended") })
    #expect(desk.takeAll().isEmpty)
    let late = client.post(.step)
    #expect(late.wait() == .refused("the run has ended"))
    #expect(late.answerCount == 1)
    #expect(!desk.isWaiting)
  }

  @Test func sleepingLoopIsWokenByARequest() throws {
    let desk = Self.desk()
    let waiting = try TestThread("a request to wake the loop") { desk.wait(ns: 600_000_000_000) }
    // Time to fall asleep; if it takes longer it does not sleep, which is right as well.
    Clock.sleep(untilMonotonicNs: Clock.monotonicNs() + 20_000_000)
    _ = CommandQueueClient(desk: desk).post(.stats)
    try waiting.join()
    // What waits already is no reason to sleep.
    try within("a sleep that nothing is to begin") { desk.wait(ns: 600_000_000_000) }
  }
}
