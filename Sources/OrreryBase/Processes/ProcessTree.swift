// SPDX-License-Identifier: Apache-2.0

import Glibc

/// What the kernel says of a process and of the processes that it has started, such as an encoder.
package struct ProcessTree: Equatable, Sendable {
  /// Whether one of their threads runs, or waits for nothing but a processor or a disk; false if /proc does not tell.
  package private(set) var isBusy = false

  /// Processor time that their threads have used, in hundredths of a second; without that of processes that have ended.
  package private(set) var processorTicks: UInt64 = 0

  /// Processes that are looked at; others of a larger tree are left out.
  private static let countMax = 32

  /// Asks the kernel.
  ///
  /// - Parameter processID: The number of the first process.
  package init(of processID: pid_t) {
    var processIDs = [processID]
    var index = 0
    while index < processIDs.count, index < Self.countMax {
      let tasks = "/proc/\(processIDs[index])/task"
      for thread in (try? DirectoryListing.names(in: tasks)) ?? [] {
        guard let text = SmallFile.read("\(tasks)/\(thread)/stat"),
          let state = ProcessState(stat: text, uptimeNs: 0, wallNs: 0)
        else { continue }
        isBusy = isBusy || state.letter == "R" || state.letter == "D"
        processorTicks &+= state.processorTicks ?? 0
        let children = SmallFile.read("\(tasks)/\(thread)/children") ?? ""
        processIDs += children.split(separator: " ").compactMap { pid_t($0) }
      }
      index += 1
    }
  }
}
