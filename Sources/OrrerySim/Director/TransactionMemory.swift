// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryScene

/// What the transactions of a director share or point to: each animation once, and their actions.
///
/// It lives as long as its director, so a change counts no references.
final class TransactionMemory {
  /// Names an animation.
  typealias Index = Int32

  /// Not checked for overlapping accesses, as `Director.state`: nothing is called while it changes.
  @exclusivity(unchecked) private var animations: [SharedAnimation.Address] = []
  private var known: [Animation: SharedAnimation.Address] = [:]

  /// Actions lie one after another in chunks; those of a transaction are in one chunk.
  private var chunks: [UnsafeMutablePointer<ActionPlan>] = []
  private var room: Range<Int> = 0..<0

  private static let chunkCount = 4096

  private let plan: ViewsPlan
  private let channels: ViewChannels

  init(_ plan: ViewsPlan, channels: ViewChannels) { (self.plan, self.channels) = (plan, channels) }

  deinit {
    for animation in animations {
      animation.pointee.tween.deallocate()
      animation.deinitialize(count: 1)
      animation.deallocate()
    }
    for chunk in chunks { chunk.deallocate() }
  }

  subscript(index: Index) -> SharedAnimation.Address { animations[Int(index)] }

  /// The shared values of an animation; nil for none, or if it has no closed form: then values jump.
  func shared(_ animation: Animation?) -> SharedAnimation.Address? {
    guard let animation else { return nil }
    if let shared = known[animation] { return shared }
    guard let course = animation.course() else { return nil }
    let shared = SharedAnimation.Address.allocate(capacity: 1)
    shared.initialize(to: SharedAnimation(animation, course, index: Index(animations.count)))
    animations.append(shared)
    known[animation] = shared
    return shared
  }

  /// Whether an action names things that exist, and changes a channel that a column shows.
  func isPossible(_ action: ActionPlan) -> Bool {
    switch action {
    case .set(let view, let property, _):
      return plan.views.indices.contains(view) && channels[ViewChannel(property)] != nil
    case .show(let view), .hide(let view), .toggle(let view), .destroy(let view):
      return plan.views.indices.contains(view) && channels[.opacity] != nil
    case .tap(let accordion, let row):
      return plan.accordions.indices.contains(accordion)
        && plan.accordions[accordion].panels.indices.contains(row)
    }
  }

  /// Keeps a transaction as it runs, without the actions that are not possible.
  func prepare(_ transaction: TransactionPlan) -> PreparedTransaction {
    PreparedTransaction(
      actions: keep(transaction.actions.filter(isPossible)),
      animation: shared(transaction.animation),
      completion: transaction.completion, isRemoval: transaction.criteria == .removed)
  }

  private func keep(_ actions: [ActionPlan]) -> UnsafeBufferPointer<ActionPlan> {
    if room.count < actions.count {
      let count = max(actions.count, Self.chunkCount)
      chunks.append(.allocate(capacity: count))
      room = 0..<count
    }
    guard let chunk = chunks.last else { return UnsafeBufferPointer(start: nil, count: 0) }
    let kept = chunk + room.lowerBound
    for (index, action) in actions.enumerated() { (kept + index).initialize(to: action) }
    room = room.lowerBound + actions.count..<room.upperBound
    return UnsafeBufferPointer(start: kept, count: actions.count)
  }
}

/// An animation, and the values that its motions share if they begin at the same time in channels at rest.
struct SharedAnimation {
  /// Valid as long as its `TransactionMemory`.
  typealias Address = UnsafeMutablePointer<SharedAnimation>

  let animation: Animation
  let course: AnimationCourse

  /// Its index in `TransactionMemory`.
  let index: TransactionMemory.Index

  /// The start time of the motions to which the values below belong, in seconds.
  private(set) var time = Double.nan

  /// When the motions end, and when they are logically complete, in seconds.
  private(set) var end = 0.0
  private(set) var logicalEnd = 0.0

  /// Their start in lanes, with velocities in intervals per second; nil if they need histories.
  private(set) var laneStart: LaneStart? {
    didSet {
      isTween = false
      if case .tween(let start, isReversed: false)? = laneStart?.kind, start.entry != nil {
        isTween = true
        tween.initialize(to: start)
      }
    }
  }

  /// Whether that is a tween with a table, from the first value to the last one, and that tween: a burst begins many.
  private(set) var isTween = false
  let tween = UnsafeMutablePointer<TweenStart>.allocate(capacity: 1)

  /// The options of their episodes.
  private(set) var options: Episode.Options = []

  /// How it takes over; nil if only a history knows.
  let takingSpring: TakingSpring?

  /// Whether its motions move on after their end.
  let movesAtEnd: Bool

  /// As in `AnimationCourse`.
  let isPlainCurve: Bool

  /// Legs shorter than this are not recorded, in seconds.
  static let legMin = 1e-4

  init(_ animation: Animation, _ course: AnimationCourse, index: TransactionMemory.Index) {
    self.animation = animation
    self.course = course
    self.index = index
    takingSpring = TakingSpring(animation, course)
    movesAtEnd = course.movesAtEnd
    isPlainCurve = course.isPlainCurve
  }

  /// Computes the shared values of motions that begin at a time.
  mutating func setStart(_ time: Double, _ segments: LaneSegments, recordsEvents: Bool) {
    if self.time == time { return }
    self.time = time
    (end, logicalEnd) = (time + course.end, time + course.logicalEnd)
    laneStart = nil
    // Several legs are recorded one by one, with a history. A motion that ends at once shows nothing.
    guard end > time, !recordsEvents || course.legCount == 1 else { return }
    let segment = segments.segment(of: course, from: time)
    guard segment.end == .infinity else { return }
    laneStart = LaneStart(segment.motion, rate: segments.rate)
    options = logicalEnd == end ? .completesAtEnd : []
    if movesAtEnd { options.insert(.movesAtEnd) }
    if recordsEvents, end < .infinity, end - time >= Self.legMin { options.insert(.recordsLeg) }
  }
}
