// SPDX-License-Identifier: Apache-2.0

import Foundation
import Orrery
import OrreryBase
import OrreryPlot
import Testing

/// Goal: what a plot draws stands where its axes say, in its color and with its label beside it.
///
/// Method: the paths of SVG files, against places computed from the motion. A picture of 960 x 600 shows
/// values between y = 394 (0) and 146, velocities between 546 and 434, times between x = 72 and 868.
@Suite struct PlotDrawingTests {
  private enum Color {
    static let panel: UInt32 = 0xf7f8fb
    static let grid: UInt32 = 0xe3e6ee
    static let axis: UInt32 = 0xa8aebd
    static let quiet: UInt32 = 0x5f6779
    static let target: UInt32 = 0x80899c
    static let value: UInt32 = 0x2563eb
    static let valueArea: UInt32 = 0xe6ecfa
    static let velocity: UInt32 = 0xd94600
    static let velocityArea: UInt32 = 0xf6eae7
    static let leg: UInt32 = 0x7c6f9f
    static let logical: UInt32 = 0x0f8a5f
    static let end: UInt32 = 0xbe123c
    static let paper: UInt32 = 0xffffff
  }

  /// Values up to 1.05: an axis from 0 to 1.2; velocities from about -0.5 to 5: one from -2 to 6.
  private static let bouncy = "spring(duration: 0.5, bounce: 0.3)"
  private static let spring = Spring(duration: 0.5, bounce: 0.3)
  private static let springSeconds = spring.settlingBound * 1.08

  private static func x(_ time: Double, of duration: Double) -> Double {
    72 + 796 * time / duration
  }
  private static func y(_ value: Double) -> Double { 394 - 248 * value / 1.2 }
  private static func isNear(_ first: Double, _ second: Double, within distance: Double = 0.1)
    -> Bool
  {
    abs(first - second) <= distance
  }

  @Test func panelsStandBesideEachOther() throws {
    let panels = try SVGShapes(Self.bouncy).areas(Color.panel)
    try #require(panels.count == 4)
    #expect(panels[0].spans(72, 146, 868, 394), "\(panels[0])")
    #expect(panels[1].spans(72, 434, 868, 546), "\(panels[1])")
    #expect(panels[2].spans(884, 146, 920, 394), "\(panels[2])")
    // Behind the label of the overshoot.
    #expect(Self.isNear(panels[3].bottom - panels[3].top, 16), "\(panels[3])")
  }

  @Test func everyPictureIsDrawnToItsScale() throws {
    let (usual, large) = (try SVGShapes(Self.bouncy), try SVGShapes(Self.bouncy, size: "1920x1200"))
    for (first, second) in zip(usual.areas(Color.panel), large.areas(Color.panel)).prefix(3) {
      #expect(second.spans(first.left * 2, first.top * 2, first.right * 2, first.bottom * 2))
    }
    #expect(large.lines(Color.value).map(\.width) == [5])
    // The narrower side counts.
    let wide = try SVGShapes(Self.bouncy, size: "1920x600")
    #expect(try #require(wide.areas(Color.panel).first).spans(72, 146, 1_828, 394))
  }

