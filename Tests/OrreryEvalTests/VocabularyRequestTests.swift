// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryEval
import Testing

/// Goal: what else the vocabulary has can be asked: rows as written, implicit animations, tracked
/// velocities, settling, forces, phases, labels, custom schedules, tracks and vectors.
///
/// Method: numbers of the semantics (ids in brackets), or computed here by hand.
@Suite struct VocabularyRequestTests {
  /// The switch for slopes at ends with a control point on them.
  @Test func slopesAtEndsHaveASwitch() throws {
    func slopes(_ ends: String) throws -> [Double] {
      try Answer(#"{"curve":"easeIn","at":[0.5,1],"ends":"\#(ends)"}"#)["velocities"].numbers
    }
    let limit = try Answer(#"{"curve":"easeIn","at":[0.5,1]}"#)["velocities"].numbers
    #expect(abs(limit[1] - 1 / 0.58) < 1e-9)
    #expect(try slopes("limit") == limit)
    #expect(try slopes("swiftUI") == [limit[0], 0])
  }

  /// [P-09] SwiftUI's estimates of any motion: ln((|way| + |way · s - velocity|)/epsilon)/s.
  @Test func springsSettleByTheirMotion() throws {
    func settling(_ others: String) throws -> Double {
      let answer = try Answer(#"{"spring":{"duration":0.6,"bounce":0.25}\#(others)}"#)
      return try #require(answer["settling_duration_s"].number)
    }
    #expect(abs(try settling("") - 1.157) < 5e-4)
    #expect(abs(try settling(#","epsilon":0.001"#) - 1.157) < 5e-4)
    // Without an epsilon it is the spring's own.
    #expect(try settling(#","from":0,"to":100,"velocity":7"#) == settling(""))
    let rate = 0.75 * 2 * Double.pi / 0.6
    let expected = log((100 + abs(100 * rate - 30)) / 0.01) / rate
    let found = try settling(#","from":50,"to":150,"velocity":30,"epsilon":0.01"#)
    #expect(abs(found - expected) < 1e-9)
    let bound = try Answer(
      #"{"spring":{"duration":0.6,"bounce":0.25},"from":50,"to":150,"velocity":30,"epsilon":0.01}"#)
    #expect(try #require(bound["settling_bound_s"].number) > 1)
    #expect(try #require(bound["settling_bound_s"].number) != found)
  }

  @Test(arguments: [("bouncy", 1.045), ("snappy", 0.877)])
  func presetsSettleAsInSwiftUI(spring: String, expected: Double) throws {
    let answer = try Answer(#"{"spring":"\#(spring)","epsilon":0.001}"#)
    #expect(abs((answer["settling_duration_s"].number ?? 0) - expected) < 5e-4)
  }

  /// A force is stiffness · (to - position) - damping · velocity.
  @Test func springsHaveForces() throws {
    let answer = try Answer(
      #"{"spring":{"mass":2,"stiffness":100,"damping":10},"to":1,"forces":[[0,2],[1,0],[3,-1]]}"#)
    #expect(areClose(answer["forces"].numbers, [80, 0, -190], within: 1e-9))
    let none = try Answer(#"{"spring":"bouncy"}"#)
    #expect(none["forces"].value == .null)
  }

  /// 0.25 of the newest difference quotient and 0.75 of the one before.
  @Test func velocitiesAreTracked() throws {
    let answer = try Answer(
      #"{"tracker":[[0,0],[0.0625,5],[0.125,20],[0.125,30],[0.1,7],[2,30]]}"#)
    #expect(answer["velocities"].numbers == [0, 80, 120, 160, 160, 0])
    func velocity(_ tracks: Bool, at end: Double = 0.125) throws -> [Double] {
      let samples = [(0, 0), (0.0625, 5), (0.125, 20)].map { time, value in
        #"{"at":\#(time),"set":{"x":\#(value)},"tracksVelocity":\#(tracks)}"#
      }
      return try Answer(
        #"{"script":[\#(samples.joined(separator: ",")),"#
          + #"{"at":\#(end),"set":{"x":50},"animation":"spring(duration: 0.5)"}],"#
          + #""initial":{"x":0},"sample":["x"],"times":[\#(end)],"velocities":true}"#
      )["sample_velocities"]["x"].numbers
    }
    #expect(areClose(try velocity(true), [120], within: 1e-9))
    #expect(try velocity(false) == [0])
    // [A-31] Held before it is released.
    #expect(try velocity(true, at: 2) == [0])
  }

  /// An implicit animation applies where its value changes, whatever the step's own animation is.
  @Test func implicitAnimationsFollowAValue() throws {
    func values(_ step: String, _ implicit: String) throws -> [Double] {
      try Answer(
        #"{"script":[{"at":0,"set":{"x":10,"open":1}\#(step)},{"at":2,"set":{"x":20}}],"#
          + #""initial":{"x":0,"open":0},"implicit":{"x":\#(implicit)},"sample":["x"],"#
          + #""times":[0.5,2,2.5]}"#)["samples"]["x"].numbers
    }
    let follows = #"{"animation":"linear(duration: 1)","value":"open"}"#
    let own = #","animation":"linear(duration: 2)""#
    #expect(try values("", follows) == [5, 20, 20])
    #expect(try values(own, follows) == [5, 20, 20])
    #expect(try values(own + #","disablesAnimations":true"#, follows) == [2.5, 20, 20])
    #expect(try values(own, #"{"animation":null,"value":"open"}"#) == [10, 20, 20])
    #expect(try values(own, #"{"animation":"linear(duration: 1)"}"#) == [5, 10, 15])
    // Its own value is one, too.
    #expect(
      try values("", #"{"animation":"linear(duration: 1)","value":"x"}"#) == [5, 10, 15])
  }

  /// [S3-12] The delta ticker, and the one that counts updates.
  @Test func tickersAsWritten() throws {
    let delta = try Answer(
      #"{"ticker":{"variant":"delta","content":40,"container":100},"dates":[0,1.9,2.1,2.0]}"#)
    #expect(areClose(delta["offsets"].numbers, [0, 95, 0, -5], within: 1e-9))
    #expect(areClose(delta["copies"].elements[0].numbers, [0, -95, 0, 5], within: 1e-9))
    #expect(areClose(delta["copies"].elements[1].numbers, [100, 5, 100, 105], within: 1e-9))
    #expect(delta["gap"].number == 60)
    // Until it appears its width is 0, and so is the offset.
    let late = try Answer(
      #"{"ticker":{"variant":"delta","container":100,"appears":2},"dates":[0,1,2,3]}"#)
    #expect(late["offsets"].numbers == [0, 0, 50, 0])
    let naive = try Answer(
      #"{"ticker":{"variant":"naive","container":100},"updates":[0,1,99,100,101]}"#)
    #expect(naive["offsets"].numbers == [0, -1, -99, 0, -1])
  }

  /// [S1-05] A timer that adds tenths, each moved in a second; the last tick of ten restarts.
  @Test func flowsAsWritten() throws {
    let answer = try Answer(
      #"{"flow":{"variant":"written","width":250},"ticks":[1,2,3.5],"at":[0.5,1.5,2.25,3.25,4]}"#)
    #expect(answer["offsets"].numbers == [0, 12.5, 31.25, 50, 62.5])
    #expect(
      answer["changes"].elements.map { $0["kind"].string } == Array(repeating: "animate", count: 3))
    #expect(answer["changes"].elements.map { $0["to"].number } == [25, 50, 75])
    #expect(answer["steps_per_loop"].number == 10)
    let ticks = (1...12).map(Double.init)
    let loop = try Answer(#"{"flow":{"variant":"written","width":250},"ticks":\#(ticks)}"#)
    #expect(
      loop["changes"].elements.map { $0["kind"].string }.firstIndex(of: "restart") == 10)
    #expect(loop["changes"].elements.map { $0["to"].number }.suffix(2) == [25, 50])
  }

  /// [S0-26] New labels keep the share of the loop, or the points.
  @Test func labelsOfARowAreReplaced() throws {
    func answer(_ keeping: String) throws -> Answer {
      try Answer(
        #"{"marquee":{"labels":[30,20,40],"speed":60,"viewport":600,"#
          + #""replace":[{"at":3.65,"labels":[60,40,80]\#(keeping)}]},"at":[3.65,1,4.65]}"#)
    }
    let phase = try answer("")
    #expect(areClose(phase["offsets"].numbers, [-264, -60, -324], within: 1e-9))
    #expect(phase["periods"].numbers == [528, 438, 528])
    #expect(phase["period"].number == 528)
    #expect(phase["copies"].number == 3)
    let points = try answer(#","keeping":"points""#)
    #expect(areClose(points["offsets"].numbers, [-219, -60, -279], within: 1e-9))
  }

  /// Phases follow each other for ever, or play a round at each new value of a trigger.
  @Test func phases() throws {
    let round = try Answer(
      #"{"phases":[0,10,4],"animation":"linear(duration: 1)","trigger":[[0.5,1],[2,1]],"#
        + #""at":[3,0.25,1,2,5,-1]}"#)
    #expect(areClose(round["values"].numbers, [2, 0, 5, 7, 0, 0], within: 1e-12))
    #expect(round["changes"].elements.map { $0["time_s"].number } == [0.5, 1.5, 2.5])
    #expect(round["changes"].elements.map { $0["index"].number } == [1, 2, 0])
    #expect(round["changes"].elements.map { $0["to"].number } == [10, 4, 0])
    let again = try Answer(
      #"{"phases":[0,10],"animation":"linear(duration: 1)","trigger":[[0,0],[0.5,1],[4,2]],"at":[1,5]}"#
    )
    #expect(areClose(again["values"].numbers, [5, 10], within: 1e-12))
    let endless = try Answer(
      #"{"phases":[0,10],"animation":["linear(duration: 3)","linear(duration: 1)"],"at":[0.5,2.5,4.25]}"#
    )
    #expect(areClose(endless["values"].numbers, [5, 5, 2.5], within: 1e-12))
    let jumps = try Answer(#"{"phases":[1,2,3],"animation":null,"trigger":[[1,1]],"at":[0.5,1]}"#)
    #expect(jumps["values"].numbers == [1, 1])
    #expect(jumps["changes"].elements.map { $0["to"].number } == [2, 3, 1])
    let formula = try Answer(
      #"{"phases":[0,1],"animation":{"formula":"value * time","duration":0.5},"trigger":[[0,1]],"#
        + #""at":[0.25,0.75,2]}"#)
    #expect(areClose(formula["values"].numbers, [0.25, 0.75, 0], within: 1e-9))
    #expect(try Answer(#"{"phases":[],"at":[1]}"#)["values"].numbers == [0])
  }

  /// Slower cadences are greater.
  @Test func cadencesHaveAnOrder() throws {
    let answer = try Answer(#"{"cadence":["minutes","live","seconds","seconds"]}"#)
    #expect(answer["sorted"].elements.map(\.string) == ["live", "seconds", "seconds", "minutes"])
    #expect(answer["rises"].value == .array([.bool(false), .bool(true), .bool(false)]))
  }

  /// A schedule of one's own, for each mode and by formula; what a view is told with each entry.
  @Test func customSchedules() throws {
    func answer(_ mode: String) throws -> Answer {
      try Answer(
        #"{"schedule":{"normal":"periodic(by: 1)","lowFrequency":"periodic(by: 30)"},"#
          + #""now":61.5,"count":2,"mode":"\#(mode)"}"#)
    }
    #expect(try answer("normal")["entries"].numbers == [61, 62])
    #expect(try answer("normal")["cadences"].elements.map(\.string) == ["live", "live"])
    #expect(try answer("lowFrequency")["shown"].numbers == [60, 90])
    #expect(
      try answer("lowFrequency")["cadences"].elements.map(\.string) == ["seconds", "seconds"])
    let formula = try Answer(
      #"{"schedule":{"formula":"start + index ^ 2"},"now":10,"count":4}"#)
    #expect(formula["entries"].numbers == [10, 11, 14, 19])
    #expect(formula["shown"].numbers == [10, 11, 14, 19])
    // One that does not rise, and one that ends.
    let still = try Answer(#"{"schedule":{"formula":"start"},"now":10,"count":3}"#)
    #expect(still["entries"].numbers == [10, 10, 10])
    #expect(still["shown"].numbers == [10])
    let ends = try Answer(
      #"{"schedule":{"formula":"if(index < 2, start + index, 1 / 0)"},"now":10,"count":9}"#)
    #expect(ends["entries"].numbers == [10, 11])
  }

  @Test(arguments: [("insertion", -1.0), ("willAppear", -1), ("identity", 0), ("removal", 1)])
  func phasesOfTransitionsHaveValues(phase: String, value: Double) throws {
    let answer = try Answer(
      #"{"transition":"opacity","phase":"\#(phase)","progress":0.25,"size":[1,1]}"#)
    #expect(answer["phase_value"].number == value)
    #expect(answer["is_identity"].value == .bool(value == 0))
  }

  /// [K-06] Tracks beside each other; one without an initial value begins at 0.
  @Test func severalTracks() throws {
    let answer = try Answer(
      #"{"keyframes":{"x":[{"linear":8,"duration":0.4},{"linear":2,"duration":0.6}],"#
        + #""y":[{"move":5}],"z":[{"linear":4,"duration":2}]},"initial":{"x":4},"at":[0.2,0.7,3]}"#)
    #expect(areClose(answer["tracks"]["x"].numbers, [6, 5, 2], within: 1e-12))
    #expect(answer["tracks"]["y"].numbers == [5, 5, 5])
    #expect(areClose(answer["tracks"]["z"].numbers, [0.4, 1.4, 4], within: 1e-12))
    #expect(answer["duration_s"].number == 2)
    #expect(answer["values"].value == .null)
  }

  /// [S2-01] [S2-02] Lengths of vectors, and what animations compute with them.
  @Test func vectors() throws {
    let answer = try Answer(
      #"{"vector":[3,-4],"scale":0.5,"other":[5,0],"amount":0.25}"#)
    #expect(answer["magnitude_squared"].number == 25)
    #expect(answer["magnitude"].number == 5)
    #expect(answer["scaled"].numbers == [1.5, -2])
    #expect(answer["sum"].numbers == [8, -4])
    #expect(answer["difference"].numbers == [-2, -4])
    #expect(answer["interpolated"].numbers == [3.5, -3])
    let rectangle = try Answer(#"{"vector":[1,2,3,4],"type":"CGRect"}"#)
    #expect(rectangle["magnitude_squared"].number == 30)
    #expect(rectangle["data"].numbers == [1, 2, 3, 4])
    for type in ["CGPoint", "CGSize", "UnitPoint"] {
      #expect(try Answer(#"{"vector":[0,0],"type":"\#(type)"}"#)["magnitude"].number == 0)
    }
    #expect(try Answer(#"{"vector":[2],"type":"Angle"}"#)["data"].elements.count == 1)
    #expect(try Answer(#"{"vector":[]}"#)["magnitude"].number == 0)
  }

  /// [S0-21] [S0-26] A cell is a flag and a label; a row is as long as its cells.
  @Test func labels() throws {
    let answer = try Answer(#"{"label":["CHF","JPY"],"currency":true,"locale":"de"}"#)
    #expect(answer["texts"].elements.map(\.string) == ["Schweizer Franken", "Japanischer Yen"])
    let widths = answer["width"].numbers
    try #require(widths.count == 2, "\(answer.error)")
    #expect(widths.allSatisfy { (10...300).contains($0) })
    #expect(answer["height"].numbers.allSatisfy { (10...40).contains($0) })
    #expect(areClose(answer["advance"].numbers, widths.map { $0 + 116 }, within: 1e-9))
    #expect(abs((answer["period"].number ?? 0) - widths[0] - widths[1] - 232) < 1e-9)
    #expect(answer["cells"].elements[0].numbers == [0, 108])
    #expect(
      areClose(
        answer["cells"].elements[1].numbers, [116 + widths[0], 224 + widths[0]], within: 1e-9))
    // Larger and bolder letters are wider.
    func width(_ font: String) throws -> Double {
      let answer = try Answer(#"{"label":"Swiss Franc","font":\#(font)}"#)
      return try #require(answer["width"].numbers.first, "\(answer.error)")
    }
    let (plain, large) = (try width("{}"), try width(#"{"size":26}"#))
    #expect(abs(large - 2 * plain) < 0.01 * plain)
    #expect(try width(#"{"weight":"bold"}"#) > plain)
    #expect(try width(#""Noto Sans 13""#) == plain)
  }

  /// A script chooses among those of a language, and gives the side where a row begins.
  @Test func labelsHaveAScript() throws {
    func answer(_ locale: String, _ script: String) throws -> Answer {
      try Answer(
        #"{"label":["CHF","JPY"],"currency":true,"locale":"\#(locale)","script":"\#(script)","flag":10,"spacing":2}"#
      )
    }
    let (hans, hant) = (try answer("zh", "Hans"), try answer("zh", "Hant"))
    #expect(hans["locale"].string == "zh_Hans")
    #expect(hant["locale"].string == "zh_Hant")
    #expect(hans["texts"].value != hant["texts"].value)
    #expect(try answer("en", "Latn")["locale"].string == "en")
    let arabic = try answer("ar", "Arab")
    #expect(arabic["layout_direction"].string == "rightToLeft")
    let widths = arabic["width"].numbers
    try #require(widths.count == 2, "\(arabic.error)")
    // From the right: flag, label, flag, label.
    #expect(
      areClose(
        arabic["cells"].elements[0].numbers,
        [widths[0] + widths[1] + 16, widths[1] + 14], within: 1e-9))
    #expect(areClose(arabic["cells"].elements[1].numbers, [widths[1] + 2, 0], within: 1e-9))
  }
}
