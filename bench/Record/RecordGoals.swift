// SPDX-License-Identifier: Apache-2.0

/// Goals of recording: most are ratios to limits and peers of the same run.
package enum RecordGoals {
  /// Bytes a second of 4,000,000 entities at 60 Hz, and of a disk that should take them without a loss.
  private static let (largeRate, largeDisk) = (1.44e9, 1.8e9)

  /// Compares the measured rows with the goals.
  package static func all(_ report: RecordReport) -> [BenchGoal] {
    memory(report) + compressed(report) + disk(report) + columns(report) + runs(report)
      + uses(report)
  }

  private static func memory(_ report: RecordReport) -> [BenchGoal] {
    let ours = report.row("memory/ours/none")?.bytesPerSecond
    let limits = ["copy-crc", "copy-crc-once"].compactMap {
      report.row("memory/limit/\($0)")?.bytesPerSecond
    }
    let wanted = limits.max().map { min(4.0, 0.8 * $0 / 1e9) } ?? 4.0
    let foxglove = report.row("shm/foxglove-sdk/none")?.bytesPerSecond
    let inShm = report.row("shm/ours/none")?.bytesPerSecond
    return [
      BenchGoal(
        "full, none, to memory, GB/s", atLeast: wanted, ours.map { $0 / 1e9 }),
      BenchGoal("full, none, by foxglove-sdk", atLeast: 2.5, ratio(inShm, foxglove)),
    ]
  }

  private static func compressed(_ report: RecordReport) -> [BenchGoal] {
    ["lz4", "zstd"].flatMap { name in
      let (ours, theirs) = (
        report.row("shm/ours/\(name)"), report.row("shm/foxglove-sdk/\(name)")
      )
      return [
        BenchGoal(
          "full, \(name), by foxglove-sdk", atLeast: 1,
          ratio(ours?.bytesPerSecond, theirs?.bytesPerSecond)),
        BenchGoal(
          "full, \(name), stored, by foxglove-sdk's", atMost: 1.01,
          ratio(ours?.stored, theirs?.stored)),
      ]
    }
  }

  private static func disk(_ report: RecordReport) -> [BenchGoal] {
    let fio = report.row("disk/limit/fio")?.bytesPerSecond
    let large = report.runs.first {
      $0.target == .disk && $0.mode == .full && $0.entities >= 4_000_000
    }
    return [
      BenchGoal(
        "full, none, to disk, by fio", atLeast: 0.85,
        ratio(report.row("disk/ours/none")?.bytesPerSecond, fio)),
      // If the disk is slower than that, the disk loses frames, not the logger.
      BenchGoal(
        "4,000,000 entities at 60 Hz to disk, lost", atMost: 0,
        (fio ?? 0) >= largeDisk ? large.map { Double($0.missed) } : nil),
    ]
  }

  private static func columns(_ report: RecordReport) -> [BenchGoal] {
    let stress = report.column("stress", RecordReport.ourColumns)
    return [
      BenchGoal("--delta, stress, bits a value", atMost: 5.5, stress?.bits),
      BenchGoal("--delta, stress, GB/s in", atLeast: 1.2, stress?.rates.map { $0.encoded / 1e9 }),
      BenchGoal("--delta, stress, GB/s out", atLeast: 1.5, stress?.rates.map { $0.decoded / 1e9 }),
    ]
      + ["stress", "lottie-like", "feed", "planets"].map { scene in
        BenchGoal(
          "--delta, \(scene), bits by pcodec's", atMost: 1,
          ratio(
            report.column(scene, RecordReport.ourColumns)?.bits,
            report.column(scene, "pcodec")?.bits))
      }
  }

  private static func runs(_ report: RecordReport) -> [BenchGoal] {
    let run = report.runs.first
    return [
      BenchGoal("tick p99 with the logger, by without", atMost: 1.05, run?.p99Ratio),
      BenchGoal(
        "10,000,000 entities at 60 Hz, quantised deltas, lost", atMost: 0,
        report.runs.first { $0.mode == .delta && $0.entities >= 10_000_000 }.map {
          Double($0.missed)
        }),
      BenchGoal(
        "MiB that the logger took", atMost: 256,
        report.runs.map { Double($0.residentMaxBytes) / 0x1p20 }.max()),
    ]
  }

  private static func uses(_ report: RecordReport) -> [BenchGoal] {
    let (full, delta, digest) = (report.use(.full), report.use(.delta), report.use(.digest))
    return [
      BenchGoal(
        "--quantise 16 --delta, GB/s of input", atLeast: 2,
        delta.map { $0.inputBytesPerSecond / 1e9 }),
      BenchGoal("--quantise 16 --delta, B of two floats", atMost: 2.2, delta?.bytesPerPosition),
      BenchGoal("digest, by the tick's time", atMost: 0.02, digest?.partOfTick),
      BenchGoal("digest, MiB an hour at 60 Hz", atMost: 8, digest?.mebibytesPerHour),
      BenchGoal(
        "verify, full, GB/s", atLeast: 1, full?.verifiedBytesPerSecond.map { $0 / 1e9 }),
      BenchGoal(
        "verify, digest, by sim --unpaced", atLeast: 0.9,
        ratio(digest?.simSeconds, digest?.verifySeconds)),
      BenchGoal("seek, full, ms", atMost: 10, full?.seekNs.last.map { Double($0) / 1e6 }),
      BenchGoal(
        "trace info, ms", atMost: 50, report.uses.map { $0.infoSeconds * 1e3 }.max()),
      BenchGoal(
        "MiB that a reader took", atMost: 256,
        report.uses.map { Double($0.residentMaxBytes) / 0x1p20 }.max()),
    ]
  }

  private static func ratio(_ over: Double?, _ under: Double?) -> Double? {
    guard let over, let under, under > 0 else { return nil }
    return over / under
  }
}
