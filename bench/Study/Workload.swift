// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import OrreryScene

/// A scene with a purpose, and how much of it is measured.
///
/// The scenes come with Orrery (`BuiltInScenes`). A file holds one example, and the bench makes copies of it.
package struct Workload: Equatable, Sendable {
  /// Its name, as on the command line.
  package let name: String
  /// Copies of the scene's entities, each with its own commands and completions.
  package var copies = 1
  /// Entities of a scene that has fields; nil: as many as the file says.
  package var entities: Int?
  /// Ticks after which everything begins again; rounds are whole cycles.
  package var cycleTicks = 60
  /// Whether each tick writes the whole frame: then writing as many bytes is its limit.
  package var writesAll = true

  /// A workload.
  package init(
    name: String, copies: Int = 1, entities: Int? = nil, cycleTicks: Int = 60,
    writesAll: Bool = true
  ) {
    (self.name, self.copies, self.entities) = (name, copies, entities)
    (self.cycleTicks, self.writesAll) = (cycleTicks, writesAll)
  }

  /// The workloads of the study, in the order of its table.
  package static let all: [Workload] = [
    Workload(name: "flags"), Workload(name: "planets", cycleTicks: 900, writesAll: false),
    Workload(name: "stress", entities: 100_000),
    Workload(name: "lottie-like", copies: 1_000, cycleTicks: 120),
    Workload(name: "feed", copies: 1_000, cycleTicks: 120, writesAll: false),
    Workload(name: "ticker-wall", copies: 50), Workload(name: "dashboard", copies: 100),
    Workload(name: "storm", copies: 1_000_000, writesAll: false),
    Workload(name: "idle", copies: 1_000_000, writesAll: false),
  ]

  /// The workload of a name; nil if there is none.
  package static func named(_ name: String) -> Workload? { all.first { $0.name == name } }

  /// Whether only views are copied.
  package var copiesViewsOnly: Bool { BuiltInScenes.copiesViewsOnly(name) }

  /// Its name in rows: of a scene file the scene's name and a hash of the file, as paths differ between machines.
  ///
  /// - Parameter scene: The scene's name.
  /// - Returns: Its name, or `cards@0123abcd`.
  package func rowName(scene: String) -> String {
    guard SceneSource.isPath(name), let bytes = FileManager.default.contents(atPath: name)
    else { return name }
    var hash = StableHash()
    hash.combine(bytes: bytes)
    return scene + "@" + hexadecimal(hash.value).prefix(8)
  }

  /// What the scene of a name or path is called; of a file that is none, its name without folder and ending.
  package static func sceneName(_ nameOrPath: String) -> String {
    guard SceneSource.isPath(nameOrPath) else { return nameOrPath }
    let file = try? SceneSource.load(nameOrPath: nameOrPath)
    return file?.scene.name ?? SceneFile.name(ofFile: nameOrPath)
  }

  /// The plan of all copies.
  ///
  /// - Throws: `SceneError` for a scene that is unknown or does not fit.
  package func plan(seed: UInt64? = nil) throws(SceneError) -> ScenePlan {
    let file = try SceneSource.load(nameOrPath: name)
    let plan = try ScenePlan(
      file, options: ScenePlanOptions(entities: entities, seed: seed), text: InstalledFonts())
    return copies == 1 ? plan : plan.copied(copies, viewsOnly: copiesViewsOnly, isDrawn: false)
  }

  /// A smaller one, for tests and for machines with little memory.
  package func reduced(to copies: Int, entities: Int) -> Workload {
    var workload = self
    workload.copies = min(self.copies, copies)
    workload.entities = self.entities.map { min($0, entities) }
    return workload
  }
}

// MARK: - Commands

extension Workload {
  /// Entities that a person may want to see at once.
  private static let printedMax = 1000

  /// The commands that go to a tick of the scene: in a run, after the one that starts it, and without one.
  ///
  /// - Parameters:
  ///   - tick: Ticks since the scene began.
  ///   - seconds: Its time.
  ///   - scene: The scene's name, which its run has.
  ///   - seed: The seed; nil: the scene's own.
  ///   - entityCount: Entities of the scene: of many, the first are printed.
  /// - Returns: The command lines.
  func commands(
    to tick: UInt64, seconds: Double, scene: String, seed: UInt64?, entityCount: Int
  ) -> TickCommands {
    var words = [name]
    if copies > 1 { words += ["--copies", "\(copies)"] }
    if let entities { words += ["--entities", "\(entities)"] }
    if let seed { words += ["--seed", "\(seed)"] }
    let shown = words.map(SweepScript.quoted).joined(separator: " ")
    let run = SweepScript.quoted(scene)
    let control = "orrery control \(run)"
    return (
      run: "orrery sim \(shown) --run \(run) &",
      // The step computes the tick: a seek to it would find it without what led there.
      seek: "\(control) pause --wait 10 && \(control) seek \(max(tick, 2) - 1) && \(control) step",
      // A time is that of the nearest tick.
      sample: "orrery sample \(shown) --at \(decimal(seconds, places: 6))"
        + (entityCount > Self.printedMax ? " --entity 0-9" : ""),
      quit: "\(control) quit"
    )
  }
}

extension StableHash {
  /// Adds the bytes of a text or a file, a word for each.
  mutating func combine(bytes: some Sequence<UInt8>) {
    for byte in bytes { combine(UInt64(byte)) }
  }
}
