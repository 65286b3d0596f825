// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryMessages
import OrreryRender
import Testing

/// The centre of what is drawn in white on black, in pixels, and how much of it there is.
func centerOfMass(_ painter: ScenePainter) throws -> (x: Double, y: Double, mass: Double) {
  let background = Double(painter.pixel(painter.width - 1, painter.height - 1) & 0xFF)
  var (sumX, sumY, mass) = (0.0, 0.0, 0.0)
  for y in 0..<painter.height {
    for x in 0..<painter.width {
      let weight = (Double(painter.pixel(x, y) & 0xFF) - background) / (255 - background)
      sumX += weight * (Double(x) + 0.5)
      sumY += weight * (Double(y) + 0.5)
      mass += weight
    }
  }
  try #require(mass > 0)
  return (sumX / mass, sumY / mass, mass)
}

/// Entities land where their origin and values say, as large and as visible as they should be.
///
/// Method: the centre of mass and the mass of single discs and boxes; hostile values among good
/// ones.
@Suite struct EntityTests {
  private static func painter(
    _ elements: [Orrery_Element], fields: [Orrery_Field] = [.x, .y],
    origins: [(Float, Float)] = [(30, 20)], width: Int = 120, height: Int = 80
  ) throws -> ScenePainter {
    var layout = Scenes.empty(width: 60, height: 40)
    layout.background = 0x0000_00FF
    layout.sprites = [Scenes.sprite(elements)]
    layout.batches = [Scenes.batch(origins: origins, fields: fields)]
    return try ScenePainter(layout: layout, width: width, height: height)
  }

  static let radii = [0.2, 0.5, 0.75, 1.0, 3, 9.5]

  @Test(arguments: radii)
  func discStandsAtOriginPlusValues(radius: Double) throws {
    let painter = try Self.painter([Scenes.disc(radius: radius)])
    for step in 0..<40 {
      let (x, y) = (Float(step) * 0.173 - 3, 2 - Float(step) * 0.091)
      painter.draw([.x: [x], .y: [y]])
      let center = try centerOfMass(painter)
      #expect(abs(center.x - 2 * (30 + Double(x))) < 0.08)
      #expect(abs(center.y - 2 * (20 + Double(y))) < 0.08)
      let area = Double.pi * radius * radius * 4
      #expect(abs(center.mass - area) < 0.03 * area + 0.03)
    }
  }

  @Test(arguments: radii)
  func discBesideTheOriginTurnsAndScalesAboutIt(radius: Double) throws {
    let painter = try Self.painter(
      [Scenes.disc(x: 8, y: 0, radius: radius)], fields: [.scale, .rotation])
    // A quarter turn clockwise takes right to down.
    painter.draw([.scale: [0.5], .rotation: [Float.pi / 2]])
    let center = try centerOfMass(painter)
    #expect(abs(center.x - 60) < 0.07)
    #expect(abs(center.y - 48) < 0.07)
    let area = Double.pi * radius * radius
    #expect(abs(center.mass - area) < 0.05 * area + 0.03)
  }

  @Test func boxTurnsAndScalesAboutTheOrigin() throws {
    let box = Scenes.box(x: 4, y: -2, width: 8, height: 4)
    let painter = try Self.painter([box], fields: [.x, .scale, .rotation])
    for (scale, angle) in [(1.0, 0.6), (0.5, Double.pi / 2), (2.0, 3.0), (0.3, 0), (-1, 0.2)] {
      painter.draw([.x: [3], .scale: [Float(scale)], .rotation: [Float(angle)]])
      let center = try centerOfMass(painter)
      let turned = (x: 8 * scale * cos(angle), y: 8 * scale * sin(angle))
      #expect(abs(center.x - 2 * (33 + turned.x)) < 0.1, "scale \(scale), angle \(angle)")
      #expect(abs(center.y - 2 * (20 + turned.y)) < 0.1, "scale \(scale), angle \(angle)")
      let area = 128 * scale * scale
      #expect(abs(center.mass - area) < 0.03 * area + 0.3, "scale \(scale), angle \(angle)")
    }
  }

  @Test(arguments: [0.5, 4.0])
  func opacityWeakens(radius: Double) throws {
    let painter = try Self.painter([Scenes.disc(radius: radius)], fields: [.opacity])
    painter.draw([.opacity: [1]])
    let whole = try centerOfMass(painter).mass
    painter.draw([.opacity: [0.25]])
    #expect(abs(try centerOfMass(painter).mass - whole / 4) < 0.02 * whole)
    painter.draw([.opacity: [7]])
    #expect(try centerOfMass(painter).mass == whole)
  }

  @Test func imageWeakensLikeADisc() throws {
    let boxes = [Scenes.box(width: 5, height: 5), Scenes.box(x: 5, width: 5, height: 5)]
    let painter = try Self.painter(boxes, fields: [.x, .opacity])
    painter.draw([.x: [0], .opacity: [0.5]])
    #expect(abs(try centerOfMass(painter).mass - 100) < 1)
  }

