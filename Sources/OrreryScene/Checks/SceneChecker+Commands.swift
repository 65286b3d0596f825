// SPDX-License-Identifier: Apache-2.0

import OrreryDocument
import OrrerySceneBuilder

/// Checks of commands and of the names in them.
extension SceneChecker {
  func check(_ commands: [Command]) {
    let path = DocumentPath().key("command")
    guard check(count: commands.count, SceneLimits.commands, at: path) else { return }
    for (index, command) in commands.enumerated() {
      check(command, at: path.index(index))
    }
    checkForEndlessInstants(commands, at: path)
  }

  /// Checks one command by itself, without the other commands.
  func check(_ command: Command, at path: DocumentPath) {
    check(Command.table.checked(command) { $0 == "at" || $0 == "every" || $0 == "delay" }, at: path)
    if case .after(let completion, _) = command.moment, names.completionIndexes[completion] == nil {
      faults.add(path.key("after"), Self.unknown(completion, "completion", names.completions))
    }
    if command.isEmpty {
      faults.add(path, .missing(expected: "one of set, show, hide, toggle, destroy"))
    }
    for setting in command.settings {
      let path = path.key("set").key(setting.view)
      check(view: setting.view, at: path)
      if setting.changes.isEmpty { faults.add(path, .missing(expected: "a property")) }
      for change in setting.changes {
        check(change.value, SceneLimits.of(change.property), at: path.key(change.property.rawValue))
      }
    }
    let lists = [("show", command.show), ("hide", command.hide), ("destroy", command.destroy)]
    for (key, list) in lists {
      for (index, name) in list.enumerated() {
        check(view: name, at: namePath(key, index, of: list, at: path))
      }
    }
    for (index, name) in command.toggle.enumerated() where names.rows[name] == nil {
      check(view: name, at: namePath("toggle", index, of: command.toggle, at: path))
    }
    check(Command.table.checked(command) { $0 == "animation" || $0 == "completion" }, at: path)
    if command.mixesTaps(names) { faults.add(path, .mixedTaps) }
  }

  /// The path to a name in a list; a list of one name is written as a string.
  private func namePath(
    _ key: String, _ index: Int, of list: [String], at path: DocumentPath
  ) -> DocumentPath {
    list.count == 1 ? path.key(key) : path.key(key).index(index)
  }

  /// Records a fault at the first command of each circle of commands that takes no time.
  private func checkForEndlessInstants(_ commands: [Command], at path: DocumentPath) {
    var followers: [String: [Int]] = [:]
    for (index, command) in commands.enumerated() where command.isInstant {
      if case .after(let name, _) = command.moment { followers[name, default: []].append(index) }
    }
    // 0: not seen, 1: on the path to the current one, 2: known to end.
    var marks = [Int](repeating: 0, count: commands.count)
    for start in commands.indices where marks[start] == 0 && commands[start].isInstant {
      var stack = [(command: start, next: 0)]
      marks[start] = 1
      while let (command, next) = stack.last {
        let after = commands[command].completion.flatMap { followers[$0] } ?? []
        guard next < after.count else {
          marks[command] = 2
          stack.removeLast()
          continue
        }
        stack[stack.count - 1].next += 1
        let follower = after[next]
        if marks[follower] == 1 {
          faults.add(path.index(follower).key("after"), .endlessInstant)
        } else if marks[follower] == 0 {
          marks[follower] = 1
          stack.append((follower, 0))
        }
      }
    }
  }
}

extension Command {
  /// Whether it has no action.
  fileprivate var isEmpty: Bool {
    settings.isEmpty && show.isEmpty && hide.isEmpty && toggle.isEmpty && destroy.isEmpty
  }

  /// Whether it follows a completion without a delay and completes at once.
  fileprivate var isInstant: Bool {
    guard case .after(_, let delay) = moment, delay <= 0 else { return false }
    guard let seconds = animation?.course() else { return true }
    return !((criteria == .removed ? seconds.end : seconds.logicalEnd) > 0)
  }

  /// Indexes of the accordions whose rows it taps.
  func tappedAccordions(_ names: SceneNames) -> Set<Int> {
    Set(toggle.compactMap { names.rows[$0]?.accordion })
  }

  /// Whether it has no animation and taps rows of several accordions, or rows and other things.
  fileprivate func mixesTaps(_ names: SceneNames) -> Bool {
    let accordions = tappedAccordions(names)
    guard animation == nil, !accordions.isEmpty else { return false }
    let isAlone =
      settings.isEmpty && show.isEmpty && hide.isEmpty && destroy.isEmpty
      && toggle.allSatisfy { names.rows[$0] != nil }
    return accordions.count > 1 || !isAlone
  }
}
