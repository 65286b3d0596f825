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

  @Option(parsing: .unconditional, help: "Ticks per second: 60, 59.94 or 30000/1001.")
  package var rate: TickRate?

  @Option(parsing: .unconditional, help: "Entities in all; scales the scene's fields.")
  package var entities: Int?

  @Option(parsing: .unconditional, help: "Where all random numbers come from.")
  package var seed: UInt64?

  @Option(help: "Language of names: zh_Hans, de, ja, ar, …")
  package var locale: String?

  package init() {}

  /// Loads, checks and plans the scene.
  ///
  /// - Throws: `Failure`: a bad scene, a missing file, or a missing font.
  package func plan() throws(Failure) -> ScenePlan {
    do throws(SceneError) {
      let file = try SceneSource.load(nameOrPath: scene)
      var plan = try ScenePlan(file, options: options, text: InstalledFonts())
      plan.layout.source = file.text
      return plan
    } catch {
      throw Failure(Self.status(of: error), error)
    }
  }

  /// The options as arguments, to pass on to another program.
  package var arguments: [String] {
    var arguments = [scene]
    if let rate { arguments += ["--rate", "\(rate)"] }
    if let entities { arguments += ["--entities", "\(entities)"] }
    if let seed { arguments += ["--seed", "\(seed)"] }
    if let locale { arguments += ["--locale", locale] }
    return arguments
  }

  /// An unknown scene and an option out of range are usage errors; other errors are the scene's.
  private static func status(of error: SceneError) -> ExitStatus {
    switch error {
    case .invalid(let problems, _):
      problems.allSatisfy { $0.location == .option } ? .usage : .badData
    case .unreadable(let error): error.errno == ENOENT ? .unavailable : .inputOutput
    case .unknownScene: .usage
    case .tooLarge, .notUTF8: .badData
    case .notEnoughMemory: .resource
    }
  }

  private var options: ScenePlanOptions {
    ScenePlanOptions(rate: rate, entities: entities, seed: seed, locale: locale)
  }
}

/// Threads and instruction set of the kernels.
package struct KernelArguments: ParsableArguments {
  @Option(parsing: .unconditional, help: "Threads that compute.")
  package var threads = 1

  @Option(help: "Instruction set: auto, baseline, avx2 or avx512.")
  package var isa = "auto"

  package init() {}

  /// - Throws: `ValidationError`: a bad number of threads, an unknown instruction set, or one that
  ///   this machine does not have.
  package func validate() throws {
    guard (1...1024).contains(threads) else {
      throw ValidationError("--threads \(threads): use 1 to 1024")
    }
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
  package func world(_ plan: ScenePlan) throws -> World {
    let set = try instructionSet()
    do throws(SystemCallError) {
      return try World(plan, instructionSet: set, threadCount: threads)
    } catch {
      throw Failure(.unavailable, error)
    }
  }
}
