// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import OrreryCommandLine
import OrrerySim

/// The machine of a run, as the kernel describes it.
package struct BenchMachine {
  /// The processor's name.
  package var processor = BenchMachine.readProcessor()
  /// Processors that the process may use.
  package var processorCount = Processors.count
  /// Caches of the first processor.
  package var caches = BenchMachine.readCaches()
  /// The kernel's release.
  package var kernel = MachineSettings().kernel
  /// The kernel's setting of huge pages.
  package var hugePages = MachineSettings().hugePages
  /// The best instruction set.
  package var instructionSet = InstructionSet.best.rawValue
  /// The commit that the program was built of, with a plus if files were changed; nil if the build did not know it.
  package var commit = Version.commit

  /// Reads this machine.
  package init() {}

  private static func readProcessor() -> String? {
    SmallFile.read("/proc/cpuinfo").flatMap(processor)
  }

  /// The processor's name in the text of /proc/cpuinfo.
  package static func processor(cpuinfo: String) -> String? {
    let line = cpuinfo.split(separator: "\n").first {
      $0.hasPrefix("model name") || $0.hasPrefix("Processor")
    }
    return line?.split(separator: ":").last.map {
      String($0).trimmingCharacters(in: .whitespaces)
    }
  }

  /// The caches, each as "L1 data 48K".
  private static func readCaches() -> [String] {
    (0..<8).compactMap { index in
      let folder = "/sys/devices/system/cpu/cpu0/cache/index\(index)/"
      let words = ["level", "type", "size"].compactMap {
        SmallFile.read(folder + $0)?.trimmingCharacters(in: .whitespacesAndNewlines)
      }
      return cache(words)
    }
  }

  /// The name of a cache from level, type and size; nil if one of them is missing.
  package static func cache(_ words: [String]) -> String? {
    words.count == 3 ? "L\(words[0]) \(words[1].lowercased()) \(words[2])" : nil
  }
}
