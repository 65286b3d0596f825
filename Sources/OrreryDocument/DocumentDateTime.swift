// SPDX-License-Identifier: Apache-2.0

/// A date and time of TOML, or a part of it.
package struct DocumentDateTime: Equatable, Sendable {
  /// Days from 1970-01-01; nil of a time alone.
  package var day: Int?

  /// Seconds from midnight; nil of a date alone.
  package var second: Int?

  /// Nanoseconds from that second; further digits are cut off.
  package var nanosecond = 0

  /// Minutes ahead of UTC; nil of a local date or time.
  package var offsetMinutes: Int?

  package init(
    day: Int? = nil, second: Int? = nil, nanosecond: Int = 0, offsetMinutes: Int? = nil
  ) {
    self.day = day
    self.second = second
    self.nanosecond = nanosecond
    self.offsetMinutes = offsetMinutes
  }

  /// Seconds since 1970; nil unless it is a date and time with an offset.
  package var unixSeconds: Double? {
    guard let day, let second, let offsetMinutes else { return nil }
    return Double(day * 86_400 + second - offsetMinutes * 60) + Double(nanosecond) / 1e9
  }

  /// Days from 1970-01-01 to a date of the Gregorian calendar.
  static func days(year: Int, month: Int, day: Int) -> Int {
    // In years that begin in March the leap day comes last.
    let march = month > 2 ? year : year - 1
    let era = (march >= 0 ? march : march - 399) / 400
    let yearOfEra = march - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// Days of a month.
  static func dayCount(month: Int, year: Int) -> Int {
    let next =
      month == 12
      ? days(year: year + 1, month: 1, day: 1)
      : days(year: year, month: month + 1, day: 1)
    return next - days(year: year, month: month, day: 1)
  }
}

extension DocumentDateTime {
  /// Reads a date, a time, or both with or without an offset, as TOML writes them; nil for any
  /// other text.
  init?(_ word: String) {
    var text = TextCursor(Array(word.utf8))
    if text.bytes.dropFirst(4).first == UInt8(ascii: "-") {
      guard let day = Self.day(&text) else { return nil }
      self.init(day: day)
      if text.next == nil { return }
      guard text.take("T") || text.take("t") || text.take(" ") else { return nil }
    } else {
      self.init()
    }
    guard readTime(&text) else { return nil }
    if text.next == nil { return }
    guard day != nil, let offset = Self.offset(&text), text.next == nil else { return nil }
    offsetMinutes = offset
  }

  private static func day(_ text: inout TextCursor) -> Int? {
    guard let year = number(&text, digits: 4, 0...9999), text.take("-"),
      let month = number(&text, digits: 2, 1...12), text.take("-"),
      let day = number(&text, digits: 2, 1...dayCount(month: month, year: year))
    else { return nil }
    return days(year: year, month: month, day: day)
  }

  private mutating func readTime(_ text: inout TextCursor) -> Bool {
    guard let hour = Self.number(&text, digits: 2, 0...23), text.take(":"),
      let minute = Self.number(&text, digits: 2, 0...59), text.take(":"),
      let second = Self.number(&text, digits: 2, 0...59)
    else { return false }
    self.second = hour * 3600 + minute * 60 + second
    guard text.take(".") else { return true }
    let start = text.offset
    text.skip { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    let digits = text.text(from: start)
    let padded = String((digits + "000000000").prefix(9))
    nanosecond = Int(padded) ?? 0
    return !digits.isEmpty
  }

  private static func offset(_ text: inout TextCursor) -> Int? {
    if text.take("Z") || text.take("z") { return 0 }
    let isNegative = text.take("-")
    guard isNegative || text.take("+"), let hour = number(&text, digits: 2, 0...23),
      text.take(":"), let minute = number(&text, digits: 2, 0...59)
    else { return nil }
    return (isNegative ? -1 : 1) * (hour * 60 + minute)
  }

  private static func number(
    _ text: inout TextCursor, digits: Int, _ range: ClosedRange<Int>
  ) -> Int? {
    var number = 0
    for _ in 0..<digits {
      guard let digit = text.next.flatMap({ TextCursor.digit($0, radix: 10) }) else { return nil }
      number = number * 10 + digit
      text.offset += 1
    }
    return range.contains(number) ? number : nil
  }
}
