// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import Testing

import OrreryPlot

/// Goal: what a plot says in words and numbers is said exactly, and a file is whole or is not there.
///
/// Method: whole texts; axes and lines by hand, at the places where one number more or less decides.
@Suite struct PlotTextTests {
  @Test(
    arguments: [
      (0, 3, "0"), (-0.0, 3, "0"), (0.5, 3, "0.5"), (-0.5, 3, "−0.5"), (4.6004, 3, "4.6"),
      (123.456, 3, "123"), (-123.456, 4, "−123.5"), (12_345.678, 4, "12346"), (10, 3, "10"),
      (100, 3, "100"), (2, 4, "2"), (999_999_999, 4, "999999999"), (1.5e9, 4, "1.500e+09"),
      (1.5e9, 2, "1.5e+09"), (0.000_15, 4, "0.00015"), (1.5e-5, 4, "1.500e−05"),
      (-1.5e-5, 3, "−1.50e−05"), (0.099_6, 3, "0.0996"), (0.099_96, 3, "0.1"), (.infinity, 3, "∞"),
      (.nan, 3, "NaN"),
    ] as [(Double, Int, String)])
  func numbersHaveTheirDigits(value: Double, digits: Int, text: String) {
    #expect(PlotNumber.text(value, digits: digits) == text)
  }

  @Test(
    arguments: [
      (0, 0, "0"), (0, 2, "0.00"), (1_234, 2, "1234.00"), (-0.25, 2, "−0.25"),
      (-0.000_1, 3, "0.000"),
      (-0.000_6, 3, "−0.001"), (1.5, 0, "2"), (-1.08, 3, "−1.080"), (.infinity, 2, "∞"),
      (.nan, 2, "NaN"),
    ] as [(Double, Int, String)])
  func numbersHaveTheirPlaces(value: Double, decimals: Int, text: String) {
    #expect(PlotNumber.text(value, decimals: decimals) == text)
  }

  @Test func trimmedNumbersKeepWhatCounts() {
    #expect(PlotNumber.text(1.5, decimals: 4, isTrimmed: true) == "1.5")
    #expect(PlotNumber.text(20, decimals: 4, isTrimmed: true) == "20")
    #expect(PlotNumber.text(20, decimals: 0, isTrimmed: true) == "20")
    #expect(PlotNumber.text(20.25, decimals: 2, isTrimmed: true) == "20.25")
    #expect(PlotNumber.text(-.infinity, digits: 3).hasSuffix("∞"))
    #expect(PlotNumber.text(-.infinity, digits: 3).count == 2)
  }

  /// An axis that ends where the numbers do, and one that goes on to a tick.
  @Test func axesEndAtTheirTicksOrTheirNumbers() {
    let rounded = PlotAxis(from: -0.3, to: 1.05, tickMax: 6, isRounded: true)
    #expect(rounded.step == 0.5)
    #expect(rounded.ticks == [-0.5, 0, 0.5, 1, 1.5])
    #expect((rounded.lower, rounded.upper) == (-0.5, 1.5))
    let plain = PlotAxis(from: -0.3, to: 1.05, tickMax: 6, isRounded: false)
    #expect(plain.step == 0.5)
    #expect(plain.ticks == [0, 0.5, 1])
    #expect(plain.lower == -0.3)
    #expect(abs(plain.upper - 1.05) < 1e-15)
    let ten = PlotAxis(from: 0, to: 1, tickMax: 10, isRounded: false)
    #expect(ten.step == 0.1)
    #expect(ten.ticks.count == 11)
  }

  /// The smallest of 1, 2, 5 and 10 times a power of ten that is not too small.
  @Test(
    arguments: [
      (1, 1), (1.001, 2), (2, 2), (2.001, 5), (5, 5), (5.001, 10), (10, 10), (11, 20), (0.5, 0.5),
      (0.03, 0.05), (70, 100), (600, 1_000),
    ] as [(Double, Double)])
  func stepsAreRound(span: Double, step: Double) {
    let axis = PlotAxis(from: 0, to: span, tickMax: 1, isRounded: true)
    #expect(abs(axis.step - step) < 1e-12 * step)
    #expect(axis.ticks.count == 2)
    #expect(PlotAxis(from: 0, to: span, tickMax: 0, isRounded: true) == axis)
    #expect(PlotAxis(from: 0, to: span, tickMax: -7, isRounded: true) == axis)
    let four = PlotAxis(from: 0, to: span * 4, tickMax: 4, isRounded: true)
    #expect(four.step == axis.step)
  }

