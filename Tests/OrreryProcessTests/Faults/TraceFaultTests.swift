// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import TestSupport
import Testing

/// Goal: a logger whose disk fills up or fails ends with 74 and a file that can be used, and its sim does not notice.
@Suite(.serialized) struct TraceFaultTests {
  private static let isRoot = getuid() == 0

  /// Data that fills a disk of 2 MiB in less than a second.
  private static let sim = [
    "stress", "--entities", "4000", "--rate", "240", "--duration", "4", "--wait-for", "1", "--json",
  ]

  @Test(
    .enabled(if: isRoot, "needs root: mounts a small disk"), arguments: ["none", "zstd"])
  func fault06FullDiskEndsTheLoggerWithAWholeFile(compression: String) throws {
    let place = try Place()
    let sim = try Program("sim", Self.sim + ["--run", "full"], in: place)
    let disk = place.files + "/disk"
    try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
    var result: (code: Int32?, text: String, errorText: String)?
    let seconds = try Faults.seconds {
      result = try Program.run(
        "/usr/bin/unshare",
        [
          "-m", "/bin/bash", "-c",
          "mount -t tmpfs -o size=2m tmpfs \(disk) || exit 99; bin=\(Program.directory)\n"
            + """
            $bin/logger --run full --out \(disk)/a.mcap --min-free-space 0 --compression \(compression)
            echo "logger $?"
            $bin/orrery trace verify \(disk)/a.mcap >&2
            echo "verify $?"
            $bin/orrery trace recover \(disk)/a.mcap \(place.files)/b.mcap >&2
            echo "recover $?"
            """,
        ], in: place)
    }
    #expect(result?.code == 0, "\(result?.errorText ?? "")")
    let ends = result?.text.split(separator: "\n").suffix(3).map(String.init)
    // All bytes are right, but the account is missing, and what there was no room for.
    #expect(ends == ["logger 74", "verify 3", "recover 3"], "\(result?.errorText ?? "")")
    #expect(result?.errorText.contains("No space left") == true, "\(result?.errorText ?? "")")
    #expect(sim.wait() == 0, "\(sim.errorText)")
    let report = try report("orrery.sim.v2", in: sim.text)
    Faults.figure(
      6,
      "\(compression): full disk: over after \(seconds) s of a run of 4 s; late ticks of the sim: "
        + "\(number("late_ticks", in: pace(of: report)) ?? -1)")
  }

  /// Every call that a trace is written with fails once, at points all over the run.
  @Test(.enabled(if: Faults.strace != nil, "needs strace"))
  func fault06FailingDiskLeavesWhatCanBeRecovered() throws {
    let simWords = Faults.simArguments("f", ticks: 1200) + ["--wait-for", "1", "--json"]
    let loggerWords = [
      "--run", "f", "--out", "f.mcap", "--wait", "300", "--sync", "second", "--chunk-size", "20000",
    ]
    let calls = try Faults.systemCalls(of: "logger", sim: simWords, logger: loggerWords)
    let names = ["pwrite64", "fallocate", "fdatasync", "ftruncate"]
    var ends: [String: Int] = [:]
    for (index, point) in calls.points(8 * testEffort, of: names, seed: Faults.seed).enumerated() {
      let error = ["EIO", "ENOSPC", "EDQUOT"][index % 3]
      let place = try Place()
      let sim = try Program("sim", simWords, in: place)
      let logger = try Faults.start(
        "logger", loggerWords, fault: "error=" + error, at: point, in: place)
      let code = logger.wait()
      // A logger that could not make its file has not joined: the sim waits for another.
      if code == 74, !sim.hasEnded(within: 5) { sim.signal(SIGTERM) }
      #expect(sim.wait() == 0, "\(sim.errorText)")
      let comment: Comment = "ORRERY_SEED=\(Faults.seed): \(error) at \(point): \(logger.errorText)"
      #expect([0, 74].contains(code), comment)
      ends["\(code ?? -1)", default: 0] += 1
      guard place.has("f.mcap") else {
        #expect(code == 74, comment)
        continue
      }
      let recovery = try Program.run(
        "orrery", ["trace", "recover", "f.mcap", "g.mcap"], in: place)
      // A header alone has nothing to give.
      let isEmpty = recovery.code == 65 && recovery.errorText.contains("nothing in it is whole")
      #expect(recovery.code == 0 || recovery.code == 3 || isEmpty, "\(comment): \(recovery)")
      if code == 0 {
        #expect(try Program.run("orrery", ["trace", "verify", "f.mcap"], in: place).code == 0)
      }
    }
    Faults.figure(6, "failing calls: ends \(ends)")
  }
}
