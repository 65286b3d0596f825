// SPDX-License-Identifier: Apache-2.0

import Orrery
import TOMLKit

/// What commands to a running sim can name, and what they come to.
///
/// They are written and checked as a `[[command]]` of a scene file is, but that they happen when they come.
package struct LiveNames: Sendable {
  private let names: SceneNames
  private let tapAnimations: [Animation]

  /// A command that was read and found right.
  package struct LiveCommand: Sendable {
    /// Without its completion, which has no index unless the scene has its name too.
    package var transaction: TransactionPlan

    /// What the end of its animations is called.
    package var completion: String?
  }

  /// Names of a scene without views.
  package init() { self.init(names: SceneNames(Scene("") {}), tapAnimations: []) }

  init(names: SceneNames, tapAnimations: [Animation]) {
    self.names = names
    self.tapAnimations = tapAnimations
  }

  /// Reads a command.
  ///
  /// - Parameter table: With the keys of a `[[command]]` but those that say when.
  /// - Returns: What it comes to.
  /// - Throws: `SceneError.invalid` with everything that is wrong, by the whole way to each value.
  package func command(_ table: TOMLTable) throws(SceneError) -> LiveCommand {
    let faults = FaultList()
    let reader = TableReader(
      table, at: ScenePath(), known: SceneDecoder.liveCommandKeys, faults: faults)
    let command = SceneDecoder(faults: faults).command(.at(0), reader)
    let checker = SceneChecker(faults: FaultList())
    checker.check(command, names, at: ScenePath())
    faults.add(checker.faults)
    guard faults.isEmpty else {
      let problems = faults.entries.prefix(SceneError.problemsMax).map { entry in
        SceneProblem(place: .built, key: entry.path.text, fault: entry.fault)
      }
      throw .invalid(problems, total: faults.total)
    }
    return LiveCommand(
      transaction: TransactionPlan(command, names, tapAnimations: tapAnimations),
      completion: command.completion)
  }
}
