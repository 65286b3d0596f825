// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// `orrery eval` and `orrery curve` as people call them.
///
/// Method: real programs, with files for input; what they compute is tested in their modules.
@Suite struct EvalProcessTests {
  /// Runs `orrery eval` with these lines on standard input.
  private func eval(
    _ lines: String, options: String = "", in place: Place
  ) throws -> (code: Int32?, text: String, errorText: String) {
    try place.write(lines, to: "requests")
    return try Program.run(
      "/bin/bash", ["-c", "\(Program.directory)/orrery eval \(options) < requests"], in: place)
  }

  @Test func answersComeInOrderAndBadLinesEndNothing() throws {
    let run = try eval(
      """
      {"curve":"linear","at":[0.25]}
      nonsense

      {"curve":"steps(4, jump-end)","at":[0.3]}
      {"curve":"linear","at":[0.5]}
      """, in: try Place())
    #expect(run.code == 0, "\(run.errorText)")
    let lines = run.text.split(separator: "\n")
    #expect(
      lines.map { String($0) } == [
        #"{"schema":"orrery.eval.v2","values":[0.25],"velocities":[1]}"#,
        #"{"schema":"orrery.eval.v2","error":"not JSON at byte 1: expected a value"}"#,
        #"{"schema":"orrery.eval.v2","values":[0.25],"velocities":[0]}"#,
        #"{"schema":"orrery.eval.v2","values":[0.5],"velocities":[1]}"#,
      ])
    #expect(run.errorText.isEmpty)
  }

  /// Whoever sends a line without an end fills no memory, and is answered like others.
  @Test func lineThatIsTooLongIsAnsweredAndLeftOut() throws {
    let long = String(repeating: "x", count: 16 << 20 + 1)
    let run = try eval(
      long + "\n" + #"{"curve":"linear","at":[0.5]}"# + "\n", in: try Place())
    #expect(run.code == 0, "\(run.errorText)")
    let lines = run.text.split(separator: "\n").map(String.init)
    try #require(lines.count == 2)
    #expect(lines[0].hasPrefix(#"{"schema":"orrery.eval.v2","error":"#))
    #expect(lines[0].contains("the line is longer than 16777216 bytes"), "\(lines[0])")
    #expect(lines[1] == #"{"schema":"orrery.eval.v2","values":[0.5],"velocities":[1]}"#)
  }

  @Test func kernelsAnswerAndSayWhereNoneDoes() throws {
    let run = try eval(
      """
      {"marquee":{"labels":[30,20,40],"flag":100,"spacing":8,"speed":60},"at":[10]}
      {"schedule":"periodic(from: 0, by: 4)","now":11,"count":3}
      """, options: "--path kernel", in: try Place())
    #expect(run.code == 0, "\(run.errorText)")
    let lines = run.text.split(separator: "\n")
    #expect(lines.first?.contains(#""path":"kernel""#) == true)
    #expect(lines.last?.contains(#""entries":[8,12,16]"#) == true)
    #expect(lines.last?.contains(#""path":"library""#) == true)
  }

  @Test func motionIsDrawnAsPictureOrTable() throws {
    let place = try Place()
    let spring = "spring(duration: 0.5, bounce: 0.3)"
    for name in ["spring.svg", "spring.png"] {
      let run = try Program.run("orrery", ["curve", spring, "--plot", name], in: place)
      #expect(run.code == 0, "\(run.errorText)")
      #expect(run.text.isEmpty)
    }
    let svg = try String(contentsOfFile: place.files + "/spring.svg", encoding: .utf8)
    #expect(svg.contains("<svg"))
    let png = try #require(FileManager.default.contents(atPath: place.files + "/spring.png"))
    #expect(png.starts(with: [0x89, 0x50, 0x4e, 0x47]))
    let table = try Program.run("orrery", ["curve", "easeInOut"], in: place)
    #expect(table.text.contains("0.500        0.500000"))
    #expect(table.text.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }
}
