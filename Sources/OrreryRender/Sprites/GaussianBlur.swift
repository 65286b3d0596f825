// SPDX-License-Identifier: Apache-2.0

/// Approximates a Gaussian blur by three running means in each direction.
///
/// The radius is the standard deviation. A mean's two outermost pixels weigh less than the others, so every
/// radius is possible exactly, also a fraction of a pixel. The blur keeps the sum of each channel: the error
/// of rounding to whole numbers goes to the next pixel.
enum GaussianBlur {
  /// Pixels of the largest picture: its channels take 256 MiB during the blur.
  ///
  /// A picture of 3840x2160 has half of that.
  static let pixelMax = 1 << 24

  /// Blue, green, red and alpha, 0 to 255.
  private typealias Channels = SIMD4<Float>

  /// The margin that a blurred picture needs.
  ///
  /// - Parameter radius: Standard deviation in pixels, not negative.
  /// - Returns: Pixels by which the picture grows on each side.
  static func margin(radius: Double) -> Int {
    radius == 0 ? 0 : 3 * (Mean(radius: radius).half + 1)
  }

  /// Blurs a picture; everything beyond its edges counts as transparent.
  ///
  /// - Parameters:
  ///   - picture: Premultiplied; at most `pixelMax` pixels.
  ///   - radius: Standard deviation in pixels, above 0.
  static func blur(_ picture: PixelBuffer, radius: Double) {
    precondition(picture.width * picture.height <= pixelMax, "blur of too large a picture")
    let mean = Mean(radius: radius)
    let (width, height) = (picture.width, picture.height)
    let transposed = UnsafeMutablePointer<Channels>.allocate(capacity: width * height)
    defer { transposed.deallocate() }
    let line = Line(count: max(width, height), margin: mean.half + 1)
    for row in 0..<height {
      let source = picture.pixels + row * width
      for column in 0..<width { line.values[column] = channels(source[column]) }
      line.blur(mean, count: width)
      for column in 0..<width { transposed[column * height + row] = line.values[column] }
    }
    for column in 0..<width {
      line.values.update(from: transposed + column * height, count: height)
      line.blur(mean, count: height)
      store(line.values, into: picture.pixels + column, stride: width, count: height)
    }
  }

  private static func channels(_ pixel: UInt32) -> Channels {
    Channels(
      Float(pixel & 255), Float(pixel >> 8 & 255), Float(pixel >> 16 & 255), Float(pixel >> 24))
  }

  /// Rounds to whole numbers; each pixel's rounding error is added to the next pixel.
  private static func store(
    _ values: UnsafePointer<Channels>, into pixels: UnsafeMutablePointer<UInt32>, stride: Int,
    count: Int
  ) {
    var error = Channels()
    for index in 0..<count {
      let value = values[index]
      // A transparent pixel stays transparent.
      guard value.w > 1e-3 else {
        pixels[index * stride] = 0
        error = Channels()
        continue
      }
      let wanted = value + error
      let alpha = min(max((wanted.w + 0.5).rounded(.down), 0), 255)
      func part(_ channel: Float) -> Float { min(max((channel + 0.5).rounded(.down), 0), alpha) }
      let shown = Channels(part(wanted.x), part(wanted.y), part(wanted.z), alpha)
      error = wanted - shown
      pixels[index * stride] =
        UInt32(shown.x) | UInt32(shown.y) << 8 | UInt32(shown.z) << 16 | UInt32(alpha) << 24
    }
  }

  /// The weights of a running mean of 2 half + 3 pixels.
  private struct Mean {
    /// Pixels on each side with the weight of the middle one.
    let half: Int

    /// Weight of each of these 2 half + 1 pixels.
    let inner: Float

    /// Weight of the two outermost pixels.
    let outer: Float

    /// Its variance is exactly a third of the blur's.
    ///
    /// With L = 2 half + 1 pixels of weight 1 and two of weight a, it is (L half (half + 1) / 3 + 2
    /// a (half + 1)²) / (L + 2 a).
    init(radius: Double) {
      let variance = radius * radius / 3
      let half = ((12 * variance + 1).squareRoot() / 2 - 0.5).rounded(.down)
      let length = 2 * half + 1
      let next = (half + 1) * (half + 1)
      let outer = length * (variance - half * (half + 1) / 3) / (2 * (next - variance))
      self.half = Int(half)
      inner = Float(1 / (length + 2 * outer))
      self.outer = Float(outer / (length + 2 * outer))
    }
  }

  /// Memory for a row or column, with zeros before and after it.
  private final class Line {
    private let storage: UnsafeMutablePointer<Channels>
    private let count: Int
    private let margin: Int

    /// The row or column.
    var values: UnsafeMutablePointer<Channels> { storage + margin }

    init(count: Int, margin: Int) {
      self.count = count
      self.margin = margin
      let room = 2 * (count + 2 * margin)
      storage = .allocate(capacity: room)
      storage.initialize(repeating: Channels(), count: room)
    }

    deinit { storage.deallocate() }

    /// Takes the running mean three times.
    func blur(_ mean: Mean, count: Int) {
      let other = storage + (self.count + 2 * margin) + margin
      // A longer line before this one may have left values here.
      (values + count).update(repeating: Channels(), count: self.count - count)
      (other + count).update(repeating: Channels(), count: self.count - count)
      Self.average(values, into: other, mean, count: count)
      Self.average(other, into: values, mean, count: count)
      Self.average(values, into: other, mean, count: count)
      values.update(from: other, count: count)
    }

    /// Takes the running mean once; the sum is updated from pixel to pixel.
    ///
    ///     to[i] = inner * (from[i - half] + ... + from[i + half])
    ///           + outer * (from[i - half - 1] + from[i + half + 1])
    private static func average(
      _ from: UnsafePointer<Channels>, into to: UnsafeMutablePointer<Channels>, _ mean: Mean,
      count: Int
    ) {
      let half = mean.half
      var sum = Channels()
      for index in -half...half { sum += from[index] }
      for index in 0..<count {
        let (before, after) = (from[index - half - 1], from[index + half + 1])
        to[index] = sum * mean.inner + (before + after) * mean.outer
        sum += after - from[index - half]
      }
    }
  }
}
