// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import OrreryFrame
import OrreryMessages
import OrreryPictures
import OrreryRender
import OrreryWire
import TestSupport

/// A ring whose frames show two boxes, each at another place in every frame; and what an artist should make of them.
final class Studio {
  /// Where files go.
  let base: TemporaryBase

  let writer: FrameWriter

  /// The source of an artist's frames.
  let reader: FrameReader

  private let layout: Orrery_SceneLayout

  /// Makes a ring of four slots: `rate` is ticks in so many seconds, `size` the scene's in points.
  init(
    rate: (UInt64, UInt64) = (60, 1), size: (Double, Double) = (64, 48),
    staticPart: [UInt8]? = nil
  ) throws {
    base = try TemporaryBase()
    layout = Self.layout(rate, size)
    // Not in the order of batches and fields: the description says which is which.
    let columns = [(1, 2), (0, 1), (1, 1)].map { batch, field in
      ColumnDescription(
        batch: UInt32(batch), field: UInt32(field), firstEntity: UInt32(batch), valueCount: 1)
    }
    writer = try FrameWriter(
      layout: FrameLayout(columns: columns), slotCount: 4,
      staticPart: try staticPart ?? layout.serializedBytes(), generation: 1, delivery: .live)
    reader = try FrameReader(descriptor: writer.descriptor, segmentBytes: writer.segmentBytes)
  }

  private static func layout(_ rate: (UInt64, UInt64), _ size: (Double, Double))
    -> Orrery_SceneLayout
  {
    var layout = Orrery_SceneLayout()
    (layout.rateNumerator, layout.rateDenominator) = rate
    (layout.width, layout.height) = size
    layout.background = 0x1014_18FF
    layout.sprites = ([0xFF00_00FF, 0x00FF_00FF] as [UInt32]).map { color in
      var element = Orrery_Element()
      (element.box.width, element.box.height) = (6, 6)
      element.box.color = color
      var sprite = Orrery_Sprite()
      sprite.elements = [element]
      return sprite
    }
    layout.batches = [[Orrery_Field.x], [.y, .x]].enumerated().map { index, fields in
      var batch = Orrery_Batch()
      batch.firstEntity = UInt32(index)
      batch.entityCount = 1
      batch.fields = fields
      batch.originX = [4]
      batch.originY = [4]
      batch.sprites = [UInt32(index)]
      return batch
    }
    return layout
  }

  /// The columns' values in a frame, as they lie in it.
  private static func values(_ sequence: UInt64) -> [Float] {
    [Float(sequence) + 10, Float(sequence) * 2, Float(sequence) * 3]
  }

  /// Publishes the next frame, of that tick or of its own number.
  func publish(tick: UInt64? = nil) {
    let frame = writer.claim().memory
    let sequence = writer.sequence + 1
    for (column, value) in zip(writer.layout.columns, Self.values(sequence)) {
      frame.storeBytes(of: value, toByteOffset: Int(column.valuesOffset), as: Float.self)
    }
    writer.publish(
      FrameStamp(tick: tick ?? sequence, simTimeNs: 0, publishTimeNs: 0, stateHash: 0))
  }

  /// Finds a frame that was published.
  func frame(_ sequence: UInt64) -> FrameView? {
    guard case .frame(let view) = reader.acquire(sequence) else { return nil }
    return view
  }

  /// Publishes a frame and lets the artist draw it and keep it.
  ///
  /// - Returns: What the artist said of it.
  @discardableResult
  func show(_ artist: Artist, tick: UInt64? = nil) throws -> Bool {
    publish(tick: tick)
    let sequence = writer.sequence
    guard let view = frame(sequence) else { return false }
    let isWhole = try artist.use(view, source: reader)
    try artist.keep(sequence: sequence)
    return isWhole
  }

  /// The PNG of a frame, drawn apart from the artist.
  func picture(_ sequence: UInt64, width: Int = 64, height: Int = 48) throws -> Data? {
    let painter = try ScenePainter(layout: layout, width: width, height: height)
    let values = Self.values(sequence)
    values.withUnsafeBufferPointer { values in
      painter.draw { batch, field in
        switch (batch, field) {
        case (1, .y): UnsafeBufferPointer(rebasing: values[0..<1])
        case (0, .x): UnsafeBufferPointer(rebasing: values[1..<2])
        case (1, .x): UnsafeBufferPointer(rebasing: values[2..<3])
        default: nil
        }
      }
    }
    let path = base.path + "/expected-\(sequence).png"
    try painter.writePNG(path: path)
    defer { try? FileManager.default.removeItem(atPath: path) }
    return FileManager.default.contents(atPath: path)
  }

  /// What a file of the studio's holds.
  func file(_ name: String) -> Data? {
    FileManager.default.contents(atPath: base.path + "/" + name)
  }

  /// Names in a folder of the studio's.
  func names(in folder: String = "") throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: base.path + "/" + folder).sorted()
  }

  /// A program that keeps what an encoder is given, as the video.
  func keepingEncoder() throws -> String {
    let path = base.path + "/encoder"
    let script = "#!/bin/sh\nfor last; do :; done\nexec cat > \"${last#file:}\"\n"
    try script.write(toFile: path + ".sh", atomically: false, encoding: .utf8)
    // Another process writes what will be run: nobody can run a file that is open for writing, and a child that
    // another test starts just now would hold ours open for a while.
    _ = try output(of: "install", ["-m", "755", path + ".sh", path])
    return path
  }

  /// When the pictures of a video are shown, in microseconds from its start: what stands in the stream that a
  /// `keepingEncoder` was given.
  func timesUs(_ name: String) -> [UInt64] {
    let bytes = [UInt8](file(name) ?? Data())
    let cluster: [UInt8] = [0x1f, 0x43, 0xb6, 0x75]
    func number(_ offset: Int, _ count: Int) -> UInt64 {
      (0..<count).reduce(0) { $0 << 8 | UInt64(bytes[offset + $1]) }
    }
    var offset = 0
    while offset + 4 <= bytes.count, Array(bytes[offset..<offset + 4]) != cluster { offset += 1 }
    var times: [UInt64] = []
    // Identifier, length in eight bytes, and the time: identifier, length in eight bytes, eight bytes.
    while offset + 29 <= bytes.count, Array(bytes[offset..<offset + 4]) == cluster {
      times.append(number(offset + 21, 8))
      offset += 12 + Int(number(offset + 5, 7))
    }
    return times
  }
}
