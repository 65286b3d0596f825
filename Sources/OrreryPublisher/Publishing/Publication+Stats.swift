// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryDocument
import OrreryFrame
import OrreryWire

extension Publication {
  /// Subscribers listed in `stats`, at most: more would exceed the number of values that a client accepts in
  /// a message.
  static let listedMax = 64

  /// The connected subscribers, as `stats` has them.
  var subscriberStats: [String: DocumentValue] {
    let connected = reports.filter(\.isConnected)
    return [
      "subscribers": .count(joinedCount),
      "subscribers_connected": .integer(Int64(connected.count)),
      "subscriber_accounts": .array(
        DocumentArray(connected.prefix(Self.listedMax).map { .table(DocumentTable($0.fields)) })),
    ]
  }
}

extension SubscriberReport {
  /// The account of a connected subscriber, as `stats` has it.
  fileprivate var fields: [String: DocumentValue] {
    let account = SubscriberAccount(self, newest: progress)
    var fields: [String: DocumentValue] = [
      "name": .string(account.name), "pid": .integer(Int64(account.processID)),
      "waiting": .string(account.waiting), "reading": .string(account.reading),
      "joined_after": .count(account.joinedAfter), "received": .count(account.received),
      "missed": .count(account.missed),
    ]
    if waiting == nil, !isPreparing {
      fields["sent"] = .count(sent)
      fields["skipped"] = .count(skipped)
    }
    return fields
  }
}
