// SPDX-License-Identifier: Apache-2.0

/// Four adjacent pixels of a row.
typealias FourPixels = SIMD4<UInt32>

/// Two channels of four pixels, 16 bits each for products: blue and red, or green and alpha.
typealias ChannelPairs = SIMD8<UInt16>

/// Blends premultiplied pixels.
///
/// All divisions by 255 round exactly, so an opaque pixel stays opaque, however much is drawn over
/// it.
enum Blending {
  /// Every second byte.
  ///
  /// Computed, because each access to a stored constant would check that it is initialized.
  @inline(__always)
  static var evenBytes: FourPixels { FourPixels(repeating: 0x00FF_00FF) }

  /// `value / 255`, rounded; exact for every product of two bytes.
  @inline(__always)
  static func divide255(_ value: ChannelPairs) -> ChannelPairs {
    let sum = value &+ 128
    return (sum &+ (sum &>> 8)) &>> 8
  }

  /// The blue and red channels.
  @inline(__always)
  static func blueRed(_ pixels: FourPixels) -> ChannelPairs {
    unsafeBitCast(pixels & evenBytes, to: ChannelPairs.self)
  }

  /// The green and alpha channels.
  @inline(__always)
  static func greenAlpha(_ pixels: FourPixels) -> ChannelPairs {
    unsafeBitCast((pixels &>> 8) & evenBytes, to: ChannelPairs.self)
  }

  /// Joins both pairs of channels to pixels.
  @inline(__always)
  static func pixels(blueRed: ChannelPairs, greenAlpha: ChannelPairs) -> FourPixels {
    unsafeBitCast(blueRed, to: FourPixels.self)
      | (unsafeBitCast(greenAlpha, to: FourPixels.self) &<< 8)
  }

  /// Blends four pixels over four others: source + destination * (255 - alpha) / 255.
  @inline(__always)
  static func over(
    blueRed: ChannelPairs, greenAlpha: ChannelPairs, _ destination: FourPixels
  ) -> FourPixels {
    // What is left of 255 by the alpha, without a difference, for which the compiler takes twice the instructions.
    let inverse = (unsafeBitCast(greenAlpha, to: FourPixels.self) ^ 0x00FF_0000) &>> 16
    let rest = unsafeBitCast(inverse | (inverse &<< 16), to: ChannelPairs.self)
    return pixels(
      blueRed: blueRed &+ divide255(Self.blueRed(destination) &* rest),
      greenAlpha: greenAlpha &+ divide255(Self.greenAlpha(destination) &* rest))
  }

  /// Blends one pixel, multiplied by `strength` / 255, over another.
  @inline(__always)
  static func over(
    _ source: UInt32, strength: UInt32, _ destination: UInt32
  ) -> UInt32 {
    let weak = divide255(spread(source) &* UInt64(strength))
    return gather(weak &+ divide255(spread(destination) &* (255 &- (weak >> 48))))
  }

  /// The four channels of a pixel, 16 bits each for products: blue, red, green, alpha.
  @inline(__always)
  static func spread(_ pixel: UInt32) -> UInt64 {
    UInt64(pixel & 0x00FF_00FF) | UInt64(pixel & 0xFF00_FF00) << 24
  }

  /// Joins four channels to a pixel.
  @inline(__always)
  static func gather(_ channels: UInt64) -> UInt32 {
    UInt32(truncatingIfNeeded: (channels & 0x00FF_00FF) | (channels >> 24 & 0xFF00_FF00))
  }

  @inline(__always)
  static func divide255(_ channels: UInt64) -> UInt64 {
    let mask: UInt64 = 0x00FF_00FF_00FF_00FF
    let sum = channels &+ 0x0080_0080_0080_0080
    return ((sum &+ ((sum >> 8) & mask)) >> 8) & mask
  }

