// SPDX-License-Identifier: Apache-2.0

import OrreryBase
/// How other engines run the cases of a sweep.
package enum SweepScript {
  /// A job array for Slurm: each task is a case, alone on its node's share of cores.
  ///
  /// - Parameters:
  ///   - plan: The plan.
  ///   - file: Its path.
  ///   - folder: The folder of the results.
  /// - Returns: A script for `sbatch`.
  package static func slurm(_ plan: SweepPlan, file: String, folder: String) -> String {
    let threads = plan.cases.map(\.settings.threads).max() ?? 1
    return """
      #!/bin/sh
      # \(plan.cases.count) cases; those that are complete are skipped. Submit it again to go on after a failure.
      #SBATCH --job-name=orrery-sweep
      #SBATCH --array=0-\(plan.cases.count - 1)
      #SBATCH --ntasks=1
      #SBATCH --cpus-per-task=\(threads + 1)
      #SBATCH --output=\(quoted(folder))/case-%a.log
      exec orrery bench sweep \(quoted(file)) --out \(quoted(folder)) --case "$SLURM_ARRAY_TASK_ID"

      """
  }

  /// A line for GNU parallel: one case after the other, because cases side by side disturb each other.
  package static func parallel(_ plan: SweepPlan, file: String, folder: String) -> String {
    "seq 0 \(plan.cases.count - 1) | parallel --jobs 1 --retries 2"
      + " orrery bench sweep \(quoted(file)) --out \(quoted(folder)) --case {}\n"
  }

  /// A word for a shell.
  package static func quoted(_ word: String) -> String {
    let plain = word.allSatisfy {
      $0.isASCII && ($0.isLetter || $0.isNumber || "/._-+=".contains($0))
    }
    return plain && !word.isEmpty ? word : ShellText.quoted(word)
  }
}
