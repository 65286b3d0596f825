// SPDX-License-Identifier: Apache-2.0

import Foundation
import Orrery
import TestSupport
import Testing

/// Goal: the articles' listings do what the scenes do that were made from them.
///
/// Method: run each listing by hand, as timers and taps would, and compare it with the scene's values,
/// which are 32-bit numbers.
@Suite struct ArticleTests {
  private let size = CGSize(width: 100, height: 60)

  /// What `orrery sample` prints of an entity at a time.
  private struct Sample: Decodable {
    let x: Double
    let y: Double
    let opacity: Double
    let scale: Double
  }

  /// The values of an entity of a built-in scene at times.
  private func samples(_ scene: String, _ entity: String, at times: [Double]) throws -> [Sample] {
    let root = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path
    let programs =
      ProcessInfo.processInfo.environment["ORRERY_BIN"] ?? root + "/.build/release"
    let text = try output(
      of: programs + "/orrery",
      [
        "sample", scene, "--entity", entity, "--json", "--at",
        times.map { "\($0)" }.joined(separator: ","),
      ])
    let found = try String(decoding: text, as: UTF8.self).split(separator: "\n")
      .map { try JSONDecoder().decode(Sample.self, from: Data($0.utf8)) }
    try #require(found.count == times.count, "\(scene): \(String(decoding: text, as: UTF8.self))")
    return found
  }

  private func isClose(_ found: Double, _ expected: Double, _ bound: Double = 1e-3) -> Bool {
    abs(found - expected) < bound
  }

  /// [S0-06] The two rows, moved by one animation that never ends.
  @Test func flagsMoveByAnAnimation() throws {
    let times = [0.0, 1, 2.5, 59.5, 61]
    for row in 0..<2 {
      let engine = AnimationEngine()
      let view = WelcomeView(engine: engine, offsets: [-730, -950])
      view.startAnimation()
      for (time, sample) in zip(times, try samples("flags-linear", "\(row)", at: times)) {
        engine.advance(to: time)
        let shown = view.row(row).drawnValues(size: size)
        #expect(isClose(shown.matrix.tx, sample.x), "row \(row) at \(time)")
      }
    }
  }

  /// [S0-11] [S0-12] The two rows, moved by a timer; the scene shows what the timer sets.
  @Test func flagsMoveByATimer() throws {
    let times = [1.0, 2.5, 6.26, 6.27, 7.54]
    for row in 0..<2 {
      let view = WelcomeView(engine: AnimationEngine(), offsets: [-1550, -1800])
      var fired = 0
      for (time, sample) in zip(times, try samples("flags-timer", "\(row)", at: times)) {
        while fired < Int((time * 100).rounded()) {
          view.timerFired()
          fired += 1
        }
        #expect(Double(view.offsets[row].value) == sample.x, "row \(row) at \(time)")
      }
    }
  }

  /// [S1-02] [S1-04] [S1-05] The picture stands for a second, and then flows in tenths of the width.
  @Test func picturesFlow() throws {
    let times = [0.5, 2.5, 4.25, 7.75, 9.5]
    let samples = try samples("flow-text-as-written", "1", at: times)
    // The width is what the scene measures: three twentieths of it are moved after 2.5 s.
    let size = CGSize(width: samples[1].x * 20 / 3, height: 150)
    let engine = AnimationEngine()
    let view = FlowTextModifier(engine: engine)
    var second = 0.0
    for (time, sample) in zip(times, samples) {
      while second + 1 <= time {
        second += 1
        engine.advance(to: second)
        view.receive(size: size)
      }
      engine.advance(to: time)
      let shown = view.image().drawnValues(size: size).matrix.tx
      #expect(isClose(shown, sample.x, 2e-3), "at \(time)")
      let copy = view.image(-size.width).drawnValues(size: size).matrix.tx
      #expect(isClose(copy, shown - size.width))
    }
  }

