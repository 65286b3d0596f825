// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrreryBase

/// How a program logs.
package struct LogArguments: ParsableArguments {
  @Option(
    help: """
      How the log on standard error is written. json: each line an object with time, level, program, run, generation \
      and shard.
      """)
  package var logFormat = LogFormat.text

  package init() {}

  /// Sends this process's log to standard error; see `StandardErrorLog`.
  package func bootstrap(program: String) {
    StandardErrorLog.bootstrap(program: program, format: logFormat)
  }
}

extension LogFormat: ExpressibleByArgument {}
