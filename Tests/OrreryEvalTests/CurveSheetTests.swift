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
    let curve: Curve, facts: String, animation: String?, texts: [Text]

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

  @Test(arguments: ["wobble(3)", "", #"{"linear":1}"#])
  func aWrongTextGetsItsReason(spec: String) throws {
    let line = CurveSheet.line(spec)
    #expect(line.hasPrefix(#"{"schema":"orrery.curve-sheet.v1","error":"column 1: "#), "\(line)")
  }
}
