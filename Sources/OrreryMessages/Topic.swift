// SPDX-License-Identifier: Apache-2.0

/// The topics that Orrery records, by the names of their channels; docs/reference/trace.md says what each has.
package enum Topic: String, CaseIterable, Sendable {
  /// The scene's static part.
  case scene = "/orrery/scene"
  /// Whole frames, or keyframes.
  case frames = "/orrery/frames"
  /// What changed since the frame before.
  case deltas = "/orrery/deltas"
  /// Hashes of frames.
  case digests = "/orrery/digests"
  /// Frames that the recorder missed.
  case loss = "/orrery/loss"
  /// What happened to views.
  case events = "/orrery/events"
  /// What each tick took.
  case timings = "/orrery/timings"
  /// The recorder's counts.
  case statistics = "/orrery/statistics"
  /// Entities as points, for viewers.
  case points = "/orrery/points"
  /// Named views, for viewers.
  case views = "/orrery/views"
  /// Where points and views stand, for viewers.
  case transform = "/orrery/transform"
  /// Lines of the recorder's log.
  case log = "/orrery/log"

  /// How every name begins; no topic of another program does.
  package static let prefix = "/orrery/"

  /// How messages are encoded, and how a schema describes them: MCAP's name of both.
  package static let encoding = "protobuf"

  /// Full name of the topic's messages.
  package var schemaName: String {
    switch self {
    case .scene: "orrery.SceneLayout"
    case .frames: "orrery.Frame"
    case .deltas: "orrery.DeltaFrame"
    case .digests: "orrery.Digests"
    case .loss: "orrery.Loss"
    case .events: "orrery.Events"
    case .timings: "orrery.Timings"
    case .statistics: "orrery.Statistics"
    case .points: "foxglove.PointCloud"
    case .views: "foxglove.SceneUpdate"
    case .transform: "foxglove.FrameTransform"
    case .log: "foxglove.Log"
    }
  }

  /// The `google.protobuf.FileDescriptorSet` that has the messages: ours, or that of what viewers draw.
  package var descriptorSet: [UInt8] {
    switch self {
    case .points, .views, .transform, .log: MessageSchema.viewerDescriptorSet
    default: MessageSchema.descriptorSet
    }
  }
}
