// SPDX-License-Identifier: Apache-2.0

import Orrery

/// What of a view moves by itself: its properties, and how far a transition has taken it away.
package enum ViewChannel: UInt8, BitwiseCopyable, CaseIterable, Sendable {
  case x, y, opacity, scale, rotation, blur
  /// 0 at identity, 1 gone.
  case away

  /// The channel of a property.
  package init(_ property: ViewProperty) {
    self =
      switch property {
      case .x: .x
      case .y: .y
      case .opacity: .opacity
      case .scale: .scale
      case .rotation: .rotation
      case .blur: .blur
      }
  }

  /// The field that shows the channel; nil for `away`, which others show.
  package var field: Field? { property.map { Field($0) } }

  /// The property that the channel is; nil for `away`.
  var property: ViewProperty? {
    switch self {
    case .x: .x
    case .y: .y
    case .opacity: .opacity
    case .scale: .scale
    case .rotation: .rotation
    case .blur: .blur
    case .away: nil
    }
  }
}
