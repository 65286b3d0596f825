// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryDocument
import OrreryFrame
import OrrerySupervisor
import OrreryWire

/// Steers a run of this machine by keys: a thread of its own sends the requests and waits for the
/// answers.
package final class RunSteering: Steering {
  private struct State {
    var keys: [RunKey] = []
    var notice: SteeringNotice?
    var isEnding = false

    /// The next key, or nil at the end; no result if there is none yet.
    mutating func nextStep() -> RunKey?? {
      if isEnding { return .some(nil) }
      return keys.isEmpty ? nil : .some(keys.removeFirst())
    }
  }

  private let state: Monitor<State>

  /// Keys that may wait for answers; more are dropped.
  private static let keysMax = 16

  /// Seconds to wait for an answer.
  private static let timeoutSeconds = 5.0

  /// Steers the run of this name once it is there.
  ///
  /// - Parameter directory: The run's directory.
  /// - Throws: `Failure` when the system has no thread left.
  package convenience init(_ directory: RunDirectory) throws(Failure) {
    try self.init {
      ControlClient.asking(timeoutSeconds: Self.timeoutSeconds) { () throws(WireError) in
        .run(directory)
      }
    }
  }

  /// Steers by these requests.
  ///
  /// - Parameter connect: Called on the thread that asks.
  /// - Throws: `Failure` when the system has no thread left.
  package init(_ connect: @escaping @Sendable () -> ControlClient.Ask) throws(Failure) {
    let state = Monitor(State())
    self.state = state
    // It ends by itself after this object: an answer may be overdue then.
    _ = try Failure.of(.resource) {
      try BackgroundThread {
        let ask = connect()
        while let key = state.wait({ $0.nextStep() }) {
          let notice = key.perform(ask)
          state.change { $0.notice = notice }
        }
      }
    }
  }

  deinit { state.change { $0.isEnding = true } }

  /// Queues a key; does not wait.
  package func press(_ key: RunKey) {
    state.change { if $0.keys.count < Self.keysMax { $0.keys.append(key) } }
  }

  /// The first line about a run: its name, and how to steer it from another terminal.
  package static func firstLine(run: String) -> String {
    "run '\(run)'; to steer it: orrery control \(run) pause, resume, step, seek, quit"
  }

  /// The last answer, unless it was taken before.
  package func takeNotice() -> SteeringNotice? {
    state.change { state in
      defer { state.notice = nil }
      return state.notice
    }
  }
}

extension RunKey {
  /// Asks the sim for what this key means.
  ///
  /// - Parameter ask: Sends a request.
  /// - Returns: What the sim did, or why not.
  func perform(_ ask: ControlClient.Ask) -> SteeringNotice {
    do throws(WireError) {
      if self == .other { return SteeringNotice(text: "the keys are \(Self.help)", isPaused: nil) }
      let before = try ask(.stats, [:])
      guard let request = request(before) else {
        return SteeringNotice(
          text: "", isPaused: before["paused"] == .bool(true),
          position: ProgressReport(stats: before))
      }
      _ = try ask(request.verb, request.fields)
      let after = try ask(.stats, [:])
      return SteeringNotice(
        text: request.text, isPaused: after["paused"] == .bool(true),
        position: ProgressReport(stats: after))
    } catch {
      if case .refused(let reason) = error {
        return SteeringNotice(text: "refused: \(reason)", isPaused: nil)
      }
      return SteeringNotice(text: "\(error)", isPaused: nil)
    }
  }

  /// A request, and what it does in words.
  package struct Request: Equatable {
    /// The request.
    package let verb: ControlVerb
    /// Its arguments.
    package let fields: [String: DocumentValue]
    /// What it does, for people.
    package let text: String
  }

  /// Speeds that a sim accepts.
  private static let speeds = 0.01...100.0

  /// The request that this key means.
  ///
  /// - Parameter stats: The sim's answer to `stats`.
  /// - Returns: The request; nil for the key that ends the run, and for a look.
  package func request(_ stats: [String: DocumentValue]) -> Request? {
    switch self {
    case .pause:
      return stats["paused"] == .bool(true)
        ? Request(verb: .resume, fields: [:], text: "goes on")
        // The line says so itself.
        : Request(verb: .pause, fields: [:], text: "")
    case .step: return Request(verb: .step, fields: ["ticks": .integer(1)], text: "one tick")
    case .faster: return Self.speed((stats["speed"]?.number ?? 1) * 2)
    case .slower: return Self.speed((stats["speed"]?.number ?? 1) / 2)
    case .seek(let seconds):
      let target = max((stats["seconds"]?.number ?? 0) + seconds, 0)
      return Request(
        verb: .seek, fields: ["seconds": .number(target)],
        text: "sent to \(decimal(target, places: 1)) s")
    case .end, .other, .look: return nil
    }
  }

  private static func speed(_ factor: Double) -> Request {
    let factor = min(max(factor, speeds.lowerBound), speeds.upperBound)
    return Request(
      verb: .speed, fields: ["factor": .number(factor)],
      text: "speed x\(decimal(factor, places: 2))")
  }
}

extension ProgressReport {
  /// Where a run is, from its answer to `stats`; nil if that does not say.
  fileprivate init?(stats: [String: DocumentValue]) {
    guard let tick = stats["tick"]?.number, let seconds = stats["seconds"]?.number,
      let frames = stats["sequence"]?.number, let rate = stats["ticks_per_second"]?.number,
      rate > 0,
      let late = stats["late_ticks"]?.number
    else { return nil }
    self.init(
      tick: UInt64(tick), seconds: seconds, ranSeconds: frames / rate, lateTicks: UInt64(late))
  }
}
