// SPDX-License-Identifier: Apache-2.0

/// Sizes in an orbit system of a height and a number of moons.
package struct OrbitLayout {
  /// Width of the planet.
  package let planetSize: Double

  /// Width of a moon.
  package let moonSize: Double

  /// What the diameter grows by from one orbit to the next; 0 without moons.
  package let radiusIncrement: Double

  package init(height: Double, moonCount: Int) {
    planetSize = 0.25 * height
    moonSize = 0.1 * height
    radiusIncrement = moonCount > 0 ? (height - planetSize - moonSize) / Double(moonCount) : 0
  }

  /// Radius of the orbit of the moon with this number, from 0 at the innermost.
  package func radius(_ moon: Int) -> Double {
    (planetSize + radiusIncrement * Double(moon + 1)) / 2
  }
}
