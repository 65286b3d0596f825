// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryScene
import OrrerySceneBuilder
import Testing

/// Goal: texts in which a picture flows are planned as the article and its corrections say.
///
/// Method: plan texts of known sizes and compare specs and sprites with numbers worked out by hand.
@Suite struct FlowTextPlanTests {
  private func plan(_ text: FlowText, width: Double, height: Double = 16) throws -> ScenePlan {
    try ScenePlan(Scene("s") { text }, text: FixedWidths(width: width, height: height))
  }

  /// [S1-01] The picture has the size of the text and shows only in its glyphs.
  @Test func pictureHasTheSizeOfTheText() throws {
    let layout = try plan(FlowText("t").position(x: 640, y: 100), width: 250, height: 60).layout
    let sprite = layout.sprites[0]
    let fill = sprite.elements[1]
    #expect((fill.x, fill.y) == (-125, -30))
    #expect((fill.gradient.width, fill.gradient.height) == (250, 60))
    #expect((sprite.mask.x, sprite.mask.y) == (-125, -30))
    #expect(sprite.mask.text.text == "t")
    #expect(layout.fixtures.isEmpty)
    #expect((layout.batches[0].originX, layout.batches[0].originY) == ([640], [100]))
  }

  /// [S1-02] [S1-05] A tenth of the width per second, from t = 1 s on, without a seam.
  @Test func flowIsATenthOfTheWidthEachSecond() throws {
    let spec = try plan(FlowText("t"), width: 250).flows
    #expect(spec == [FlowSpec(period: 250, speed: 25, direction: .right, start: 1)])
  }

  /// [S1-06] [S1-07] [S1-08] Copies stand one width apart, as many as are needed.
  @Test func copiesStandOneWidthApart() throws {
    let sprite = try plan(FlowText("t"), width: 250).layout.sprites[0]
    #expect((sprite.tilePeriod, sprite.tilePeriodY) == (250, 0))
  }

  /// [S1-09] The first version has one copy.
  @Test func firstVersionHasOneCopy() throws {
    let sprite = try plan(FlowText("t").flow(.right, variant: .oneCopy), width: 250).layout.sprites[
      0]
    #expect((sprite.tilePeriod, sprite.tilePeriodY) == (0, 0))
  }

  /// [S1-10] w = 28: 9 steps; w = 25: 10 steps; 696 of the widths 1...2000 are affected, and none
  /// of them without steps that are added up.
  @Test func addedStepsLoseOneWhereTheyExceedTheWidth() throws {
    func period(_ width: Double, _ variant: FlowText.Variant) throws -> Double {
      try plan(FlowText("t").flow(.right, variant: variant), width: width).flows[0].period
    }
    #expect(abs(try period(28, .twoCopies) - 25.2) < 1e-9)
    #expect(try period(25, .twoCopies) == 25)
    var affected = 0
    for width in 1...2_000 where try period(Double(width), .twoCopies) < Double(width) {
      affected += 1
    }
    #expect(affected == 696)
    for width in 1...2_000 { #expect(try period(Double(width), .seamless) == Double(width)) }
  }

  /// [S1-15] Up, h = 60: 6 points per second, so y = -6 at t = 2; a loop of 10 s.
  @Test func flowUpwardGoesByTheHeight() throws {
    let plan = try plan(FlowText("t").flow(.up), width: 250, height: 60)
    let spec = try #require(plan.flows.first)
    #expect(spec == FlowSpec(period: 60, speed: 6, direction: .up, start: 1))
    #expect(spec.speed * (2 - spec.start) == 6)
    #expect(spec.period / spec.speed == 10)
    #expect((plan.layout.sprites[0].tilePeriod, plan.layout.sprites[0].tilePeriodY) == (0, 60))
    #expect(plan.layout.sprites[0].elements[1].gradient.angle == .pi / 2)
    guard case .flow(_, .y) = plan.batches[0] else {
      Issue.record("\(plan.batches[0])")
      return
    }
  }

  /// [S1-16] A text of no width: no division by zero.
  @Test func textWithoutWidthStandsStill() throws {
    for variant in FlowText.Variant.allCases {
      let spec = try plan(FlowText("t").flow(.right, variant: variant), width: 0).flows[0]
      #expect((spec.period, spec.speed) == (0, 0))
    }
  }

  // MARK: Pictures

  private func withFolder(_ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder)
  }

  private func found(_ folder: URL, _ image: String) throws -> [String] {
    let file = folder.appendingPathComponent("s.toml")
    try "[[content]]\nkind = \"flow-text\"\ntext = \"t\"\nimage = \"\(image)\"".write(
      to: file, atomically: false, encoding: .utf8)
    return problems { () throws(SceneError) in
      try ScenePlan(SceneSource.load(nameOrPath: file.path), text: FixedWidths())
    }.map { $0.replacing(file.path + ":", with: "") }
  }

