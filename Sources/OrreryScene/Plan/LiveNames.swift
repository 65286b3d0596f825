// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryDocument
import OrrerySceneBuilder

/// The names that commands to a running sim can use; reads such commands.
///
/// A live command is written and checked like a `[[command]]` of a scene file, but runs on arrival.
package struct LiveNames: Sendable {
  private let names: SceneNames
  private let tapAnimations: [Animation]
  private let mirror: SceneMirror

  /// A checked command.
  package struct LiveCommand: Sendable {
    /// The command's changes; its completion has an index only if the scene has that name too.
    package var transaction: TransactionPlan

    /// Name of the command's completion.
    package var completion: String?
  }

  /// Names of a scene without views.
  package init() { self.init(names: SceneNames(), tapAnimations: [], mirror: SceneMirror()) }

  init(names: SceneNames, tapAnimations: [Animation], mirror: SceneMirror) {
    self.mirror = mirror
    self.names = names
    self.tapAnimations = tapAnimations
  }

  /// The names of a scene that is there several times.
  func copied(_ count: Int) -> LiveNames {
    let animations = Array(repeatElement(tapAnimations, count: count).joined())
    return LiveNames(names: names.copied(count), tapAnimations: animations, mirror: mirror)
  }

  /// Reads a command.
  ///
  /// - Parameter table: A table with the keys of a `[[command]]`, except those for its time.
  /// - Returns: The checked command.
  /// - Throws: `SceneError.invalid` with all problems, each with the whole path to its value.
  package func command(_ table: DocumentTable) throws(SceneError) -> LiveCommand {
    let faults = FaultList()
    let reader = TableReader(
      table, at: DocumentPath(), known: SceneDecoder.liveCommandKeys, faults: faults)
    let command = SceneDecoder(faults: faults).command(.at(0), reader)
    let checker = SceneChecker(faults: FaultList(), names: names)
    checker.check(command, at: DocumentPath())
    faults.add(checker.faults)
    guard faults.isEmpty else {
      let problems = faults.entries.map { entry in
        SceneProblem(location: .built, key: entry.path.text, fault: entry.fault)
      }
      throw .invalid(problems, total: faults.total)
    }
    return LiveCommand(
      transaction: mirror.transaction(
        TransactionPlan(command, names, tapAnimations: tapAnimations)),
      completion: command.completion)
  }
}
