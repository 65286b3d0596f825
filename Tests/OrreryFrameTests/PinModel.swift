// SPDX-License-Identifier: Apache-2.0

/// The writer that takes a slot again and the thread that pins its frame, as single steps, to be run in every
/// order that the fences allow.
///
///     writer, frame n + slots                   sender, frame n
///       begin = n + slots      (relaxed)          place = slot's     (relaxed)
///       ── full fence ──                          pins[place] += 1
///       read pins[place]                          ── full fence ──
///       data… = n + slots, in the place           read begin: n?
///         if it is not pinned, or in a spare      send data…
///                                                 pins[place] -= 1
///
/// Without a fence a later step may happen before an earlier one: a store can wait behind a load. The sender's
/// last step waits for all of its own.
struct PinModel {
  /// What a fault leaves out, to see that the search finds what it must.
  enum Fault: CaseIterable {
    case writerHasNoFence
    case senderHasNoFence
    case senderDoesNotLookAgain
    case writerDoesNotLookAtPins
  }

  var fault: Fault?

  /// What an exhaustive search found.
  struct Outcome: Equatable {
    var orders = 0
    var sent = 0
    var refused = 0
    /// A frame was overwritten while it was sent.
    var torn = 0
  }

  private enum Step: Int, CaseIterable {
    case storeBegin, readPins, writeFirst, writeSecond
    case pin, lookAgain, sendFirst, sendSecond, unpin
  }

  private struct State {
    var done: Set<Step> = []
    var isTaken = false
    var isPinned = false
    var usesSpare = false
    var isAccepted = false
    var overwritten = [false, false]
    var sentWrong = false
  }

  /// The steps that come first.
  private func conditions(of step: Step) -> Set<Step> {
    switch step {
    case .storeBegin, .pin: []
    case .readPins: fault == .writerHasNoFence ? [] : [.storeBegin]
    // The fence orders the data as well; without it nothing but the choice does.
    case .writeFirst, .writeSecond: [.readPins]
    case .lookAgain: fault == .senderHasNoFence ? [] : [.pin]
    case .sendFirst, .sendSecond: [.pin, .lookAgain]
    case .unpin: [.sendFirst, .sendSecond]
    }
  }

  /// Runs both in every order.
  func explore() -> Outcome {
    var outcome = Outcome()
    var open = [State()]
    while let state = open.popLast() {
      let steps = Step.allCases.filter { step in
        !state.done.contains(step) && conditions(of: step).isSubset(of: state.done)
      }
      if steps.isEmpty {
        outcome.orders += 1
        outcome.sent += state.isAccepted ? 1 : 0
        outcome.refused += state.isAccepted ? 0 : 1
        outcome.torn += state.isAccepted && state.sentWrong ? 1 : 0
      }
      for step in steps { open.append(taken(step, state)) }
    }
    return outcome
  }

  private func taken(_ step: Step, _ before: State) -> State {
    var state = before
    state.done.insert(step)
    switch step {
    case .storeBegin: state.isTaken = true
    case .readPins: state.usesSpare = state.isPinned && fault != .writerDoesNotLookAtPins
    case .writeFirst: state.overwritten[0] = !state.usesSpare
    case .writeSecond: state.overwritten[1] = !state.usesSpare
    case .pin: state.isPinned = true
    case .lookAgain: state.isAccepted = !state.isTaken || fault == .senderDoesNotLookAgain
    case .sendFirst: state.sentWrong = state.sentWrong || state.overwritten[0]
    case .sendSecond: state.sentWrong = state.sentWrong || state.overwritten[1]
    case .unpin: state.isPinned = false
    }
    return state
  }
}
