// SPDX-License-Identifier: Apache-2.0

import OrreryScene

/// Successive commands that do the same at the same times, each to the view after the one before: as copies of a scene
/// have them.
///
/// A burst of them reads one command in place of each.
struct CommandSeries: BitwiseCopyable {
  /// Indexes of the commands.
  let first: Int
  fileprivate(set) var end: Int

  /// From one command's completion to the next one's: 0 or 1.
  fileprivate(set) var completionStep = 0

  /// The series among commands that have at least some members, in their order.
  ///
  /// - Parameters:
  ///   - commands: Each with one change or more.
  ///   - countMin: Shorter ones are left out.
  /// - Returns: In the order of the commands.
  static func all(_ commands: borrowing FixedArray<PreparedCommand>, countMin: Int) -> [Self] {
    var found: [Self] = []
    var series = Self(first: 0, end: min(1, commands.count))
    for index in commands.indices.dropFirst() {
      if let step = commands[index].step(after: commands[index - 1]),
        series.end - series.first == 1 || step == series.completionStep
      {
        (series.end, series.completionStep) = (index + 1, step)
      } else {
        if series.end - series.first >= countMin { found.append(series) }
        series = Self(first: index, end: index + 1)
      }
    }
    return series.end - series.first >= countMin ? found + [series] : found
  }

  /// The series that a command is in.
  static func containing(_ command: Int, in series: [Self]) -> Self? {
    let next = series.firstIndex(notBefore: UInt64(command) + 1) { UInt64($0.first) }
    guard next > 0, command < series[next - 1].end else { return nil }
    return series[next - 1]
  }
}

extension PreparedCommand {
  /// From another command's completion to this one's if this one does the same to the view after that one's; else nil.
  fileprivate func step(after other: PreparedCommand) -> Int? {
    let (old, new) = (other.transaction, transaction)
    guard time == other.time, every == other.every, new.animation == old.animation,
      new.isRemoval == old.isRemoval, old.actions.count == 1, new.actions.count == 1,
      old.actions[0].isSame(asOnNextView: new.actions[0])
    else { return nil }
    switch (old.completion, new.completion) {
    case (nil, nil): return 0
    case (let old?, let new?) where new == old || new == old + 1: return new - old
    default: return nil
    }
  }
}

extension ActionPlan {
  fileprivate func isSame(asOnNextView next: ActionPlan) -> Bool {
    switch (self, next) {
    case (.set(let view, let property, let value), .set(let other, let same, let goal)):
      other == view + 1 && same == property && goal == value
    case (.show(let view), .show(let other)), (.hide(let view), .hide(let other)),
      (.toggle(let view), .toggle(let other)):
      other == view + 1
    default: false
    }
  }
}