  /// [S1-10] Where ten tenths are a hair more than the width, the picture jumps after nine.
  @Test func tenthsAreAddedUp() {
    for (width, steps) in [(25.0, 10), (28, 9)] {
      let view = FlowTextModifier(engine: AnimationEngine())
      for _ in 0..<steps { view.receive(size: CGSize(width: width, height: 10)) }
      #expect(view.offset.value.x > 0.89 * width)
      view.receive(size: CGSize(width: width, height: 10))
      #expect(Double(view.offset.value.x) == width / 10)
    }
  }

  /// [S2-05] Two modifiers of one view, each with an animation of its own.
  @Test func propertiesHaveTheirOwnAnimations() throws {
    let times = [1.0, 1.1, 1.25, 1.5, 2.5, 3.9, 4.2]
    let scales = try samples("completions", "scale", at: times)
    let opacities = try samples("completions", "opacity", at: times)
    var player = ViewPlayer(CompletionView(isAnimStart: false))
    player.update(CompletionView(isAnimStart: true), at: 1)
    for (index, time) in times.enumerated() {
      let shown = player.values(at: time, size: size)
      #expect(isClose(shown.matrix.a, scales[index].scale, 1e-5), "at \(time)")
      #expect(isClose(shown.opacity, opacities[index].opacity, 1e-3), "at \(time)")
    }
  }

  /// [S2-13] [S2-15] The detector that compares sees long legs, and every second of those with eight writes; the
  /// scene's lamps light then.
  @Test func comparisonsFindLegs() throws {
    // One after the other: the detector's state is shared by all.
    try findLegs("long", count: 61, expected: [30, 60], lamps: [1, 2])
    try findLegs("short", count: 33, expected: [16, 32], lamps: [2, 4])
  }

  private func findLegs(_ view: String, count: Int, expected: [Int], lamps: [Int]) throws {
    let times = (0..<count).map { 1 + Double($0) / 60 }
    let writes = try samples("completions-as-written", view, at: times).map(\.x)
    let animation = RepeatedAnimation(totalCount: .max)
    RepeatOpacityModifier.fromVal = nil
    RepeatOpacityModifier.ignoreCount = 0
    for (time, write) in zip(times, writes) {
      animation.p.advance(to: time)
      // Each write is of a new copy, whose value is the target.
      var modifier = RepeatOpacityModifier(opacityVal: 80, animation: animation)
      modifier.animatableData = write
    }
    let found = animation.p.sent
    #expect(found == expected.map { times[$0] })
    for (time, lamp) in zip(found, lamps) {
      let shown = try samples(
        "completions-as-written", "\(view) lamp \(lamp)", at: [time - 0.01, time + 0.1])
      #expect(shown[0].opacity == 0)
      #expect(shown[1].opacity > 0.1)
    }
  }

  /// [S2-08] The detector that waits is late by its 0.1 s, and so is the scene's lamp.
  @Test func timeoutsAreLate() throws {
    let times = (0..<120).map { 1 + Double($0) / 60 }
    let writes = try samples("completions-as-written", "late", at: times).map(\.opacity)
    let p = HandSubject()
    var fires: [Double] = []
    var last = -1.0
    OpacityModifier2.first = true
    for (time, write) in zip(times, writes) {
      p.advance(to: time)
      guard write != last else { continue }
      last = write
      var modifier = OpacityModifier2(opacityVal: 1, completion: { fires.append(p.now) }, p: p)
      modifier.animatableData = CGFloat(write)
    }
    try #require(fires.count == 1)
    #expect(isClose(fires[0], 1.9, 1e-6))
    let lamp = try samples(
      "completions-as-written", "late lamp 2", at: [fires[0] - 0.01, fires[0] + 0.1])
    #expect(lamp[0].opacity == 0)
    #expect(lamp[1].opacity > 0.1)
  }

