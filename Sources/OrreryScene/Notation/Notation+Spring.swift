// SPDX-License-Identifier: Apache-2.0

import Orrery

extension Notation {
  /// Type names that may stand before a spring.
  private static let springTypes = ["Spring"]

  static func spring(_ node: NotationNode) throws(NotationError) -> Spring {
    if case .number = node.content {
      throw NotationError(
        column: node.column,
        .unexpected(
          found: node.shown, expected: "a spring, or a label such as duration: \(node.shown)"))
    }
    let links = try node.chain("a spring", of: springTypes)
    guard links.count <= 1, let link = links.first else {
      throw NotationError(
        column: node.column, .unexpected(found: "\(links.count) names", expected: "one spring"))
    }
    return try spring(link)
  }

  /// The signatures by which a spring may be given.
  package static let springSignatures = [
    "duration? bounce?", "response dampingRatio", "response dampingFraction",
    "mass? stiffness damping allowOverDamping?", "settlingDuration dampingRatio epsilon?",
  ]

  static func spring(_ link: NotationLink) throws(NotationError) -> Spring {
    switch link.name {
    case "spring", "Spring", "init": return try generalSpring(link)
    case "smooth", "snappy", "bouncy":
      let call = try NotationCall(link, "duration? extraBounce?")
      let duration = try call.number("duration", else: 0.5)
      let extra = try call.number("extraBounce", else: 0)
      return switch link.name {
      case "smooth": .smooth(duration: duration, extraBounce: extra)
      case "snappy": .snappy(duration: duration, extraBounce: extra)
      default: .bouncy(duration: duration, extraBounce: extra)
      }
    default: throw link.unknown("spring", among: ["spring", "smooth", "snappy", "bouncy"])
    }
  }

  private static func generalSpring(_ link: NotationLink) throws(NotationError) -> Spring {
    let call = try NotationCall(link, signatures: springSignatures)
    switch call.signatureIndex {
    case 0:
      return Spring(
        duration: try call.number("duration", else: 0.5),
        bounce: try call.number("bounce", else: 0))
    case 1, 2:
      let ratio = call.signatureIndex == 1 ? "dampingRatio" : "dampingFraction"
      return Spring(
        response: try call.number("response", else: 0.5),
        dampingRatio: try call.number(ratio, else: 1))
    case 3:
      return Spring(
        mass: try call.positive("mass", else: 1),
        stiffness: try call.positive("stiffness", else: 1),
        damping: try call.number("damping", else: 0),
        allowOverDamping: try call.bool("allowOverDamping", else: false))
    default:
      return Spring(
        settlingDuration: try call.number("settlingDuration", else: 1),
        dampingRatio: try call.number("dampingRatio", else: 1),
        epsilon: try call.number("epsilon", else: 0.001))
    }
  }
}
