// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase
import OrreryFrame
import OrreryMessages
import OrreryRender
import OrrerySupervisor
import OrreryWire

/// Shows a run on the terminal, as well as that is able to.
///
/// Frames are read as they come. A picture is drawn if the last one was taken, its time has come, and the bytes of the
/// ones before it do not exceed what a slow connection carries.
package final class TerminalArtist: FrameConsumer {
  private let screen: TerminalScreen
  private let source: any FrameSource
  private let look: PictureLook
  private var drawing: FrameDrawing
  private var blocks: HalfBlocks

  /// The picture that is shown, where it is not made of cells.
  private var shown: [UInt32] = []

  /// The newest frame, and the one that is shown.
  private var (newest, pictured): (UInt64, UInt64) = (0, 0)
  private var tick: UInt64 = 0

  /// The newest frame where the source does not keep it.
  private var copy: (room: FrameCopy, view: FrameView)?

  /// Whether the frame that is being used was drawn.
  private var isDrawn = false

  /// When the next picture may be drawn.
  private var nextNs: UInt64 = 0

  /// Pictures that were shown.
  package private(set) var pictureCount = 0

  /// Time between two pictures, at least: 20 a second.
  private static let periodNs: UInt64 = 50_000_000

  /// Bytes a second, at most, in the mean.
  private static let bytesPerSecondMax: UInt64 = 1 << 20

  /// Pixels of a picture that is not made of cells, at most.
  private static let pixelMax = 1_000_000.0

  /// Checks that standard output is a terminal that can be used.
  ///
  /// - Throws: `Failure` that says what is missing.
  package static func check() throws(Failure) { try TerminalScreen.check() }

  /// Takes the terminal's screen.
  ///
  /// - Parameters:
  ///   - source: The source of frames.
  ///   - graphics: How pictures are shown.
  ///   - look: How frames are drawn.
  /// - Throws: `Failure` if the scene cannot be drawn, or there is no screen.
  package init(
    _ source: any FrameSource, graphics: TerminalGraphics, look: PictureLook
  ) throws(Failure) {
    (self.source, self.look) = (source, look)
    // Before the screen is taken: the error of a scene that cannot be drawn stays on the normal screen.
    drawing = try FrameDrawing(source, look: look) { _ in (2, 2) }
    let screen = try TerminalScreen(graphics)
    self.screen = screen
    blocks = HalfBlocks(
      isTrueColor: ["truecolor", "24bit"].contains(Environment.value("COLORTERM") ?? ""),
      isUTF8: TerminalText.isUTF8(Environment.value))
    drawing = try Self.drawing(source, on: screen, look)
  }

  /// Draws the frame if a picture is due; returns whether it was whole.
  package func use(_ frame: FrameView, source: any FrameSource) throws(Failure) -> Bool {
    let frameTick = frame.stamp().tick
    isDrawn = try isDue()
    if isDrawn {
      drawing.draw(frame)
    } else if source.frames == nil, let room = copy?.room ?? FrameCopy(of: source),
      let view = room.take(frame)
    {
      copy = (room, view)
    }
    let isWhole = source.isWhole(frame)
    if isWhole { tick = frameTick }
    return isWhole
  }

  /// Shows the frame if it was drawn.
  package func keep(sequence: UInt64) throws(Failure) {
    newest = sequence
    if isDrawn { try show() }
    look(at: screen)
  }

  /// Does nothing: the picture before the gap stays.
  package func miss(_ gap: ClosedRange<UInt64>) throws(Failure) {}

  /// Shows the newest frame if it was not due when it came, or the screen has changed.
  package func idle() throws(Failure) {
    look(at: screen)
    if try isDue(), pictured == 0 || pictured != newest { try showNewest() }
  }

  /// Shows the last frame, and gives the screen back.
  package func finish(_ account: Losses, simEnded: Bool) throws(Failure) -> [String] {
    screen.close()
    return []
  }
}