  /// [S3-01] The tickers at 60 updates a second, in a frame that is 720 points wide.
  @Test func tickersGoByUpdatesAndByTime() throws {
    let times = [1.0, 7.5, 8.5, 11.9, 12.5]
    let updates = try samples("timeline-as-written", "1", at: times)
    let delta = try samples("timeline-as-written", "2", at: times)
    let model = DataModel()
    var simple = ticker(model, width: 720)
    let marquee = SimpleMarquee(width: 720, speed: 90) { EmptyView() }
    var timeline = marquee.timeline
    let start = Date(timeIntervalSinceReferenceDate: 0)
    var tick = 0
    var shown: (simple: Double, delta: Double) = (0, 0)
    // The view is there before the first update.
    _ = timeline.update(at: start)
    for (index, time) in times.enumerated() {
      while tick < Int((time * 60).rounded()) {
        tick += 1
        let now = start + Double(tick) / 60
        if let view = simple.update(at: now) {
          shown.simple = view.drawnValues(size: size).matrix.tx
        }
        if let view = timeline.update(at: now) {
          shown.delta = view.drawnValues(size: size).matrix.tx
        }
      }
      #expect(isClose(shown.simple, updates[index].x), "at \(time)")
      #expect(isClose(shown.delta, delta[index].x, 2e-3), "at \(time)")
    }
  }

  /// [S4-06] [S4-08] [S4-09] A panel comes when its row is tapped, and goes when another one is.
  @Test func panelsComeAndGo() throws {
    let panel = CGSize(width: 720, height: 300)
    let times = [1.0, 1.1, 1.25, 3, 4.1, 4.25]
    let samples = try samples("planets", "Mars.panel", at: times)
    var rows = Accordion()
    var player = TransitionPlayer(of: EmptyView().transition(.customTransition))
    func tap(_ name: String, at time: Double) {
      rows.tap(name)
      if rows.toggleMoons("Mars") {
        player.insert(animation: .easeInOut, at: time)
      } else {
        player.remove(animation: .easeInOut, at: time)
      }
    }
    tap("Mars", at: 1)
    for (time, sample) in zip(times, samples) {
      if time > 4, rows.toggleMoons("Mars") { tap("Jupiter", at: 4) }
      let shown = player.values(at: time, size: panel)
      // An entity's values are of its origin, the panel's centre.
      let centre = CGPoint(x: 360, y: 150).applying(shown.transform)
      #expect(isClose(centre.x - 360, sample.x), "at \(time)")
      #expect(isClose(centre.y - 150, sample.y), "at \(time)")
      #expect(isClose(shown.opacity, sample.opacity, 1e-5), "at \(time)")
      #expect(isClose(shown.matrix.a, sample.scale, 1e-5), "at \(time)")
    }
    #expect(rows.showMoon == "Jupiter")
  }

  /// [S4-17] A moon goes round; its radius, period and first angle are what the scene has drawn.
  @Test func moonsGoRound() throws {
    let times = [0.0, 1, 2.5, 9, 31.5]
    let samples = try samples("planets", "Mars.moon[0]", at: times)
    let radius = (samples[0].x * samples[0].x + samples[0].y * samples[0].y).squareRoot()
    let angles = samples.map { atan2($0.y, $0.x) }
    let turn = (angles[1] - angles[0] + 2 * .pi).truncatingRemainder(dividingBy: 2 * .pi)
    let engine = AnimationEngine()
    let still = PlanetView(initialAngle: angles[0])
    let moving = PlanetView(animationFlag: true, initialAngle: angles[0])
    var player = ViewPlayer(still.moon(diameter: 2 * radius))
    let seconds = 2 * .pi / turn
    withAnimation(Animation.linear(duration: seconds).repeatForever(autoreverses: false)) {
      player.update(moving.moon(diameter: 2 * radius), at: engine.time)
    }
    for (time, sample) in zip(times, samples) {
      let shown = player.values(at: time, size: size).matrix
      // The period is that of one second in 32-bit numbers; its error grows with time.
      #expect(isClose(shown.tx, sample.x, 0.01), "at \(time)")
      #expect(isClose(shown.ty, sample.y, 0.01), "at \(time)")
    }
  }
}
