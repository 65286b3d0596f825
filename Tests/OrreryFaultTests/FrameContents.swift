// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryFrame
import OrreryMessages
import SwiftProtobuf

/// What every frame of a simulated scene has to hold: a function of the scene's seed and the tick.
///
/// The generation stands in the frame's head, so a frame of an earlier run is never right in a later one.
struct FrameContents {
  let layout: FrameLayout
  let seed: UInt64

  /// One column after the other: some of their values, to be written or read in one go.
  struct Part {
    let column: Int
    let places: Range<Int>
  }

  /// Every column in two halves.
  let parts: [Part]

  /// The encoded description of the scene.
  let staticPart: [UInt8]

  /// The scene's name and its text, which stand in the description.
  let sceneName: String
  let sceneText: String

  init(layout: FrameLayout, seed: UInt64) {
    self.layout = layout
    self.seed = seed
    sceneName = "scene-\(seed % 1000)"
    sceneText = String(repeating: "# \(seed)\n", count: Int(seed % 20))
    var scene = Orrery_SceneLayout()
    scene.scene = sceneName
    scene.source = sceneText
    staticPart = Self.encoded(scene)
    parts = layout.columns.enumerated().flatMap { index, column -> [Part] in
      let count = Int(column.description.valueCount)
      return [
        Part(column: index, places: 0..<count / 2), Part(column: index, places: count / 2..<count),
      ]
    }
  }

  /// A message that holds nothing which could not be encoded.
  static func encoded(_ message: some Message) -> [UInt8] {
    do {
      return try message.serializedBytes()
    } catch {
      preconditionFailure("\(error)")
    }
  }

  /// Each run is a scene from its first tick on.
  func stamp(sequence: UInt64) -> FrameStamp {
    FrameStamp(
      tick: sequence, simTimeNs: sequence * 1_000, publishTimeNs: sequence * 7 + 3,
      stateHash: StableHash.mix(seed ^ sequence))
  }

  func write(_ part: Part, sequence: UInt64, to frame: UnsafeMutableRawPointer) {
    let column = layout.columns[part.column]
    let values = frame + Int(column.valuesOffset)
    for place in part.places {
      let word = word(sequence, part.column, place)
      if column.description.format == .float32 {
        values.storeBytes(of: word, toByteOffset: place * 4, as: UInt32.self)
      } else {
        let half = UInt16(truncatingIfNeeded: word)
        values.storeBytes(of: half, toByteOffset: place * 2, as: UInt16.self)
      }
    }
  }

  /// The whole message.
  func bytes(sequence: UInt64, generation: UInt64) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: Int(layout.frameBytes))
    bytes.withUnsafeMutableBytes { buffer in
      guard let frame = buffer.baseAddress else { return }
      FrameTemplate(layout, generation: generation).write(to: frame)
      for part in parts { write(part, sequence: sequence, to: frame) }
      let stamp = stamp(sequence: sequence)
      for (field, value) in [
        (FrameField.sequence, sequence), (.tick, stamp.tick), (.simTimeNs, stamp.simTimeNs),
        (.publishTimeNs, stamp.publishTimeNs), (.stateHash, stamp.stateHash),
      ] {
        frame.storeBytes(
          of: value.littleEndian, toByteOffset: (Int(field.rawValue) - 1) * 9 + 1, as: UInt64.self)
      }
    }
    return bytes
  }

  private func word(_ sequence: UInt64, _ column: Int, _ place: Int) -> UInt32 {
    UInt32(
      truncatingIfNeeded: StableHash.mix(
        seed ^ sequence << 20 ^ UInt64(column) << 12 ^ UInt64(place)))
  }
}
