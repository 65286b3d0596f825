// SPDX-License-Identifier: Apache-2.0

import OrreryBase

/// A motion written for another tool, with its measured error: docs/schemas/curve-export.schema.json.
package struct CurveExport: Encodable, Sendable {
  /// The document's kind and version.
  package static let schema = "orrery.curve-export.v1"

  /// One point of a list; lines or cubic segments lead from one to the next.
  package struct Point: Encodable, Sendable {
    /// Seconds since the leg began; nil of a curve.
    package let timeSeconds: Double?
    /// Input of a curve; nil of other motions.
    package let progress: Double?
    /// 0 is the old value and 1 the new one.
    package let value: Double
  }

  /// The motion's text.
  package let spec: String
  /// The name of an `ExportTarget`.
  package let target: String
  /// What can be pasted there; nil of `json`.
  package let text: String?
  /// Seconds of a leg; nil of a curve.
  package let durationSeconds: Double?
  /// Seconds before the first leg.
  package let delaySeconds: Double
  /// Legs, half ones too; nil if they are endless.
  package let repeatCount: Double?
  /// Whether every second leg runs backwards in time.
  package let alternates: Bool
  /// Values that 0 and 1 stand for.
  package let from: Double
  /// See `from`.
  package let to: Double
  /// Whether the target has the same motion, so that there are no points.
  package let isSame: Bool
  /// The points, or the ends of cubic segments.
  package let points: [Point]
  /// Largest distance from the library that was measured, in ways from the old to the new value.
  package let errorMax: Double
  /// Where it is, in seconds of a leg, or as progress.
  package let errorAt: Double
  /// Times that were compared.
  package let errorSamples: Int
  /// What the text leaves out, in one line each.
  package let notes: [String]

  /// Times at which a text is compared with the library.
  private static let sampleCount = 20_011

  /// Writes a motion for another tool.
  ///
  /// - Parameters:
  ///   - spec: A spring, a curve or an animation as in Swift; or keyframes in JSON, as `orrery eval` has them.
  ///   - target: The other tool.
  ///   - tolerance: The largest error, in ways from the old to the new value; more than 0.
  ///   - rate: Frames a second, of Lottie.
  /// - Throws: What is wrong with the text, or `ExportError`.
  package init(
    _ spec: String, as target: ExportTarget, within tolerance: Double, rate: Double = 60
  ) throws {
    // Cubic segments go through a spring's end, which lines may miss by the whole tolerance.
    let isCubic = target == .lottie || target == .gsap
    let motion = try ExportedMotion(spec, within: isCubic ? tolerance / 4 : tolerance)
    var allowed = tolerance
    // Between the samples a function may bend more than was measured: then a little less is allowed.
    for attempt in 0... {
      let output = try Exporter(motion: motion.orNone, tolerance: allowed, rate: rate).text(target)
      let (error, time) = try Self.measure(output)
      // A spring or a curve that the target has is as near as its numbers allow.
      if error <= tolerance || output.knots.isEmpty {
        self.init(output, target, error: error, at: time)
        return
      }
      guard attempt < 3 else { throw ExportError.notWithin(found: error, allowed: tolerance) }
      allowed *= min(0.98, tolerance / error)
    }
    preconditionFailure("the loop returns or throws")
  }

  private init(_ output: ExportedText, _ target: ExportTarget, error: Double, at time: Double) {
    let motion = output.motion
    (spec, self.target) = (motion.spec, target.rawValue)
    text = target == .json ? nil : output.text
    durationSeconds = motion.seconds
    (delaySeconds, repeatCount, alternates) = (motion.delay, motion.count, motion.alternates)
    (from, to) = motion.ends
    isSame = output.knots.isEmpty
    points = output.knots.map { knot in
      Point(
        timeSeconds: motion.seconds.map { $0 * knot.position },
        progress: motion.seconds == nil ? knot.position : nil, value: knot.value)
    }
    (errorMax, errorAt, errorSamples) = (error, time, Self.sampleCount)
    notes =
      output.notes
      + (motion.ends == (0, 1) || output.hasOwnValues
        ? []
        : [
          "0 stands for the value \(ShortDecimal.text(motion.ends.0)), 1 for \(ShortDecimal.text(motion.ends.1))"
        ])
  }

  /// The largest distance between the printed numbers and the library.
  ///
  /// Times lie between whole shares, so that none of them is exactly at a jump; those of a spring go on for a quarter
  /// of its time after its end.
  private static func measure(_ output: ExportedText) throws -> (error: Double, time: Double) {
    let motion = output.motion
    var end = motion.length
    if case .spring(let spring, _) = motion.shape {
      end = end < .infinity ? 1.25 * end : 50 * spring.response
    }
    var worst = (error: 0.0, time: 0.0)
    guard end > 0, end < .infinity else { return worst }
    for index in 0..<sampleCount {
      let time = end * (Double(index) + 0.618) / Double(sampleCount)
      let (shown, wanted) = (output.model(time), motion.value(time))
      guard wanted.isFinite else { throw ExportError.notFinite(time / end) }
      let error = abs(shown - wanted)
      if !(error <= worst.error) { worst = (error, time) }
    }
    return worst
  }

  /// The error, and where it is, in one line.
  package var errorLine: String {
    let unit = durationSeconds == nil ? "" : " s"
    let place =
      "at \(ShortDecimal.text(errorAt, places: 4))\(unit), of \(errorSamples) times compared"
    if isSame {
      return errorMax == 0
        ? "the same motion in \(target): no error, of \(errorSamples) times compared"
        : "the same motion in \(target): largest error \(Self.short(errorMax)) \(place)"
    }
    return
      "\(counted(points.count, "point")): largest error \(Self.short(errorMax)) \(place)"
  }

  private static func short(_ error: Double) -> String {
    error == 0 ? "0" : SourceText.number(ShortDecimal.roundedUp(error, digits: 3))
  }
}