  /// Blends a row of pixels over another.
  ///
  /// - Parameters:
  ///   - source: `count` pixels.
  ///   - destination: `count` pixels.
  ///   - count: Pixels.
  ///   - strength: 0 to 255: opacity of the source.
  @inline(__always)
  static func row(
    _ source: UnsafePointer<UInt32>, over destination: UnsafeMutablePointer<UInt32>, count: Int,
    strength: UInt16
  ) {
    let factor = ChannelPairs(repeating: strength)
    var column = 0
    while column + 4 <= count {
      let pixels = load(source + column)
      if pixels != FourPixels(repeating: 0) {
        var blueRed = blueRed(pixels)
        var greenAlpha = greenAlpha(pixels)
        if strength < 255 {
          blueRed = divide255(blueRed &* factor)
          greenAlpha = divide255(greenAlpha &* factor)
        }
        let below = load(destination + column)
        store(over(blueRed: blueRed, greenAlpha: greenAlpha, below), to: destination + column)
      }
      column += 4
    }
    while column < count {
      destination[column] = over(source[column], strength: UInt32(strength), destination[column])
      column += 1
    }
  }

  /// Blends a row of pixels over another, each multiplied by its coverage in a mask.
  ///
  /// - Parameters:
  ///   - source: `count` pixels.
  ///   - mask: Coverage of each pixel, 0 to 255.
  ///   - destination: `count` pixels.
  ///   - count: Pixels.
  ///   - strength: 0 to 255: opacity of the source.
  static func row(
    _ source: UnsafePointer<UInt32>, mask: UnsafePointer<UInt8>,
    over destination: UnsafeMutablePointer<UInt32>, count: Int, strength: UInt16
  ) {
    let opacity = UInt32(strength)
    for column in 0..<count where mask[column] > 0 {
      let shown = (UInt32(mask[column]) * opacity + 127) / 255
      destination[column] = over(source[column], strength: shown, destination[column])
    }
  }

  /// Blends one pixel over the columns of a row.
  ///
  /// - Parameters:
  ///   - columns: Columns of the row.
  ///   - pixel: Premultiplied.
  ///   - row: The first pixel of the row.
  static func fill(
    _ columns: Range<Int>, _ pixel: UInt32, _ row: UnsafeMutablePointer<UInt32>
  ) {
    if pixel >> 24 == 255 {
      (row + columns.lowerBound).update(repeating: pixel, count: columns.count)
      return
    }
    for column in columns { row[column] = over(pixel, strength: 255, row[column]) }
  }

  /// Mixes two rows: (first * (16 - weight) + second * weight) / 16.
  @inline(__always)
  static func mix(
    _ first: UnsafePointer<UInt32>, _ second: UnsafePointer<UInt32>, weight: Int, count: Int,
    into mixed: UnsafeMutablePointer<UInt32>
  ) {
    let secondFactor = ChannelPairs(repeating: UInt16(truncatingIfNeeded: weight))
    let firstFactor = 16 &- secondFactor
    var column = 0
    while column + 4 <= count {
      let (a, b) = (load(first + column), load(second + column))
      let even = blueRed(a) &* firstFactor &+ blueRed(b) &* secondFactor &+ 8
      let odd = greenAlpha(a) &* firstFactor &+ greenAlpha(b) &* secondFactor &+ 8
      store(pixels(blueRed: even &>> 4, greenAlpha: odd &>> 4), to: mixed + column)
      column += 4
    }
    let (wideFirst, wideSecond) = (UInt64(16 - weight), UInt64(weight))
    while column < count {
      let sum =
        spread(first[column]) &* wideFirst &+ spread(second[column]) &* wideSecond
        &+ 0x0008_0008_0008_0008
      mixed[column] = gather((sum >> 4) & 0x00FF_00FF_00FF_00FF)
      column += 1
    }
  }

  /// Loads four pixels; the address need not be a multiple of 16.
  @inline(__always)
  static func load(_ pixels: UnsafePointer<UInt32>) -> FourPixels {
    UnsafeRawPointer(pixels).loadUnaligned(as: FourPixels.self)
  }

  /// Stores four pixels; the address need not be a multiple of 16.
  @inline(__always)
  static func store(_ four: FourPixels, to pixels: UnsafeMutablePointer<UInt32>) {
    UnsafeMutableRawPointer(pixels).storeBytes(of: four, as: FourPixels.self)
  }
}
