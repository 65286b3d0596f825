// SPDX-License-Identifier: Apache-2.0

import Orrery
import TOMLKit

/// The names that commands to a running sim can use; reads such commands.
///
/// A live command is written and checked like a `[[command]]` of a scene file, but runs on arrival.
package struct LiveNames: Sendable {
  private let names: SceneNames
  private let tapAnimations: [Animation]

  /// A checked command.
  package struct LiveCommand: Sendable {
    /// The command's changes; its completion has an index only if the scene has that name too.
    package var transaction: TransactionPlan

    /// Name of the command's completion.
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
  /// - Parameter table: A table with the keys of a `[[command]]`, except those for its time.
  /// - Returns: The checked command.
  /// - Throws: `SceneError.invalid` with all problems, each with the whole path to its value.
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
        SceneProblem(location: .built, key: entry.path.text, fault: entry.fault)
      }
      throw .invalid(problems, total: faults.total)
    }
    return LiveCommand(
      transaction: TransactionPlan(command, names, tapAnimations: tapAnimations),
      completion: command.completion)
  }
}
