// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import Orrery
import OrreryBase
import OrreryScene
import OrrerySim

extension TickRate: ExpressibleByArgument {
  /// Reads `60`, `59.94` or `30000/1001`.
  public init?(argument: String) { self.init(argument) }
}

/// The scene arguments of every command that runs a scene.
package struct SceneArguments: ParsableArguments {
  @Argument(
    help: "Name of a built-in scene (\(BuiltInScenes.names.joined(separator: ", "))), or a path.")
  package var scene: String

  @Option(
    parsing: .unconditional,
    help: "Ticks per second, 0.01 to 1000000: 60, 59.94 or 30000/1001.")
  package var rate: TickRate?

  @Option(
    parsing: .unconditional, help: "Entities in all, 1 to 100000000; scales the scene's fields.")
  package var entities: Int?

  @Option(
    parsing: .unconditional,
    help: """
      Copies of the scene's entities, 1 to 10000000, each with its own commands; views of copy k are called NAME#k.
      """)
  package var copies: Int?

  @Option(
    parsing: .unconditional, help: "Seed of all random numbers, a whole number from 0.")
  package var seed: UInt64?

  @Option(help: "Language of names and layout direction: zh_Hans, de, ja, ar, …")
  package var locale: String?

  package init() {}

  /// Loads, checks and plans the scene.
  ///
  /// - Parameters:
  ///   - checksOnly: Whether another program will plan it again; then fields have one entity at most, since
  ///     millions take a second.
  ///   - shard: Which part of the scene is planned.
  /// - Returns: The plan.
  /// - Throws: `Failure`: a bad scene, a missing file, or a missing font.
  package func plan(
    checksOnly: Bool = false, shard: Shard = .whole
  ) throws(Failure) -> ScenePlan {
    var options = options
    options.checksOnly = checksOnly
    options.shard = shard
    return try Failure.of {
      let file = try SceneSource.load(argument: scene)
      var plan = try ScenePlan(file, options: options, text: InstalledFonts())
      plan.layout.source = file.toml
      return plan
    }
  }

  /// Says on standard error what the scene has not of another tool's file; nothing if it has everything.
  ///
  /// - Parameters:
  ///   - plan: The scene.
  ///   - program: Who says it.
  ///   - isJSON: Whether notes are lines of JSON.
  package func noteLeftOut(of plan: ScenePlan, by program: String, isJSON: Bool = false) {
    guard !plan.leftOut.isEmpty else { return }
    Standard.note("\(scene): left out: \(plan.leftOut.text)", by: program, isJSON: isJSON)
  }

  /// Keeps the text of a scene that can be read only once, as of a pipe, where another program can read it.
  ///
  /// - Parameter plan: The scene as it was read; `scene` then leads to its text.
  /// - Returns: What must stay open until it is read; nil: the scene is built in, or a file.
  /// - Throws: `Failure` if there is no memory for it.
  package mutating func holdStream(_ plan: ScenePlan) throws(Failure) -> TextInMemory? {
    var status = stat()
    // What /dev and /proc show is this process's own.
    let isOwn = ["/dev/", "/proc/"].contains(where: scene.hasPrefix)
    let isStream =
      SceneSource.isPath(scene) && stat(scene, &status) == 0
      && (isOwn || status.st_mode & S_IFMT != S_IFREG)
    guard scene == "-" || isStream else { return nil }
    var text = plan.layout.source
    // A name that it has by its path is written out: its new path has another.
    if let file = try? SceneFile.decode(text, file: plan.name),
      (try? SceneFile.decode(text, file: "held"))?.scene.name != plan.name
    {
      text = file.scene.toml
    }
    let held = try Failure.of(.inputOutput) { try TextInMemory(text) }
    scene = held.path
    return held
  }

  private var options: ScenePlanOptions {
    var options = ScenePlanOptions(rate: rate, entities: entities, seed: seed, locale: locale)
    (options.copies, options.copiesViewsOnly) = (copies, BuiltInScenes.copiesViewsOnly(scene))
    return options
  }
}

/// How many threads may compute.
package enum ThreadLimit: Equatable, Sendable {
  /// One for each processor that this process may use.
  case auto
  /// 1 … 1024.
  case count(Int)

  /// The number.
  package var count: Int {
    switch self {
    case .auto: min(Processors.count, 1024)
    case .count(let count): count
    }
  }
}

extension ThreadLimit: ExpressibleByArgument, CustomStringConvertible {
  /// Reads `auto` or a number in range.
  package init?(argument: String) {
    if argument == "auto" {
      self = .auto
    } else if let count = Int(argument), (1...1024).contains(count) {
      self = .count(count)
    } else {
      return nil
    }
  }

  /// As it is typed.
  package var description: String {
    switch self {
    case .auto: "auto"
    case .count(let count): "\(count)"
    }
  }
}

/// Threads and instruction set of the kernels.
package struct KernelArguments: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: "Threads that compute, at most, 1 to 1024, or auto: one for each processor.")
  package var threads = ThreadLimit.auto

  @Option(help: "Instruction set: auto, baseline, avx2 or avx512.")
  package var isa = "auto"

  package init() {}

  /// - Throws: `ValidationError`: an unknown instruction set, or one that this machine does not have.
  package func validate() throws {
    let set = try instructionSet()
    guard set.isSupported else {
      throw ValidationError("--isa \(isa): this machine has no \(isa)")
    }
  }

  /// The instruction set to use.
  package func instructionSet() throws -> InstructionSet {
    if isa == "auto" { return .best }
    guard let set = InstructionSet(rawValue: isa) else {
      throw ValidationError("--isa \(isa): use auto, baseline, avx2 or avx512")
    }
    return set
  }

  /// A world of this plan on these threads.
  package func world(_ plan: ScenePlan, hashMode: HashMode = .full) throws -> World {
    let set = try instructionSet()
    return try Failure.of(.unavailable) {
      try World(
        plan, instructionSet: set, threadCount: threads.count, choosesThreads: true,
        hashMode: hashMode)
    }
  }
}
