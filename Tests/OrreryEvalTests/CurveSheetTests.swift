// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryEval
import TestSupport
import Testing

/// Goal: an editor shows the library's numbers, and texts that mean the same motion.
///
/// Method: sheets are compared with answers of `orrery eval`; a text that is wrong gets its reason.
@Suite struct CurveSheetTests {
  private struct Sheet: Decodable {
    struct Row: Decodable { let time_s, progress, value, velocity: Double? }
    struct Curve: Decodable { let rows: [Row] }
    struct Text: Decodable { let target: String, text: String?, note: String }
    struct Keyframe: Decodable, Equatable { let time_s, value: Double }
    struct Change: Decodable, Equatable { let time_s, value: Double, animation: String? }
    let curve: Curve, facts: String, animation: String?, texts: [Text]
    let keyframes: [Keyframe]?, changes: [Change]?

    init(_ spec: String) throws {
      self = try JSONDecoder().decode(Sheet.self, from: Data(CurveSheet.line(spec).utf8))
    }

    func text(_ target: String) -> String? { texts.first { $0.target == target }?.text }
  }

  private struct Answer: Decodable { let values, velocities: [Double] }

  @Test func rowsAreTheLibrarysValuesAndVelocities() throws {
    let rows = try Sheet("spring(duration: 0.5, bounce: 0.3)").curve.rows
    let times = rows.compactMap(\.time_s)
    #expect(rows.count == 241 && times.count == 241 && times.first == 0)
    let request = #"{"spring":"spring(duration: 0.5, bounce: 0.3)","at":\#(times)}"#
    let line = try #require(Evaluator().answer(request))
    let answer = try JSONDecoder().decode(Answer.self, from: Data(line.utf8))
    #expect(rows.compactMap(\.value) == answer.values)
    #expect(rows.compactMap(\.velocity) == answer.velocities)
  }

  @Test func aSpringStaysOneSpring() throws {
    let sheet = try Sheet("spring(duration:0.5,\n bounce: 0.3)")
    #expect(sheet.text("swift") == ".spring(duration: 0.5, bounce: 0.3)")
    #expect(sheet.text("scene") == #"animation = "spring(duration:0.5, bounce: 0.3)""#)
    #expect(sheet.animation == "spring(duration:0.5, bounce: 0.3)")
    #expect(sheet.text("css")?.hasPrefix("transition-timing-function: linear(0, ") == true)
    #expect(sheet.facts.hasPrefix("response 0.5 s"))
  }

  /// A spring that is no animation by itself is written as one; a curve has no duration.
  @Test(arguments: [
    ("spring(mass: 1, stiffness: 100, damping: 10)", "animation", true),
    ("timingCurve(0.3, -0.4, 0.2, 1.4, duration: 0.8)", "animation", true),
    ("steps(4, jump-end)", "curve", false),
  ])
  func whatASceneFileTakesCanBeRead(spec: String, key: String, isAnimation: Bool) throws {
    let sheet = try Sheet(spec)
    #expect((sheet.animation != nil) == isAnimation)
    #expect(sheet.text("scene") == "\(key) = \"\(sheet.animation ?? spec)\"")
    if let animation = sheet.animation {
      let last = try #require(try Sheet(animation).curve.rows.last?.value)
      #expect(abs(last - 1) < 0.001)
    }
    #expect(sheet.curve.rows.allSatisfy { ($0.progress == nil) == isAnimation })
  }

  /// docs/reference/live-openapi.json has the sheet's fields.
  @Test(arguments: [
    "bouncy.delay(0.2)", "steps(4, jump-end)", "spring(duration: 0.5, bounce: 1)", "wobble",
    CurveSheetTests.track, #"[{"springTo":5,"duration":0.1}]"#, #"[{"linear":5}]"#,
  ])
  func sheetsAreAsTheFileOfTheServerSays(spec: String) throws {
    let line = CurveSheet.line(spec)
    #expect(try LiveOpenAPI.schema("Curve").faults(of: Data(line.utf8)) == [], "\(line)")
  }

  @Test func whatCannotBeWrittenSaysWhy() throws {
    let css = try Sheet("spring(duration: 0.5, bounce: 1)").texts.last
    #expect(css?.target == "css" && css?.text == nil)
    #expect(css?.note.contains("never comes to rest") == true)
  }

