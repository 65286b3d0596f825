// SPDX-License-Identifier: Apache-2.0

import OrreryBase

/// A small disc of one colour, ready to be drawn many times.
struct Dot {
  /// Coverage by subpixel position; the masks' owner keeps them alive.
  let masks: UnsafePointer<ChannelPairs>

  /// Premultiplied blue and red, repeated for four pixels.
  let blueRed: ChannelPairs

  /// Premultiplied green and alpha, repeated for four pixels.
  let greenAlpha: ChannelPairs

  /// Its pixels by subpixel position, four rows each, which its maker keeps alive; nil: each dot that is drawn
  /// multiplies colour and mask.
  let rows: UnsafePointer<FourPixels>?

  /// - Parameters:
  ///   - masks: The masks of its radius.
  ///   - pixel: Its premultiplied colour.
  ///   - product: Both multiplied; nil: that is not kept.
  init(masks: DotMasks, pixel: UInt32, pixels product: DotPixels? = nil) {
    self.masks = UnsafePointer(masks.rows)
    rows = product.map { UnsafePointer($0.rows) }
    let pixels = FourPixels(repeating: pixel)
    blueRed = Blending.blueRed(pixels)
    greenAlpha = Blending.greenAlpha(pixels)
  }
}

/// Draws batches in which every entity is a dot: 100,000 entities in a few milliseconds.
///
/// First it computes the positions of a block of entities, eight at a time. Then it blends each dot
/// over its 4 x 4 pixels with one vector per row. Bound by arithmetic: about 80 vector operations
/// a dot, 120 where colour and mask are multiplied for each.
///
/// Many dots are drawn by several threads. Each looks at all dots and draws the rows of its own band
/// of the picture, so that dots keep their order in every pixel.
struct DotPainter {
  /// The picture.
  let buffer: PixelBuffer

  /// Pixels inside the picture; nothing is drawn outside them.
  let area: PixelRectangle

  /// Pixels per point.
  let scale: Float

  /// The pixel position of the scene's left edge.
  let left: Float

  /// The pixel position of the scene's top edge.
  let top: Float

  /// Entities in a block: their positions stay in the first-level cache.
  private static let blockSize = 1024

  /// Marks a dot that is outside of the area.
  private static let outside = Int32.min

  /// Dots for which another thread pays: drawing them takes a millisecond, and a thread starts in a twentieth of one.
  private static let threadDotsMin = 50_000

  /// Rows for which another thread pays: the dots at the edges of a band are drawn pixel by pixel.
  private static let threadRowsMin = 32

  /// The values of a batch's entities; a pointer marked `Shared` has one value for all of them.
  struct Source {
    let count: Int
    let originX: UnsafePointer<Float>
    let originXShared: Bool
    let originY: UnsafePointer<Float>
    let originYShared: Bool
    let x: UnsafePointer<Float>?
    let y: UnsafePointer<Float>?
    let sprites: UnsafePointer<UInt32>
    let spriteShared: Bool
  }

  /// The number of threads that pays for this number of dots.
  func threadCount(dots count: Int) -> Int {
    max(
      min(Processors.count, count / Self.threadDotsMin, area.height / Self.threadRowsMin), 1)
  }

  /// Draws every entity of a batch whose position is finite and inside the picture.
  ///
  /// - Parameters:
  ///   - source: The batch.
  ///   - dots: The dot of each sprite that the batch uses.
  ///   - threadCount: Threads that draw; the picture does not depend on it.
  func draw(_ source: Source, dots: UnsafePointer<Dot>, threadCount: Int) {
    // Every thread reads the batch and writes to rows of its own.
    nonisolated(unsafe) let work = (painter: self, source: source, dots: dots)
    BackgroundThread.concurrently(threadCount) { index in
      let area = work.painter.area
      let band = PixelRectangle(
        left: area.left, top: area.top + area.height * index / threadCount, right: area.right,
        bottom: area.top + area.height * (index + 1) / threadCount)
      work.painter.draw(work.source, work.dots, in: band)
    }
  }

  /// Draws the dots' pixels in a part of the area.
  private func draw(_ source: Source, _ dots: UnsafePointer<Dot>, in area: PixelRectangle) {
    if area.isEmpty { return }
    withUnsafeTemporaryAllocation(of: SIMD8<Int32>.self, capacity: Self.blockSize / 4) { vectors in
      guard let positionsX = vectors.baseAddress else { return }
      let positionsY = positionsX + Self.blockSize / 8
      var start = 0
      while start < source.count {
        let count = min(Self.blockSize, source.count - start)
        computePositions(
          source.originX, source.originXShared, source.x, start, count, offset: left,
          within: area.left..<area.right, into: positionsX)
        computePositions(
          source.originY, source.originYShared, source.y, start, count, offset: top,
          within: area.top..<area.bottom, into: positionsY)
        let wordsX = UnsafeRawPointer(positionsX).assumingMemoryBound(to: Int32.self)
        let wordsY = UnsafeRawPointer(positionsY).assumingMemoryBound(to: Int32.self)
        Self.draw(
          count: count, wordsX, wordsY, source.sprites + (source.spriteShared ? 0 : start),
          source.spriteShared, dots, buffer.pixels, buffer.width, area)
        start += count
      }
    }
  }

