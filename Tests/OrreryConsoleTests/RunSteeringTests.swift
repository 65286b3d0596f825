// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryConsole
import OrreryDocument
import OrrerySupervisor
import OrreryWire
import TestSupport
import Testing

/// Goal: a key asks the sim for what it says on it, from where the run is, and the answer is shown.
///
/// Method: requests by made-up states of a run; a false sim that answers or refuses.
@Suite struct RunSteeringTests {
  private static let running: [String: DocumentValue] = [
    "paused": .bool(false), "speed": .number(1), "seconds": .number(2.5),
  ]
  private static let paused = running.merging(["paused": .bool(true)]) { $1 }

  private static func request(
    _ key: RunKey, _ stats: [String: DocumentValue] = running
  ) -> RunKey.Request? { key.request(stats) }

  @Test func spacePausesAndResumes() {
    #expect(Self.request(.pause)?.verb == .pause)
    #expect(Self.request(.pause, Self.paused)?.verb == .resume)
  }

  @Test func pointIsOneTick() {
    let request = Self.request(.step)
    #expect(request?.verb == .step)
    #expect(request?.fields == ["ticks": .integer(1)])
  }

  @Test func speedIsDoubledAndHalvedWithinItsLimits() {
    func factor(_ key: RunKey, at speed: DocumentValue) -> DocumentValue? {
      let request = Self.request(key, ["speed": speed])
      return request?.verb == .speed ? request?.fields["factor"] : nil
    }
    #expect(factor(.faster, at: .number(0.25)) == .number(0.5))
    #expect(factor(.faster, at: .integer(64)) == .number(100))
    #expect(factor(.slower, at: .integer(1)) == .number(0.5))
    #expect(factor(.slower, at: .number(0.015)) == .number(0.01))
  }

  @Test func arrowsSeekFromWhereTheRunIs() {
    func target(_ seconds: Double, from now: DocumentValue) -> DocumentValue? {
      let request = Self.request(.seek(seconds: seconds), ["seconds": now])
      return request?.verb == .seek ? request?.fields["seconds"] : nil
    }
    #expect(target(1, from: .number(2.5)) == .number(3.5))
    #expect(target(10, from: .integer(2)) == .number(12))
    #expect(target(-1, from: .number(2.5)) == .number(1.5))
    // There is nothing before the beginning.
    #expect(target(-10, from: .number(2.5)) == .number(0))
  }

  @Test func endIsNoRequest() { #expect(Self.request(.end) == nil) }

  /// Waits for the answer to a key.
  private static func notice(_ steering: RunSteering, _ key: RunKey) throws -> SteeringNotice? {
    steering.press(key)
    var notice: SteeringNotice?
    try waitUntil("an answer") {
      notice = steering.takeNotice()
      return notice != nil
    }
    return notice
  }

  @Test func answersAreShownOnce() throws {
    let steering = try RunSteering {
      var isPaused = false
      return { (verb, _) throws(WireError) in
        if verb == .pause { isPaused = true }
        if verb == .resume { isPaused = false }
        if verb == .speed { throw .refused(reason: "the run is not paced") }
        if verb == .step { throw .noAnswer(endpoint: "ipc://a", waitedSeconds: 5) }
        return [
          "tick": .integer(60), "paused": .bool(isPaused), "speed": .number(1),
          "seconds": .number(1), "sequence": .integer(90), "ticks_per_second": .number(60),
          "late_ticks": .integer(2),
        ]
      }
    }
    #expect(steering.takeNotice() == nil)
    let position = ProgressReport(tick: 60, seconds: 1, ranSeconds: 1.5, lateTicks: 2)
    #expect(
      try Self.notice(steering, .pause)
        == SteeringNotice(text: "", isPaused: true, position: position))
    #expect(steering.takeNotice() == nil)
    #expect(
      try Self.notice(steering, .pause)
        == SteeringNotice(text: "goes on", isPaused: false, position: position))
    #expect(
      try Self.notice(steering, .seek(seconds: 1))
        == SteeringNotice(text: "sent to 2.0 s", isPaused: false, position: position))
    #expect(
      try Self.notice(steering, .other)
        == SteeringNotice(text: "the keys are [space . + - arrows q]", isPaused: nil))
    #expect(
      try Self.notice(steering, .faster)
        == SteeringNotice(text: "refused: the run is not paced", isPaused: nil))
    // A sim that does not answer is no end of the keys.
    let silent = try Self.notice(steering, .step)
    #expect(silent?.text.contains("ipc://a") == true)
    #expect(try Self.notice(steering, .pause)?.isPaused == true)
  }
}
