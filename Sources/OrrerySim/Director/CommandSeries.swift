// SPDX-License-Identifier: Apache-2.0

import OrreryScene

/// Successive commands that do the same at the same times, to views that are equally far apart: as copies of a scene
/// have them.
///
/// A burst of them reads one command in place of each.
struct CommandSeries: BitwiseCopyable {
  /// Indexes of the commands.
  let first: Int
  fileprivate(set) var end: Int

  /// From one command's view to the next one's, and from its completion to the next one's: 0 or 1.
  fileprivate(set) var viewStep = 1
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
        series.end - series.first == 1
          || step == (series.viewStep, series.completionStep)
      {
        series.end = index + 1
        (series.viewStep, series.completionStep) = step
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
  /// From another command's view and completion to this one's if this one does the same to a later view; else nil.
  fileprivate func step(after other: PreparedCommand) -> (view: Int, completion: Int)? {
    let (old, new) = (other.transaction, transaction)
    guard time == other.time, every == other.every, new.animation == old.animation,
      new.isRemoval == old.isRemoval, old.actions.count == 1, new.actions.count == 1,
      let views = old.actions[0].step(to: new.actions[0])
    else { return nil }
    switch (old.completion, new.completion) {
    case (nil, nil): return (views, 0)
    case (let old?, let new?) where new == old || new == old + 1: return (views, new - old)
    default: return nil
    }
  }
}

extension ActionPlan {
  /// From its view to that of another action that does the same to a later one; else nil.
  fileprivate func step(to next: ActionPlan) -> Int? {
    switch (self, next) {
    case (.set(let view, let property, let value), .set(let other, let same, let goal))
    where other > view && same == property && goal == value:
      other - view
    case (.show(let view), .show(let other)), (.hide(let view), .hide(let other)),
      (.toggle(let view), .toggle(let other)):
      other > view ? other - view : nil
    default: nil
    }
  }
}
