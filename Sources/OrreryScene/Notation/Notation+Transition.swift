// SPDX-License-Identifier: Apache-2.0

import Foundation
import Orrery

extension Notation {
  /// The names that a transition may begin with.
  private static let transitionNames = [
    "identity", "opacity", "scale", "move", "slide", "push", "offset", "blurReplace", "asymmetric",
  ]

  /// Type names that may stand before a transition.
  private static let transitionTypes = ["AnyTransition", "Transition"]

  static func transition(_ node: NotationNode) throws(NotationError) -> AnyTransition {
    var links = try node.chain("a transition", of: transitionTypes)[...]
    guard let first = links.popFirst() else { return .identity }
    var transition = try transition(first)
    for link in links { transition = try modified(transition, by: link) }
    return transition
  }

  private static func transition(_ link: NotationLink) throws(NotationError) -> AnyTransition {
    switch link.name {
    case "identity", "opacity", "slide":
      _ = try NotationCall(link, "")
      return link.name == "identity" ? .identity : link.name == "opacity" ? .opacity : .slide
    case "scale":
      let call = try NotationCall(link, "", "_scale anchor?", "scale anchor?")
      guard let scale = try call.number("scale") else { return .scale }
      let anchor = try call.node("anchor").map { node throws(NotationError) in try point(node) }
      return .scale(scale: scale, anchor: anchor ?? .center)
    case "move": return .move(edge: try edge(NotationCall(link, "edge").node("edge")))
    case "push": return .push(from: try edge(NotationCall(link, "from").node("from")))
    case "offset":
      let call = try NotationCall(link, "x? y?", "_size")
      if let node = call.node("size") { return .offset(try size(node)) }
      return .offset(x: try call.number("x", else: 0), y: try call.number("y", else: 0))
    case "blurReplace":
      let configuration = try NotationCall(link, "_configuration?").node("configuration")?.word(
        "configuration", [("downUp", BlurReplaceTransition.Configuration.downUp), ("upUp", .upUp)])
      return AnyTransition(.blurReplace(configuration ?? .downUp))
    case "asymmetric":
      let call = try NotationCall(link, "insertion removal")
      return .asymmetric(
        insertion: try transition(of: call, "insertion"),
        removal: try transition(of: call, "removal"))
    default: throw link.unknown("transition", among: transitionNames)
    }
  }

  private static func transition(
    of call: NotationCall, _ parameter: String
  ) throws(NotationError) -> AnyTransition {
    try call.node(parameter).map { node throws(NotationError) in try transition(node) }
      ?? .identity
  }

  private static func modified(
    _ transition: AnyTransition, by link: NotationLink
  ) throws(NotationError) -> AnyTransition {
    switch link.name {
    case "combined":
      return transition.combined(with: try Self.transition(of: NotationCall(link, "with"), "with"))
    case "animation":
      let node = try NotationCall(link, "_animation").node("animation")
      guard let node, !node.isNil else { return transition.animation(nil) }
      return transition.animation(try animation(node))
    default: throw link.unknown("modifier of a transition", among: ["combined", "animation"])
    }
  }

  private static let edges: [(String, Edge)] = [
    ("top", .top), ("leading", .leading), ("bottom", .bottom), ("trailing", .trailing),
  ]

  private static func edge(_ node: NotationNode?) throws(NotationError) -> Edge {
    try node?.word("edge", edges, of: ["Edge"]) ?? .top
  }

  /// `CGSize(width: 10, height: 20)`.
  private static func size(_ node: NotationNode) throws(NotationError) -> CGSize {
    let links = try node.chain("a size, as CGSize(width: 10, height: 20)", of: ["CGSize"])
    guard links.count == 1, let link = links.first, ["CGSize", "init"].contains(link.name) else {
      throw NotationError(
        column: node.column,
        .unexpected(found: node.shown, expected: "CGSize(width: …, height: …)"))
    }
    let call = try NotationCall(link, "width height")
    return CGSize(
      width: try call.number("width", else: 0), height: try call.number("height", else: 0))
  }
}
