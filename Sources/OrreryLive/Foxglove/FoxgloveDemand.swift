// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// What Foxglove clients could take now: nothing is made that nobody takes.
///
/// The server's thread writes it, and the thread that reads frames reads it.
package final class FoxgloveDemand: Sendable {
  private let channels = Atomic<UInt64>(0)
  private let clientCount = Atomic<Int>(0)
  private let subscriptionCount = Atomic<UInt64>(0)

  /// Nobody wants anything yet.
  package init() {}

  /// Says how many clients there are, and the channels of which somebody could take a message.
  func set(_ wanted: some Sequence<FoxgloveChannel>, clientCount: Int) {
    channels.store(wanted.reduce(0) { $0 | 1 << $1.rawValue }, ordering: .relaxed)
    self.clientCount.store(clientCount, ordering: .relaxed)
  }

  /// Counts subscriptions: each wants the newest frame again.
  func countSubscription() { subscriptionCount.add(1, ordering: .relaxed) }

  /// Whether there are clients.
  package var hasClients: Bool { clientCount.load(ordering: .relaxed) > 0 }

  /// Subscriptions so far.
  package var subscriptions: UInt64 { subscriptionCount.load(ordering: .relaxed) }

  /// Whether somebody could take a message of this channel.
  package func has(_ channel: FoxgloveChannel) -> Bool {
    channels.load(ordering: .relaxed) & 1 << channel.rawValue != 0
  }
}
