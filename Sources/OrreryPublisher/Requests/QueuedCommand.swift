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
  /// Change views; `text` is the request as it is recorded in an event.
  case change(LiveNames.LiveCommand, text: String)
  /// Ask loggers to keep what they have.
  case keep
  case stats
  case quit
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
    switch (try request.count("tick"), try request.number("seconds")) {
    case (let tick?, nil):
      guard tick <= tickMax else {
        throw request.bad("tick", "\(tick): use 0 to \(tickMax), \(Int(Self.secondsMax)) seconds")
      }
      return .seek(tick)
    case (nil, let seconds?):
      guard (0...Self.secondsMax).contains(seconds) else {
        throw request.bad("seconds", "\(seconds): use 0 to \(Int(Self.secondsMax))")
      }
      return .seek(rate.tick(nearest: seconds))
    default: throw ControlRefusal("'seek' needs one of 'tick' and 'seconds'", id: request.id)
    }
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
    var fields = request.fields
    let key = request.verb.argument?.name ?? ""
    guard let what = fields.removeValue(forKey: key) else { throw request.bad(key, "is missing") }
    fields[request.verb.rawValue] = what
    do throws(SceneError) {
      let command = try names.command(DocumentTable(fields))
      let text = request.fields.merging(["do": .string(request.verb.rawValue)]) { $1 }.json
      return .change(command, text: String(decoding: text, as: UTF8.self))
    } catch {
      let reason = "\(error)".split(separator: "\n").joined(separator: "; ")
      let isLong = reason.count > Self.reasonMax
      throw ControlRefusal(
        String(reason.prefix(Self.reasonMax)) + (isLong ? "…" : ""), id: request.id)
    }
  }
}
