// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrrerySceneBuilder

/// A value of a view that moves on its own: one of its properties, or the progress of its transition.
package enum ViewChannel: UInt8, BitwiseCopyable, CaseIterable, Sendable {
  case x, y, opacity, scale, rotation, blur
  /// The progress of its transition: 0 at identity, 1 gone.
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

  /// The points that a distance of 1 stands for: of `away`, those by which a transition may move a view.
  var unitPoints: Double { self == .away ? AnimationTrack<Double>.transitionPoints : 1 }

  /// The property that shows the channel; nil for `away`, which several properties show.
  package var property: ViewProperty? {
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