  private func png(width: UInt8, height: UInt8) -> Data {
    Data(
      [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13] + Array("IHDR".utf8) + [
        0, 0, 0, width, 0, 0, 0, height, 8, 6, 0, 0, 0,
      ])
  }

  @Test func picturesAreReadFromTheFolderOfTheFile() throws {
    try withFolder { folder in
      try png(width: 2, height: 3).write(to: folder.appendingPathComponent("p.png"))
      #expect(try found(folder, "p.png").isEmpty)
      let file = try SceneSource.load(nameOrPath: folder.path + "/s.toml")
      let layout = try ScenePlan(file, text: FixedWidths(width: 250)).layout
      #expect(layout.images == [png(width: 2, height: 3)])
      #expect(layout.sprites[0].elements[1].image.width == 250)
    }
  }

  /// Each picture is there once, and each text has its own.
  @Test func picturesAreNumberedInTheirOrder() throws {
    try withFolder { folder in
      for (name, width) in [("p.png", UInt8(2)), ("q.png", 4)] {
        try png(width: width, height: 3).write(to: folder.appendingPathComponent(name))
      }
      let file = folder.appendingPathComponent("s.toml")
      let texts = ["p.png", "q.png", "p.png"].map {
        "[[content]]\nkind = \"flow-text\"\ntext = \"t\"\nimage = \"\($0)\"\n"
      }
      try texts.joined().write(to: file, atomically: false, encoding: .utf8)
      let layout = try ScenePlan(
        SceneSource.load(nameOrPath: file.path), text: FixedWidths(width: 250)
      ).layout
      #expect(layout.images == [png(width: 2, height: 3), png(width: 4, height: 3)])
      let images = layout.sprites.flatMap(\.elements).filter { $0.image.width > 0 }
      #expect(Set(images.map(\.image.image)) == [0, 1])
      #expect(images.first?.image.image == 0)
    }
  }

