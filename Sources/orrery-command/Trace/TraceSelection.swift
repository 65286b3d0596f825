// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrreryBase
import OrreryMessages
import OrreryPublisher
import OrreryRecordingArguments
import OrreryReplay

/// Which entities, properties and times of a trace are wanted.
struct TraceSelection: ParsableArguments {
  @Option(
    parsing: .upToNextOption,
    help: """
      Names, numbers and ranges 3-7, separated by commas or spaces. Default: all entities; a plot needs up to 8.
      """)
  var entity: [String] = []

  @Option(
    help: "Properties, as x,y,opacity,scale,rotation,blur. Default: those of the trace.",
    transform: FieldList.parse)
  var columns: FieldList?

  @OptionGroup var times: TraceTimes

  /// Numbers of the entities; nil: all.
  func entities(_ archive: FrameArchive) throws(Failure) -> [Int]? {
    guard !entity.isEmpty else { return nil }
    return try EntityList(
      entity, names: EntityNames(archive.scene), entityCount: archive.entityEnd
    ).numbers
  }

  /// Ticks of the first and of the last frame.
  func ticks(_ archive: FrameArchive) throws(Failure) -> ClosedRange<UInt64> {
    guard let rate = archive.rate else {
      throw Failure(.badData, "\(archive.path): the scene has no valid rate")
    }
    return try times.wanted.ticks(rate)
  }
}