extension TerminalArtist {
  /// Whether a picture may be drawn now; prepares for a screen that has changed.
  private func isDue() throws(Failure) -> Bool {
    screen.flush()
    guard screen.isFree, Clock.monotonicNs() >= nextNs else { return false }
    if screen.hasChanged() {
      do throws(Failure) {
        drawing = try Self.drawing(source, on: screen, look)
      } catch {
        screen.close()
        throw error
      }
      blocks.forget()
      (shown, pictured) = ([], 0)
      screen.write(Array("\u{1b}[0m\u{1b}[2J".utf8))
      if screen.graphics == .kitty { screen.write(Array(KittyPicture.removal.utf8)) }
    }
    return true
  }

  private func look(at screen: TerminalScreen) {
    screen.flush()
    // As Ctrl-C: the program ends in order.
    if screen.isEnded() { kill(getpid(), SIGINT) }
  }

  private func showNewest() throws(Failure) {
    if let frames = source.frames {
      let drawn: (sequence: UInt64, tick: UInt64)? = frames.copyNewest { frame in
        drawing.draw(frame)
        return (frame.sequence, frame.stamp().tick)
      }
      guard let drawn else { return }
      (newest, tick) = (max(newest, drawn.sequence), drawn.tick)
    } else if let copy {
      drawing.draw(copy.view)
    } else {
      return
    }
    try show()
  }

  /// Writes the picture that was drawn.
  private func show() throws(Failure) {
    let picture = drawing.painter.picture
    let pixels = UnsafeBufferPointer(start: picture.pixels, count: picture.width * picture.height)
    // Shown at once, by terminals that know how.
    var output = Array("\u{1b}[?2026h".utf8)
    if screen.graphics == .half {
      blocks.paint(pixels, columns: picture.width, into: &output)
    } else if !pixels.elementsEqual(shown) {
      shown = Array(pixels)
      let left = (screen.size.columns - picture.width / screen.size.cellWidth) / 2
      output.add("\u{1b}[1;\(max(left, 0) + 1)H")
      if screen.graphics == .sixel {
        SixelPicture.write(pixels, width: picture.width, into: &output)
      } else {
        KittyPicture.write(png: try Failure.of { try picture.png() }, into: &output)
      }
    }
    let line =
      " \(drawing.layout.run)  \(decimal(drawing.seconds(tick: tick), places: 2)) s  q: end"
    output.add("\u{1b}[0m\u{1b}[\(screen.size.rows);1H")
    output.add(String(line.prefix(screen.size.columns - 1)))
    output.add("\u{1b}[K\u{1b}[?2026l")
    screen.write(output)
    (pictured, pictureCount) = (newest, pictureCount + 1)
    // By the schedule and not from now on: frames come when they come, and 20 a second are wanted in the mean.
    let bytesNs = UInt64(output.count) * 1_000_000_000 / Self.bytesPerSecondMax
    let nowNs = Clock.monotonicNs()
    nextNs = max(nextNs, nowNs - min(nowNs, Self.periodNs)) + max(Self.periodNs, bytesNs)
  }

  /// A painter of pictures that fit on the screen, above its last row.
  private static func drawing(
    _ source: any FrameSource, on screen: TerminalScreen, _ look: PictureLook
  ) throws(Failure) -> FrameDrawing {
    let size = screen.size
    let rows = max(size.rows - 1, 1)
    return try FrameDrawing(source, look: look) { layout in
      if screen.graphics == .half { return (size.columns, rows * 2) }
      let (width, height) = (
        Double(size.columns * size.cellWidth), Double(rows * size.cellHeight)
      )
      let scale = min(
        width / layout.width, height / layout.height,
        (Self.pixelMax / (layout.width * layout.height)).squareRoot())
      return (max(Int(layout.width * scale), 1), max(Int(layout.height * scale), 1))
    }
  }
}
