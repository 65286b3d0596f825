// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryBase
import OrreryMessages
import OrreryTrace

/// The first fields of a recorded scene, which stand before everything that is large.
///
/// They are read from the message's first bytes, so that finding out what a trace is of takes no longer for ten million
/// entities than for ten.
package struct SceneHead: Equatable, Sendable {
  /// The scene's name.
  package private(set) var scene = ""
  /// The run's name.
  package private(set) var run = ""
  /// The run's random number.
  package private(set) var generation: UInt64 = 0
  /// Seed of the scene.
  package private(set) var seed: UInt64 = 0
  /// Ticks per second; nil if they are none.
  package private(set) var rate: TickRate?
  /// Entities in a frame.
  package private(set) var entityCount: UInt64 = 0

  /// Bytes of a message that are enough, where names are not longer than a kilobyte together.
  static let byteCount = 2048

  /// Reads the head of an encoded `orrery.SceneLayout`, or of its first bytes.
  init(_ bytes: UnsafeRawBufferPointer) {
    var fields = FieldReader(bytes)
    var (numerator, denominator) = (UInt64(0), UInt64(0))
    while let tag = fields.nextTag, tag.number < Self.firstLarge {
      guard let field = try? fields.next() else { return }
      switch field {
      case (1, .bytes(let range)): scene = String(decoding: bytes[range], as: UTF8.self)
      case (2, .bytes(let range)): run = String(decoding: bytes[range], as: UTF8.self)
      case (3, .fixed64(let word)): generation = word
      case (4, .fixed64(let word)): seed = word
      case (6, .varint(let word)): numerator = word
      case (7, .varint(let word)): denominator = word
      case (12, .fixed64(let word)): entityCount = word
      default: break
      }
    }
    rate = TickRate(numerator: numerator, denominator: denominator)
  }

  /// The field of batches.
  private static let firstLarge = 13
}

/// A run, or one shard of a run, of which an archive has a recording: its scene, and which channels are its own.
package struct RecordedSource: Sendable {
  /// Where its scene is: the first of them, where a split recording repeats it.
  let location: TraceMessageLocation

  /// What the scene says first.
  package let head: SceneHead

  /// Indexes of its files in the archive.
  package private(set) var files: Set<Int>

  /// The metadata `file` of its channels; nil if it has whole files.
  ///
  /// `orrery trace merge` marks the channels of several runs in one file so.
  let mark: String?

  /// Whether a channel is this run's.
  func owns(_ channel: TraceChannel, file: Int) -> Bool {
    files.contains(file) && channel.metadata["file"] == mark
  }

  /// Finds the runs of an archive, in the order of its files.
  ///
  /// - Throws: `TraceError` if a scene that a file's indexes name cannot be read.
  package static func find(in archive: TraceArchive) throws(TraceError) -> [RecordedSource] {
    var sources: [RecordedSource] = []
    for (number, file) in archive.files.enumerated() {
      let scenes = file.channels.filter { $0.value.topic == Topic.scene.rawValue }
        .sorted { $0.key.number < $1.key.number }
      for (id, channel) in scenes {
        guard let location = try first(of: id, file: number, archive) else { continue }
        let head = SceneHead(
          try archive.prefix(of: location, byteCount: SceneHead.byteCount).bytes)
        let mark = channel.metadata["file"]
        if let index = sources.firstIndex(where: {
          $0.head.generation == head.generation && $0.mark == mark
        }) {
          sources[index].files.insert(number)
        } else {
          sources.append(
            RecordedSource(location: location, head: head, files: [number], mark: mark))
        }
      }
    }
    // What of a split recording has no scene of its own is of the only run.
    if sources.count == 1 { sources[0].files = Set(archive.files.indices) }
    return sources
  }

  /// Chunks in which a scene is looked for: it is in the first of a recording, and of what was cut from one.
  private static let chunksMax = 64

  private static func first(
    of channel: TraceChannelID, file: Int, _ archive: TraceArchive
  ) throws(TraceError) -> TraceMessageLocation? {
    for chunk in archive.files[file].chunks.indices.prefix(chunksMax) {
      let all = try archive.locations(file: file, chunk: chunk, topic: Topic.scene.rawValue)
      if let found = all.first(where: { $0.channel == channel }) { return found }
    }
    return nil
  }
}