  /// What has no extent gets half a unit to each side, or a thousandth of a large number.
  @Test(
    arguments: [
      (0, 0, -0.5, 0.5), (3, 3, 2.5, 3.5), (3, 2, 2.5, 3.5), (500, 500, 499.5, 500.5),
      (5_000, 5_000, 4_995, 5_005), (-5_000, -5_000, -5_005, -4_995), (.nan, 4, 0, 4),
      (-4, .nan, -4, 0), (0, .infinity, 0, 1e300), (-.infinity, 0, -1e300, 0),
      (-1e308, 1e308, -1e300, 1e300),
    ] as [(Double, Double, Double, Double)])
  func everyAxisHasAnExtent(from: Double, to: Double, lower: Double, upper: Double) {
    let axis = PlotAxis(from: from, to: to, tickMax: 5, isRounded: false)
    #expect(axis.lower == lower)
    #expect(axis.upper == upper)
  }

  /// More than 65 ticks are none.
  @Test func ticksAreNotTooMany() {
    let most = PlotAxis(from: 0, to: 64, tickMax: 64, isRounded: false)
    #expect(most.ticks == (0...64).map { Double($0) })
    let more = PlotAxis(from: 0, to: 65, tickMax: 65, isRounded: false)
    #expect(more.step == 1)
    #expect(more.ticks.isEmpty)
  }

  @Test func ticksHaveAsManyDigitsAsTheyNeed() {
    func axis(_ step: Double) -> PlotAxis {
      PlotAxis(from: 0, to: 4 * step, tickMax: 4, isRounded: true)
    }
    #expect(axis(0.2).ticks.map(axis(0.2).text) == ["0", "0.2", "0.4", "0.6", "0.8"])
    #expect(axis(0.5).text(1) == "1.0")
    #expect(axis(50).ticks.map(axis(50).text) == ["0", "50", "100", "150", "200"])
    #expect(axis(2).text(-4) == "−4")
    #expect(axis(1).text(1) == "1")
    #expect(axis(0.01).text(0.02) == "0.02")
    #expect(axis(1e-5).text(2e-5) == "0.00002")
    #expect(axis(2e-6).text(4e-6) == "4.000e−06")
    #expect(axis(1e9).text(2e9) == "2.000e+09")
    #expect(axis(1e7).text(2e7) == "20000000")
    // Less than half a step is nothing.
    #expect(axis(0.2).text(0.099) == "0")
    #expect(axis(0.2).text(-0.099) == "0")
    #expect(axis(0.2).text(0.1) == "0.1")
  }

