// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryDocument
import OrreryScene
import OrreryWire

/// A checked command to a running sim.
package enum QueuedCommand: Sendable {
  case pause
  case resume
  /// Publish this many more ticks, then pause.
  case step(UInt64)
  /// Publish this tick next.
  case seek(UInt64)
  /// Run at this ratio of scene time to real time.
  case speed(Double)
  /// Change views.
  case change(ViewChangeRequest)
  /// Ask loggers to keep what they have.
  case keep
  case stats
  case quit
}

/// A checked request to change views.
package struct ViewChangeRequest: Sendable {
  /// What is changed.
  package let command: LiveNames.LiveCommand

  /// When, in seconds since the scene began; nil: at the next tick.
  package let seconds: Double?

  /// The request as it is recorded in an event: JSON without its ID.
  package let text: String

  /// When views change, if this was asked for before a tick.
  package func seconds(nextTick tick: UInt64, _ rate: TickRate) -> Double {
    seconds ?? rate.seconds(tick: tick)
  }

  /// The first tick that shows it, if this was asked for before a tick.
  package func tick(nextTick tick: UInt64, _ rate: TickRate) -> UInt64 {
    guard let seconds else { return tick }
    let nearest = rate.tick(nearest: seconds)
    return max(rate.seconds(tick: nearest) < seconds ? nearest + 1 : nearest, tick)
  }
}

/// Parses requests into commands; it does not change while a sim runs.
package struct CommandReader: Sendable {
  /// Nil if nothing can be changed.
  private let names: LiveNames?
  private let rate: TickRate

  /// Whether ticks follow a clock.
  private let isPaced: Bool

  /// Creates a reader for one run.
  ///
  /// - Parameters:
  ///   - names: The names that commands can use; nil: the run is a played trace, which cannot be changed.
  ///   - rate: Ticks per second.
  ///   - isPaced: Whether ticks follow a clock.
  package init(names: LiveNames?, rate: TickRate, isPaced: Bool) {
    self.names = names
    self.rate = rate
    self.isPaced = isPaced
  }

  private var tickMax: UInt64 { Self.tickMax(at: rate) }

  /// The last tick that `seek` accepts at a rate: a seek replays everything that happens before its tick.
  package static func tickMax(at rate: TickRate) -> UInt64 { rate.tick(nearest: secondsMax) }

  private static let secondsMax = SceneLimits.time.range.upperBound

  /// Ticks per `step`, at most.
  private static let stepMax: UInt64 = 1_000_000

  /// Longest reason of a refusal, in characters: it may list all names of the scene.
  private static let reasonMax = 1000

  /// Parses a request.
  ///
  /// - Parameter request: Any verb except `snapshot` and the verbs that `WireServer` answers itself.
  /// - Returns: The command.
  /// - Throws: `ControlRefusal` with everything that is wrong with the request.
  package func command(_ request: ControlRequest) throws(ControlRefusal) -> QueuedCommand {
    switch request.verb {
    case .pause: return .pause
    case .resume: return .resume
    case .step: return try step(request)
    case .seek: return try seek(request)
    case .speed: return try speed(request)
    case .set, .toggle: return try change(request)
    case .keep: return .keep
    case .stats: return .stats
    case .quit: return .quit
    case .join, .leave, .progress, .snapshot:
      throw ControlRefusal("'\(request.verb)' is not for the sim's loop", id: request.id)
    }
  }

  private func step(_ request: ControlRequest) throws(ControlRefusal) -> QueuedCommand {
    let ticks = try request.count("ticks") ?? 1
    guard (1...Self.stepMax).contains(ticks) else {
      throw request.bad("ticks", "\(ticks): use 1 to \(Self.stepMax)")
    }
    return .step(ticks)
  }

  private func seek(_ request: ControlRequest) throws(ControlRefusal) -> QueuedCommand {
    switch (try request.count("tick"), try seconds(request)) {
    case (let tick?, nil):
      guard tick <= tickMax else {
        throw request.bad("tick", "\(tick): use 0 to \(tickMax), \(Int(Self.secondsMax)) seconds")
      }
      return .seek(tick)
    case (nil, let seconds?): return .seek(rate.tick(nearest: seconds))
    default: throw ControlRefusal("'seek' needs one of 'tick' and 'seconds'", id: request.id)
    }
  }

  /// The scene time that a request names; nil if it names none.
  private func seconds(_ request: ControlRequest) throws(ControlRefusal) -> Double? {
    guard let seconds = try request.number("seconds") else { return nil }
    guard (0...Self.secondsMax).contains(seconds) else {
      throw request.bad("seconds", "\(seconds): use 0 to \(Int(Self.secondsMax))")
    }
    return seconds
  }

  private func speed(_ request: ControlRequest) throws(ControlRefusal) -> QueuedCommand {
    guard let factor = try request.number("factor") else {
      throw request.bad("factor", "is missing")
    }
    guard TickClock.speeds.contains(factor) else {
      throw request.bad("factor", "\(factor): use 0.01 to 100")
    }
    guard isPaced else {
      throw ControlRefusal(
        "the run is not paced (--unpaced): its ticks follow no clock", id: request.id)
    }
    return .speed(factor)
  }

  /// Parses a change of views, which has the keys of a scene file's `[[command]]`.
  private func change(_ request: ControlRequest) throws(ControlRefusal) -> QueuedCommand {
    guard let names else {
      throw ControlRefusal("the run is a played trace: what happened stays", id: request.id)
    }
    let seconds = try seconds(request)
    var fields = request.fields
    fields.removeValue(forKey: "seconds")
    let key = request.verb.argument?.name ?? ""
    guard let what = fields.removeValue(forKey: key) else { throw request.bad(key, "is missing") }
    fields[request.verb.rawValue] = what
    do throws(SceneError) {
      let command = try names.command(DocumentTable(fields))
      let text = request.fields.merging(["do": .string(request.verb.rawValue)]) { $1 }.json
      return .change(
        ViewChangeRequest(
          command: command, seconds: seconds, text: String(decoding: text, as: UTF8.self)))
    } catch {
      let reason = "\(error)".split(separator: "\n").joined(separator: "; ")
      let isLong = reason.count > Self.reasonMax
      throw ControlRefusal(
        String(reason.prefix(Self.reasonMax)) + (isLong ? "…" : ""), id: request.id)
    }
  }
}
