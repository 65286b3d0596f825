// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryDocument
import OrreryScene

/// Offsets of a row.
///
///     {"marquee":{"labels":[30,20,40],"speed":60,"direction":"left","viewport":390},"at":[10]}
///
/// The variants `timer` and `linear` are rows as they are often written.
struct MarqueeRequest: EvalRequest {
  static let keys = ["marquee", "at", "ticks"]

  private enum Variant {
    case loop(MarqueeMotion, [Replacement], viewport: Double, at: [Double])
    case timer(TimerMarqueeAsWritten, ticks: [Int])
    case linear(LinearMarqueeAsWritten, at: [Double])
  }

  /// New labels during the motion.
  private struct Replacement {
    let time: Double
    let labels: [Double]
    let flag: Double
    let keeping: MarqueeMotion.Keeping
  }

  private let variant: Variant

  init(_ reader: RequestReader) throws(EvalError) {
    let marquee = try reader.object(
      "marquee",
      known: [
        "labels", "flag", "spacing", "speed", "direction", "viewport", "variant", "start",
        "duration", "resetAt", "step", "interval", "replace",
      ])
    let variant = try marquee.word(
      "variant", else: "loop", [("loop", 0), ("timer", 1), ("linear", 2)])
    switch variant {
    case 0:
      try marquee.allowOnly(
        ["variant", "labels", "flag", "spacing", "speed", "direction", "viewport", "replace"])
      try reader.allowOnly(["marquee", "at"])
      let motion = MarqueeMotion(
        labels: try marquee.numbers("labels"), flag: try marquee.number("flag", else: 100),
        spacing: try marquee.number("spacing", else: 8),
        speed: try marquee.number("speed", in: 0...1e9, "points per second"),
        direction: try marquee.word(
          "direction", else: "left",
          [("left", MarqueeMotion.Direction.left), ("right", .right)]))
      self.variant = .loop(
        motion, try Self.replacements(marquee),
        viewport: try marquee.number("viewport", else: 0, in: 0...1e9, "points"),
        at: reader.has("at") ? try reader.numbers("at") : [])
    case 1:
      try marquee.allowOnly(["variant", "start", "resetAt", "step", "interval"])
      try reader.allowOnly(["marquee", "ticks"])
      let motion = TimerMarqueeAsWritten(
        start: try marquee.number("start"), resetAt: try marquee.number("resetAt"),
        step: try marquee.positive("step", else: 3),
        interval: try marquee.positive("interval", else: 0.01))
      guard motion.resetAt > motion.start else {
        throw .outOfRange(
          marquee.path.key("resetAt"), motion.resetAt,
          "more than start (\(JSONWriter.number(motion.start, .answer)))")
      }
      self.variant = .timer(
        motion, ticks: reader.has("ticks") ? try reader.wholeNumbers("ticks") : [])
    default:
      try marquee.allowOnly(["variant", "start", "duration"])
      try reader.allowOnly(["marquee", "at"])
      let motion = LinearMarqueeAsWritten(
        start: try marquee.number("start"),
        duration: try marquee.number("duration", else: 60, in: 1e-6...1e12, "s"))
      self.variant = .linear(motion, at: reader.has("at") ? try reader.numbers("at") : [])
    }
  }

  private static func replacements(_ marquee: RequestReader) throws(EvalError) -> [Replacement] {
    guard marquee.has("replace") else { return [] }
    var replacements: [Replacement] = []
    let readers = try marquee.objects(
      "replace", countMax: EvalLimits.scriptCountMax, known: ["at", "labels", "flag", "keeping"])
    for reader in readers {
      let time = try reader.number("at")
      if let last = replacements.last, time < last.time {
        throw .outOfRange(reader.path.key("at"), time, "times that do not fall")
      }
      replacements.append(
        Replacement(
          time: time, labels: try reader.numbers("labels"),
          flag: try reader.number("flag", else: try marquee.number("flag", else: 100)),
          keeping: try reader.word(
            "keeping", else: "phase",
            [("phase", MarqueeMotion.Keeping.phase), ("points", .points)])))
    }
    return replacements
  }

  /// Offsets of a row whose labels are replaced, and the period at each time.
  ///
  /// At the time of a replacement the new labels show.
  private static func offsets(
    _ motion: MarqueeMotion, _ replacements: [Replacement], at: [Double]
  ) -> (offsets: [Double], periods: [Double], last: MarqueeMotion) {
    var motion = motion
    var (offsets, periods) = (at, at)
    var next = 0
    func replace() {
      let new = replacements[next]
      motion.replaceItems(labels: new.labels, flag: new.flag, at: new.time, keeping: new.keeping)
      next += 1
    }
    for index in at.indices.sorted(by: { at[$0] < at[$1] }) {
      while next < replacements.count, replacements[next].time <= at[index] { replace() }
      offsets[index] = motion.offset(at: at[index])
      periods[index] = motion.period
    }
    while next < replacements.count { replace() }
    return (offsets, periods, motion)
  }

  func answer(_ kernels: (any KernelEvaluating)?) -> EvalAnswer {
    switch variant {
    case .loop(let motion, let replacements, let viewport, let at) where !replacements.isEmpty:
      let (offsets, periods, last) = Self.offsets(motion, replacements, at: at)
      return EvalAnswer([
        "period": .number(last.period),
        "copies": .number(Double(last.copies(viewport: viewport))),
        "offsets": .numbers(offsets), "periods": .numbers(periods),
      ])
    case .loop(let motion, _, let viewport, let at):
      let fromKernel =
        motion.period > 0
        ? kernels?.marquee(
          period: motion.period, speed: motion.speed,
          direction: motion.direction == .left ? .left : .right, at: at) : nil
      return EvalAnswer(
        [
          "period": .number(motion.period),
          "copies": .number(Double(motion.copies(viewport: viewport))),
          "offsets": .numbers(fromKernel ?? at.map { motion.offset(at: $0) }),
        ], isFromKernel: fromKernel != nil)
    case .timer(let motion, let ticks):
      let spec = TimerSpec(
        start: motion.start, step: motion.step, resetAt: motion.resetAt, interval: motion.interval)
      let fromKernel = kernels?.timer(spec, ticks: ticks.map { UInt64($0) })
      return EvalAnswer(
        [
          "offsets": .numbers(fromKernel ?? ticks.map { motion.offset(tick: $0) }),
          "loop_ticks": .number(Double(motion.loopTicks)),
        ], isFromKernel: fromKernel != nil)
    case .linear(let motion, let at):
      let fromKernel = kernels?.linear(
        from: motion.start, to: 0, duration: motion.duration, at: at)
      return EvalAnswer(
        ["offsets": .numbers(fromKernel ?? at.map { motion.offset(at: $0) })],
        isFromKernel: fromKernel != nil)
    }
  }
}
