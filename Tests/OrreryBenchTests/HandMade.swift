// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryBench
import TestSupport

/// Rows and reports whose figures a test has made up.
enum HandMade {
  /// A machine that nobody has.
  static let machine: BenchMachine = {
    var machine = BenchMachine()
    (machine.processor, machine.processorCount) = ("Test Processor", 2)
    machine.caches = ["L1 data 48K", "L2 unified 2M"]
    (machine.kernel, machine.hugePages) = ("6.1.0", "[always]")
    (machine.instructionSet, machine.commit) = ("avx2", "0123456789ab")
    return machine
  }()

  /// A trace of a thousand frames of a megabyte.
  static func use(_ mode: RecordUse.Mode, seekNs: [UInt64] = [1000, 9_000_000]) -> RecordUse {
    RecordUse(
      mode: mode, entities: 125_000, frames: 1000, inputBytes: 1e9,
      fileBytes: mode == .digest ? 30_000 : 1e8, recordSeconds: 0.4, simSeconds: 4,
      verifySeconds: mode == .delta ? nil : 0.8, infoSeconds: 0.03, seekNs: seekNs,
      residentMaxBytes: 100 << 20)
  }

  /// A report of `bench kernels` without rows.
  static func kernelReport() -> KernelReport {
    KernelReport(isa: machine.instructionSet)
  }

  /// A row of kernels, whose rounds take so many nanoseconds of an entity and a tick.
  static func kernel(
    _ subject: StudyRow.Subject, _ name: String = "", family: String = "", count: Int = 1000,
    tile: Int = 1, threads: Int = 1, isa: String? = nil, isFixed: Bool = false,
    traffic: Traffic? = Traffic(reads: 8, updates: 0, writes: 8), ns: [Double]
  ) -> BenchRow {
    let row = BenchRow(
      subject, name: name, family: family, count: count, traffic: traffic, ticksPerCall: tile
    ) {}
    row.isa = subject == .ours ? isa ?? machine.instructionSet : nil
    (row.threads, row.isFixed) = (threads, isFixed)
    for ns in ns { row.add(ns: UInt64(ns * Double(count * tile)), calls: 1) }
    return row
  }

  /// A row of transport that has not been measured.
  static func transport(
    _ key: String, _ group: TransportRow.Group = .spin, _ subject: StudyRow.Subject = .ours,
    _ way: HandoverWay = .spin, bytes: Int = 64, readers: Int = 1
  ) -> TransportRow {
    TransportRow(
      key, group, subject, way, "name of \(key)", bytes: bytes, readers: readers,
      launch: .init(path: "/bin/false", arguments: []),
      request: HandoverRequest(count: 10, pauseNs: 0))
  }

  /// What a round of a row came to, all messages as fast as each other.
  static func answer(
    _ way: HandoverWay = .spin, ns: Double = 100, received: UInt64 = 10, missed: UInt64 = 0,
    seconds: Double = 1, slept: UInt64? = 0
  ) -> HandoverAnswer {
    HandoverAnswer(
      way: way, times: [ns], received: received, missed: missed, seconds: seconds, slept: slept)
  }

  /// What a sim says of its ticks at its end.
  static func figures(p99Ns: Int, lateTicks: Int = 0) -> SubscriberBenchReport.SimFigures {
    var report = SampleReports.sim()
    (report.work.meanNs, report.work.p99Ns, report.work.maxNs) = (1500, UInt64(p99Ns), 9000)
    (report.publish.meanNs, report.publish.p99Ns, report.publish.maxNs) = (100, 2000, 300)
    report.pace.lateTicks = UInt64(lateTicks)
    return .init(report)
  }

  /// What a process holds.
  static func resources(
    descriptors: Int = 20, mappings: Int = 2, mebibytes: Int
  ) -> StartedProgram.Resources {
    .init(
      descriptors: descriptors, maps: String(repeating: "a line\n", count: mappings),
      status: "VmRSS:\t\(mebibytes << 10) kB\n")
  }
}
