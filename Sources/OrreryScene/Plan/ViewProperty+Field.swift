// SPDX-License-Identifier: Apache-2.0

import OrreryMessages
import OrrerySceneBuilder

extension Orrery_Field {
  /// The field of a frame that shows a property.
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
}

extension ViewProperty {
  /// The number of its `orrery.Field`: columns, events and hash keys carry it.
  package var fieldNumber: UInt32 { UInt32(Orrery_Field(self).rawValue) }
}