  @Test func picturesThatCannotBeUsedAreReported() throws {
    try withFolder { folder in
      try Data("not a picture at all, but long".utf8).write(
        to: folder.appendingPathComponent("t.png"))
      try png(width: 0, height: 3).write(to: folder.appendingPathComponent("0.png"))
      try Data(count: SceneLimits.imageBytesMax + 1).write(
        to: folder.appendingPathComponent("large.png"))
      var unsigned = png(width: 2, height: 3)
      unsigned[1] = 0x51
      try unsigned.write(to: folder.appendingPathComponent("u.png"))
      #expect(try found(folder, "u.png") == ["4:9: image: \"u.png\" is not a PNG file"])
      #expect(try found(folder, "no.png") == ["4:9: image: \"no.png\" cannot be read"])
      #expect(try found(folder, "t.png") == ["4:9: image: \"t.png\" is not a PNG file"])
      #expect(
        try found(folder, "0.png")
          == ["4:9: image: 0 by 3 pixels; each side has 1...8192 pixels"])
      #expect(try found(folder, "large.png") == ["4:9: image: larger than 16777216 bytes"])
      for name in ["../p.png", "/etc/passwd", "", ".."] {
        #expect(
          try found(folder, name) == ["4:9: image: \"\(name)\" is not the plain name of a file"])
      }
    }
  }

  @Test func flowHasItsOwnSpeedAndAngle() throws {
    let text = FlowText("t").flow(.left, speed: 40, start: 2.5, variant: .oneCopy)
      .background(.gradient([.red, .blue], angle: 0.5)).foregroundColor(.green)
    let plan = try plan(text, width: 250, height: 60)
    #expect(plan.flows == [FlowSpec(period: 250, speed: 40, direction: .left, start: 2.5)])
    let sprite = plan.layout.sprites[0]
    #expect(sprite.elements[1].gradient.angle == 0.5)
    #expect(sprite.elements[1].gradient.colors == [Color.red, .blue].map(\.rgba))
    // Below, the text's colour; the mask is opaque whatever the text's colour is.
    #expect(sprite.elements[0].box.color == Color.green.rgba)
    #expect(sprite.mask.text.color == Color.black.rgba)
  }

  /// [S1-09] Wherever the picture is, the text's colour lies behind every glyph, and half a line around them.
  @Test(arguments: FlowText.Direction.allCases, FlowText.Variant.allCases)
  func textBelowIsBehindAllGlyphs(
    direction: FlowText.Direction, variant: FlowText.Variant
  ) throws {
    let plan = try plan(
      FlowText("t").flow(direction, variant: variant), width: 250, height: 60)
    let sprite = plan.layout.sprites[0]
    let ground = sprite.elements[0]
    for share in [0, 0.3, 1] {
      let isBack = direction == .left || direction == .up
      let offset = plan.flows[0].period * (isBack ? -share : share)
      let isSideways = direction == .left || direction == .right
      let (x, y) = (ground.x + (isSideways ? offset : 0), ground.y + (isSideways ? 0 : offset))
      if sprite.tilePeriod > 0 {
        #expect(ground.box.width >= sprite.tilePeriod)
      } else {
        #expect(x <= -125 - 30)
        #expect(x + ground.box.width >= 125 + 30)
      }
      if sprite.tilePeriodY > 0 {
        #expect(ground.box.height >= sprite.tilePeriodY)
      } else {
        #expect(y <= -30 - 30)
        #expect(y + ground.box.height >= 30 + 30)
      }
    }
  }

  /// A mask has no colours: glyphs that have some are drawn below it.
  @Test func glyphsWithColoursAreDrawnBelow() throws {
    for text in ["🪐", "a 🇨🇭", "❤\u{FE0F}"] {
      let layout = try plan(FlowText(text).position(x: 640, y: 100), width: 250, height: 60).layout
      #expect(layout.fixtures.map { [$0.x, $0.y, Double($0.sprite)] } == [[640, 100, 0]])
      #expect(layout.sprites[0].elements[0].text.text == text)
      #expect(layout.sprites[1].elements.count == 1)
      #expect(layout.sprites[1].elements[0].gradient.width == 250)
    }
  }

  @Test func clearTextHasNothingBelow() throws {
    let layout = try plan(FlowText("t").foregroundColor(.clear), width: 250).layout
    #expect(layout.fixtures.isEmpty)
    #expect(layout.sprites[0].elements.count == 1)
  }

  @Test func gradientsLieAlongTheFlow() throws {
    for direction in FlowText.Direction.allCases {
      let plan = try plan(FlowText("t").flow(direction), width: 250, height: 60)
      let isSideways = direction == .left || direction == .right
      let sprite = plan.layout.sprites[0]
      #expect(sprite.elements[1].gradient.angle == (isSideways ? 0 : .pi / 2))
      #expect(
        (sprite.tilePeriod, sprite.tilePeriodY) == (isSideways ? 250 : 0, isSideways ? 0 : 60))
      #expect(plan.layout.batches[0].originX == [640])
      #expect(plan.layout.batches[0].originY == [360])
      #expect("\(plan.flows[0].direction)" == direction.rawValue)
    }
  }

  /// Sides and sizes at their limits, and one more; a head that is cut off.
  @Test func picturesHaveLimits() throws {
    func head(_ width: UInt16, _ height: UInt16) -> Data {
      var data = png(width: UInt8(width & 255), height: UInt8(height & 255))
      (data[18], data[22]) = (UInt8(width >> 8), UInt8(height >> 8))
      return data
    }
    let pictures: [(name: String, data: Data, message: String?)] = [
      ("a.png", head(8_192, 1), nil), ("b.png", head(1, 8_192), nil),
      (
        "c.png", head(8_193, 1), "8193 by 1 pixels; each side has 1...8192 pixels"
      ),
      ("d.png", head(258, 8_193), "258 by 8193 pixels; each side has 1...8192 pixels"),
      ("e.png", head(3, 0), "3 by 0 pixels; each side has 1...8192 pixels"),
      ("f.png", head(2, 3).prefix(24), nil),
      ("g.png", head(2, 3).prefix(23), "\"g.png\" is not a PNG file"),
      (
        "i.png", head(2, 3) + Data(count: SceneLimits.imageBytesMax - head(2, 3).count), nil
      ),
    ]
    try withFolder { folder in
      for (name, data, message) in pictures {
        try Data(data).write(to: folder.appendingPathComponent(name))
        #expect(try found(folder, name) == (message.map { ["4:9: image: " + $0] } ?? []), "\(name)")
      }
      var other = head(2, 3)
      other[15] = UInt8(ascii: "X")
      try other.write(to: folder.appendingPathComponent("x.png"))
      #expect(try found(folder, "x.png") == ["4:9: image: \"x.png\" is not a PNG file"])
      let long = String(repeating: "n", count: 255)
      let shown = String(repeating: "n", count: 40)
      #expect(try found(folder, long) == ["4:9: image: \"\(shown)\" cannot be read"])
      #expect(
        try found(folder, long + "n") == [
          "4:9: image: \"\(shown)\" is not the plain name of a file"
        ])
      #expect(try found(folder, ".") == ["4:9: image: \".\" is not the plain name of a file"])
    }
  }
}
