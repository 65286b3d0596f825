// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrreryBench

/// The program `bench`; what it does is in the folder above, where tests reach it.
@main enum Bench {
  static func main() { BenchCommand.main() }
}
