// SPDX-License-Identifier: Apache-2.0

import Foundation
import Orrery
import OrreryBase

extension Notation {
  /// The time zone of `everyMinute` if none is given: results must not depend on the machine.
  private static let defaultTimeZone = "UTC"

  static func schedule(_ node: NotationNode) throws(NotationError) -> ClockSchedule {
    let links = try node.chain("a schedule", of: ["TimelineSchedule"])
    guard links.count == 1, let link = links.first else {
      throw NotationError(
        column: node.column, .unexpected(found: "\(links.count) names", expected: "one schedule"))
    }
    switch link.name {
    case "periodic":
      let call = try NotationCall(link, "from? by")
      return .periodic(
        from: try call.number("from", else: 0), by: try call.positive("by", else: 1))
    case "everyMinute":
      let call = try NotationCall(link, "timeZone?", "in")
      return .everyMinute(timeZone: try timeZone(call.node("timeZone") ?? call.node("in")))
    case "explicit":
      let call = try NotationCall(link, "_dates")
      return .explicit(
        try call.node("dates").map { node throws(NotationError) in try numbers(node) } ?? [])
    case "animation":
      let call = try NotationCall(link, "minimumInterval? paused?")
      let isNil = call.node("minimumInterval")?.isNil ?? true
      return .animation(
        minimumInterval: isNil ? nil : try call.number("minimumInterval"),
        paused: try call.bool("paused", else: false))
    default:
      throw link.unknown("schedule", among: ["periodic", "everyMinute", "explicit", "animation"])
    }
  }

  private static func timeZone(_ node: NotationNode?) throws(NotationError) -> String {
    guard let node else { return defaultTimeZone }
    let name = try node.string("timeZone")
    guard TimeZone(identifier: name) != nil else {
      throw NotationError(
        column: node.column,
        .unknownName(
          found: "\"\(name)\"", kind: "time zone",
          nearest: NearestName.find(name, among: TimeZone.knownTimeZoneIdentifiers),
          known: ["UTC", "Europe/London", "America/New_York", "…"]))
    }
    return name
  }

  private static func numbers(_ node: NotationNode) throws(NotationError) -> [Double] {
    guard case .list(let nodes) = node.content else {
      throw NotationError(
        column: node.column, .unexpected(found: node.shown, expected: "a list, as [0, 5, 10]"))
    }
    var numbers: [Double] = []
    for node in nodes { numbers.append(try node.number("a date")) }
    return numbers
  }
}
