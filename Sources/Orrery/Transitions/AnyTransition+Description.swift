// SPDX-License-Identifier: Apache-2.0

extension AnyTransition: CustomStringConvertible {
  /// The transition in Swift's syntax, without leading dots:
  /// `move(edge: top).combined(with: scale(0.2, anchor: topTrailing))`.
  ///
  /// Custom transitions and effects are only named.
  public var description: String {
    Self.combined(
      links.map { link in
        switch link {
        case .symmetric(let step): step.description
        case .asymmetric(let insertion, let removal):
          "asymmetric(insertion: \(Self.combined(insertion.map(\.description))), "
            + "removal: \(Self.combined(removal.map(\.description))))"
        }
      })
  }

  private static func combined(_ parts: [String]) -> String {
    guard let first = parts.first else { return "identity" }
    return first + parts.dropFirst().map { ".combined(with: \($0))" }.joined()
  }
}

extension TransitionStep: CustomStringConvertible {
  /// The step in Swift's syntax, without leading dots.
  package var description: String {
    guard let animation else { return kind.description }
    return "\(kind).animation(\((animation.animation ?? nil).map { "\($0)" } ?? "nil"))"
  }
}

extension TransitionStep.Kind: CustomStringConvertible {
  var description: String {
    switch self {
    case .opacity: "opacity"
    case .scale(ScaleTransition()): "scale"
    case .scale(let scale) where scale.anchor == .center: "scale(\(scale.scale.argument))"
    case .scale(let scale):
      "scale(\(scale.scale.argument), anchor: \(Self.point(scale.anchor)))"
    case .move(let edge): "move(edge: \(edge))"
    case .slide: "slide"
    case .push(let edge): "push(from: \(edge))"
    case .offset(let offset):
      "offset(x: \(Double(offset.width).argument), y: \(Double(offset.height).argument))"
    case .blurReplace(.downUp): "blurReplace"
    case .blurReplace: "blurReplace(upUp)"
    case .custom(let custom): custom.name
    }
  }

  private static func point(_ point: UnitPoint) -> String {
    switch point {
    case .center: "center"
    case .leading: "leading"
    case .trailing: "trailing"
    case .top: "top"
    case .bottom: "bottom"
    case .topLeading: "topLeading"
    case .topTrailing: "topTrailing"
    case .bottomLeading: "bottomLeading"
    case .bottomTrailing: "bottomTrailing"
    default: "UnitPoint(x: \(Double(point.x).argument), y: \(Double(point.y).argument))"
    }
  }
}
