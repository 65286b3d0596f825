// SPDX-License-Identifier: Apache-2.0

import OrreryArguments
import OrreryBase
import Testing

/// Goal: a process that an engine has started gets the shard that the engine numbered, or a reason.
@Suite struct ShardArgumentTests {
  private func shard(
    _ argument: String, _ variables: [String: String]
  ) throws(Failure) -> Shard? {
    try ShardArgument(argument: argument)?.shard { variables[$0] }
  }

  @Test(
    arguments: [
      (["OMPI_COMM_WORLD_RANK": "3", "OMPI_COMM_WORLD_SIZE": "8"], "auto", "3/8"),
      (["PMI_RANK": "0", "PMI_SIZE": "2"], "auto", "0/2"),
      (["SLURM_PROCID": "63", "SLURM_NTASKS": "64"], "auto", "63/64"),
      (["JOB_COMPLETION_INDEX": "2"], "auto/5", "2/5"),
      (["SLURM_PROCID": "1", "SLURM_NTASKS": "4"], "auto/4", "1/4"),
      ([:], "2/3", "2/3"),
      // mpirun inside a batch job of Slurm: the innermost engine counts.
      (
        [
          "SLURM_PROCID": "0", "SLURM_NTASKS": "1", "OMPI_COMM_WORLD_RANK": "1",
          "OMPI_COMM_WORLD_SIZE": "4",
        ], "auto", "1/4"
      ),
    ] as [([String: String], String, String)])
  func engineNumbersTheShard(
    variables: [String: String], argument: String, expected: String
  ) throws {
    #expect(try shard(argument, variables)?.description == expected)
  }

  @Test(
    arguments: [
      ([:], "auto", "none of OMPI_COMM_WORLD_RANK"),
      (["JOB_COMPLETION_INDEX": "2"], "auto", "use --shard auto/N"),
      (["JOB_COMPLETION_INDEX": "5"], "auto/5", "JOB_COMPLETION_INDEX=5 of 5"),
      (["SLURM_PROCID": "1", "SLURM_NTASKS": "4"], "auto/8", "started 4 processes"),
      (["PMI_RANK": "x", "PMI_SIZE": "2"], "auto", "PMI_RANK=x of 2"),
    ] as [([String: String], String, String)])
  func otherEnvironmentsAreRefused(
    variables: [String: String], argument: String, message: String
  ) throws {
    let failure = #expect(throws: Failure.self) { try shard(argument, variables) }
    #expect(failure?.status == .usage)
    #expect(failure?.description.contains(message) == true, "\(failure?.description ?? "")")
  }

  @Test(arguments: ["auto/0", "auto/", "auto/x", "Auto", "1", "5/5", ""])
  func otherWordsAreRefused(word: String) { #expect(ShardArgument(argument: word) == nil) }
}
