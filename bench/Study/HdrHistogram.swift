// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Durations in nanoseconds to three significant digits, in the layout and the encoding of HdrHistogram.
///
/// Every reader of HdrHistogram's V2 encoding reads `encoded`. The counts stand in one array:
///
///     index   0 … 2047         values 0 … 2047, one each
///     then, 1024 each          2048 … 4095 in steps of 2, 4096 … 8191 in steps of 4, …
///
/// A wait is recorded from the time at which its work was due, so work that could not begin in time is not left
/// out (coordinated omission); `record(_:every:)` also counts work that was skipped.
package struct HdrHistogram: Equatable, Sendable {
  /// The largest value that is distinguished: an hour; larger values count as this one.
  package static let valueMax: UInt64 = 3_600_000_000_000

  private static let halfBits: UInt64 = 10
  private static let half = 1 << Int(halfBits)
  private static let countsCount = index(valueMax) + 1
  private static let digits: UInt32 = 3

  private var counts = [UInt64](repeating: 0, count: Self.countsCount)

  /// Number of recorded values.
  package private(set) var count: UInt64 = 0
  /// The largest recorded value, exactly if it was not decoded; 0 without values.
  package private(set) var max: UInt64 = 0

  /// A histogram without values.
  package init() {}

  /// A histogram of values.
  package init(_ values: some Sequence<UInt64>) { for value in values { record(value) } }

  /// Counts a value.
  package mutating func record(_ value: UInt64) { add(value, 1) }

  /// Counts a value, and the waits of work that was due meanwhile and never began.
  ///
  /// - Parameters:
  ///   - value: A wait in nanoseconds.
  ///   - intervalNs: Time between two due times; above 0.
  package mutating func record(_ value: UInt64, every intervalNs: UInt64) {
    record(value)
    var missing = value
    // An hour of ticks at most: the loop is bounded by the value's limit.
    while missing > intervalNs, count < .max {
      missing -= intervalNs
      if missing < intervalNs { break }
      record(missing)
    }
  }

  private mutating func add(_ value: UInt64, _ times: UInt64) {
    let value = Swift.min(value, Self.valueMax)
    counts[Self.index(value)] += times
    count += times
    if times > 0 { max = Swift.max(max, value) }
  }

  /// The value that this share of all values does not exceed, within a thousandth; 0 without values.
  package func quantile(_ share: Double) -> UInt64 {
    let rank = Swift.max(UInt64((share * Double(count)).rounded(.up)), 1)
    var seen: UInt64 = 0
    for (index, count) in counts.enumerated() where count > 0 {
      seen += count
      if seen >= rank { return Swift.min(Self.upper(index), max) }
    }
    return max
  }

  /// The counts that are not 0: the largest value of each, as readers of HdrHistogram show it, in ascending order.
  package var recorded: [(value: UInt64, count: UInt64)] {
    counts.enumerated().compactMap { $1 > 0 ? (Self.upper($0), $1) : nil }
  }

  /// The two histograms as one.
  package mutating func add(_ other: HdrHistogram) {
    for index in counts.indices { counts[index] += other.counts[index] }
    count += other.count
    max = Swift.max(max, other.max)
  }

  private static func index(_ value: UInt64) -> Int {
    let bucket = 53 - (value | 2047).leadingZeroBitCount
    return (bucket + 1) << Int(halfBits) + Int(value >> UInt64(bucket)) - half
  }

  private static func lower(_ index: Int) -> (value: UInt64, step: UInt64) {
    let bucket = Swift.max(index >> Int(halfBits) - 1, 0)
    let sub = index < 2 * half ? index : index & (half - 1) + half
    return (UInt64(sub) << UInt64(bucket), 1 << UInt64(bucket))
  }

  private static func upper(_ index: Int) -> UInt64 {
    let (value, step) = lower(index)
    return value + step - 1
  }
}

// MARK: - Encoding

extension HdrHistogram {
  private static let cookie: UInt32 = 0x1c84_9313
  private static let compressedCookie: UInt32 = 0x1c84_9314
  private static let headBytes = 40

  /// The compressed V2 encoding in base64, as a line of a log of HdrHistogram has it.
  package var encoded: String {
    var payload = Data()
    let used = max == 0 ? (counts[0] > 0 ? 1 : 0) : Self.index(max) + 1
    var index = 0
    while index < used {
      var zeros = 0
      while index + zeros < used, counts[index + zeros] == 0 { zeros += 1 }
      if zeros > 0 {
        payload.append(number: -Int64(zeros))
        index += zeros
      } else {
        payload.append(number: Int64(counts[index]))
        index += 1
      }
    }
    var body = Data()
    body.append(word: Self.cookie)
    body.append(word: UInt32(payload.count))
    body.append(word: 0)
    body.append(word: Self.digits)
    body.append(long: 1)
    body.append(long: Self.valueMax)
    body.append(long: (1.0).bitPattern)
    let zipped = Zlib.stored(body + payload)
    var all = Data()
    all.append(word: Self.compressedCookie)
    all.append(word: UInt32(zipped.count))
    return (all + zipped).base64EncodedString()
  }

