// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryFrame
import OrreryRender
import OrreryWire

/// The picture of the frame that a run shows now.
///
/// A run of this machine, of one sim or of shards, is only looked at: its newest frame is drawn from the ring, and the
/// run is not joined, so that a run in lockstep waits for nobody. From another machine the newest frame is sent.
package struct PresentPicture {
  /// Number of the frame.
  package let sequence: UInt64

  /// The frame's tick and times.
  package let stamp: FrameStamp

  private let drawing: FrameDrawing

  /// Draws the newest frame.
  ///
  /// - Parameters:
  ///   - location: Where the run is.
  ///   - waitSeconds: How long to wait for a run that is not there yet.
  ///   - timeoutSeconds: How long to wait for a frame.
  /// - Throws: `Failure` if there is no such run, it has no frame, or the scene cannot be drawn.
  package init(
    _ location: RunLocation, waitSeconds: Double, timeoutSeconds: Double
  ) throws(Failure) {
    let deadlineNs = Clock.monotonicNs() + UInt64((waitSeconds + timeoutSeconds) * 1e9)
    var result: (sequence: UInt64, stamp: FrameStamp)?
    drawing = try Failure.of {
      let joiner = RunJoiner(
        program: "snapshot", location: location, reading: .newest,
        joining: ShardJoining(mergesBatches: true, leadSeconds: 0.2),
        // A sim of another machine is heard a little later than it is asked.
        waitSeconds: location.isRemote ? timeoutSeconds : waitSeconds)
      let visit = try joiner.visit()
      let drawing = try FrameDrawing(visit.source)
      func draw(_ frame: FrameView) {
        drawing.draw(frame)
        result = (frame.sequence, frame.stamp())
      }
      var isLate: Bool { Clock.monotonicNs() >= deadlineNs || StopSignals.count > 0 }
      if let frames = visit.source.frames {
        while frames.copyNewest(draw) == nil, !isLate {
          Clock.sleep(untilMonotonicNs: Clock.monotonicNs() + Self.pollNs)
        }
        return drawing
      }
      let subscription = try visit.join()
      while result == nil, !isLate {
        let event = subscription.next(timeoutNs: 100_000_000) { frame in
          draw(frame)
          return subscription.source.isWhole(frame)
        }
        switch event {
        case .frame, .idle: break
        case .missed: result = nil
        case .ended, .simDied, .dropped:
          if result == nil { throw Failure(.unavailable, "\(location) has ended") }
        }
      }
      return drawing
    }
    guard let result else {
      throw Failure(.unavailable, "\(location) has shown no frame in \(timeoutSeconds) s")
    }
    (sequence, stamp) = result
  }

  /// Time between two polls for the first frame.
  private static let pollNs: UInt64 = 20_000_000

  /// The picture's size in pixels.
  package var size: (width: Int, height: Int) { (drawing.painter.width, drawing.painter.height) }

  /// Writes the picture.
  ///
  /// - Parameter path: The file; it is replaced if it exists.
  /// - Throws: `Failure` if it cannot be written.
  package func write(to path: String) throws(Failure) {
    try Failure.of { try drawing.painter.writePNG(path: path) }
  }
}
