// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryFrame
import OrreryMessages
import OrreryRender
import OrreryWire

/// What viewers draw of a run, as their own messages: entities as points, named views, and where both stand.
///
/// Pictures are composed while a frame is read in place, up to 30 times a second, and taken once it is known to be
/// whole. They take a tenth of the time at most in live delivery, and nothing of a frame that is about to be
/// overwritten: what is left out for that is counted.
package final class ViewerPictures {
  /// Why there are none; nil: there are.
  package private(set) var fault: String?

  /// What is drawn unless somebody asks for more or less: points of a cloud, and views.
  package static let (pointsUsual, viewsUsual) = (10_000, 200)

  /// Frames whose pictures were left out because there was no time.
  package private(set) var skippedCount: UInt64 = 0

  /// Whether pictures of the frame that is in use were composed.
  package private(set) var isComposed = false

  /// The time of day that is scene time 0, in nanoseconds since 1970; nil before the first frame.
  package var zeroNs: UInt64? { sceneTime?.zeroNs }

  /// The topics of which there are pictures: points, views.
  package let topics: Set<Topic>

  private let source: any FrameSource
  private let points: PointClouds?
  private let views: SceneUpdates?
  private let columns: FrameColumns
  private let costClock: @Sendable () -> UInt64
  private let isLive: Bool

  /// Age of a frame from which on nothing is composed; nil: any.
  private let ageNsMax: UInt64?

  private var limit: RateLimit
  private var sceneTime: SceneTime?

  /// Room for a frame in pieces; made when the first one comes.
  private var copy: FrameCopy?

  /// In live delivery: nothing is composed before this time of `costClock`.
  private var composeFromNs: UInt64 = 0

  /// Pictures of a run.
  ///
  /// - Parameters:
  ///   - source: The run.
  ///   - layout: What its static part says.
  ///   - pointsMax: Points of a cloud, at most; 0: no clouds.
  ///   - viewsMax: Views, at most; 0: none.
  ///   - costClock: Measures what it costs to compose: nanoseconds that never go back.
  package init(
    of source: any FrameSource, _ layout: Orrery_SceneLayout, pointsMax: Int = pointsUsual,
    viewsMax: Int = viewsUsual,
    costClock: @escaping @Sendable () -> UInt64 = Clock.monotonicNs
  ) {
    (self.source, self.costClock) = (source, costClock)
    var (points, views): (PointClouds?, SceneUpdates?)
    do throws(RenderError) {
      if pointsMax > 0, layout.entityCount > 0 {
        points = try PointClouds(layout, pointsMax: pointsMax)
      }
      if viewsMax > 0 { views = try SceneUpdates(layout, viewsMax: viewsMax) }
    } catch {
      fault = "no points and views: the scene cannot be drawn: \(error)"
    }
    (self.points, self.views) = (points, views)
    topics = Set((points == nil ? [] : [.points]) + (views == nil ? [] : [.views]))
    columns = FrameColumns(source.layout, sampling: views == nil ? points?.sampling : nil)
    isLive = source.delivery == .live
    limit = RateLimit(isLive: isLive)
    let tickNs = Double(layout.rateDenominator) * 1e9 / Double(max(layout.rateNumerator, 1))
    ageNsMax = source.overwrittenAfter.map { ticks in
      // A quarter of the time for which a frame stays, and two ticks at least.
      UInt64(min(max(Double(ticks) / 4, 2) * tickNs, 1e18))
    }
  }

  /// Views of the scene that are left out, because there are too many.
  package var leftOutCount: Int { views?.leftOutCount ?? 0 }

  /// One point for this many entities; nil: there are no points.
  package var stride: Int? { points?.stride }
}

extension ViewerPictures {
  /// Composes pictures of a frame that is read in place, if it is their turn.
  ///
  /// - Parameters:
  ///   - frame: The frame.
  ///   - stamp: Its numbers.
  ///   - nowNs: The time of day.
  ///   - wanted: Topics that somebody reads.
  package func use(
    _ frame: FrameView, stamp: FrameStamp, nowNs: UInt64, wanted: Set<Topic> = [.points, .views]
  ) {
    isComposed = false
    guard !wanted.isDisjoint(with: topics), limit.take(simTimeNs: stamp.simTimeNs, nowNs: nowNs)
    else { return }
    let beganNs = costClock()
    let isOld = ageNsMax.map { nowNs > stamp.publishTimeNs &+ $0 } ?? false
    if !isLive || !isOld && beganNs >= composeFromNs {
      compose(frame, wanted: wanted, beganNs: beganNs)
    }
    if !isComposed { skippedCount += 1 }
  }

  /// Composes pictures of a frame whether it is their turn or not.
  package func compose(_ frame: FrameView, wanted: Set<Topic>) {
    compose(frame, wanted: wanted, beganNs: costClock())
  }

  private func compose(_ frame: FrameView, wanted: Set<Topic>, beganNs: UInt64) {
    discard()
    guard let whole = inOnePiece(frame) else { return }
    columns.read(whole)
    if wanted.contains(.points) { points?.compose(columns) }
    if wanted.contains(.views) { views?.compose(columns) }
    isComposed = true
    let doneNs = costClock()
    composeFromNs = doneNs + 9 * (doneNs - min(beganNs, doneNs))
  }

  /// The frame itself, or a copy of one whose columns lie in pieces: the parts of several shards.
  ///
  /// - Returns: Nil if there is no memory for a copy, or if the frame was overwritten meanwhile.
  private func inOnePiece(_ frame: FrameView) -> FrameView? {
    guard frame.pieces.count > 1 else { return frame }
    if copy == nil { copy = FrameCopy(of: source) }
    return copy?.take(frame)
  }

  /// Forgets what was composed: the frame was overwritten meanwhile.
  package func discard() {
    isComposed = false
    points?.discard()
    views?.discard()
  }

  /// Sets scene time 0 by the first frame.
  ///
  /// - Returns: An encoded `foxglove.FrameTransform`, for all of scene time; nil if that was done.
  package func begin(_ stamp: FrameStamp) -> [UInt8]? {
    guard sceneTime == nil else { return nil }
    let time = SceneTime(publishTimeNs: stamp.publishTimeNs, simTimeNs: stamp.simTimeNs)
    sceneTime = time
    return SceneFrame.transform(time).ownBytes
  }

  /// Takes what was composed of a frame that was whole.
  ///
  /// - Parameters:
  ///   - stamp: The frame's numbers.
  ///   - use: Gets each topic's message, in parts.
  /// - Throws: What `use` throws.
  /// - Precondition: `begin` was called.
  package func take<Fault>(
    _ stamp: FrameStamp,
    _ use: (_ topic: Topic, _ parts: [UnsafeRawBufferPointer]) throws(Fault) -> Void
  ) throws(Fault) {
    guard let sceneTime else { preconditionFailure("no scene time yet") }
    isComposed = false
    let time = sceneTime.timestamp(simTimeNs: stamp.simTimeNs)
    try points?.take(time) { (parts) throws(Fault) in try use(.points, parts) }
    try views?.take(time) { (parts) throws(Fault) in try use(.views, parts) }
  }
}
