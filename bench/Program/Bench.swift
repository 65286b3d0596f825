// SPDX-License-Identifier: Apache-2.0

import OrreryBench
import OrreryCommandLine

/// The program `bench`; what it does is in the folder above, where tests reach it.
@main enum Bench {
  static func main() { CommandLineProgram(BenchCommand.self).run() }
}
