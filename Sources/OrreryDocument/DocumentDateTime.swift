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
  ///
  /// - Parameters:
  ///   - word: The text.
  ///   - fault: Set if the text has the form of one, but a number in it is out of range: which.
  init?(_ word: String, fault: inout String?) {
    var reader = DateTimeReader(text: TextCursor(Array(word.utf8)))
    guard let value = reader.value() else { return nil }
    fault = reader.fault
    if fault != nil { return nil }
    self = value
  }
}

/// Reads a date, a time, or both.
///
/// Numbers out of range are noted and read on: that tells a wrong date from what is none.
private struct DateTimeReader {
  var text: TextCursor

  /// The first number that is out of its range.
  var fault: String?

  /// - Returns: Nil for a text of another form.
  mutating func value() -> DocumentDateTime? {
    var value = DocumentDateTime()
    if text.bytes.dropFirst(4).first == UInt8(ascii: "-") {
      guard let day = day() else { return nil }
      value.day = day
      if text.next == nil { return value }
      guard text.take("T") || text.take("t") || text.take(" ") else { return nil }
    }
    guard readTime(&value) else { return nil }
    if text.next == nil { return value }
    guard value.day != nil, let offset = offset(), text.next == nil else { return nil }
    value.offsetMinutes = offset
    return value
  }

  private mutating func day() -> Int? {
    guard let year = number("year", digits: 4, 0...9999), text.take("-"),
      let month = number("month", digits: 2, 1...12), text.take("-")
    else { return nil }
    let isMonth = (1...12).contains(month)
    let dayCount = isMonth ? DocumentDateTime.dayCount(month: month, year: year) : 31
    guard let day = number("day", digits: 2, 1...dayCount) else { return nil }
    return DocumentDateTime.days(year: year, month: month, day: day)
  }

  private mutating func readTime(_ value: inout DocumentDateTime) -> Bool {
    guard let hour = number("hour", digits: 2, 0...23), text.take(":"),
      let minute = number("minute", digits: 2, 0...59), text.take(":"),
      let second = number("second", digits: 2, 0...59)
    else { return false }
    value.second = hour * 3600 + minute * 60 + second
    guard text.take(".") else { return true }
    let start = text.offset
    text.skip { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    let digits = text.text(from: start)
    let padded = String((digits + "000000000").prefix(9))
    value.nanosecond = Int(padded) ?? 0
    return !digits.isEmpty
  }

  private mutating func offset() -> Int? {
    if text.take("Z") || text.take("z") { return 0 }
    let isNegative = text.take("-")
    guard isNegative || text.take("+"), let hour = number("offset's hour", digits: 2, 0...23),
      text.take(":"), let minute = number("offset's minute", digits: 2, 0...59)
    else { return nil }
    return (isNegative ? -1 : 1) * (hour * 60 + minute)
  }

  private mutating func number(_ what: String, digits: Int, _ range: ClosedRange<Int>) -> Int? {
    var number = 0
    for _ in 0..<digits {
      guard let digit = text.next.flatMap({ TextCursor.digit($0, radix: 10) }) else { return nil }
      number = number * 10 + digit
      text.offset += 1
    }
    if fault == nil, !range.contains(number) {
      fault = "\(what) \(number) is out of range \(range.lowerBound)...\(range.upperBound)"
    }
    return number
  }
}
