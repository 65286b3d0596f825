// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryScene

/// The data of a plot: a motion from 0 to 1 with its values, velocities and marks.
package struct MotionPlot: Sendable {
  /// A marked time.
  package struct Mark: Equatable, Sendable {
    /// The event at a mark.
    package enum Kind: String, Sendable {
      case leg
      case logicallyComplete = "logically_complete"
      case end
      case overshoot
    }
    /// Event at the mark.
    package let kind: Kind
    /// Seconds since the motion began.
    package let time: Double

    /// The label: the event and its time.
    package let text: String
  }

  /// The motion's text, as written.
  package let title: String

  /// Its parameters in one line.
  package let subtitle: String

  /// Label of the horizontal axis.
  package let timeName: String

  /// Whether it moves by progress and not by seconds.
  package var isUnitCurve: Bool { timeName == "progress" }

  /// Label of the vertical axis of the lower part.
  package let velocityName: String

  /// End of the plotted time, which begins at 0.
  package let duration: Double

  /// The marks, in the order of their times.
  package let marks: [Mark]

  /// Value at a time.
  package let value: @Sendable (Double) -> Double

  /// Change of the value per unit of time.
  package let velocity: @Sendable (Double) -> Double

  /// Legs that get a mark.
  private static let legMarksMax = 12

  /// Makes the plot of a text.
  ///
  /// - Parameter text: A spring, a curve or an animation; see `Notation.motion`.
  /// - Throws: What is wrong with the text, and where.
  package init(_ text: String) throws(NotationError) {
    switch try Notation.motion(text) {
    case .curve(let curve): self.init(title: text, curve)
    case .spring(let spring): self.init(title: text, spring)
    case .animation(let animation): self.init(title: text, animation)
    }
  }

  /// Makes the plot of values over time.
  ///
  /// - Parameters:
  ///   - title: The motion's text.
  ///   - subtitle: Its parameters in one line.
  ///   - duration: Seconds until it stands still.
  ///   - value: Value at a time in seconds.
  ///   - velocity: Its change per second.
  package init(
    title: String, subtitle: String, duration: Double,
    value: @escaping @Sendable (Double) -> Double, velocity: @escaping @Sendable (Double) -> Double
  ) {
    self.init(
      title: title, subtitle: subtitle, timeName: "seconds", velocityName: "velocity, 1/s",
      duration: Self.shown(duration), marks: [], value: value, velocity: velocity)
  }

  private init(
    title: String, subtitle: String, timeName: String, velocityName: String, duration: Double,
    marks: [Mark], value: @escaping @Sendable (Double) -> Double,
    velocity: @escaping @Sendable (Double) -> Double
  ) {
    self.title = title.trimmed
    self.subtitle = subtitle
    self.timeName = timeName
    self.velocityName = velocityName
    self.duration = duration
    self.marks = marks.filter { $0.time <= duration }.sorted { $0.time < $1.time }
    self.value = value
    self.velocity = velocity
  }

  private init(title: String, _ curve: UnitCurve) {
    let middle = PlotNumber.text(curve.value(at: 0.5), digits: 3)
    self.init(
      title: title, subtitle: "unit curve · value at half time \(middle)", timeName: "progress",
      velocityName: "slope", duration: 1, marks: [], value: { curve.value(at: $0) },
      velocity: { curve.velocity(at: $0) })
  }

  private init(title: String, _ spring: Spring) {
    let settling = spring.settlingBound
    var marks: [Mark] = []
    var facts = [
      "response \(PlotNumber.text(spring.response, digits: 3)) s",
      "damping ratio \(PlotNumber.text(spring.dampingRatio, digits: 3))",
      "bounce \(PlotNumber.text(spring.bounce, digits: 3))",
      "mass \(PlotNumber.text(spring.mass, digits: 3))",
      "stiffness \(PlotNumber.text(spring.stiffness, digits: 4))",
      "damping \(PlotNumber.text(spring.damping, digits: 4))",
    ]
    if settling.isFinite {
      facts.append("settles after \(PlotNumber.text(settling, digits: 3)) s")
      marks.append(Mark(kind: .end, time: settling, text: "settled \(Self.seconds(settling))"))
    } else {
      facts.append("never settles")
    }
    marks.append(
      Mark(
        kind: .logicallyComplete, time: spring.response,
        text: "response \(Self.seconds(spring.response))"))
    if let turn = Self.overshoot(spring) { marks.append(turn) }
    self.init(
      title: title, subtitle: facts.joined(separator: " · "), timeName: "seconds",
      velocityName: "velocity, 1/s",
      duration: Self.shown(
        settling.isFinite ? max(settling, spring.response) * 1.08 : spring.response * 5),
      marks: marks, value: { spring.value(target: 1, time: $0) },
      velocity: { spring.velocity(target: 1, time: $0) })
  }

  private init(title: String, _ animation: Animation) {
    let course = animation.course()
    let (end, logicalEnd) = (course?.end ?? 0, course?.logicalEnd ?? 0)
    var marks: [Mark] = []
    var legEnds: [Double] = []
    while let time = course?.legEnd(legEnds.count), legEnds.count < Self.legMarksMax {
      legEnds.append(time)
    }
    // The last leg ends with the animation, which has its own mark.
    for (index, time) in legEnds.enumerated() where time != end {
      marks.append(Mark(kind: .leg, time: time, text: "leg \(index): \(Self.seconds(time))"))
    }
    if logicalEnd.isFinite, logicalEnd != end {
      let text = "logically complete \(Self.seconds(logicalEnd))"
      marks.append(Mark(kind: .logicallyComplete, time: logicalEnd, text: text))
    }
    if end.isFinite {
      let what = logicalEnd == end ? "complete" : "removed"
      marks.append(Mark(kind: .end, time: end, text: "\(what) \(Self.seconds(end))"))
    }
    var duration = end * 1.08
    if !end.isFinite {
      duration = legEnds.prefix(4).last ?? (logicalEnd.isFinite ? logicalEnd * 5 : 1)
    }
    let facts = [
      logicalEnd.isFinite
        ? "logically complete after \(Self.seconds(logicalEnd))" : "never logically complete",
      end.isFinite ? "removed after \(Self.seconds(end))" : "never removed",
    ]
    self.init(
      title: title, subtitle: facts.joined(separator: " · "), timeName: "seconds",
      velocityName: "velocity, 1/s", duration: Self.shown(duration), marks: marks,
      value: { course?.progress(at: $0) ?? 1 }, velocity: { course?.velocity(at: $0) ?? 0 })
  }

  /// The plotted duration: one second for a motion that ends at once or takes too long to plot.
  private static func shown(_ duration: Double) -> Double {
    duration > 0 && duration < 1e12 ? duration : 1
  }

  private static func seconds(_ time: Double) -> String {
    PlotNumber.text(time, digits: 4) + " s"
  }

  /// The farthest point beyond the target, after half a swing.
  private static func overshoot(_ spring: Spring) -> Mark? {
    let z = spring.dampingRatio
    guard z < 1, spring.response > 0 else { return nil }
    let time = spring.response / (2 * ((1 - z) * (1 + z)).squareRoot())
    let excess = spring.value(target: 1, time: time) - 1
    guard time.isFinite, excess >= 0.0005 else { return nil }
    return Mark(
      kind: .overshoot, time: time,
      text: "+\(PlotNumber.text(excess * 100, digits: 3)) % at \(seconds(time))")
  }
}

extension String {
  /// The string without spaces at both ends.
  fileprivate var trimmed: String {
    let start = drop { $0.isWhitespace }
    return String(start.reversed().drop { $0.isWhitespace }.reversed())
  }
}
