// SPDX-License-Identifier: Apache-2.0

import CKernelTable
import Orrery
import OrreryScene

/// The lanes that show some views: a director sets them between ticks, a batch places them.
///
/// What a view shows is what its lanes show, combined with the polynomials of its transition while it is
/// in one. A view that is not there has opacity 0.
final class ViewLanes: @unchecked Sendable {
  /// What views show, in the order of `Field`'s numbers.
  let fields: [Field]

  /// Whether any view has a transition.
  let hasTransitions: Bool

  /// The tick that is being prepared: from it on, what is set now is seen.
  var tick: UInt64 = 0

  private let plan: ViewsPlan
  private let rate: TickRate
  private let curves: CurveBank
  private let forms: TransitionTable

  /// By field, then by block: field f's block b is `lanes[f * blockCount + b]`.
  @exclusivity(unchecked) private var lanes: [LaneBlock] = []
  private let blockCount: Int

  /// By block; empty if no view has a transition.
  @exclusivity(unchecked) private var away: [LaneBlock] = []
  private var transitions: [TransitionLanes] = []

  /// How far away views are, by view, while they are placed.
  private let awayValues: Column<Float>

  /// Place of each view in its block's `transitions`, plus 1; 0: it is in none.
  private let transitionPlace: Column<Int32>

  /// 1 for each view that is not there.
  private let isHidden: Column<UInt8>

  /// By block: views that are not there; the tick since which it has been unchanged, or `UInt64.max`; and
  /// whether it is in `touched`.
  private let hiddenCount: Column<Int32>
  private let stillSince: Column<UInt64>
  private let isTouched: Column<UInt8>

  /// Blocks in which something was set in this tick.
  @exclusivity(unchecked) private var touched: [Int] = []

  /// Index into `fields` of each channel; -1 where nothing shows it.
  private let fieldIndexes: [Int]

  /// Views as they are at time 0, but all of them there.
  init(_ plan: ViewsPlan, rate: TickRate, curves: CurveBank) {
    let used = ViewFields(plan)
    let count = plan.views.count
    blockCount = Blocks.count(entities: count)
    fieldIndexes = ViewChannel.allCases.map { channel in
      channel.field.flatMap(used.fields.firstIndex) ?? -1
    }
    self.plan = plan
    self.rate = rate
    self.curves = curves
    fields = used.fields
    hasTransitions = used.hasTransitions
    forms = TransitionTable(plan.views)
    awayValues = Column(count: used.hasTransitions ? count : 0, zero: 0)
    transitionPlace = Column(count: used.hasTransitions ? count : 0, zero: 0)
    isHidden = Column(count: count, zero: 0)
    hiddenCount = Column(count: blockCount, zero: 0)
    stillSince = Column(count: blockCount, zero: 0)
    isTouched = Column(count: blockCount, zero: 0)
    touched.reserveCapacity(blockCount)
    reset()
  }

  /// Back to time 0.
  func reset() {
    let count = plan.views.count
    let blocks = 0..<blockCount
    func makeBlock(_ block: Int, base: Double) -> LaneBlock {
      LaneBlock(
        count: Blocks.range(block, entities: count).count, base: base, rate: rate,
        curves: curves, stagger: block)
    }
    tick = 0
    lanes = fields.flatMap { field in
      blocks.map { makeBlock($0, base: Double(field.defaultValue)) }
    }
    away = hasTransitions ? blocks.map { makeBlock($0, base: 0) } : []
    transitions = away.map { _ in TransitionLanes() }
    transitionPlace.values.update(repeating: 0, count: transitionPlace.count)
    isHidden.values.update(repeating: 0, count: count)
    hiddenCount.values.update(repeating: 0, count: blocks.count)
    stillSince.values.update(repeating: 0, count: blocks.count)
    for (view, plan) in plan.views.enumerated() {
      for (property, value) in zip(ViewProperty.allCases, plan.initial)
      where value != property.defaultValue {
        setBase(ViewChannel(property), view, value)
      }
    }
  }

  /// Looks at the blocks in which something was set: whether they move from now on.
  func settle() {
    for block in touched {
      for index in fields.indices { lanes[index * blockCount + block].endPending() }
      if hasTransitions { away[block].endPending() }
      let isMoving =
        fields.indices.contains { lanes[$0 * blockCount + block].isMoving }
        || (hasTransitions && away[block].isMoving)
      stillSince.values[block] = isMoving ? .max : tick
      isTouched.values[block] = 0
    }
    touched.removeAll(keepingCapacity: true)
  }

  /// Since when a block has been unchanged; nil if it changes at every tick.
  func unchangedSince(block: Int) -> UInt64? {
    let since = stillSince.values[block]
    return since == .max ? nil : since
  }
}

// MARK: - What a director sets

extension ViewLanes {
  /// Names a contribution to a lane.
  typealias Handle = LaneBlock.Handle

