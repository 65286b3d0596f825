// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import OrreryConsole
import TestSupport
import Testing

/// Goal: the doctor finds what a kernel's files say of a machine, and advises what mends it.
///
/// Method: folders with the files of machines that lack one thing each. Where a remedy is a command on such a file, a
/// shell runs it, and the doctor finds nothing any more.
@Suite struct DoctorTests {
  /// The kernel's files of a machine that lacks nothing.
  private static let healthy = [
    "proc/self/status": "Name:\tx\nCpus_allowed_list:\t0,2-3\n",
    "proc/self/cgroup": "0::/a\n",
    "sys/fs/cgroup/a/cpu.max": "300000 100000\n",
    "sys/devices/system/cpu/cpu0/topology/thread_siblings_list": "0-1\n",
    "sys/devices/system/cpu/cpu2/topology/thread_siblings_list": "2\n",
    "sys/devices/system/cpu/cpu3/topology/thread_siblings_list": "3,7\n",
    "sys/devices/system/cpu/cpu0/cpufreq/scaling_governor": "performance\n",
    "sys/kernel/mm/transparent_hugepage/enabled": "always [madvise] never\n",
    "sys/devices/system/clocksource/clocksource0/current_clocksource": "tsc\n",
  ]

  private static func write(_ files: [String: String], in base: TemporaryBase) throws {
    for (name, text) in files {
      let path = base.path + "/" + name
      try FileManager.default.createDirectory(
        atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
      try text.write(toFile: path, atomically: false, encoding: .utf8)
    }
  }

  private static func checks(in base: TemporaryBase) -> [DoctorCheck] {
    let doctor = Doctor(MachineSettings(root: base.path), python: nil)
    return doctor.kernel + [doctor.quota]
  }

  @Test func healthyMachineHasNoFinding() throws {
    let base = try TemporaryBase()
    try Self.write(Self.healthy, in: base)
    let report = DoctorReport(Self.checks(in: base))
    #expect(report.findings == 0, "\(report.text)")
    #expect(report.text.hasSuffix("\nnothing found\n"))
    // A machine that shows nothing is no sick one.
    let empty = try TemporaryBase()
    #expect(DoctorReport(Self.checks(in: empty)).findings == 0)
  }

  /// A file of a machine that differs, and what is found because of it.
  static let troubles: [(name: String, file: String, text: String, found: String, remedy: String)] =
    [
      (
        "cores", "sys/devices/system/cpu/cpu3/topology/thread_siblings_list", "2-3\n",
        "3 processors are threads of 2 cores", "--threads 2; or taskset -c 0,2 before the command"
      ),
      (
        "huge pages", "sys/kernel/mm/transparent_hugepage/enabled", "always madvise [never]\n",
        "always madvise [never]", "as root: echo madvise > "
      ),
      (
        "governor", "sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n",
        "powersave", "as root: echo performance | tee "
      ),
      (
        "clock source", "sys/devices/system/clocksource/clocksource0/current_clocksource", "hpet\n",
        "hpet", "as root: echo tsc > "
      ),
      (
        "processor quota", "sys/fs/cgroup/a/cpu.max", "150000 100000\n", "1.50 of 3 processors",
        "or run with --threads 1"
      ),
    ]

  @Test(arguments: troubles.indices)
  func troubleIsFoundAndMended(index: Int) throws {
    let trouble = Self.troubles[index]
    let base = try TemporaryBase()
    try Self.write(Self.healthy, in: base)
    try Self.write([trouble.file: trouble.text], in: base)
    let found = Self.checks(in: base).filter { !$0.isFine }
    let check = try #require(found.first)
    #expect(found.count == 1 && check.name == trouble.name, "\(found)")
    #expect(check.found == trouble.found && check.cost?.isEmpty == false, "\(check)")
    let remedy = try #require(check.remedy)
    #expect(remedy.contains(trouble.remedy), "\(remedy)")
    guard remedy.hasPrefix("as root: ") else { return }
    let command = remedy.dropFirst("as root: ".count).prefix { $0 != ";" }
    let run = try ChildProcess.run("sh", ["-c", String(command)])
    #expect(run.hasSucceeded)
    // The kernel marks the choice that holds; a plain file has what was written.
    let left = Self.checks(in: base).filter { !$0.isFine }
    #expect(left == [])
  }

  @Test func reportHasALineForEachCheckAndTwoBelowAFinding() throws {
    let base = try TemporaryBase()
    try Self.write(Self.healthy, in: base)
    let governor = Self.troubles[2]
    try Self.write([governor.file: governor.text], in: base)
    let report = DoctorReport(Self.checks(in: base))
    let lines = report.text.split(separator: "\n")
    #expect(lines.count == 5 + 2 + 1)
    #expect(lines[0] == "ok       cores: 3, one for each processor")
    #expect(lines[2] == "finding  governor: powersave")
    #expect(lines[3].hasPrefix("         cost:   the processor is slow after each pause"))
    #expect(lines[4].hasPrefix("         remedy: as root: echo performance"))
    #expect(lines.last == "1 finding")
    let faults = try Repository.schema("doctor").faults(of: Data(report.json.utf8))
    #expect(faults == [], "\(report.json)")
  }
}
