// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryBase
import OrreryPublisher
import OrreryScene
import OrreryWire
import TestSupport
import Testing

/// Goal: what is put on a queue is taken once, in its order, and whoever asks is answered once, also by a queue that is
/// full or closed.
///
/// Method: desks without a run, whose loop's side the test is.
@Suite struct CommandQueueOrderTests {
  private static func queue() -> CommandQueue {
    CommandQueue(reader: CommandReader(names: LiveNames(), rate: 60, isPaced: true)) {
      .refused("no picture")
    }
  }

  /// The ticks of steps.
  private static func steps(_ entries: [CommandQueue.Entry]) -> [UInt64] {
    entries.compactMap { if case .step(let count) = $0.command { count } else { nil } }
  }

  @Test func requestsAreTakenOnceInTheirOrder() {
    let queue = Self.queue()
    let client = CommandQueueClient(queue: queue)
    #expect(!queue.isWaiting)
    #expect(queue.takeAll().isEmpty)
    for round in 0..<3 {
      let posted = [5, 3, 4].map { client.post(.step, ["ticks": .integer($0)]) }
      #expect(queue.isWaiting, "round \(round)")
      let entries = queue.takeAll()
      #expect(Self.steps(entries) == [5, 3, 4], "round \(round)")
      #expect(!queue.isWaiting, "round \(round)")
      #expect(queue.takeAll().isEmpty, "round \(round)")
      #expect(posted.allSatisfy { $0.answerCount == 0 })
      for entry in entries { entry.answer(.done()) }
      #expect(posted.allSatisfy { $0.answerCount == 1 })
    }
  }

  @Test func whatNeedsNoLoopIsAnsweredAtOnce() {
    let queue = Self.queue()
    let client = CommandQueueClient(queue: queue)
    for (verb, reason) in [(.snapshot, "no picture"), (.speed, "'factor' is missing")]
      as [(ControlVerb, String)]
    {
      let posted = client.post(verb)
      #expect(posted.answerCount == 1)
      #expect(posted.wait() == .refused(reason))
    }
    #expect(!queue.isWaiting)
  }

  @Test func loopIsInterruptedForEachRequestThatWaits() {
    let queue = Self.queue()
    let client = CommandQueueClient(queue: queue)
    let interrupts = Monitor(0)
    _ = client.post(.stats)
    queue.setInterrupt { interrupts.change { $0 += 1 } }
    for _ in 1..<64 { _ = client.post(.stats) }
    #expect(interrupts.read { $0 } == 63)
    // Refused: there is no room, it is wrong, or it is answered already.
    #expect(client.reason(.stats) == "64 requests wait already; try again")
    #expect(client.reason(.speed) == "'factor' is missing")
    #expect(client.reason(.snapshot) == "no picture")
    #expect(interrupts.read { $0 } == 63)
    #expect(queue.takeAll().count == 64)
    _ = client.post(.stats)
    #expect(interrupts.read { $0 } == 64)
    queue.close()
    #expect(client.reason(.stats) == "the run has ended")
    #expect(interrupts.read { $0 } == 64)
  }

  @Test func closedDeskRefusesOnce() {
    let queue = Self.queue()
    let client = CommandQueueClient(queue: queue)
    let posted = (0..<3).map { _ in client.post(.step) }
    for _ in 0..<2 {
      queue.close()
      #expect(posted.map(\.answerCount) == [1, 1, 1])
    }
    #expect(posted.allSatisfy { $0.wait() == .refused("the run has ended") })
    #expect(queue.takeAll().isEmpty)
    let late = client.post(.step)
    #expect(late.wait() == .refused("the run has ended"))
    #expect(late.answerCount == 1)
    #expect(!queue.isWaiting)
  }

  @Test func sleepingLoopIsWokenByARequest() throws {
    let queue = Self.queue()
    let waiting = try TestThread("a request to wake the loop") { queue.wait(ns: endlessNs) }
    // Time to fall asleep; if it takes longer it does not sleep, which is right as well.
    Clock.sleep(untilMonotonicNs: Clock.monotonicNs() + 20_000_000)
    _ = CommandQueueClient(queue: queue).post(.stats)
    try waiting.join()
    // What waits already is no reason to sleep.
    try within("a sleep that nothing is to begin") { queue.wait(ns: endlessNs) }
  }
}
