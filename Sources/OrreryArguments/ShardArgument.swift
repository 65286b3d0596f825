// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrreryBase

/// Which shard of a scene a program runs: `2/4`, `auto` or `auto/4`.
package enum ShardArgument: Equatable, Sendable {
  case given(Shard)
  /// As the engine that started this process numbers it; the count only where the engine does not tell.
  case auto(count: Int?)

  /// Variables with a process's number and the number of processes, in the order in which they are asked.
  ///
  /// Where `srun` starts MPI programs, both engines set theirs, to the same numbers.
  package static let variables: [(engine: String, index: String, count: String?)] = [
    ("Open MPI", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"),
    ("PMI", "PMI_RANK", "PMI_SIZE"),
    ("Slurm", "SLURM_PROCID", "SLURM_NTASKS"),
    ("Kubernetes", "JOB_COMPLETION_INDEX", nil),
  ]

  /// The shard.
  ///
  /// - Parameter environment: Returns the value of a variable of the environment.
  /// - Returns: The shard; the whole scene is `0/1`.
  /// - Throws: `Failure`: `auto` in an environment that says too little, or something impossible.
  package func shard(
    environment: (String) -> String? = Environment.value
  ) throws(Failure) -> Shard {
    guard case .auto(let given) = self else {
      guard case .given(let shard) = self else { preconditionFailure("\(self)") }
      return shard
    }
    for (engine, index, count) in Self.variables {
      guard let indexText = environment(index) else { continue }
      let countText = count.flatMap(environment) ?? given.map { "\($0)" }
      guard let countText else {
        throw Failure(
          .usage, "--shard auto: \(engine) has set \(index), but not how many; use --shard auto/N")
      }
      guard let shard = Shard("\(indexText)/\(countText)") else {
        throw Failure(
          .usage,
          "--shard auto: \(engine) says \(index)=\(indexText) of \(countText); a shard is 0/N to (N-1)/N,"
            + " N at most \(Shard.countMax)")
      }
      if let given, given != shard.count {
        throw Failure(
          .usage, "--shard auto/\(given): \(engine) has started \(shard.count) processes")
      }
      return shard
    }
    throw Failure(
      .usage,
      "--shard auto: none of \(Self.variables.map(\.index).joined(separator: ", ")) is set;"
        + " start with mpirun or srun, or use --shard I/N")
  }
}

extension ShardArgument: ExpressibleByArgument {
  /// Reads `2/4`, `auto` or `auto/4`.
  package init?(argument: String) {
    if argument == "auto" {
      self = .auto(count: nil)
    } else if argument.hasPrefix("auto/"), let shard = Shard("0/\(argument.dropFirst(5))") {
      self = .auto(count: shard.count)
    } else if let shard = Shard(argument) {
      self = .given(shard)
    } else {
      return nil
    }
  }
}

extension Shard: ExpressibleByArgument {
  /// Reads `2/4`.
  package init?(argument: String) { self.init(argument) }
}
