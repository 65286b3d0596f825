// SPDX-License-Identifier: Apache-2.0

import CDots
import OrreryBase

/// Draws batches in which every entity is a dot: 100,000 entities in a millisecond.
///
/// Positions are computed for a block of entities at once. Then each dot is blended over its 4 x 4 pixels, all in one
/// register where the machine has AVX-512. Bound by the caches: a large picture is in the third-level one.
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

  /// Dots for which another thread pays: they take half a millisecond, and starting a thread a twentieth of one.
  private static let threadDotsMin = 50_000

  /// Rows for which another thread pays: the dots at the edges of a band are drawn in a copy of their pixels.
  private static let threadRowsMin = 32

  private static let isa = dots_best_isa()

  /// The number of threads that pays for this number of dots.
  func threadCount(dots count: Int) -> Int {
    max(
      min(Processors.count, count / Self.threadDotsMin, area.height / Self.threadRowsMin), 1)
  }

  /// Draws every entity of a batch whose position is finite and inside the picture.
  ///
  /// - Parameters:
  ///   - batch: The entities; `dots` has the dot of each sprite that they use.
  ///   - count: Entities.
  ///   - threadCount: Threads that draw; the picture does not depend on it.
  func draw(_ batch: dots_batch, count: Int, threadCount: Int) {
    // Every thread reads the batch and writes to rows of its own.
    nonisolated(unsafe) let work = (painter: self, batch: batch)
    BackgroundThread.concurrently(threadCount) { index in
      let area = work.painter.area
      let band = PixelRectangle(
        left: area.left, top: area.top + area.height * index / threadCount, right: area.right,
        bottom: area.top + area.height * (index + 1) / threadCount)
      work.painter.draw(work.batch, count, in: band)
    }
  }

  private func draw(_ batch: dots_batch, _ count: Int, in band: PixelRectangle) {
    if band.isEmpty { return }
    let lead = Float(DotMasks.lead)
    withUnsafePointer(to: batch) { batch in
      withUnsafePointer(to: dots_place(scale: scale, left: left - lead, top: top - lead)) { place in
        withUnsafePointer(to: dots_area(buffer, band)) { area in
          dots_draw(Self.isa, count, batch, place, area)
        }
      }
    }
  }
}

extension dots_area {
  /// A part of a picture.
  init(_ buffer: PixelBuffer, _ part: PixelRectangle) {
    self.init(
      pixels: buffer.pixels, width: buffer.width, left: part.left, top: part.top,
      right: part.right, bottom: part.bottom)
  }
}