  /// Computes the positions of dots' masks on one axis, in sixteenths of a pixel:
  /// ((origin + value) * scale + offset - lead) * 16, rounded; `outside` if no pixel is `within`.
  private func computePositions(
    _ origin: UnsafePointer<Float>, _ originShared: Bool, _ values: UnsafePointer<Float>?,
    _ start: Int, _ count: Int, offset: Float, within pixels: Range<Int>,
    into positions: UnsafeMutablePointer<SIMD8<Int32>>
  ) {
    // Adding 1.5 * 2^23 leaves the rounded sum in a float's low bits.
    let magic: Float = 12_582_912
    let lead = Float(DotMasks.lead)
    let sixteen = Float(DotMasks.phases)
    let (first, last) = (Float(pixels.lowerBound - 4), Float(pixels.upperBound))
    for group in 0..<((count + 7) / 8) {
      let begin = group * 8
      let full = begin + 8 <= count
      var position = SIMD8<Float>(repeating: origin[0])
      if !originShared { position = Self.load(origin + start + begin, full ? 8 : count - begin) }
      if let values {
        position = position + Self.load(values + start + begin, full ? 8 : count - begin)
      }
      let pixel = position * scale + (offset - lead)
      let inside = (pixel .>= first) .& (pixel .<= last)
      let fixed = unsafeBitCast(pixel * sixteen + magic, to: SIMD8<Int32>.self)
      let whole = fixed &- Int32(bitPattern: magic.bitPattern)
      positions[group] = SIMD8(repeating: Self.outside).replacing(with: whole, where: inside)
    }
  }

  @inline(__always)
  private static func load(_ values: UnsafePointer<Float>, _ count: Int) -> SIMD8<Float> {
    if count == 8 { return UnsafeRawPointer(values).loadUnaligned(as: SIMD8<Float>.self) }
    var lanes = SIMD8<Float>()
    for lane in 0..<count { lanes[lane] = values[lane] }
    return lanes
  }

  private static func draw(
    count: Int, _ positionsX: UnsafePointer<Int32>, _ positionsY: UnsafePointer<Int32>,
    _ sprites: UnsafePointer<UInt32>, _ spriteShared: Bool, _ dots: UnsafePointer<Dot>,
    _ pixels: UnsafeMutablePointer<UInt32>, _ width: Int, _ area: PixelRectangle
  ) {
    withUnsafeTemporaryAllocation(of: UInt16.self, capacity: blockSize) { memory in
      guard let inside = memory.baseAddress else { return }
      var insideCount = 0
      // Without a branch: in a band, many dots are outside, in no order.
      for entity in 0..<count {
        inside[insideCount] = UInt16(truncatingIfNeeded: entity)
        let isInside = positionsX[entity] != outside && positionsY[entity] != outside
        insideCount &+= isInside ? 1 : 0
      }
      for index in 0..<insideCount {
        let entity = Int(inside[index])
        draw(
          dots[Int(sprites[spriteShared ? 0 : entity])], x: positionsX[entity],
          y: positionsY[entity], pixels, width, area)
      }
    }
  }

  /// Blends one dot over its 4 x 4 pixels; x and y are as from `computePositions`.
  @inline(__always)
  static func draw(
    _ dot: Dot, x: Int32, y: Int32, _ pixels: UnsafeMutablePointer<UInt32>, _ width: Int,
    _ area: PixelRectangle
  ) {
    let (column, row) = (Int(x >> 4), Int(y >> 4))
    let mask = dot.masks + Int((y & 15) << 4 | (x & 15)) * 4
    guard column >= area.left, column + 4 <= area.right, row >= area.top, row + 4 <= area.bottom
    else { return drawAtEdge(dot, mask, column, row, pixels, width, area) }
    var target = pixels + (row * width + column)
    if let rows = dot.rows {
      let source = rows + Int((y & 15) << 4 | (x & 15)) * 4
      for line in 0..<4 {
        Blending.store(Blending.over(source[line], Blending.load(target)), to: target)
        target += width
      }
      return
    }
    for line in 0..<4 {
      let coverage = mask[line]
      Blending.store(
        Blending.over(
          blueRed: Blending.divide255(dot.blueRed &* coverage),
          greenAlpha: Blending.divide255(dot.greenAlpha &* coverage), Blending.load(target)),
        to: target)
      target += width
    }
  }

  @inline(never)
  private static func drawAtEdge(
    _ dot: Dot, _ mask: UnsafePointer<ChannelPairs>, _ column: Int, _ row: Int,
    _ pixels: UnsafeMutablePointer<UInt32>, _ width: Int, _ area: PixelRectangle
  ) {
    let color = Blending.pixels(blueRed: dot.blueRed, greenAlpha: dot.greenAlpha)[0]
    for y in max(row, area.top)..<max(row, area.top, min(row + 4, area.bottom)) {
      for x in max(column, area.left)..<max(column, area.left, min(column + 4, area.right)) {
        let strength = UInt32(mask[y - row][2 * (x - column)])
        let target = pixels + (y * width + x)
        target.pointee = Blending.over(color, strength: strength, target.pointee)
      }
    }
  }
}
