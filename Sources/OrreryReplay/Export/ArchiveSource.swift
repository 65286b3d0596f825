// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryFrame
import OrreryPictures
import OrreryWire

/// A trace as the renderer's part sees a run: frames that stay, one at a time.
final class ArchiveSource: FrameSource {
  let layout: FrameLayout
  let staticPart: UnsafeRawBufferPointer
  let generation: UInt64
  let delivery = Delivery.lockstep
  let overwrittenAfter: UInt64? = nil
  let frames: (any FrameRing)? = nil

  private let memory: UnsafeMutableRawBufferPointer

  /// - Throws: `Failure` if the scene cannot be encoded.
  init(_ archive: FrameArchive) throws(Failure) {
    let bytes: [UInt8]
    do {
      bytes = try archive.scene.serializedBytes()
    } catch {
      throw Failure(.badData, "\(archive.path): the scene cannot be encoded: \(error)")
    }
    memory = .allocate(byteCount: max(bytes.count, 1), alignment: 64)
    memory.copyBytes(from: bytes)
    staticPart = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(memory)[..<bytes.count])
    layout = archive.template.layout
    generation = archive.scene.generation
  }

  deinit { memory.deallocate() }

  func isWhole(_ view: FrameView) -> Bool { true }
}

/// Draws a trace's frames as the renderer draws those of a run: one picture, or a video of all.
package enum PictureExport {
  /// Draws.
  ///
  /// - Parameters:
  ///   - archive: The trace.
  ///   - outputs: Where pictures go; of a single picture, the tick is `ticks`' first.
  ///   - size: In pixels; nil: the scene's.
  ///   - ticks: Ticks of the first and of the last frame that is drawn.
  ///   - every: Each so many frames one is drawn.
  ///   - progress: Called with each frame's number; true ends the export.
  /// - Returns: Frames that were drawn, pictures that the output has, files, and what the user should know of them.
  /// - Throws: `Failure`.
  package static func run(
    _ archive: FrameArchive, _ outputs: PictureOutputs, size: PictureSize?,
    ticks: ClosedRange<UInt64>, every: UInt64,
    progress: (_ sequence: UInt64) -> Bool = { _ in false }
  ) throws(Failure) -> (frames: UInt64, pictures: UInt64, files: [String], notices: [String]) {
    let source = try ArchiveSource(archive)
    var notices: [String] = []
    let artist = try Artist(outputs, size: size, source: source, noting: { notices.append($0) })
    notices += artist.notices
    // Frames are copied to where their columns begin at multiples of 64.
    let memory = ReplayFrames(archive.template, wanted: 2)
    var (count, seen) = (UInt64(0), UInt64(0))
    var next = try archive.frame(showing: ticks.lowerBound)
    while let frame = next, ticks.contains(frame.tick) {
      if seen % every == 0 {
        _ = try archive.write(frame, to: memory.frame(0))
        frame.stamp.write(sequence: frame.sequence, to: memory.frame(0))
        count += 1
        _ = try artist.use(FrameView(sequence: count, bytes: memory.bytes(0)), source: source)
        try artist.keep(sequence: count)
        if progress(frame.sequence) { break }
      }
      seen += 1
      if outputs.png != nil, !outputs.drawsEvery { break }
      next = try archive.frame(from: frame.sequence + 1)
    }
    guard count > 0 else { throw archive.noFrameInTimes }
    let files = try artist.finish(Losses(joinedAfter: 0), simEnded: true)
    if let shortfall = artist.shortfall { throw shortfall }
    return (count, artist.videoCount ?? count, files, notices)
  }
}