  @Test(arguments: [
    ("wobble(3)", "column 1: "), ("", "column 1: "),
    (#"[{"linear":1}]"#, "keyframes[0].duration: "), (#"{"linear":1}"#, #"unknown key \"linear\""#),
    ("[", "keyframes: not JSON at byte 2: "),
  ])
  func aWrongTextGetsItsReason(spec: String, reason: String) throws {
    let line = CurveSheet.line(spec)
    #expect(line.hasPrefix(#"{"schema":"orrery.curve-sheet.v1","error":"\#(reason)"#), "\(line)")
  }

  // MARK: Keyframes

  static let track = #"""
    {"keyframes":[{"linear":8,"duration":0.4,"timingCurve":"easeIn"},{"cubic":-2,"duration":0.5,"endVelocity":6},\#
    {"move":3},{"springTo":5,"startVelocity":0,"spring":"spring(duration: 0.5, bounce: 0.3)"}],\#
    "initial":1}
    """#

  /// Values are those of `orrery eval`; the velocity is their slope.
  @Test func keyframesHaveTheLibrarysValues() throws {
    struct Values: Decodable { let values: [Double] }
    let rows = try Sheet(Self.track).curve.rows
    let times = rows.compactMap(\.time_s)
    let request = Self.track.dropLast() + #","at":\#(times)}"#
    let line = try #require(Evaluator().answer(String(request)))
    let values = try JSONDecoder().decode(Values.self, from: Data(line.utf8)).values
    #expect(rows.compactMap(\.value) == values && rows.count == 241)
    let step = times[1]
    for index in rows.indices.dropFirst().dropLast() {
      // Not where one motion meets the next.
      let time = times[index]
      guard abs(time - 0.4) > 2 * step, abs(time - 0.9) > 2 * step else { continue }
      let slope = (values[index + 1] - values[index - 1]) / (2 * step)
      #expect(abs((rows[index].velocity ?? .nan) - slope) < 0.5, "\(time) s: \(slope)")
    }
  }

  /// The changes lead from one keyframe to the next, and `set` can read their animations.
  @Test func changesPlayTheKeyframes() throws {
    let sheet = try Sheet(Self.track)
    let keyframes = try #require(sheet.keyframes)
    #expect(keyframes.prefix(3).map(\.time_s) == [0.4, 0.9, 0.9])
    #expect(keyframes.map(\.value) == [8, -2, 3, 5] && sheet.animation == nil)
    let changes = try #require(sheet.changes)
    #expect(changes[0] == Sheet.Change(time_s: 0, value: 1, animation: nil))
    #expect(changes[1].value == 8 && changes[1].time_s == 0)
    #expect(changes.contains(Sheet.Change(time_s: 0.9, value: 3, animation: nil)))
    #expect(changes.last?.value == 5 && changes.last?.time_s == 0.9)
    #expect(zip(changes, changes.dropFirst()).allSatisfy { $0.time_s <= $1.time_s })
    for animation in changes.compactMap(\.animation) {
      let last = try Sheet(animation).curve.rows.last?.value
      #expect(abs((last ?? .nan) - 1) < 0.001, "\(animation)")
    }
  }

  /// Each use has the keyframes themselves where it can have them.
  @Test func keyframesStayKeyframes() throws {
    let sheet = try Sheet(Self.track)
    let swift = """
      KeyframeTrack {
        LinearKeyframe(8, duration: 0.4, timingCurve: UnitCurve.easeIn)
        CubicKeyframe(-2, duration: 0.5, endVelocity: 6)
        MoveKeyframe(3)
        SpringKeyframe(5, spring: Spring(duration: 0.5, bounce: 0.3), startVelocity: 0)
      }
      """
    #expect(sheet.text("swift") == swift)
    let scene = #"""
      track = [{ linear = 8, duration = 0.4, curve = "easeIn" }, \#
      { cubic = -2, duration = 0.5, end-velocity = 6 }, \#
      { move = 3 }, { spring-to = 5, spring = "spring(response: 0.5, dampingRatio: 0.7)" }]
      """#
    #expect(sheet.text("scene") == scene)
    #expect(sheet.text("css")?.contains("linear(") == true)
  }

  /// A spring that is cut short, or begins with a velocity, is no keyframe of a scene; only the latter can be played.
  @Test(arguments: [
    (#"{"springTo":5,"duration":0.1}"#, false),
    (#"{"linear":1,"duration":1},{"springTo":5}"#, true),
  ])
  func someSpringsAreOfNoScene(keyframes: String, canBePlayed: Bool) throws {
    let sheet = try Sheet("[\(keyframes)]")
    #expect(sheet.text("scene") == nil && sheet.keyframes != nil)
    #expect((sheet.changes != nil) == canBePlayed)
  }
}
