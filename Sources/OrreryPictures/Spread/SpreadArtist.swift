// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryFrame
import OrreryRender
import OrreryWire

/// Draws frames at equal times over a run, and makes one picture of them when it ends.
package final class SpreadArtist: FrameConsumer {
  private let path: String
  private let spread: PictureSpread
  private let source: any FrameSource
  private let drawing: FrameDrawing
  private var keeper: SpreadKeeper<(picture: PixelBuffer, tick: UInt64)>

  /// The frame that is being used, if it was drawn.
  private var drawnTick: UInt64?
  private var lastSequence: UInt64 = 0

  /// Times as many pictures are kept as are wanted, so that times are equal to a sixteenth of a step.
  private static let keptForEach = 8

  /// Bytes of pictures that are kept, at most: fewer are kept of large ones, down to two for each that is wanted.
  private static let keptBytesMax = 256 << 20
  private static let bytesMax = 2 << 30

  /// A picture of a sheet is as wide at least, unless the scene is narrower.
  private static let widthMin = 160.0

  /// Prepares to draw.
  ///
  /// - Parameters:
  ///   - path: The PNG file.
  ///   - spread: What is made of the pictures.
  ///   - size: Size of each picture in pixels; nil: the scene's, and for a sheet as much smaller as it has columns.
  ///   - source: The source of frames.
  ///   - look: How frames are drawn.
  /// - Throws: `Failure` if the scene cannot be drawn, or the pictures are too large to be kept.
  package init(
    path: String, _ spread: PictureSpread, size: PictureSize?, source: any FrameSource,
    look: PictureLook
  ) throws(Failure) {
    (self.path, self.spread, self.source) = (path, spread, source)
    drawing = try FrameDrawing(source, look: look) { layout in
      if let size { return (size.width, size.height) }
      guard case .sheet(let columns, _) = spread, layout.width > 0, layout.height > 0,
        layout.width < 1e6, layout.height < 1e6
      else { return nil }
      let scale = min(max(layout.width / Double(columns), Self.widthMin) / layout.width, 1)
      return (
        max(Int((layout.width * scale).rounded()), 1),
        max(Int((layout.height * scale).rounded()), 1)
      )
    }
    let bytes = drawing.painter.width * drawing.painter.height * 4
    guard bytes * 2 * spread.count <= Self.bytesMax else {
      throw Failure(
        .usage,
        "\(2 * spread.count) pictures of \(drawing.painter.width)x\(drawing.painter.height) pixels are more than "
          + "\(Self.bytesMax >> 30) GiB; --size makes them smaller")
    }
    keeper = SpreadKeeper(
      countMax: spread.count
        * min(max(Self.keptBytesMax / bytes / spread.count, 2), Self.keptForEach))
  }

  /// Draws the frame if it may be wanted; returns whether it was whole.
  package func use(_ frame: FrameView, source: any FrameSource) throws(Failure) -> Bool {
    drawnTick = nil
    if keeper.wants(frame.sequence) {
      drawnTick = frame.stamp().tick
      drawing.draw(frame)
    }
    return source.isWhole(frame)
  }

  /// Keeps the picture.
  package func keep(sequence: UInt64) throws(Failure) {
    lastSequence = sequence
    if let drawnTick { try keepPicture(sequence: sequence, tick: drawnTick) }
  }

  /// Does nothing: the pictures beside the gap are nearest.
  package func miss(_ gap: ClosedRange<UInt64>) throws(Failure) {}

  /// Does nothing.
  package func idle() throws(Failure) {}

  /// Writes the file.
  package func finish(_ account: Losses, simEnded: Bool) throws(Failure) -> [String] {
    try keepLast()
    let pictures = keeper.spread(spread.count)
    guard !pictures.isEmpty else { return [] }
    try Failure.of {
      let result =
        switch spread {
        case .sheet(let columns, _):
          try ContactSheet.compose(
            pictures.map {
              ($0.picture, "\(decimal(drawing.seconds(tick: $0.tick), places: 2)) s")
            },
            columns: columns)
        case .overlay:
          try OnionSkin.compose(pictures.map(\.picture), on: drawing.painter.background)
        }
      try result.writePNG(path: path)
    }
    return [path]
  }

  /// A run of which nothing was seen.
  package var shortfall: Failure? {
    keeper.kept.isEmpty ? Failure(.unmet, "no frame came; \(path) is not written") : nil
  }

  private func keepPicture(sequence: UInt64, tick: UInt64) throws(Failure) {
    let painted = drawing.painter.picture
    let picture = try Failure.of { try PixelBuffer(width: painted.width, height: painted.height) }
    picture.copy(from: painted)
    keeper.keep((picture, tick), sequence: sequence)
  }

  /// Keeps the last frame, too, where the source still has it.
  private func keepLast() throws(Failure) {
    guard let last = keeper.kept.last?.sequence, last < lastSequence else { return }
    let newest: (sequence: UInt64, tick: UInt64)?? = source.frames?.copyNewest { frame in
      drawing.draw(frame)
      return (frame.sequence, frame.stamp().tick)
    }
    if let newest = newest ?? nil, newest.sequence > last {
      try keepPicture(sequence: newest.sequence, tick: newest.tick)
    }
  }
}