  @Test func gridHasALineAndALabelForEachTick() throws {
    let picture = try SVGShapes(Self.bouncy)
    let (grid, zeros) = (picture.lines(Color.grid), picture.lines(Color.axis))
    let level = grid.filter { $0.top == $0.bottom }
    // 0.2 ... 1.2, then -2, 2, 4 and 6.
    let expected = (1...6).map { Self.y(Double($0) / 5) } + [546, 490, 462, 434]
    try #require(level.count == expected.count)
    for (line, y) in zip(level, expected) { #expect(line.spans(72, y, 868, y), "\(line)") }
    #expect(zeros.count == 2)
    #expect(zeros.first?.spans(72, 394, 868, 394) == true)
    #expect(zeros.last?.spans(72, 518, 868, 518) == true)
    // 0, 0.1 ... 0.9 in both parts.
    let upright = grid.filter { $0.left == $0.right }
    try #require(upright.count == 20)
    for (index, line) in upright.enumerated() {
      let x = Self.x(Double(index % 10) / 10, of: Self.springSeconds)
      let (top, bottom) = index < 10 ? (146.0, 394.0) : (434, 546)
      #expect(line.spans(x, top, x, bottom), "\(line)")
    }
    #expect((grid + zeros).allSatisfy { $0.width == 1 && $0.dash == 0 })
    // Labels of values end 10 before the part; digits have bearings of a pixel or so.
    let labels = picture.shapes.filter { $0.isFilled && $0.color == Color.quiet && $0.right < 66 }
    #expect(labels.filter { Self.isNear($0.right, 61.4, within: 0.8) }.count >= 11)
    // Labels of times stand below their lines.
    for line in upright.dropFirst(10) {
      let label = picture.round(Color.quiet).first {
        $0.top > 550 && $0.bottom < 570
          && Self.isNear(($0.left + $0.right) / 2, line.left, within: 1.5)
      }
      #expect(label != nil, "below \(line)")
    }
  }

  @Test func namesAndTheStripsIntervalAreWritten() throws {
    let picture = try SVGShapes(Self.bouncy)
    let names = [Color.value, Color.velocity].map { color in
      picture.round(color).first { Self.isNear($0.left, 72, within: 1) }
    }
    #expect(Self.isNear(names[0]?.bottom ?? 0, 136, within: 3))
    #expect(Self.isNear(names[1]?.bottom ?? 0, 424, within: 4))
    let quiet = picture.round(Color.quiet)
    // "seconds" ends where the part does, below the labels of times.
    #expect(quiet.contains { Self.isNear($0.right, 868, within: 1.5) && $0.bottom > 580 })
    // "every 0.02 s" is centered below the strip.
    let interval = quiet.first { $0.left > 868 && $0.top > 394 }
    #expect(Self.isNear(((interval?.left ?? 0) + (interval?.right ?? 0)) / 2, 902, within: 1.5))
    #expect(Self.isNear(interval?.bottom ?? 0, 418, within: 4))
    // The title, and its parameters below.
    let title = picture.shapes.first { $0.isFilled && $0.color == 0x1d2330 }
    #expect(Self.isNear(title?.left ?? 0, 28, within: 2))
    #expect(Self.isNear(title?.bottom ?? 0, 44, within: 6))
    #expect(
      quiet.contains {
        Self.isNear($0.left, 28, within: 2) && Self.isNear($0.bottom, 70, within: 5)
      })
  }