  /// Reads a text of `encoded`; nil for anything else, and for a histogram that another program has
  /// compressed.
  package init?(encoded: String) {
    guard let data = Data(base64Encoded: encoded), data.count > 8,
      data.word(at: 0) == Self.compressedCookie, data.word(at: 4) == UInt32(data.count - 8),
      let body = Zlib.read(data.dropFirst(8)),
      body.count >= Self.headBytes, body.word(at: 0) == Self.cookie,
      body.word(at: 12) == Self.digits,
      body.word(at: 4) == UInt32(body.count - Self.headBytes)
    else { return nil }
    self.init()
    var (offset, index) = (Self.headBytes, 0)
    while offset < body.count {
      guard let number = body.number(at: &offset) else { return nil }
      let step = number < 0 ? number == .min ? .max : Int(-number) : 1
      guard step <= Self.countsCount - index else { return nil }
      if number > 0 {
        guard !count.addingReportingOverflow(UInt64(number)).overflow else { return nil }
        add(Self.upper(index), UInt64(number))
      }
      index += step
    }
  }
}

/// Zlib's container around bytes that are stored as they are: a histogram is short already.
private enum Zlib {
  private static let storedMax = 65_535

  static func stored(_ bytes: Data) -> Data {
    var all = Data([0x78, 0x01])
    var rest = bytes[...]
    repeat {
      let part = rest.prefix(storedMax)
      rest = rest.dropFirst(storedMax)
      let length = UInt16(part.count)
      all.append(rest.isEmpty ? 1 : 0)
      for word in [length, ~length] {
        all.append(contentsOf: [UInt8(word & 255), UInt8(word >> 8)])
      }
      all.append(part)
    } while !rest.isEmpty
    all.append(word: adler(bytes))
    return all
  }

  /// The stored bytes; nil if anything is compressed, cut off or damaged.
  static func read(_ bytes: Data) -> Data? {
    let bytes = Data(bytes)
    guard bytes.count >= 2, bytes[0] == 0x78, bytes[1] == 0x01 else { return nil }
    var (all, offset) = (Data(), 2)
    while true {
      guard offset + 5 <= bytes.count, bytes[offset] <= 1 else { return nil }
      let isLast = bytes[offset] == 1
      let length = Int(bytes[offset + 1]) | Int(bytes[offset + 2]) << 8
      let inverse = Int(bytes[offset + 3]) | Int(bytes[offset + 4]) << 8
      offset += 5
      guard length == ~inverse & 0xffff, offset + length <= bytes.count else { return nil }
      all.append(bytes[offset..<offset + length])
      offset += length
      if isLast { break }
    }
    return bytes.count == offset + 4 && bytes.word(at: offset) == adler(all) ? all : nil
  }

  private static func adler(_ bytes: Data) -> UInt32 {
    var (low, high): (UInt32, UInt32) = (1, 0)
    for byte in bytes {
      low = (low + UInt32(byte)) % 65_521
      high = (high + low) % 65_521
    }
    return high << 16 | low
  }
}

extension Data {
  fileprivate mutating func append(word: UInt32) {
    for shift in [24, 16, 8, 0] as [UInt32] { append(UInt8(word >> shift & 255)) }
  }

  fileprivate mutating func append(long: UInt64) {
    append(word: UInt32(long >> 32))
    append(word: UInt32(long & 0xffff_ffff))
  }

  /// Zigzag and LEB128, in nine bytes at most: the ninth has eight bits.
  fileprivate mutating func append(number: Int64) {
    var rest = UInt64(bitPattern: number << 1 ^ number >> 63)
    for _ in 0..<8 {
      if rest < 128 { break }
      append(UInt8(rest & 127 | 128))
      rest >>= 7
    }
    append(UInt8(rest & 255))
  }

  fileprivate func word(at offset: Int) -> UInt32 {
    self[(startIndex + offset)..<(startIndex + offset + 4)].reduce(0) { $0 << 8 | UInt32($1) }
  }

  fileprivate func number(at offset: inout Int) -> Int64? {
    var (word, shift): (UInt64, UInt64) = (0, 0)
    while offset < count {
      let byte = self[startIndex + offset]
      offset += 1
      if shift == 56 || byte < 128 {
        word |= UInt64(byte) << shift
        return Int64(bitPattern: word >> 1) ^ -Int64(bitPattern: word & 1)
      }
      word |= UInt64(byte & 127) << shift
      shift += 7
    }
    return nil
  }
}