  /// Sets what a channel of a view shows at rest.
  func setBase(_ channel: ViewChannel, _ view: Int, _ value: Double) {
    lane(channel, view)?._withUnsafeGuaranteedRef {
      $0.setBase(view % Blocks.entityCount, value)
    }
    touch(view)
  }

  /// Begins a contribution; nil if nothing shows the channel.
  func begin(
    _ channel: ViewChannel, _ view: Int, _ motion: LaneMotion, interval: Double
  ) -> Handle? {
    touch(view)
    return lane(channel, view)?._withUnsafeGuaranteedRef {
      $0.begin(view % Blocks.entityCount, motion, interval: interval)
    }
  }

  /// Sets what a channel shows at rest, and begins a contribution that leads there.
  ///
  /// - Parameters:
  ///   - channel: Of the view.
  ///   - view: Its index.
  ///   - start: What it does, with velocities in intervals per second.
  ///   - base: What the channel shows at rest from now on.
  ///   - interval: That minus what it showed before.
  /// - Returns: Nil if nothing shows the channel.
  func begin(
    _ channel: ViewChannel, _ view: Int, _ start: LaneStart, base: Double, interval: Double
  ) -> Handle? {
    touch(view)
    return lane(channel, view)?._withUnsafeGuaranteedRef {
      $0.begin(view % Blocks.entityCount, start, base: base, interval: interval)
    }
  }

  /// Ends a contribution.
  func end(_ channel: ViewChannel, _ view: Int, _ handle: Handle) {
    lane(channel, view)?._withUnsafeGuaranteedRef { $0.endLater(handle) }
    touch(view)
  }

  /// Makes a view visible or not.
  func setHidden(_ view: Int, _ hidden: Bool) {
    guard (isHidden.values[view] > 0) != hidden else { return }
    isHidden.values[view] = hidden ? 1 : 0
    hiddenCount.values[view / Blocks.entityCount] += hidden ? 1 : -1
    touch(view)
  }

  /// Whether a view shows a form.
  func isInTransition(_ view: Int) -> Bool { hasTransitions && transitionPlace.values[view] > 0 }

  /// Sets the half of its transition that a view shows, or none, at identity or when it is gone.
  func setTransition(_ view: Int, _ half: TransitionTable.Half?) {
    guard hasTransitions else { return }
    let (block, place) = (view / Blocks.entityCount, Int(transitionPlace.values[view]))
    if place > 0 {
      transitions[block].remove(at: place - 1)
      transitionPlace.values[view] = 0
      if place - 1 < transitions[block].lanes.count {
        let moved = transitions[block].lanes[place - 1]
        transitionPlace.values[block * Blocks.entityCount + moved] = Int32(place)
      }
    }
    if let form = half.flatMap({ forms.form(view, $0) }) {
      let place = transitions[block].insert(view % Blocks.entityCount, form)
      transitionPlace.values[view] = Int32(place + 1)
    }
    touch(view)
  }

  /// The block that shows a channel of a view; the stage keeps it until it is reset.
  private func lane(_ channel: ViewChannel, _ view: Int) -> Unmanaged<LaneBlock>? {
    let block = view / Blocks.entityCount
    if channel == .away { return hasTransitions ? .passUnretained(away[block]) : nil }
    let index = fieldIndexes[Int(channel.rawValue)]
    return index < 0 ? nil : .passUnretained(lanes[index * blockCount + block])
  }

  private func touch(_ view: Int) {
    let block = view / Blocks.entityCount
    guard isTouched.values[block] == 0 else { return }
    isTouched.values[block] = 1
    touched.append(block)
  }
}

// MARK: - What a batch places

extension ViewLanes {
  /// Computes one block's values; see `Batch.place`.
  func evaluate(
    block: Int, tick: UInt64, kernels: borrowing kernel_table,
    tile: UnsafeMutablePointer<kernel_tile>
  ) {
    let range = Blocks.range(block, entities: plan.views.count)
    for index in fields.indices {
      lanes[index * blockCount + block].evaluate(
        tick: tick, kernels: kernels, into: tile.floats(field: index, tick: 0))
    }
    if hasTransitions, !transitions[block].lanes.isEmpty {
      let values = awayValues.values + range.lowerBound
      away[block].evaluate(tick: tick, kernels: kernels, into: values)
      transitions[block].evaluate(kernels: kernels, away: values) { column($0, tile) }
    }
    if hiddenCount.values[block] > 0, let opacity = column(.opacity, tile) {
      for view in range where isHidden.values[view] > 0 { opacity[view - range.lowerBound] = 0 }
    }
  }

  private func column(
    _ field: Field, _ tile: UnsafeMutablePointer<kernel_tile>
  ) -> UnsafeMutablePointer<Float>? {
    for index in fields.indices where fields[index] == field {
      return tile.floats(field: index, tick: 0)
    }
    return nil
  }
}
