// SPDX-License-Identifier: Apache-2.0

import Foundation

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
    guard ConnectedTypes.mayHaveProperties(owner) else { return }
    for child in Mirror(reflecting: owner).children {
      guard let property = child.value as? any ConnectedProperty else { continue }
      property.connect(at(.property(child.label ?? "")))
    }
  }
}

/// Which types of views and modifiers have properties to connect: reflection takes microseconds.
private enum ConnectedTypes {
  private static let lock = NSLock()

  /// What was found for each type.
  nonisolated(unsafe) private static var known: [ObjectIdentifier: Bool] = [:]

  static func mayHaveProperties<Owner>(_ owner: Owner) -> Bool {
    if MemoryLayout<Owner>.size == 0 { return false }
    lock.lock()
    defer { lock.unlock() }
    let type = ObjectIdentifier(Owner.self)
    if let found = known[type] { return found }
    let found = Mirror(reflecting: owner).children.contains { $0.value is any ConnectedProperty }
    known[type] = found
    return found
  }
}
