// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import OrreryBase
import OrreryFrame
import OrreryWire

/// A subscriber that checks every frame that it receives, until it is killed.
struct SubscriberPart: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "subscriber-part", abstract: "A subscriber of bench subscribers.",
    shouldDisplay: false)

  @Option(name: .customLong("run"), help: "The run.")
  var runName: String

  @Option(help: "spin, futex or announcement.")
  var waiting: String

  @Option(help: "The counts that all subscribers share, and which are this one's.")
  var counts: String

  @Option(help: "Which counts are this one's.")
  var number: Int

  func run() throws {
    StopSignals.endWithParent()
    do {
      let counts = try SubscriberCounts(path: counts)
      let directory = try RunDirectory(name: runName)
      let ways: [String: Waiting] = [
        "spin": .spin, "futex": .futex, "announcement": .announcement,
      ]
      let subscription = try Subscription(
        Subscription.connect(to: directory, waitSeconds: 10), directory: directory,
        name: "bench-\(number)", reading: .every, waiting: ways[waiting] ?? .futex)
      let hash = FrameHash(subscription.reader.layout)
      counts.add(.joined, 1, of: number)
      while true {
        var isRight = true
        let event = subscription.next(timeoutNs: 1_000_000_000) { frame in
          isRight = hash.hash(of: frame) == frame.stamp().stateHash
          return subscription.reader.isWhole(frame)
        }
        switch event {
        case .frame:
          counts.add(isRight ? .whole : .torn, 1, of: number)
          subscription.report()
        case .missed(let gap): counts.add(.missed, UInt64(gap.count), of: number)
        case .idle: break
        case .ended, .simDied, .dropped: return
        }
      }
    } catch {
      Failure(.unavailable, error).exit(program: "orrery bench subscriber-part")
    }
  }
}
