// SPDX-License-Identifier: Apache-2.0

import Glibc
import Orrery
import OrreryBase
import OrreryScene

/// The kinds of motion that `bench kernels` measures.
package enum KernelKind: String, CaseIterable, Sendable {
  case orbit
  case marquee
  case flow
  case tween
  case spring
  /// A fifth of each simple kind.
  case mixed
  /// Rounds of keyframes of two segments: 64 courses, each played by many entities.
  case keyframes2 = "keyframes-2"
  /// The same with four segments.
  case keyframes4 = "keyframes-4"
  /// The same with sixteen segments.
  case keyframes16 = "keyframes-16"
  /// Rounds of two segments, each entity with a course of its own.
  case ownKeyframes2 = "own-keyframes-2"
  /// The same with four segments.
  case ownKeyframes4 = "own-keyframes-4"
  /// The same with sixteen segments.
  case ownKeyframes16 = "own-keyframes-16"

  /// Count of columns in a frame.
  package var fieldCount: Int {
    switch self {
    case .orbit: 2
    case .mixed: 6
    default: 1
    }
  }

  /// Segments of a round of keyframes; nil for other kinds.
  package var segmentCount: Int? {
    switch self {
    case .keyframes2, .ownKeyframes2: 2
    case .keyframes4, .ownKeyframes4: 4
    case .keyframes16, .ownKeyframes16: 16
    case .orbit, .marquee, .flow, .tween, .spring, .mixed: nil
    }
  }

  /// Limit of entities: a view is larger than a moon.
  package var countMax: Int { segmentCount == nil ? 50_000_000 : 2_000_000 }

  /// The kinds that a mixture is made of.
  package static let simple: [KernelKind] = [.orbit, .marquee, .flow, .tween, .spring]

  /// The kinds of keyframes whose courses are shared.
  package static let keyframes: [KernelKind] = [.keyframes2, .keyframes4, .keyframes16]

  /// The kinds of keyframes whose courses are not.
  package static let ownKeyframes: [KernelKind] = [.ownKeyframes2, .ownKeyframes4, .ownKeyframes16]

  /// All kinds but the mixture.
  package static let single = simple + keyframes + ownKeyframes
}

