// SPDX-License-Identifier: Apache-2.0

import OrreryBench
import OrreryCommandLine

/// The program `bench`; its code is in the folder above, where tests can call it.
@main enum Bench {
  static func main() { CommandLineProgram(BenchCommand.self).run() }
}
