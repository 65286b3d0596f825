// SPDX-License-Identifier: Apache-2.0

/// The ring's protocol written out as single loads and stores, to be run in every order that the
/// fences allow.
///
/// Each side is a set of steps with a partial order: a step may happen once the steps it waits for have
/// happened. What is not ordered by a release, an acquire or a fence may happen in any order, as on a
/// processor that reorders. Stores to one word keep their order.
///
///     writer, frame n, looking a frames ahead  reader, frame n
///       begin = n … n + a (relaxed)              E = end         (acquire)
///       ── fence ──                              L = place       (relaxed)
///       place = another    (relaxed)             B = begin, data… at L (relaxed, plain)
///       data… = n, there   (plain)               ── acquire fence ──
///       end = n            (release)             C = begin       (relaxed)
///
/// A frame is accepted when E, B and C are n; `published` decides nothing but whether to wait. With look-ahead the
/// data of frame n may be stored at any time from the fence of frame n − a on: more orders than any one
/// writer has. Where a ring moves, each slot has two places that its frames use in turn, as if all were pinned.
struct RingModel {
  /// What a fault leaves out, to see that the search finds what it must.
  enum Fault: CaseIterable {
    case writerHasNoFence
    case writerPublishesBeforeTheData
    case writerMarksOnlyTheNextSlot
    case writerMovesBeforeTheFence
    case readerHasNoFence
    case readerDoesNotLookAgain
  }

  let slots: Int
  let words: Int
  let frames: Int
  var ahead = 0
  var moves = false
  var fault: Fault?

  /// What an exhaustive search found.
  struct Outcome: Equatable {
    var states = 0
    var accepted = 0
    var refused = 0
    var torn = 0
  }

  /// A step of the writer: what it stores where, and the steps that come first.
  private struct Store {
    let location: Int
    let value: UInt8
    let after: UInt64
  }

  /// A step of the reader: what it loads, and the steps that come first.
  private struct Load {
    let location: Int
    let after: UInt64
  }

  private func begin(_ slot: Int) -> Int { slot * 3 }
  private func end(_ slot: Int) -> Int { begin(slot) + 1 }
  private func place(_ slot: Int) -> Int { begin(slot) + 2 }

  /// Place 0 of a slot, or 1.
  private func data(_ slot: Int, _ place: Int, _ word: Int) -> Int {
    slots * 3 + (slot * 2 + place) * words + word
  }

  /// The place that a frame's slot has for it.
  private func place(of frame: Int) -> Int { moves ? frame / slots % 2 : 0 }

  private func stores() -> [Store] {
    var stores: [Store] = []
    func append(_ location: Int, _ value: UInt8, after: UInt64) {
      let earlier = stores.indices.filter { stores[$0].location == location }
      stores.append(Store(location: location, value: value, after: after | Self.mask(earlier)))
    }
    // Steps before the fence of each frame so far: everything later comes after them.
    var fences: [UInt64] = [0]
    var marked = 0
    for frame in 1...frames {
      let (slot, value) = (frame % slots, UInt8(frame))
      for next in (marked + 1)...(fault == .writerMarksOnlyTheNextSlot ? frame : frame + ahead) {
        append(begin(next % slots), UInt8(next), after: fences[frame - 1])
        marked = next
      }
      let isMovedEarly = fault == .writerMovesBeforeTheFence
      let unfenced = fences[frame - 1]
      if moves, isMovedEarly { append(place(slot), UInt8(place(of: frame)), after: unfenced) }
      let isFenced = fault != .writerHasNoFence
      fences.append(isFenced ? Self.mask(Array(stores.indices)) : fences[frame - 1])
      let early = fences[max(frame - ahead, 1)]
      if moves, !isMovedEarly { append(place(slot), UInt8(place(of: frame)), after: early) }
      for word in 0..<words { append(data(slot, place(of: frame), word), value, after: early) }
      let released = Self.mask(Array(stores.indices))
      let isEarly = fault == .writerPublishesBeforeTheData
      append(end(slot), value, after: isEarly ? fences[frame] : released)
    }
    return stores
  }

  /// End, place and begin, the data, and begin again.
  private func loads(of frame: Int) -> [Load] {
    let slot = frame % slots
    var loads = [
      Load(location: end(slot), after: 0), Load(location: place(slot), after: 0b1),
      Load(location: begin(slot), after: 0b1),
    ]
    for word in 0..<words { loads.append(Load(location: data(slot, 0, word), after: 0b11)) }
    let all = Self.mask(Array(loads.indices))
    loads.append(
      Load(location: begin(slot), after: fault == .readerHasNoFence ? 0b1 : all))
    return loads
  }

  private static func mask(_ steps: [Int]) -> UInt64 {
    steps.reduce(0) { $0 | 1 << UInt64($1) }
  }

  /// Where a search has come: the writer's steps done decide the memory.
  private struct State: Hashable {
    var stored: UInt64 = 0
    var loaded: UInt64 = 0
    var values: [UInt8]
  }

  /// Runs the writer and one reader of this frame in every order.
  func explore(readerOf frame: Int) -> Outcome {
    let (stores, loads) = (stores(), loads(of: frame))
    var outcome = Outcome()
    var seen: Set<State> = []
    var open = [State(values: [UInt8](repeating: 0, count: loads.count))]
    while let state = open.popLast() {
      guard seen.insert(state).inserted else { continue }
      outcome.states += 1
      if state.loaded == Self.mask(Array(loads.indices)) {
        judge(state.values, frame: frame, &outcome)
        continue
      }
      for (step, store) in stores.enumerated()
      where state.stored >> UInt64(step) & 1 == 0 && store.after & ~state.stored == 0 {
        var next = state
        next.stored |= 1 << UInt64(step)
        open.append(next)
      }
      for (step, load) in loads.enumerated()
      where state.loaded >> UInt64(step) & 1 == 0 && load.after & ~state.loaded == 0 {
        var next = state
        next.loaded |= 1 << UInt64(step)
        let isData = (3..<(3 + words)).contains(step)
        let location = load.location + (isData ? Int(state.values[1]) * words : 0)
        next.values[step] = memory(location, stores, state.stored)
        open.append(next)
      }
    }
    return outcome
  }

  /// Stores to one word keep their order, so the newest of those done is what it holds.
  private func memory(_ location: Int, _ stores: [Store], _ stored: UInt64) -> UInt8 {
    var value: UInt8 = 0
    for (step, store) in stores.enumerated()
    where store.location == location && stored >> UInt64(step) & 1 == 1 { value = store.value }
    return value
  }

  private func judge(_ values: [UInt8], frame: Int, _ outcome: inout Outcome) {
    let expected = UInt8(frame)
    let seesAgain = fault == .readerDoesNotLookAgain || values[values.count - 1] == expected
    guard values[0] == expected, values[2] == expected, seesAgain else {
      outcome.refused += 1
      return
    }
    outcome.accepted += 1
    if values[3..<(3 + words)].contains(where: { $0 != expected }) { outcome.torn += 1 }
  }
}
