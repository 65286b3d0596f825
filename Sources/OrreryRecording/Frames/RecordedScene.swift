// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryFrame
import OrreryMessages
import OrreryWire

/// The scene as a trace describes it: what is recorded of it, and how.
enum RecordedScene {
  /// What of a run's frames is recorded.
  ///
  /// - Returns: Nil if it is all.
  /// - Throws: `Failure`: entities that the scene does not have, or too many ranges of them.
  static func selection(
    _ options: RecordingOptions, of source: any FrameSource, _ scene: Orrery_SceneLayout
  ) throws(Failure) -> FrameSelection? {
    guard !options.entities.isEmpty || !options.fields.isEmpty else { return nil }
    return try FrameSelection(
      options, of: source.layout, scene, generation: source.generation)
  }

  /// The scene with the description of the recording.
  ///
  /// - Parameters:
  ///   - whole: The run's scene.
  ///   - options: What is recorded.
  ///   - selection: The recorded part; nil: all.
  ///   - layoutHash: Hash of the recorded columns where their formats are other ones.
  /// - Returns: The scene for the trace.
  static func scene(
    _ whole: Orrery_SceneLayout, _ options: RecordingOptions, _ selection: FrameSelection?,
    layoutHash: UInt64?
  ) -> Orrery_SceneLayout {
    var scene = selection?.scene ?? whole
    if let layoutHash { scene.layoutHash = layoutHash }
    var recording = Orrery_Recording()
    recording.mode = options.mode.rawValue
    recording.every = options.every
    recording.entities = (selection?.entities ?? []).map { range in
      var message = Orrery_EntityRange()
      message.firstEntity = UInt32(range.lowerBound)
      message.entityCount = UInt32(range.count)
      return message
    }
    recording.columns = options.fields.sorted { $0.rawValue < $1.rawValue }
    recording.quantiseBits = options.quantises ? 16 : 0
    recording.delta = options.delta
    recording.runLayoutHash = whole.layoutHash
    recording.runEntityCount = whole.entityCount
    recording.batches = (selection?.batches ?? Array(whole.batches.indices)).map { UInt32($0) }
    if options.mode == .digest {
      recording.isStripped = true
      strip(&scene)
    }
    scene.recording = recording
    return scene
  }

  /// Removes the lists that have a value for each entity: an hour's hashes take less room than a million origins, and
  /// the scene's text gives them again.
  private static func strip(_ scene: inout Orrery_SceneLayout) {
    for index in scene.batches.indices {
      scene.batches[index].originX = []
      scene.batches[index].originY = []
      scene.batches[index].sprites = []
      scene.batches[index].parents = []
    }
  }
}
