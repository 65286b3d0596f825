// SPDX-License-Identifier: Apache-2.0

import OrreryScene
import OrrerySceneBuilder
import Testing

/// Goal: no number outside its range gets in, and the error says where it stands and what the range
/// is.
///
/// Method: for every key that holds a number, put the ends of its range, values beyond them, values
/// that are no number and values of other types into a file that is good but for it.
@Suite struct SceneRangeTests {
  @Test(arguments: NumberKey.all + NumberKey.others)
  func endsOfTheRangeAreGood(key: NumberKey) {
    for end in [key.limit.range.lowerBound, key.limit.range.upperBound] {
      // A timer from end to end of its positions needs no more than 2^32 steps, but room between.
      let isTimerEnd = key.table == "row.timer" && ["start", "reset-at"].contains(key.key)
      if isTimerEnd, end == (key.key == "start" ? 1e6 : -1e6) { continue }
      let text = key.isWhole ? SceneNumber.text(end) : "\(end)"
      #expect(problems(key.file(with: text)).isEmpty)
    }
  }

  @Test(arguments: NumberKey.all + NumberKey.others)
  func beyondTheRangeIsReportedWithPlaceAndRange(key: NumberKey) {
    let (lower, upper) = (key.limit.range.lowerBound, key.limit.range.upperBound)
    var beyond = [lower - 1, upper + 1, -upper - 2]
    if !key.isWhole { beyond += [lower.nextDown, upper.nextUp, 1e308, -1e308] }
    for value in beyond {
      let text = key.isWhole ? SceneNumber.text(value) : "\(value)"
      let shown = key.key == "rate" && value < 1e9 && value > 0 ? nil : SceneNumber.text(value)
      let found = problems(key.file(with: text))
      #expect(found.count == 1, "\(text)")
      #expect(found.first?.hasPrefix("\(key.place): \(key.key)") == true, "\(found)")
      #expect(found.first?.hasSuffix("is out of range \(key.limit)") == true, "\(found)")
      if let shown { #expect(found.first?.contains(" \(shown) is") == true, "\(found)") }
    }
  }

  /// Zero and minus zero are refused where zero is, and taken where it is not.
  @Test(arguments: NumberKey.all + NumberKey.others, ["0", "-0", "0.0", "-0.0"])
  func zerosAreAlike(key: NumberKey, zero: String) {
    if key.isWhole, zero.contains(".") { return }
    let isTimerEnd = key.table == "row.timer" && key.key == "reset-at"
    let found = problems(key.file(with: zero))
    #expect(found.isEmpty == key.limit.range.contains(0) || isTimerEnd, "\(found)")
    if let first = found.first { #expect(first.hasPrefix("\(key.place): \(key.key)"), "\(first)") }
  }

  @Test(arguments: NumberKey.all + NumberKey.others, ["nan", "inf", "-inf", "+nan"])
  func noNumbersAreReported(key: NumberKey, value: String) {
    let found = problems(key.file(with: value))
    let shown = value == "+nan" ? "nan" : value
    let why =
      key.isWhole
      ? "\(shown) is not a whole number" : "\(shown) is not a number in \(key.limit)"
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix("\(key.place): \(key.key)") == true, "\(found)")
    #expect(found.first?.hasSuffix(": " + why) == true, "\(found)")
  }

  @Test(
    arguments: NumberKey.all + NumberKey.others,
    ["true", "\"text\"", "{}", "[]", "1979-05-27", "[1, 2, 3]", "\"1\""])
  func otherTypesAreReported(key: NumberKey, value: String) {
    let takesArray = key.key == "moons" && value == "[]"
    let found = problems(key.file(with: value))
    if takesArray || (key.key == "rate" && value == "\"1\"") {
      #expect(found.isEmpty)
    } else if key.key == "moons", value == "[1, 2, 3]" {
      #expect(found.count == 3)
    } else if key.key == "font", value == "{}" {
      #expect(found.count == 1)
      #expect(found.first?.hasSuffix(": size: missing; a number is wanted") == true, "\(found)")
    } else {
      #expect(found.count == 1, "\(found)")
      #expect(found.first?.hasPrefix("\(key.place): \(key.key)") == true, "\(found)")
      #expect(found.first?.contains(" is not a") == true, "\(found)")
    }
  }

  /// 10^12 entities, and numbers beyond what a whole number holds.
  @Test func hugeCountsAreReported() {
    let file = "[[content]]\nkind=\"field\"\norbit = {radius=1,duration=1}\ncount = "
    #expect(
      problems(file + "1_000_000_000_000")
        == ["4:9: count: 1000000000000 is out of range 1...100000000 entities"])
    #expect(problems(file + "99999999999999999999").first?.hasPrefix("4:") == true)
    #expect(problems(file + "1.0") == ["4:9: count: 1 is not a whole number"])
  }

  @Test func entitiesOfAllContentAreCounted() {
    let field = "[[content]]\nkind=\"field\"\norbit = {radius=1,duration=1}\ncount = 60_000_000\n"
    #expect(problems(field).isEmpty)
    #expect(
      problems(field + field) == ["1:3: content: 120000000 entities, more than 100000000"])
  }

  @Test func endsInTheWrongOrderAreReported() {
    let file = "[[content]]\nkind=\"orbit-system\"\nheight=1\nmoons=1\nduration = [100, 10]"
    #expect(
      problems(file) == ["5:12: duration: the lower end 100 is above the upper end 10"])
  }

  @Test func timerThatNeverComesRoundIsReported() {
    func timer(_ values: String) -> String {
      "[[content]]\nkind=\"row\"\ncurrencies=[\"EUR\"]\ntimer = {interval=1, \(values)}"
    }
    #expect(
      problems(timer("start=5, step=1, reset-at=5"))
        == ["4:48: reset-at: 5 is not larger than start (5)"])
    #expect(
      problems(timer("start=5, step=1, reset-at=4"))
        == ["4:48: reset-at: 4 is not larger than start (5)"])
  }

  /// -0 becomes 0, so that no sign of zero gets into a frame.
  @Test func minusZeroIsZero() throws {
    let file = try SceneFile.decode(
      "[[content]]\nkind=\"row\"\ncurrencies=[\"EUR\"]\nanimation={from=-0.0,to=-0.0,duration=1}",
      file: "f")
    let spec = try #require(try ScenePlan(file, text: FixedWidths()).tweens.first)
    #expect(spec.from.sign == .plus)
    #expect(spec.to.sign == .plus)
  }
}