  @Test func whatCannotBeDrawnIsLeftOut() throws {
    let bad: [Float] = [.nan, .infinity, -.infinity, 1e30, -1e30, 3e38]
    for elements in [
      [Scenes.disc(radius: 0.5)], [Scenes.disc(radius: 5)],
      [Scenes.box(width: 3, height: 3), Scenes.disc(radius: 2)],
    ] {
      for fields: [Orrery_Field] in [[.x, .y], [.x, .y, .opacity, .scale, .rotation]] {
        let count = bad.count * fields.count + 1
        let painter = try Self.painter(
          elements, fields: fields, origins: Array(repeating: (30, 20), count: count))
        var values: Values = [:]
        for field in fields {
          let ordinary: Float = field == .opacity || field == .scale ? 1 : 0
          values[field] = Array(repeating: ordinary, count: count)
        }
        painter.draw(values.mapValues { Array($0.prefix(1)) })
        let alone = painter.picture
        for (place, value) in bad.enumerated() {
          for (row, field) in fields.enumerated() {
            // An infinite opacity is opaque, and a huge rotation is a rotation.
            let isHarmless = field == .opacity || field == .rotation && value.isFinite
            values[field]?[1 + row * bad.count + place] = isHarmless ? .nan : value
          }
        }
        painter.draw(values)
        #expect(painter.picture == alone)
      }
    }
  }

  @Test func entitiesBeyondAShortColumnAreLeftOut() throws {
    let painter = try Self.painter(
      [Scenes.disc(radius: 0.5)], origins: [(10, 10), (20, 10), (30, 10)])
    painter.draw([.x: [0, 0, 0], .y: [0]])
    #expect(abs(try centerOfMass(painter).x - 20) < 0.05)
    painter.draw([.x: [], .y: [0, 0, 0]])
    #expect(painter.pixel(20, 20) == 0xFF00_0000)
  }

  @Test func dotsAtThePicturesEdgesAreCut() throws {
    var origins: [(Float, Float)] = []
    for step in 0...40 {
      let x = Float(step) / 40 * 60
      origins += [(x, 0), (x, 40), (0, x), (60, x), (x, 41), (-1, x), (x, -0.4)]
    }
    let painter = try Self.painter([Scenes.disc(radius: 0.75)], origins: origins)
    let zero = [Float](repeating: 0, count: origins.count)
    painter.draw([.x: zero, .y: zero])
    // Half a dot of radius 1.5 stands at the corner's four sides.
    #expect(painter.pixel(0, 0) & 0xFF > 200)
    #expect(painter.pixel(119, 79) & 0xFF > 200)
    #expect(painter.pixel(60, 40) == 0xFF00_0000)
  }

  @Test func dotsAtTheRightEdgeDoNotComeBackOnTheLeft() throws {
    for step in 0..<32 {
      let x = 58 + Float(step) / 16
      let painter = try Self.painter([Scenes.disc(radius: 0.75)], origins: [(x, 20)])
      painter.draw([.x: [0], .y: [0]])
      let left = (0..<80).filter { painter.pixel(0, $0) != 0xFF00_0000 }
      #expect(left.isEmpty, "dot at \(x)")
    }
  }

  @Test func opaqueStaysOpaqueUnderManyLayers() throws {
    let count = 5000
    var origins: [(Float, Float)] = []
    for index in 0..<count {
      let (column, row) = (Float(index % 97), Float(index % 89))
      origins.append((column / 97 * 60, row / 89 * 40))
    }
    for radius in [0.6, 1.7] {
      let disc = Scenes.disc(radius: radius, color: 0x4080_C037)
      let painter = try Self.painter([disc], origins: origins)
      let zero = [Float](repeating: 0, count: count)
      painter.draw([.x: zero, .y: zero])
      for y in 0..<80 {
        for x in 0..<120 where painter.pixel(x, y) >> 24 != 255 {
          Issue.record("alpha \(painter.pixel(x, y) >> 24) at \(x), \(y)")
        }
      }
    }
  }

  @Test func sceneIsCentredAndBarsStayEmpty() throws {
    let painter = try Self.painter(
      [Scenes.disc(radius: 50, color: 0xFFFF_FFFF)], width: 120, height: 120)
    painter.draw([.x: [0], .y: [0]])
    #expect(painter.pixel(60, 19) == 0xFF00_0000)
    #expect(painter.pixel(60, 20) == 0xFFFF_FFFF)
    #expect(painter.pixel(60, 99) == 0xFFFF_FFFF)
    #expect(painter.pixel(60, 100) == 0xFF00_0000)
  }

  @Test func laterEntitiesLieOverEarlierOnes() throws {
    var layout = Scenes.empty(width: 60, height: 40)
    layout.sprites = [
      Scenes.sprite([Scenes.disc(radius: 4, color: 0xFF00_00FF)]),
      Scenes.sprite([Scenes.disc(radius: 4, color: 0x00FF_00FF)]),
    ]
    var batch = Scenes.batch(origins: [(30, 20), (30, 20)], fields: [])
    batch.sprites = [0, 1]
    layout.batches = [batch]
    let painter = try ScenePainter(layout: layout, width: 60, height: 40)
    painter.draw([:])
    #expect(painter.pixel(30, 20) == 0xFF00_FF00)
    layout.batches[0].sprites = [1, 0]
    let reversed = try ScenePainter(layout: layout, width: 60, height: 40)
    reversed.draw([:])
    #expect(reversed.pixel(30, 20) == 0xFFFF_0000)
  }
}
