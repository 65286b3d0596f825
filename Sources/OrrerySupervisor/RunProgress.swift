// SPDX-License-Identifier: Apache-2.0

import OrreryBase

/// A program that a run waits for.
package struct WaitedProgram: Encodable, Equatable, Sendable {
  /// Name of the program.
  package let program: String
  /// How long it is waited for, in seconds.
  package let seconds: Double
  /// Whether it is stopped, as by SIGSTOP.
  package let isStopped: Bool
  /// What it has left to do; nil if it does not say.
  package let remainder: String?

  package init(
    program: String, seconds: Double, isStopped: Bool = false, remainder: String? = nil
  ) {
    (self.program, self.seconds) = (program, seconds)
    (self.isStopped, self.remainder) = (isStopped, remainder)
  }

  /// The program for people, such as `renderer: 212 pictures to encode` or `logger (3 s)`.
  package var text: String {
    if isStopped { return "\(program) (stopped, \(Int(seconds)) s)" }
    return remainder.map { "\(program): \($0)" } ?? "\(program) (\(Int(seconds)) s)"
  }
}

/// How far a run is, put together from what its programs report.
package struct RunProgress {
  /// Name of the run.
  private let run: String

  /// Scene time to run, in seconds; nil: until the run is stopped.
  private let duration: Double?

  /// What stands at the end of the line while there is nothing else; nil: nothing.
  private let hint: String?

  /// How long the sim has prepared its scene, in seconds.
  package var preparingSeconds = 0.0

  /// The sim's last report; nil before its first tick.
  private var sim: ProgressReport?

  /// Scene time that had run at each report of the last `windowNs`, oldest first: they give the speed.
  private var recent: [(nowNs: UInt64, ranSeconds: Double)] = []

  /// Frames missed so far, by program.
  private var missed: [String: UInt64] = [:]

  /// Bytes in the trace at each report of the last `windowNs`, oldest first: they give its rate.
  private var traceBytes: [(nowNs: UInt64, bytes: UInt64)] = []

  /// Programs that hold the run up, or its end.
  package var waitedFor: [WaitedProgram] = []

  /// A message that stands at the end of the line; nil: none.
  package var notice: String?

  /// Whether the run is paused.
  package var isPaused = false

  /// The speed is that of the last two seconds.
  private static let windowNs: UInt64 = 2_000_000_000

  /// Creates the progress of a run that has not begun.
  package init(run: String, duration: Double?, hint: String? = nil) {
    (self.run, self.duration, self.hint) = (run, duration, hint)
  }

  /// Takes a report of the sim.
  package mutating func take(_ report: ProgressReport, nowNs: UInt64) {
    sim = report
    recent.append((nowNs, report.ranSeconds))
    while let first = recent.first, recent.count > 2, nowNs - first.nowNs > Self.windowNs {
      recent.removeFirst()
    }
  }

  /// Takes a report of a subscriber.
  package mutating func take(_ report: WorkReport, nowNs: UInt64) {
    missed[report.program] = report.missed
    guard let bytes = report.fileBytes else { return }
    // The next file of a set begins with nothing.
    if let last = traceBytes.last, bytes < last.bytes { traceBytes = [] }
    traceBytes.append((nowNs, bytes))
    while let first = traceBytes.first, traceBytes.count > 2, nowNs - first.nowNs > Self.windowNs {
      traceBytes.removeFirst()
    }
  }

  /// Bytes that the trace grows by in a second; nil until two reports have come.
  private var traceBytesPerSecond: Double? {
    guard let first = traceBytes.first, let last = traceBytes.last, last.nowNs > first.nowNs else {
      return nil
    }
    return Double(last.bytes - first.bytes) / (Double(last.nowNs - first.nowNs) / 1e9)
  }

  /// Forgets the speed: the run was paused, or goes on at another one.
  package mutating func restartSpeed() { recent = [] }

  /// Scene time by real time; nil until two reports have come.
  package var speed: Double? {
    guard let first = recent.first, let last = recent.last, last.nowNs > first.nowNs else {
      return nil
    }
    return (last.ranSeconds - first.ranSeconds) / (Double(last.nowNs - first.nowNs) / 1e9)
  }

  /// Seconds of real time until the run's end, if it goes on like this; nil if that is not known.
  package var remainingSeconds: Double? {
    guard let duration, let sim, let speed, speed > 0, !isPaused else { return nil }
    return max(duration - sim.ranSeconds, 0) / speed
  }

  /// The progress for people, in one line.
  package var text: String { text(columns: .max) }

  /// The progress for people, in one line: where it does not fit, the size of the trace and then the late ticks are left
  /// out, as both are in the report at the end, and then the keys.
  ///
  /// - Parameter columns: Characters that fit.
  /// - Returns: The line, which is longer than that if its other parts are.
  package func text(columns: Int) -> String {
    var left: [Part] = parts
    func line() -> String { left.map(\.text).joined(separator: "  ") }
    for name in [Part.Name.trace, .late, .hint] where line().count > columns {
      left.removeAll { $0.name == name }
    }
    return line()
  }

  private struct Part {
    enum Name {
      case trace
      case late
      case hint
      case other
    }

    var name = Name.other
    let text: String
  }

  private var parts: [Part] {
    var parts: [Part] = []
    if let sim {
      parts += Self.times(sim, duration: duration).map { Part(text: $0) }
      if isPaused {
        parts.append(Part(text: "paused"))
      } else if let speed {
        parts.append(Part(text: "x\(decimal(speed, places: 2))"))
      }
      parts.append(Part(text: "tick \(sim.tick)"))
      parts.append(Part(name: .late, text: "late \(sim.lateTicks)"))
    } else if waitedFor.isEmpty {
      let seconds = preparingSeconds < 1 ? "" : ", \(Int(preparingSeconds)) s"
      parts.append(Part(text: "preparing" + seconds))
    }
    if let bytes = traceBytes.last?.bytes {
      let rate = traceBytesPerSecond.map { ", \(megabytes(UInt64($0))) MB/s" } ?? ""
      parts.append(Part(name: .trace, text: "trace \(megabytes(bytes)) MB\(rate)"))
    }
    let losses = missed.filter { $0.value > 0 }.sorted { $0.key < $1.key }
      .map { "\($0.value) by \($0.key)" }
    if !losses.isEmpty { parts.append(Part(text: "missed " + losses.joined(separator: ", "))) }
    if let remainingSeconds, waitedFor.isEmpty {
      parts.append(Part(text: "\(decimal(remainingSeconds.rounded(.up), places: 0)) s left"))
    }
    if !waitedFor.isEmpty {
      parts.append(Part(text: waitingText))
    } else if let notice {
      parts.append(Part(text: notice))
    } else if let hint {
      parts.append(Part(name: .hint, text: hint))
    }
    return parts
  }

  /// Where the run is in its scene, and how much of its time has run.
  private static func times(_ sim: ProgressReport, duration: Double?) -> [String] {
    let at = "\(decimal(sim.seconds, places: 1))"
    guard let duration else { return ["\(at) s"] }
    let ran = "\(decimal(sim.ranSeconds, places: 1)) / \(decimal(duration, places: 1)) s"
    // After a jump the two differ.
    return sim.seconds == sim.ranSeconds ? [ran] : ["at \(at) s", ran]
  }

  /// The programs that are waited for.
  package var waitingText: String {
    "waiting for " + waitedFor.map(\.text).joined(separator: ", ")
  }

  /// The progress as one line of JSON.
  package var json: String {
    ReportLine.encode(
      Document(
        run: run, preparingSeconds: sim == nil ? preparingSeconds : nil, seconds: sim?.seconds,
        ranSeconds: sim?.ranSeconds, durationSeconds: duration, tick: sim?.tick,
        lateTicks: sim?.lateTicks, isPaused: isPaused, speed: speed,
        remainingSeconds: remainingSeconds, missed: missed, traceBytes: traceBytes.last?.bytes,
        traceBytesPerSecond: traceBytesPerSecond, waitingFor: waitedFor),
      schema: "orrery.run-progress.v1")
  }

  private struct Document: Encodable {
    let run: String
    let preparingSeconds: Double?
    let seconds: Double?
    let ranSeconds: Double?
    let durationSeconds: Double?
    let tick: UInt64?
    let lateTicks: UInt64?
    let isPaused: Bool
    let speed: Double?
    let remainingSeconds: Double?
    let missed: [String: UInt64]
    let traceBytes: UInt64?
    let traceBytesPerSecond: Double?
    let waitingFor: [WaitedProgram]
  }
}
