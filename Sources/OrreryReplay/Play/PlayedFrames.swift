// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryFrame
import OrreryPublisher
import OrreryScene
import OrrerySim

/// A trace's frames for the loop that publishes them, as a sim's world would compute them.
///
/// A frame's index is its recorded sequence. Frames that the trace lacks are left out, and counted.
package final class PlayedFrames: FrameMaker {
  private let archive: FrameArchive

  /// Sequences from the first frame that is played to the last.
  package let frames: Range<UInt64>
  /// The columns of the trace's frames.
  package let frameColumns: [ColumnDescription]
  /// Entities in a frame.
  package let entityCount: Int

  /// The plan that the run is published by: the scene's name, seed, rate and layout.
  package let plan: ScenePlan

  /// Frames between two played ones that the trace does not have.
  package private(set) var skippedCount: UInt64 = 0

  /// Frames of a digest whose computed hash is not the recorded one.
  package private(set) var unprovedCount: UInt64 = 0
  /// The first of them.
  package private(set) var firstUnproved: RecordedFrame?

  /// The frame that was found last.
  private var newest: RecordedFrame
  private let last: RecordedFrame
  private let firstTick: UInt64
  private var target: ((_ place: Int, _ column: Int) -> UnsafeMutableRawPointer)?

  /// Makes a trace's frames ready to be played.
  ///
  /// - Parameters:
  ///   - archive: The trace.
  ///   - times: The part that is played.
  /// - Throws: `Failure`: no frames, or none at that time.
  package init(
    _ archive: FrameArchive, _ times: WantedTimes = WantedTimes()
  ) throws(Failure) {
    self.archive = archive
    let layout = archive.scene
    guard let span = archive.span else {
      throw Failure(archive.archive.statusOfNothing, "\(archive.path): no frames")
    }
    guard let rate = archive.rate else {
      throw Failure(
        .badData,
        "\(archive.path): rate \(layout.rateNumerator)/\(layout.rateDenominator) is none")
    }
    plan = ScenePlan(
      name: layout.scene, seed: layout.seed, rate: rate, batches: [], layout: layout)
    var (first, last) = span
    if !times.isAll {
      let ticks = try times.ticks(rate)
      guard let found = try archive.frame(showing: ticks.lowerBound),
        ticks.contains(found.tick), let end = try archive.last(of: ticks, from: found)
      else { throw archive.noFrameInTimes }
      (first, last) = (found, end)
    }
    (newest, self.last, firstTick) = (first, last, first.tick)
    frames = first.sequence..<last.sequence + 1
    frameColumns = archive.template.layout.columns.map(\.description)
    entityCount = Int(clamping: layout.entityCount)
  }

  /// The instruction set that computes frames; `trace` where they are there.
  package var isa: String { archive.world.map { $0.world.instructionSet.rawValue } ?? "trace" }

  /// Threads that may compute a frame.
  package var threadCount: Int { archive.world?.world.threadCount ?? 1 }

  /// How many did, on average.
  package var threadsMean: Double { archive.world?.world.threadsMean ?? 1 }

  /// Scene time from the first frame that is played to the end of the last, in seconds.
  package var seconds: Double { plan.rate.seconds(tick: last.tick - firstTick + 1) }

  /// The next frame that there is; see `FrameMaker`.
  package func next(from index: UInt64) throws(Failure) -> UInt64 {
    guard index < frames.upperBound, let found = try archive.frame(from: index) else {
      return frames.upperBound
    }
    skippedCount += found.sequence - index
    newest = found
    return found.sequence
  }

  /// The tick of a frame; see `FrameMaker`.
  package func tick(at index: UInt64) -> UInt64 {
    if index == newest.sequence { return newest.tick }
    return index >= frames.upperBound ? last.tick + 1 : newest.tick &+ (index &- newest.sequence)
  }

  /// The frame of a tick; see `FrameMaker`.
  package func index(ofTick tick: UInt64) throws(Failure) -> UInt64 {
    let found = try archive.frame(showing: tick) ?? last
    newest = found
    return min(max(found.sequence, frames.lowerBound), frames.upperBound - 1)
  }

  /// Keeps where values go; see `FrameMaker`.
  package func keepPlaces(
    _ count: Int, streams: Bool,
    column: @escaping (_ place: Int, _ column: Int) -> UnsafeMutableRawPointer
  ) {
    target = column
    archive.world?.keepPlaces(count, streams: streams, column: column)
  }

  /// Fills a frame; see `FrameMaker`.
  package func make(
    _ index: UInt64, place: Int, places: DestinationRun
  ) throws(Failure) -> UInt64 {
    if newest.sequence != index {
      guard let found = try archive.frame(from: index), found.sequence == index else {
        throw Failure(.badData, "\(archive.path): frame \(index) is gone")
      }
      newest = found
    }
    if let world = archive.world {
      let hash = try world.evaluate(newest, places: places)
      if hash != newest.stamp.stateHash { noteUnproved() }
      return hash
    }
    let (bytes, hash) = try archive.content(of: newest)
    if hash != newest.stamp.stateHash { noteUnproved() }
    guard let source = bytes.baseAddress, let target else { return hash }
    for (index, column) in archive.template.layout.columns.enumerated() {
      target(place, index).copyMemory(
        from: source + Int(column.valuesOffset), byteCount: Int(column.valuesBytes))
    }
    return hash
  }

  private func noteUnproved() {
    unprovedCount += 1
    if firstUnproved == nil { firstUnproved = newest }
  }
}
