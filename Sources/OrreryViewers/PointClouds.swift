// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryFrame
import OrreryMessages
import OrreryRender
import SwiftProtobuf

/// Shows where entities are drawn as `foxglove.PointCloud`s.
///
/// Each point has x and y in points of the scene (and z, 0, without which Rerun draws none), its colour, and the number of
/// its entity; of a large scene every so many entities have one. Invisible entities have none.
final class PointClouds {
  private let composer: PointComposer
  private let points: UnsafeMutablePointer<ScenePoint>

  /// Points that were composed and not yet taken.
  private var count: Int?

  /// What every cloud has.
  private let template: Foxglove_PointCloud

  /// Points of one cloud, at most.
  private static let pointsMax = 100_000

  /// - Throws: `RenderError`: a fault of the layout.
  init(_ layout: Orrery_SceneLayout, pointsMax: Int) throws(RenderError) {
    composer = try PointComposer(layout, pointsMax: min(pointsMax, Self.pointsMax))
    points = .allocate(capacity: max(composer.pointsMax, 1))
    var template = Foxglove_PointCloud()
    template.frameID = SceneFrame.name
    template.pose = .atOrigin
    template.pointStride = UInt32(ScenePoint.byteCount)
    template.fields =
      ["x", "y", "z"].enumerated().map { Self.field($1, 4 * $0, .float32) }
      + ["red", "green", "blue", "alpha"].enumerated().map { index, name in
        Self.field(name, 12 + index, .uint8)
      } + [Self.field("entity", 16, .uint32)]
    self.template = template
  }

  deinit { points.deallocate() }

  /// One point for this many entities.
  var stride: Int { composer.stride }

  /// The entities whose values are looked at; nil: any.
  var sampling: FrameColumns.Sampling? {
    composer.sampledFirsts.map { FrameColumns.Sampling(firsts: $0, stride: composer.stride) }
  }

  /// Composes the points of a frame, to be taken or discarded.
  func compose(_ columns: FrameColumns) {
    count = composer.compose(into: points) { columns.column($0, $1) }
  }

  /// Takes the points that were composed: an encoded cloud, in two parts.
  func take<Fault>(
    _ time: Google_Protobuf_Timestamp,
    _ use: (_ parts: [UnsafeRawBufferPointer]) throws(Fault) -> Void
  ) throws(Fault) {
    guard let count else { return }
    self.count = nil
    let data = UnsafeRawBufferPointer(start: points, count: count * ScenePoint.byteCount)
    try start(time, dataBytes: data.count).span.bytes.withUnsafeBytes { (start) throws(Fault) in
      try use([start, data])
    }
  }

  /// All of a cloud but the bytes of its last field, `data`.
  private func start(_ time: Google_Protobuf_Timestamp, dataBytes: Int) -> [UInt8] {
    var cloud = template
    cloud.timestamp = time
    var fields = FieldWriter(cloud.ownBytes)
    fields.append(6, length: dataBytes)
    return fields.bytes
  }

  private static func field(
    _ name: String, _ offset: Int, _ type: Foxglove_PackedElementField.NumericType
  ) -> Foxglove_PackedElementField {
    var field = Foxglove_PackedElementField()
    (field.name, field.offset, field.type) = (name, UInt32(offset), type)
    return field
  }

  /// Forgets the points that were composed: their frame was overwritten meanwhile.
  func discard() { count = nil }
}