  @Test func springsSayWhatTheyAre() throws {
    let plot = try MotionPlot("  spring(duration: 0.5, bounce: 0.3)\t")
    #expect(plot.title == "spring(duration: 0.5, bounce: 0.3)")
    #expect(
      plot.subtitle
        == "response 0.5 s · damping ratio 0.7 · bounce 0.3 · mass 1 · stiffness 157.9"
        + " · damping 17.59 · settles after 0.863 s")
    #expect((plot.timeName, plot.velocityName) == ("seconds", "velocity, 1/s"))
    let undamped = try MotionPlot("spring(duration: 0.4, bounce: 1)")
    #expect(undamped.duration == 2)
    #expect(undamped.subtitle.hasSuffix(" · damping 0 · never settles"))
    #expect(undamped.marks.map(\.kind) == [.overshoot, .logicallyComplete])
    #expect(undamped.marks.map(\.text) == ["+100 % at 0.2 s", "response 0.4 s"])
    #expect(undamped.marks.map(\.time) == [0.2, 0.4])
  }

  /// An overshoot is one from a twentieth of a percent on.
  @Test(arguments: [
    ("0.07", false), ("0.08", true), ("0", false), ("-0.5", false), ("0.5", true),
  ])
  func overshootsAreMarked(bounce: String, isMarked: Bool) throws {
    let plot = try MotionPlot("spring(duration: 0.5, bounce: \(bounce))")
    #expect(plot.marks.contains { $0.kind == .overshoot } == isMarked)
    #expect(plot.marks.filter { $0.kind == .end }.count == 1)
    let end = try #require(plot.marks.last?.time)
    #expect(plot.duration == end * 1.08)
    #expect(plot.value(0) == 0)
    #expect(abs(plot.value(end) - 1) < 0.001_1)
    #expect(plot.velocity(0.05) > 0)
  }

  @Test func curvesSayTheirMiddle() throws {
    let plot = try MotionPlot("easeIn")
    #expect(plot.title == "easeIn")
    #expect(plot.subtitle == "unit curve · value at half time 0.315")
    #expect((plot.timeName, plot.velocityName) == ("progress", "slope"))
    #expect(plot.duration == 1)
    #expect(plot.marks.isEmpty)
    #expect(plot.value(1) == 1)
    #expect(plot.velocity(0) == 0)
    #expect(plot.velocity(1) > 1)
  }

  @Test func animationsSayWhenTheyEnd() throws {
    let legs = try MotionPlot("linear(duration: 1).repeatCount(3).delay(0.5)")
    #expect(legs.subtitle == "logically complete after 3.5 s · removed after 3.5 s")
    #expect(legs.marks.map(\.text) == ["leg 0: 1.5 s", "leg 1: 2.5 s", "complete 3.5 s"])
    #expect(legs.duration == 3.5 * 1.08)
    #expect((legs.timeName, legs.velocityName) == ("seconds", "velocity, 1/s"))
    #expect([0.5, 1, 1.5, 2, 9].map(legs.value) == [0, 0.5, 1, 0.5, 1])
    #expect([0.25, 1, 2, 9].map(legs.velocity) == [0, 1, -1, 0])
    let spring = try MotionPlot("spring(duration: 0.5, bounce: 0.3).delay(1)")
    #expect(spring.subtitle == "logically complete after 1.5 s · removed after 1.863 s")
    #expect(spring.marks.map(\.kind) == [.logicallyComplete, .end])
    #expect(spring.marks.map(\.text) == ["logically complete 1.5 s", "removed 1.863 s"])
    let never = try MotionPlot("linear.speed(0)")
    #expect(never.subtitle == "never logically complete · never removed")
    #expect(never.marks.isEmpty)
    #expect(never.value(0.5) == 0)
  }

  /// What has no end is shown for four legs, or five times as long as it takes to be logically complete.
  @Test func endlessMotionsAreShownForAWhile() throws {
    let legs = try MotionPlot("linear(duration: 0.5).repeatForever()")
    #expect(legs.duration == 2)
    #expect(legs.marks.map(\.time) == [0.5, 1, 1.5, 2])
    #expect(legs.marks.map(\.kind) == [.leg, .leg, .leg, .leg])
    let swing = try MotionPlot("interpolatingSpring(stiffness: 100, damping: 0)")
    #expect(abs(swing.duration - Double.pi) < 1e-12)
    #expect(swing.subtitle == "logically complete after 0.6283 s · never removed")
    #expect(swing.marks.map(\.text) == ["logically complete 0.6283 s"])
    let many = try MotionPlot("linear(duration: 1).repeatCount(20)")
    #expect(many.marks.filter { $0.kind == .leg }.map(\.time) == (1...12).map { Double($0) })
    #expect(many.marks.last?.text == "complete 20 s")
    #expect(many.duration == 20 * 1.08)
    #expect(try MotionPlot("linear(duration: 1e12)").duration == 1)
    #expect(try MotionPlot("linear(duration: 5e11)").duration == 5e11 * 1.08)
  }

  @Test func tablesAreRightAligned() throws {
    let plot = try MotionPlot("linear(duration: 1)")
    #expect(
      plot.table(rowCount: 3) == """
        linear(duration: 1)
        logically complete after 1 s · removed after 1 s

                 seconds           value   velocity, 1/s
                   0.000        0.000000        1.000000
                   0.540        0.540000        1.000000
                   1.080        1.000000        0.000000

        complete 1 s

        """)
    let curve = try MotionPlot("linear(0, -1)")
    #expect(
      curve.table(rowCount: 2) == """
        linear(0, -1)
        unit curve · value at half time −0.5

                progress           value           slope
                   0.000        0.000000       -1.000000
                   1.000       -1.000000       -1.000000

        """)
  }

  @Test func tablesHaveTheirRows() throws {
    let curve = try MotionPlot("easeInOut")
    let rows = curve.table().split(separator: "\n")
    #expect(rows.count == 3 + 21)
    #expect(rows[3].hasPrefix("           0.000"))
    #expect(rows[4].hasPrefix("           0.050"))
    #expect(rows[23].hasPrefix("           1.000"))
    #expect(curve.table(rowCount: 1).split(separator: "\n").count == 3 + 1)
    #expect(!curve.table(rowCount: 1).contains("NaN"))
    #expect(curve.table(rowCount: 0).split(separator: "\n").count == 3)
  }

  /// Rows are told apart, with up to twelve digits after the point.
  @Test(arguments: [
    ("linear(duration: 10)", "10.800"), ("linear(duration: 0.93)", "1.004"),
    ("linear(duration: 0.9)", "0.9720"), ("linear(duration: 0.05)", "0.05400"),
    ("linear(duration: 1e-6)", "0.000001080"), ("linear(duration: 2e-12)", "0.000000000002"),
    // That is no time: the plot shows the first second.
    ("linear(duration: 1e-20)", "1.000"),
  ])
  func tablesHaveTheDigitsOfTheirTimes(motion: String, last: String) throws {
    let rows = try MotionPlot(motion).table(rowCount: 2).split(separator: "\n")
    try #require(rows.count == 6)
    #expect(rows[4].split(separator: " ").first.map(String.init) == last)
  }

  private func points(_ list: [(Double, Double)]) -> [PlotPoint] {
    list.map { PlotPoint(x: $0.0, y: $0.1) }
  }

  @Test func shortAndUprightLinesKeepTheirPoints() {
    for count in 0...2 {
      let few = points((0..<count).map { (Double($0), 0) })
      #expect(PlotPoint.straightened(few, tolerance: 1) == few)
    }
    let flat = points([(0, 0), (1, 0), (2, 0)])
    #expect(PlotPoint.straightened(flat, tolerance: 0) == [flat[0], flat[2]])
    let upright = points([(0, 0), (0, 5), (0, 9)])
    #expect(PlotPoint.straightened(upright, tolerance: 1) == upright)
  }

  /// A point may be as far off as the tolerance, measured upright at its own place.
  @Test func pointsWithinTheToleranceGo() {
    let bent = points([(0, 0), (1, 0.5), (2, 0)])
    #expect(PlotPoint.straightened(bent, tolerance: 0.5) == [bent[0], bent[2]])
    #expect(PlotPoint.straightened(bent, tolerance: 0.5.nextDown) == bent)
    let sloped = points([(0, 1), (1, 2.25), (4, 5)])
    #expect(PlotPoint.straightened(sloped, tolerance: 0.25) == [sloped[0], sloped[2]])
    #expect(PlotPoint.straightened(sloped, tolerance: 0.24) == sloped)
    let corner = points([(0, 0), (1, 0), (2, 0), (3, 1), (4, 2)])
    #expect(PlotPoint.straightened(corner, tolerance: 0.1) == [corner[0], corner[2], corner[4]])
    // Every point that is left out counts, not only the last.
    let early = points([(0, 0), (1, 0.9), (2, 0), (3, -1)])
    #expect(PlotPoint.straightened(early, tolerance: 1) == [early[0], early[2], early[3]])
  }

  /// A straight line has a point at least every 64.
  @Test func longLinesAreCutUp() {
    let line = points((0..<200).map { (Double($0), Double($0) * 2) })
    let kept = PlotPoint.straightened(line, tolerance: 0.01)
    #expect(kept.map(\.x) == [0, 64, 128, 192, 199])
    #expect(kept.map(\.y) == [0, 128, 256, 384, 398])
  }

  @Test(
    arguments: [
      ("a.svg", .svg), ("a.b.PNG", .png), ("svg", nil), ("a.svg.gz", nil), ("a.svgz", nil),
      ("asvg", nil), (".png", .png), ("", nil),
    ] as [(String, PlotFile.Format?)])
  func formatsAreThoseOfTheEnding(path: String, format: PlotFile.Format?) {
    #expect(PlotFile.Format(path: path) == format)
  }

  /// A folder of a test's own, removed after it.
  private func withFolder(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.path + "/plot-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try body(folder)
  }

  private func names(_ folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
  }

  @Test func failureLeavesTheOldFile() throws {
    let size = try #require(PictureSize("3x4"))
    try withFolder { folder in
      let path = folder + "/a.png"
      try Data("old".utf8).write(to: URL(fileURLWithPath: path))
      let error = #expect(throws: PlotError.self) {
        try PlotFile.write(path: path, format: .png, size: size) { (_: Drawing) throws(PlotError) in
          throw PlotError.outOfMemory(size)
        }
      }
      #expect(error == .outOfMemory(size))
      #expect(error.map { "\($0)" } == "no memory for a picture of 3x4 pixels")
      #expect(FileManager.default.contents(atPath: path) == Data("old".utf8))
      #expect(try names(folder) == ["a.png"])
    }
  }

  /// A file replaces an old one, and what an earlier attempt may have left beside it, as a whole.
  @Test func filesAreReplaced() throws {
    let size = try #require(PictureSize("16x16"))
    let plot = try MotionPlot("easeIn")
    try withFolder { folder in
      try PlotFile.write(plot, path: folder + "/fresh.png", format: .png, size: size)
      let fresh = try #require(FileManager.default.contents(atPath: folder + "/fresh.png"))
      let path = folder + "/a.png"
      let junk = Data(repeating: 7, count: 100_000)
      try junk.write(to: URL(fileURLWithPath: path))
      try junk.write(to: URL(fileURLWithPath: "\(path).\(getpid()).partial"))
      try PlotFile.write(plot, path: path, format: .png, size: size)
      #expect(FileManager.default.contents(atPath: path) == fresh)
      #expect(try names(folder) == ["a.png", "fresh.png"])
    }
  }

  /// Everybody whom the process does not exclude may read and write a file, and nobody execute it.
  @Test func filesAreNoPrograms() async {
    await #expect(processExitsWith: .success) {
      umask(0)
      let path = FileManager.default.temporaryDirectory.path + "/plot-\(UUID().uuidString).svg"
      defer { try? FileManager.default.removeItem(atPath: path) }
      guard let size = PictureSize("16x16") else { preconditionFailure("no size") }
      try PlotFile.write(MotionPlot("easeIn"), path: path, format: .svg, size: size)
      let facts = try FileManager.default.attributesOfItem(atPath: path)
      precondition(facts[.posixPermissions] as? Int == 0o666, "\(facts)")
    }
  }

  /// A folder is not replaced, a link is not followed, and nothing is left behind.
  @Test func whatIsNoFileIsLeftAlone() throws {
    let size = try #require(PictureSize("16x16"))
    let plot = try MotionPlot("easeIn")
    try withFolder { folder in
      let path = folder + "/taken.png"
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      let error = #expect(throws: PlotError.self) {
        try PlotFile.write(plot, path: path, format: .png, size: size)
      }
      #expect(error.map { "\($0)" } == "\(path): rename: Is a directory")
      #expect(try names(folder) == ["taken.png"])
      let (target, linked) = (folder + "/target", folder + "/linked.png")
      try Data("mine".utf8).write(to: URL(fileURLWithPath: target))
      let link = "\(linked).\(getpid()).partial"
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
      let refused = #expect(throws: PlotError.self) {
        try PlotFile.write(plot, path: linked, format: .png, size: size)
      }
      #expect(refused.map { "\($0)".hasPrefix("\(linked): open: ") } == true)
      #expect(FileManager.default.contents(atPath: target) == Data("mine".utf8))
      #expect(!FileManager.default.fileExists(atPath: linked))
    }
  }
}
