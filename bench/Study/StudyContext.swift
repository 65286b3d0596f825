// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import OrreryCommandLine
import OrrerySim

/// The machine, load and build of a study, as far as the machine reports them.
package struct StudyContext: Codable, Equatable, Sendable {
  /// When it began, in UTC, as 2026-01-31T12:00:00Z.
  package var date: String
  /// The commit that the program was built of; nil if the build did not know it.
  package var commit: String?
  /// Whether its files were changed.
  package var isDirty: Bool
  /// Version, commit and compiler of the program, as `--version` prints them.
  package var build: String
  /// The processor's name.
  package var processor: String
  /// Processors that the process may use.
  package var processorCount: Int
  /// Caches of the first processor.
  package var caches: [String]
  /// Instruction sets that have kernels on this machine.
  package var instructionSets: [String]
  /// Whether two of the processors are threads of one core; nil if unknown.
  package var coresAreShared: Bool?
  /// The frequency governor of the first processor; nil where a host decides.
  package var governor: String?
  /// The kernel's release.
  package var kernel: String
  /// The kernel's setting of transparent huge pages.
  package var hugePages: String
  /// The kernel's clock source.
  package var clockSource: String
  /// Memory that was available at the start.
  package var availableBytes: UInt64
  /// Mean number of runnable threads in the minute before the start.
  package var loadBefore: Double
  /// The same in the minute before the end.
  package var loadAfter: Double
  /// Part of the processors' time that the host gave to others meanwhile.
  package var stolen: Double

  /// The machine of this process, now.
  package static func now() -> StudyContext {
    let machine = BenchMachine()
    let settings = MachineSettings()
    let (commit, isDirty) = commit(machine.commit)
    return StudyContext(
      date: date(Date()), commit: commit, isDirty: isDirty, build: Version.text,
      processor: machine.processor ?? "unknown", processorCount: machine.processorCount,
      caches: machine.caches,
      instructionSets: InstructionSet.allCases.filter(\.isSupported).map(\.rawValue),
      coresAreShared: settings.coresAreShared, governor: settings.governor,
      kernel: machine.kernel ?? "unknown", hugePages: machine.hugePages ?? "unknown",
      clockSource: settings.clockSource ?? "unknown", availableBytes: Memory.availableBytes(),
      loadBefore: load(), loadAfter: 0,
      stolen: 0)
  }

  /// A commit and whether it was changed, of a commit's name with a plus if it was.
  package static func commit(_ name: String?) -> (String?, isDirty: Bool) {
    guard let name, name.hasSuffix("+") else { return (name, false) }
    return (String(name.dropLast()), true)
  }

  /// A name for the machine, for a folder; machines that cannot be distinguished have the same name.
  package var machineName: String {
    let words = processor.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    let best = instructionSets.last ?? "unknown"
    return (words + ["\(processorCount)cpu", best[...]]).joined(separator: "-")
  }

  /// Whether machine and build are those of another study.
  package func isSameSetup(as other: StudyContext) -> Bool {
    machineName == other.machineName && kernel == other.kernel && build == other.build
      && commit == other.commit && isDirty == other.isDirty
  }

  /// A date in UTC, to the second.
  package static func date(_ date: Date) -> String { date.formatted(.iso8601) }

  /// The load of the last minute.
  package static func load() -> Double {
    SmallFile.read("/proc/loadavg").flatMap {
      $0.split(separator: " ").first.flatMap { Double($0) }
    }
      ?? 0
  }
}

/// Time of all processors since the machine started, as the first line of /proc/stat counts it.
package struct ProcessorClock: Equatable, Sendable {
  /// Ticks in all, idle ones included.
  package let all: UInt64
  /// Ticks in which a processor had nothing to run.
  package let idle: UInt64
  /// Ticks in which the host ran another guest although this machine had work.
  package let stolen: UInt64

  /// Reads the text of /proc/stat; nil if it is none.
  package init?(stat: String) {
    guard let line = stat.split(separator: "\n").first, line.hasPrefix("cpu ") else { return nil }
    let numbers = line.split(separator: " ").dropFirst().compactMap { UInt64($0) }
    guard numbers.count >= 8 else { return nil }
    // Guest time, the ninth and tenth, is a part of the first two.
    all = numbers.prefix(8).reduce(0, +)
    (idle, stolen) = (numbers[3] + numbers[4], numbers[7])
  }

  /// The clock now; nil without /proc.
  package static func now() -> ProcessorClock? {
    SmallFile.read("/proc/stat").flatMap { ProcessorClock(stat: $0) }
  }

  /// The part that was stolen since an earlier time.
  package func stolen(since earlier: ProcessorClock) -> Double {
    let passed = all &- earlier.all
    return passed == 0 ? 0 : Double(stolen &- earlier.stolen) / Double(passed)
  }

  /// The part that other programs and other guests of the host had since an earlier time.
  ///
  /// - Parameters:
  ///   - earlier: The earlier time.
  ///   - own: Seconds of processor time that this program and those that it started have used since.
  /// - Returns: 0 to 1.
  package func others(since earlier: ProcessorClock, own: Double) -> Double {
    let passed = Double(all &- earlier.all)
    guard passed > 0 else { return 0 }
    let busy = passed - Double(idle &- earlier.idle)
    return min(max(busy / passed - own * Self.ticksPerSecond / passed, 0), 1)
  }

  /// Seconds of processor time that this process has used.
  package static func ownSeconds() -> Double { seconds(CLOCK_PROCESS_CPUTIME_ID) }

  /// Seconds of processor time on a clock of this process or thread, which Linux has always.
  package static func seconds(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Nanoseconds for which this thread could have run, but others had the processors; nil if the kernel counts none.
  package static func waitedNs() -> UInt64? {
    SmallFile.read("/proc/thread-self/schedstat").flatMap { text in
      text.split(separator: " ").dropFirst().first.flatMap { UInt64($0) }
    }
  }

  private static let ticksPerSecond = Double(sysconf(CInt(_SC_CLK_TCK)))
}
