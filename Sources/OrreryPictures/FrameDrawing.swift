// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryFrame
import OrreryMessages
import OrreryRender
import OrreryWire

/// Draws frames of one source.
package final class FrameDrawing {
  /// The scene's layout, of which nothing is trusted.
  package let layout: Orrery_SceneLayout

  /// What draws; its picture is the frame that was drawn last.
  package let painter: any FramePainter

  /// Index of each column, by batch and field.
  private let columns: [Key: Int]

  private let values: FloatColumns

  private struct Key: Hashable {
    let batch: Int
    let field: Int
  }

  /// Prepares the painter.
  ///
  /// - Parameters:
  ///   - source: The source of frames.
  ///   - look: How frames are drawn.
  ///   - size: Size of pictures in pixels; nil: the scene's size.
  /// - Throws: `Failure` if the scene cannot be drawn.
  package init(
    _ source: any FrameSource, look: PictureLook = .scene,
    size: (_ layout: Orrery_SceneLayout) -> (width: Int, height: Int)? = { _ in nil }
  ) throws(Failure) {
    let layout = try Failure.of { try source.sceneLayout() }
    self.layout = layout
    columns = Dictionary(
      source.layout.columns.enumerated().map { index, column in
        (Key(batch: Int(column.description.batch), field: Int(column.description.field)), index)
      }, uniquingKeysWith: { first, _ in first })
    values = FloatColumns(source.layout)
    let (width, height) =
      size(layout) ?? (Self.pixels(layout.width), Self.pixels(layout.height))
    do {
      painter = try look.painter(layout: layout, width: width, height: height)
    } catch {
      throw Failure(error)
    }
  }

  /// Draws a frame.
  package func draw(_ frame: FrameView) {
    painter.draw { batch, field in
      columns[Key(batch: batch, field: field.rawValue)].map { values.values($0, in: frame) }
    }
  }

  /// Scene time of a tick, in seconds.
  package func seconds(tick: UInt64) -> Double {
    Double(tick) * Double(layout.rateDenominator) / Double(max(layout.rateNumerator, 1))
  }

  /// A side of the scene in whole pixels; the painter refuses sizes out of its range.
  private static func pixels(_ points: Double) -> Int {
    points.isFinite && points < 1e6 ? max(Int(points.rounded()), 1) : .max
  }
}
