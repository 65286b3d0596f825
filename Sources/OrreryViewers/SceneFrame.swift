// SPDX-License-Identifier: Apache-2.0

import OrreryMessages
import SwiftProtobuf

/// The frame of coordinates in which points and views stand: points of the scene, y downward.
///
/// A transform on the topic `/orrery/transform` turns it over, so that it is upright in viewers, whose y goes up.
enum SceneFrame {
  /// Its `frame_id`.
  static let name = "scene"

  /// The frame that viewers show.
  static let parent = "world"

  /// The transform, for all of scene time.
  static func transform(_ sceneTime: SceneTime) -> Foxglove_FrameTransform {
    var transform = Foxglove_FrameTransform()
    transform.timestamp = sceneTime.timestamp(simTimeNs: 0)
    (transform.parentFrameID, transform.childFrameID) = (parent, name)
    transform.translation = Foxglove_Vector3()
    // Half a turn about the x axis.
    transform.rotation.x = 1
    return transform
  }
}

extension Message {
  /// The encoded message: one of our own, which has all that it needs.
  package var ownBytes: [UInt8] {
    do {
      return try serializedBytes()
    } catch {
      preconditionFailure("\(error)")
    }
  }
}

extension Foxglove_Pose {
  /// At the origin, not turned.
  static var atOrigin: Foxglove_Pose { Foxglove_Pose(x: 0, y: 0, rotation: 0) }

  /// - Parameters:
  ///   - x: Points.
  ///   - y: Points.
  ///   - rotation: Radians from x to y.
  init(x: Double, y: Double, rotation: Double) {
    self.init()
    (position.x, position.y) = (x, y)
    let (sine, cosine) = HalfTurn.of(rotation)
    (orientation.z, orientation.w) = (sine, cosine)
  }
}
