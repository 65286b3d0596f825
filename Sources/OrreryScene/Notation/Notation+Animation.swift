// SPDX-License-Identifier: Apache-2.0

import Orrery

extension Notation {
  /// The names that an animation may begin with.
  private static let animationNames = [
    "default", "linear", "easeIn", "easeOut", "easeInOut", "timingCurve", "spring",
    "interpolatingSpring", "interactiveSpring", "smooth", "snappy", "bouncy",
  ]

  /// The names that may follow.
  private static let modifierNames = [
    "delay", "speed", "repeatCount", "repeatForever", "logicallyComplete",
  ]

  /// Repetition counts that a Double holds exactly.
  private static let repeatRange = -(1 << 53)...(1 << 53)

  static func animation(_ node: NotationNode) throws(NotationError) -> Animation {
    var links = try node.chain("an animation", of: ["Animation"])[...]
    guard let first = links.popFirst() else { return .default }
    var animation = try animation(first)
    for link in links { animation = try modified(animation, by: link) }
    return animation
  }

  private static func animation(_ link: NotationLink) throws(NotationError) -> Animation {
    switch link.name {
    case "default":
      _ = try NotationCall(link, "")
      return .default
    case "linear": return .linear(duration: try duration(link))
    case "easeIn": return .easeIn(duration: try duration(link))
    case "easeOut": return .easeOut(duration: try duration(link))
    case "easeInOut": return .easeInOut(duration: try duration(link))
    case "timingCurve": return try timingCurve(link)
    case "spring": return try springAnimation(link)
    case "interactiveSpring": return try interactiveSpring(link)
    case "interpolatingSpring": return try interpolatingSpring(link)
    case "smooth", "snappy", "bouncy": return .spring(try spring(link))
    default: throw link.unknown("animation", among: animationNames)
    }
  }

  /// 0.35 s is SwiftUI's default.
  private static func duration(_ link: NotationLink) throws(NotationError) -> Double {
    try NotationCall(link, "duration?").number("duration", else: 0.35)
  }

  private static func timingCurve(_ link: NotationLink) throws(NotationError) -> Animation {
    let call = try NotationCall(link, "_curve duration?", "_x1 _y1 _x2 _y2 duration?")
    let duration = try call.number("duration", else: 0.35)
    if let node = call.node("curve") { return .timingCurve(try curve(node), duration: duration) }
    return .timingCurve(
      try call.number("x1", else: 0), try call.number("y1", else: 0),
      try call.number("x2", else: 1), try call.number("y2", else: 1), duration: duration)
  }

  private static func springAnimation(_ link: NotationLink) throws(NotationError) -> Animation {
    let call = try NotationCall(
      link, "duration? bounce? blendDuration?", "response? dampingFraction? blendDuration?",
      "response? dampingRatio? blendDuration?", "_spring blendDuration?")
    let blend = try call.number("blendDuration", else: 0)
    switch call.signatureIndex {
    case 0:
      return .spring(
        duration: try call.number("duration", else: 0.5),
        bounce: try call.number("bounce", else: 0), blendDuration: blend)
    case 1, 2:
      return .spring(
        response: try call.number("response", else: 0.5),
        dampingFraction: try call.number(
          call.signatureIndex == 1 ? "dampingFraction" : "dampingRatio", else: 0.825),
        blendDuration: blend)
    default:
      return .spring(try spring(of: call), blendDuration: blend)
    }
  }

  private static func interactiveSpring(_ link: NotationLink) throws(NotationError) -> Animation {
    let call = try NotationCall(
      link, "duration? extraBounce? blendDuration?", "response? dampingFraction? blendDuration?",
      "response? dampingRatio? blendDuration?")
    let blend = try call.number("blendDuration", else: 0.25)
    if call.signatureIndex == 0 {
      return .interactiveSpring(
        duration: try call.number("duration", else: 0.15),
        extraBounce: try call.number("extraBounce", else: 0), blendDuration: blend)
    }
    return .interactiveSpring(
      response: try call.number("response", else: 0.15),
      dampingFraction: try call.number(
        call.signatureIndex == 1 ? "dampingFraction" : "dampingRatio", else: 0.86),
      blendDuration: blend)
  }

  private static func interpolatingSpring(
    _ link: NotationLink
  ) throws(NotationError) -> Animation {
    let call = try NotationCall(
      link, "duration? bounce? initialVelocity?", "mass? stiffness damping initialVelocity?",
      "_spring initialVelocity?")
    let velocity = try call.number("initialVelocity", else: 0)
    switch call.signatureIndex {
    case 0:
      return .interpolatingSpring(
        duration: try call.number("duration", else: 0.5),
        bounce: try call.number("bounce", else: 0), initialVelocity: velocity)
    case 1:
      return .interpolatingSpring(
        mass: try call.positive("mass", else: 1),
        stiffness: try call.positive("stiffness", else: 1),
        damping: try call.number("damping", else: 0), initialVelocity: velocity)
    default:
      return .interpolatingSpring(try spring(of: call), initialVelocity: velocity)
    }
  }

  private static func spring(of call: NotationCall) throws(NotationError) -> Spring {
    try call.node("spring").map { node throws(NotationError) in try spring(node) } ?? .smooth
  }

  private static func modified(
    _ animation: Animation, by link: NotationLink
  ) throws(NotationError) -> Animation {
    switch link.name {
    case "delay":
      return animation.delay(try NotationCall(link, "_seconds").number("seconds", else: 0))
    case "speed":
      return animation.speed(try NotationCall(link, "_factor").number("factor", else: 1))
    case "repeatCount":
      let call = try NotationCall(link, "_count autoreverses?")
      return animation.repeatCount(
        try call.count("count", in: repeatRange),
        autoreverses: try call.bool("autoreverses", else: true))
    case "repeatForever":
      let call = try NotationCall(link, "autoreverses?")
      return animation.repeatForever(autoreverses: try call.bool("autoreverses", else: true))
    case "logicallyComplete":
      let call = try NotationCall(link, "after")
      return animation.logicallyComplete(after: try call.number("after", else: 0))
    default: throw link.unknown("modifier of an animation", among: modifierNames)
    }
  }
}