  /// What does not fit becomes smaller; up to its margin on the right it stays as it is.
  @Test func longTitlesAreMadeToFit() throws {
    for count in [30, 140, 300] {
      let motion = "linear(\((0..<count).map { _ in "0" }.joined(separator: ", ")))"
      let title = try #require(
        SVGShapes(motion).shapes.first { $0.isFilled && $0.color == 0x1d2330 })
      let height = title.bottom - title.top
      #expect(title.right <= 933, "\(count) zeros: \(title)")
      if count == 30 {
        #expect(height > 18, "\(title)")
      } else {
        #expect(title.right > 925, "\(title)")
      }
    }
  }

  /// A title of 400 characters is shown whole; of a longer one the first 399, and three dots.
  @Test(arguments: [("-1", 400), ("0.5", 401)])
  func veryLongTitlesAreCut(last: String, count: Int) throws {
    let title = "linear(" + String(repeating: "0, ", count: 130) + last + ")"
    try #require(title.count == count)
    let shown = count == 400 ? title : String(title.prefix(399)) + "…"
    let size = try #require(PictureSize("960x600"))
    let expected = try SVGShapes(writing: { path in
      try PlotFile.write(path: path, format: .svg, size: size) {
        (drawing: Drawing) throws(PlotError) in
        let wide = try drawing.shape(shown, font: "Noto Sans Semi-Bold 21.0")
        let fitting = (21 * 904 / wide.size.width * 100).rounded() / 100
        let line = try drawing.shape(shown, font: "Noto Sans Semi-Bold \(fitting)")
        drawing.text(line, at: PlotPoint(x: 28, y: 44), color: 0x1d23_30ff)
      }
    })
    let points = try SVGShapes(title).shapes.first { $0.isFilled && $0.color == 0x1d2330 }?.points
    try #require(expected.shapes.count == 1)
    let isShown = points == expected.shapes[0].points
    #expect(isShown, "\(points?.count ?? 0) points")
  }

  @Test func curvesPassThroughTheirValues() throws {
    let picture = try SVGShapes(Self.bouncy)
    let (value, velocity) = (picture.lines(Color.value), picture.lines(Color.velocity))
    try #require(value.count == 1)
    try #require(velocity.count == 1)
    #expect(value[0].width == 2.5)
    #expect(velocity[0].width == 2.5)
    for point in value[0].points {
      let time = (point.x - 72) / 796 * Self.springSeconds
      let expected = Self.y(Self.spring.value(target: 1, time: time))
      #expect(Self.isNear(point.y, expected), "\(time) s")
    }
    // Between its points a line is a twentieth of a pixel off at most.
    for (first, second) in zip(value[0].points, value[0].points.dropFirst()) {
      let middle = (first.x + second.x) / 2
      let time = (middle - 72) / 796 * Self.springSeconds
      let expected = Self.y(Self.spring.value(target: 1, time: time))
      #expect(Self.isNear((first.y + second.y) / 2, expected, within: 0.06), "\(time) s")
    }
    for point in velocity[0].points {
      let time = (point.x - 72) / 796 * Self.springSeconds
      let expected = 518 - 14 * Self.spring.velocity(target: 1, time: time)
      #expect(Self.isNear(point.y, expected, within: 0.2), "\(time) s")
    }
    for line in value + velocity {
      #expect(Self.isNear(line.left, 72))
      #expect(Self.isNear(line.right, 868))
      #expect(line.points.count > 40)
    }
    // Areas go back along zero.
    for (color, line, zero) in [
      (Color.valueArea, value[0], 394.0), (Color.velocityArea, velocity[0], 518),
    ] {
      let area = try #require(picture.areas(color).first)
      #expect(Array(area.points.prefix(line.points.count)) == line.points)
      let corners = area.points.dropFirst(line.points.count).prefix(2)
      #expect(corners.map(\.x) == [868, 72])
      #expect(corners.allSatisfy { Self.isNear($0.y, zero) })
    }
  }

  @Test func targetAndMarksAreDashed() throws {
    let picture = try SVGShapes(Self.bouncy)
    let target = picture.lines(Color.target)
    #expect(target.count == 1)
    #expect(target.first?.spans(72, Self.y(1), 868, Self.y(1)) == true)
    #expect(target.first?.dash == 5)
    #expect(target.first?.width == 1.25)
    for (color, time) in [(Color.logical, 0.5), (Color.end, Self.spring.settlingBound)] {
      let lines = picture.lines(color).filter { $0.dash == 3 }
      let x = Self.x(time, of: Self.springSeconds)
      try #require(lines.count == 2)
      #expect(lines[0].spans(x, 146, x, 394))
      #expect(lines[1].spans(x, 434, x, 546))
      #expect(lines[0].width == 1.25)
      // The label stands in the lowest row, above the middle of its line.
      let label = try #require(picture.round(color).first)
      #expect(Self.isNear((label.left + label.right) / 2, x, within: 2), "\(label)")
      #expect(Self.isNear(label.bottom, 136, within: 4), "\(label)")
    }
  }

  /// Labels that would overlap go into rows above, with a line down to their mark; a fourth is left out.
  @Test func crowdedLabelsTakeRows() throws {
    let picture = try SVGShapes("linear(duration: 1).repeatCount(12)")
    let labels = picture.round(Color.leg)
    let seconds = 12 * 1.08
    #expect(picture.lines(Color.leg).filter { $0.dash == 3 }.count == 22)
    let leaders = picture.lines(Color.leg).filter { $0.dash == 0 }
    let rows = labels.map { ((136 - $0.bottom) / 18).rounded() }
    #expect(Set(rows) == [0, 1])
    for (label, row) in zip(labels, rows) {
      #expect(Self.isNear(label.bottom, 136 - 18 * row, within: 4), "\(label)")
    }
    for leader in leaders {
      #expect(Self.isNear(leader.top, 122), "\(leader)")
      #expect(Self.isNear(leader.bottom, 146), "\(leader)")
      #expect(leader.width == 1)
    }
    #expect(leaders.isEmpty == false)
    #expect(
      leaders.allSatisfy { leader in
        (1...11).contains { Self.isNear(Self.x(Double($0), of: seconds), leader.left) }
      })
    // Neighbours in a row are at least 10 apart.
    for row in [0.0, 1] {
      let boxes = zip(labels, rows).filter { $0.1 == row }.map(\.0).sorted { $0.left < $1.left }
      for (first, second) in zip(boxes, boxes.dropFirst()) {
        #expect(second.left - first.right >= 9, "\(first), \(second)")
      }
    }
  }

  @Test func stripShowsTheValueAtEqualTimes() throws {
    let picture = try SVGShapes(Self.bouncy)
    let discs = picture.round(Color.value).filter { Self.isNear($0.right - $0.left, 18) }
    // Every 0.02 s of 0.932.
    try #require(discs.count == 47)
    for (index, disc) in discs.enumerated() {
      let y = Self.y(Self.spring.value(target: 1, time: Double(index) * 0.02))
      #expect(disc.spans(893, y - 9, 911, y + 9), "disc \(index)")
    }
    // One at the very end, too.
    let whole = try SVGShapes("linear").round(Color.value)
    #expect(whole.filter { Self.isNear($0.right - $0.left, 18) }.count == 51)
  }

  /// A disc at an end of the strip is whole; one farther out is cut off ten units from there.
  @Test(arguments: [("960x600", 1.0), ("1920x1200", 2)])
  func discsAreCutOffBeyondTheStrip(size: String, unit: Double) throws {
    // The axis ends at 6, six times all but a hundredth of the values; one disc is at 6.1.
    let picture = try SVGShapes("linear(0, 1 49.6%, 6.1 50%, 1 50.4%, 1)", size: size)
    let cuts = picture.clips.filter { $0.left > 870 * unit }
    #expect(cuts.count == 1, "\(cuts)")
    #expect(Self.isNear(cuts.first?.top ?? 0, 136 * unit), "\(cuts)")
  }

  @Test func overshootIsADotWithItsLabelBeside() throws {
    let picture = try SVGShapes(Self.bouncy)
    let time = 0.5 / (2 * (1 - 0.49).squareRoot())
    let (x, y) = (
      Self.x(time, of: Self.springSeconds), Self.y(Self.spring.value(target: 1, time: time))
    )
    let rim = try #require(picture.round(Color.paper).first)
    #expect(rim.spans(x - 5.5, y - 5.5, x + 5.5, y + 5.5), "\(rim)")
    let dot = picture.round(Color.value).first { Self.isNear($0.right - $0.left, 8) }
    #expect(Self.isNear(dot?.left ?? 0, x - 4), "\(String(describing: dot))")
    let ground = try #require(picture.areas(Color.panel).last)
    #expect(Self.isNear(ground.left, x + 7))
    #expect(Self.isNear(ground.top, y - 22))
    #expect(Self.isNear(ground.bottom, y - 6))
    let label = try #require(picture.round(Color.value).last)
    #expect(Self.isNear(label.left, x + 10, within: 1.5), "\(label)")
    #expect(Self.isNear(label.right, ground.right - 3, within: 1.5), "\(label)")
    // One that swings only a little is late and wide: its label ends where the part does.
    let late = try SVGShapes("spring(duration: 0.5, bounce: 0.15)")
    #expect(try #require(late.round(Color.value).last).right <= 868)
  }

  /// A curve that is vertical somewhere does not flatten the rest of its velocity.
  @Test func fewLargeVelocitiesAreCutOff() throws {
    let line = try #require(SVGShapes("bezier(1, 0, 0, 1)").lines(Color.velocity).first)
    let above = line.points.filter { $0.y < 434 }
    #expect(above.isEmpty == false)
    #expect(above.allSatisfy { abs($0.x - 470) < 4 })
    // What is seen of the rest is not flat: a tenth of the time from the middle it is a pixel high.
    let beside = line.points.first { $0.x >= 390 }
    #expect((beside?.y ?? 546) < 545)
  }

  /// A text in a picture of four times the usual size, by the layout's own units.
  private struct Word {
    let text: String
    /// Points of the layout; bold ones are semi-bold.
    let size: Double
    var isBold = false
    let color: UInt32
    /// The left end of its baseline, from its width.
    let x: @Sendable (_ width: Double) -> Double
    let baseline: Double
  }

  /// Every text of the picture of a bouncy spring.
  private static var words: [Word] {
    let (duration, end) = (springSeconds, spring.settlingBound)
    let turn = 0.5 / (2 * (1 - 0.49).squareRoot())
    let title =
      "response 0.5 s · damping ratio 0.7 · bounce 0.3 · mass 1 · stiffness 157.9 · damping 17.59"
      + " · settles after 0.863 s"
    var words = [
      Word(text: bouncy, size: 21, isBold: true, color: 0x1d2330, x: { _ in 28 }, baseline: 44),
      Word(text: title, size: 13, color: Color.quiet, x: { _ in 28 }, baseline: 70),
      Word(
        text: "value", size: 13, isBold: true, color: Color.value, x: { _ in 72 }, baseline: 136),
      Word(
        text: "velocity, 1/s", size: 13, isBold: true, color: Color.velocity, x: { _ in 72 },
        baseline: 424),
      Word(text: "seconds", size: 12, color: Color.quiet, x: { 868 - $0 }, baseline: 586),
      Word(
        text: "every 0.02 s", size: 10.5, color: Color.quiet, x: { 902 - $0 / 2 }, baseline: 418),
      Word(
        text: "response 0.5 s", size: 12, color: Color.logical,
        x: { x(0.5, of: duration) - $0 / 2 }, baseline: 136),
      Word(
        text: "settled 0.863 s", size: 12, color: Color.end, x: { x(end, of: duration) - $0 / 2 },
        baseline: 136),
      Word(
        text: "+4.6 % at 0.3501 s", size: 12, color: Color.value,
        x: { _ in x(turn, of: duration) + 10 },
        baseline: y(spring.value(target: 1, time: turn)) - 10),
    ]
    for (text, value) in [("0", 0), ("0.2", 0.2), ("0.4", 0.4), ("1.0", 1), ("1.2", 1.2)] {
      words.append(
        Word(text: text, size: 12, color: Color.quiet, x: { 62 - $0 }, baseline: y(value) + 4.5))
    }
    for (text, value) in [("−2", -2.0), ("0", 0), ("2", 2), ("4", 4), ("6", 6)] {
      words.append(
        Word(
          text: text, size: 12, color: Color.quiet, x: { 62 - $0 },
          baseline: 518 - 14 * value + 4.5))
    }
    for (text, time) in [("0", 0), ("0.3", 0.3), ("0.9", 0.9)] {
      words.append(
        Word(
          text: text, size: 12, color: Color.quiet, x: { x(time, of: duration) - $0 / 2 },
          baseline: 566))
    }
    return words
  }

  /// A picture of four times the usual size tells a font from the next larger one by a short text.
  @Test func textsStandInTheirFontsAtTheirPlaces() throws {
    let folder = FileManager.default.temporaryDirectory.path
    let path = "\(folder)/plot-\(UUID().uuidString).svg"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let size = try #require(PictureSize("8x8"))
    var missing: [String] = []
    let picture = try SVGShapes(Self.bouncy, size: "3840x2400")
    try PlotFile.write(path: path, format: .svg, size: size) {
      (drawing: Drawing) throws(PlotError) in
      for word in Self.words {
        let weight = word.isBold ? "Semi-Bold " : ""
        let line = try drawing.shape(word.text, font: "Noto Sans \(weight)\(word.size * 4)")
        let right = 4 * word.x(line.size.width / 4) + line.ink.x + line.ink.width
        let top = 4 * word.baseline - line.size.baseline + line.ink.y
        // Where a shape begins is not looked at: the first letter's origin, left of its ink, is part of it.
        let isThere = picture.shapes.contains { shape in
          shape.isFilled && shape.color == word.color && abs(shape.right - right) < 0.1
            && abs(shape.top - top) < 0.1 && abs(shape.bottom - top - line.ink.height) < 0.1
        }
        if !isThere { missing.append("\(word.text) up to \(right), from \(top) on") }
      }
    }
    #expect(missing.isEmpty, "\(missing)")
  }

  /// What the strip's discs cover shows through them; nothing else does.
  @Test func onlyTheStripIsTranslucent() throws {
    let shapes = try SVGShapes(Self.bouncy).shapes
    let faint = shapes.filter { $0.opacity < 0.99 }
    #expect(faint.count == 47)
    #expect(faint.allSatisfy { Self.isNear($0.right - $0.left, 18) })
    #expect(faint.allSatisfy { Self.isNear($0.opacity, 56 / 255.0, within: 0.002) })
  }

  /// Below a twentieth of its usual size the layout gets no smaller, so that letters have a size.
  @Test func tinyPicturesKeepALayout() throws {
    let panels = try SVGShapes(Self.bouncy, size: "40x60").areas(Color.panel)
    try #require(panels.count >= 3)
    #expect(panels[0].spans(3.6, 7.3, 35.4, 38.3), "\(panels[0])")
    #expect(panels[1].spans(3.6, 40.3, 35.4, 57.3), "\(panels[1])")
    #expect(panels[2].spans(36.2, 7.3, 38, 38.3), "\(panels[2])")
  }

  /// Lines of the grid that lie level, of a part between two heights.
  private func levels(_ picture: SVGShapes, from top: Double, to bottom: Double) -> [Double] {
    (picture.lines(Color.grid) + picture.lines(Color.axis))
      .filter { $0.top == $0.bottom && $0.top >= top - 0.1 && $0.top <= bottom + 0.1 }
      .map(\.top).sorted()
  }

  /// Ticks are few enough to be told apart: ten times, six values, four velocities, about.
  @Test(
    arguments: [
      // A step of 0.5 up to 1.5, as 1.37 is more than six times 0.2.
      ("spring(duration: 0.5, bounce: 0.7)", 4, nil, nil),
      // One second in steps of 0.1, and 1.08 of them in steps of 0.2.
      ("linear", 6, 3, 11), ("linear(duration: 1)", 6, 3, 6),
      // Velocities up to 2 in steps of 0.5.
      ("linear(0, 1 50%, 1)", 6, 5, 11),
    ] as [(String, Int, Int?, Int?)])
  func ticksAreAsManyAsThereIsRoomFor(
    motion: String, values: Int, velocities: Int?, times: Int?
  ) throws {
    let picture = try SVGShapes(motion)
    #expect(levels(picture, from: 146, to: 394).count == values)
    if let velocities {
      #expect(levels(picture, from: 434, to: 546).count == velocities)
    }
    if let times {
      let upright = picture.lines(Color.grid).filter { $0.left == $0.right }
      #expect(upright.count == 2 * times)
    }
  }

  /// Velocities are shown up to six times the one that a fiftieth of the time is faster than.
  @Test(arguments: [("bezier(1, 0, 0, 1)", 40.0, 4), ("bezier(0.98, 0, 0.02, 1)", 60, 3)])
  func fastMomentsAreCutOff(motion: String, upper: Double, steps: Int) throws {
    let picture = try SVGShapes(motion)
    #expect(levels(picture, from: 434, to: 546).count == steps + 1)
    let line = try #require(picture.lines(Color.velocity).first)
    let numbers = motion.split(whereSeparator: { "(), ".contains($0) }).compactMap { Double($0) }
    try #require(numbers.count == 4)
    let curve = UnitCurve.bezier(
      startControlPoint: UnitPoint(x: numbers[0], y: numbers[1]),
      endControlPoint: UnitPoint(x: numbers[2], y: numbers[3]))
    // Above that the places of points, which are cut to 1/256, tell too little.
    for point in line.points where point.y > 500 {
      let expected = 546 - 112 * curve.velocity(at: (point.x - 72) / 796) / upper
      #expect(Self.isNear(point.y, expected, within: 0.3), "\(point)")
    }
    // Beyond the part a line goes on, but not for ever.
    #expect(line.top >= 546 - 112 * 11 - 0.1)
  }

  /// Where no row has room for a label it is left out; the first mark's makes room for the part's name.
  @Test func veryCrowdedLabelsAreLeftOut() throws {
    let picture = try SVGShapes("linear(duration: 1).repeatCount(40)")
    let labels = picture.round(Color.leg)
    let rows = labels.map { ((136 - $0.bottom) / 18).rounded() }
    #expect(Set(rows) == [0, 1, 2])
    #expect(labels.count < 12)
    #expect(picture.lines(Color.leg).filter { $0.dash == 3 }.count == 24)
    for (label, row) in zip(labels, rows) where row == 0 {
      #expect(label.left >= 140, "\(label)")
    }
  }
}
