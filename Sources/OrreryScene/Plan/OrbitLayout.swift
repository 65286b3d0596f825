// SPDX-License-Identifier: Apache-2.0

/// The sizes in an orbit system, computed from its height and its number of moons.
package struct OrbitLayout {
  /// Diameter of the planet in points.
  package let planetSize: Double

  /// Diameter of a moon in points.
  package let moonSize: Double

  /// Growth of the diameter from one orbit to the next; 0 without moons.
  package let radiusIncrement: Double

  package init(height: Double, moonCount: Int) {
    planetSize = 0.25 * height
    moonSize = 0.1 * height
    radiusIncrement = moonCount > 0 ? (height - planetSize - moonSize) / Double(moonCount) : 0
  }

  /// Radius of a moon's orbit; moon 0 is the innermost.
  package func radius(_ moon: Int) -> Double {
    (planetSize + radiusIncrement * Double(moon + 1)) / 2
  }
}
