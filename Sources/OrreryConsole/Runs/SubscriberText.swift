// SPDX-License-Identifier: Apache-2.0

import OrreryDocument

/// The accounts of connected subscribers in an answer to `stats`, in words.
package enum SubscriberText {
  /// The field of the accounts.
  static let key = "subscriber_accounts"

  /// A line for each account in the fields of an answer.
  ///
  /// - Parameters:
  ///   - fields: The fields.
  ///   - nameMax: Characters of a name that are shown.
  /// - Returns: Such as `logger (pid 9992, futex, every): received 600, missed 0`.
  package static func lines(of fields: [String: DocumentValue], nameMax: Int = 31) -> [String] {
    let accounts = fields[key]?.array ?? []
    let shown = accounts.compactMap { $0.table.map { line($0, nameMax: nameMax) } }
    let connected = fields["subscribers_connected"]?.integer.map(Int.init(clamping:)) ?? 0
    return shown + (connected > shown.count ? ["and \(connected - shown.count) more"] : [])
  }

  private static func line(_ account: DocumentTable, nameMax: Int) -> String {
    func count(_ key: String) -> String { account[key]?.integer.map { "\($0)" } ?? "-" }
    func word(_ key: String) -> String { (account[key]?.string ?? "-").printable() }
    var name = word("name")
    if name.count > nameMax { name = name.prefix(nameMax - 1) + "…" }
    if word("waiting") == "preparing" { return "\(name) (pid \(count("pid"))): preparing" }
    // Of another machine the number of a process says nothing.
    let process = word("waiting") == "message" ? "" : "pid \(count("pid")), "
    let sent =
      account["sent"] == nil ? "" : ", sent \(count("sent")), skipped \(count("skipped"))"
    return "\(name) (\(process)\(word("waiting")), \(word("reading"))):"
      + " received \(count("received")), missed \(count("missed"))" + sent
  }
}