/// Motions of one kind: Orrery's plan, and the same parameters as columns of numbers for peers.
package final class KernelTask {
  /// The kind of motion.
  package let kind: KernelKind
  /// Count of entities.
  package let count: Int
  /// Orrery's plan of the motions.
  package let plan: ScenePlan
  /// The rounds of a kind of keyframes; nil for other kinds.
  package let tracks: KernelTracks?

  /// One task for each of `KernelKind.simple` if the kind is mixed; otherwise none.
  package let parts: [KernelTask]

  /// Ticks are a sixtieth of a second.
  package static let tickSeconds = 1 / 60.0

  /// The curve of all tweens: `ease-in-out` of CSS, x1 y1 x2 y2.
  private static let curve = [0.42, 0, 0.58, 1]

  /// The TOML of a field as in the scene `stress`.
  private static func field(_ kind: KernelKind, count: Int) -> String {
    let motion =
      switch kind {
      case .orbit: "orbit = { radius = [4, 60], duration = [10, 100] }"
      case .tween:
        "tween = { from = [0, 400], to = [0, 400], duration = [0.5, 5], autoreverses = true, "
          + "curve = \"cubicBezier(0.42, 0, 0.58, 1)\" }"
      case .spring:
        "spring = { from = [0, 400], to = [0, 400], response = [0.25, 0.6], "
          + "damping-ratio = [0.5, 0.95], every = [2, 4] }"
      default: "marquee = { speed = [10, 120], period = [40, 400] }"
      }
    return """
      size = [1280, 720]
      rate = 60
      seed = 1
      [[content]]
      kind = "field"
      count = \(count)
      \(motion)
      """
  }

  /// Creates a task with random parameters of a fixed seed.
  ///
  /// - Throws: `SceneError` if there are more entities than a scene may have.
  package init(_ kind: KernelKind, count: Int) throws(SceneError) {
    self.kind = kind
    self.count = count
    if let segments = kind.segmentCount {
      let tracks = KernelTracks(
        segmentCount: segments, count: count, isShared: KernelKind.keyframes.contains(kind))
      (self.tracks, plan, parts) = (tracks, tracks.plan(count: count, rate: 60), [])
      return
    }
    tracks = nil
    if kind == .mixed {
      var parts: [KernelTask] = []
      for (index, simple) in KernelKind.simple.enumerated() {
        let share = count * (index + 1) / 5 - count * index / 5
        parts.append(try KernelTask(simple, count: max(share, 1)))
      }
      self.parts = parts
      plan = Self.plan(parts.flatMap { $0.plan.batches }, like: parts[0].plan)
      return
    }
    let file = try SceneFile.decode(Self.field(kind, count: count), file: kind.rawValue)
    let drawn = try ScenePlan(file, text: InstalledFonts())
    parts = []
    guard kind == .flow, case .marquee(let specs) = drawn.batches[0] else {
      plan = drawn
      return
    }
    // There is no field of flows: use marquees that start within two seconds.
    let flows = Specs<FlowSpec>(count: count) { index in
      let spec = specs[index]
      return FlowSpec(
        period: spec.period, speed: spec.speed,
        direction: spec.direction == .left ? .left : .right, start: 2 * spec.phase)
    }
    plan = Self.plan([.flow(flows, .x)], like: drawn)
  }

  private static func plan(_ batches: [BatchPlan], like other: ScenePlan) -> ScenePlan {
    ScenePlan(
      name: "kernels", seed: other.seed, rate: other.rate, batches: batches, layout: other.layout)
  }

  /// The parameters in the columns of bench/peers/peer.h; none if the kind is mixed.
  package private(set) lazy var columns = makeColumns()

  private func makeColumns() -> [[Double]] {
    if kind == .mixed { return [] }
    if let tracks { return tracks.columns(count: count) }
    func column(_ value: (Int) -> Double) -> [Double] { (0..<count).map(value) }
    switch plan.batches[0] {
    case .orbit(let specs):
      let all = (0..<count).map { specs[$0] }
      // Centres are in the layout, which is not used here: any will do.
      return [
        column { Double($0 % 1280) }, column { Double($0 / 1280 % 720) }, all.map(\.radius),
        all.map(\.period), all.map(\.phase),
      ]
    case .marquee(let specs):
      let all = (0..<count).map { specs[$0] }
      return [all.map(\.speed), all.map(\.period), all.map(\.phase)]
    case .flow(let specs, _):
      let all = (0..<count).map { specs[$0] }
      return [all.map(\.speed), all.map(\.period), all.map(\.start)]
    case .tween(let specs, _):
      let all = (0..<count).map { specs[$0] }
      return [all.map(\.from), all.map(\.to), all.map(\.period), all.map(\.phase), Self.curve]
    case .spring(let specs, _):
      let all = (0..<count).map { specs[$0] }
      return [
        all.map(\.from), all.map(\.to), all.map(\.spring.response), all.map(\.spring.dampingRatio),
        all.map(\.period), all.map(\.phase),
      ]
    // No peer moves the others.
    default: return []
    }
  }

  /// Points by which a peer may differ from Orrery after some seconds: a tenth.
  ///
  /// Times that are summed as floats drift, which moves a fast spring by some hundredths of a
  /// point.
  package static let tolerance = 0.1

  /// The largest difference between a peer's values and Orrery's.
  ///
  /// - Parameters:
  ///   - field: Index of the column.
  ///   - ours: Orrery's values: offsets to the left are negative, orbits have no centre.
  ///   - theirs: The peer's values: offsets are in [0, span).
  ///   - columns: The parameters.
  ///   - hasCenter: Whether orbits' centres are in the peer's values.
  /// - Returns: Points; infinity if a value is not a number.
  package func distance(
    field: Int, ours: UnsafePointer<Float>, theirs: UnsafePointer<Float>, columns: [[Double]],
    hasCenter: Bool
  ) -> Double {
    var largest = 0.0
    for entity in 0..<count {
      var difference = Double(theirs[entity])
      switch kind {
      case .marquee, .flow:
        let span = columns[1][entity]
        difference -= Double(abs(ours[entity]))
        // The end of the span is its beginning.
        difference -= (difference / span).rounded() * span
      case .orbit where hasCenter: difference -= Double(ours[entity]) + columns[field][entity]
      default: difference -= Double(ours[entity])
      }
      if !(abs(difference) <= largest) { largest = difference.isNaN ? .infinity : abs(difference) }
    }
    return largest
  }
}
