// SPDX-License-Identifier: Apache-2.0

/// A property of a view or modifier that is connected to a player before a body is evaluated.
protocol ConnectedProperty {
  /// Connects it.
  ///
  /// - Parameter moment: The moment of the property's place.
  func connect(_ moment: ViewMoment)
}

extension ViewMoment {
  /// Connects the properties of a view or modifier at this place.
  func connect<Owner>(_ owner: Owner) {
    if MemoryLayout<Owner>.size == 0 { return }
    for child in Mirror(reflecting: owner).children {
      guard let property = child.value as? any ConnectedProperty else { continue }
      property.connect(at(.property(child.label ?? "")))
    }
  }
}
