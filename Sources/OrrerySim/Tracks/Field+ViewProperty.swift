// SPDX-License-Identifier: Apache-2.0

import Orrery

extension Field {
  /// The field that a property of a view is published in.
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
