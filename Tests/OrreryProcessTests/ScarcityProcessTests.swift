// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import OrreryBase
import TestSupport
import Testing

/// Goal: too few threads, too few descriptors, no space and a kernel that refuses: one line and the documented code,
/// or the program does without; never a trap or an abort.
///
/// Method: real processes in a control group of few processes, under `ulimit`, under strace, on a full file system.
@Suite(.serialized) struct ScarcityProcessTests {
  // MARK: - Threads

  /// Runs a command with so many threads at most.
  ///
  /// One that follows a run is interrupted after two seconds; another one that takes a minute hangs.
  private static func run(
    _ words: String, threads: Int, of group: TestGroup, in place: Place
  ) throws -> (code: Int32?, text: String, errorText: String) {
    let seconds = words.contains("--run live") ? 2 : 60
    // One more for `timeout`. In the background that would send its signal twice, and now and then both count.
    try group.limit(to: threads + 1)
    return try Program.run(
      "/bin/sh",
      group.arguments(
        "timeout --foreground --preserve-status -s INT \(seconds) \(Program.directory)/\(words)"),
      in: place)
  }

  /// Each program, with more and more threads until it succeeds.
  ///
  /// Pango and ZeroMQ start threads where nobody asks them, and abort if they cannot.
  @Test(
    .enabled(if: TestGroup.Resource.pids.root != nil, "making control groups needs root"),
    arguments: [
      "sim flags --run a --ticks 3 --unpaced",
      "sim stress --entities 20000 --run a --ticks 3 --unpaced --threads 4",
      "logger --run live --out a.mcap --wait 1",
      "renderer --run live --png a.png --wait 1",
      "orrery ps", "orrery control live stats", "orrery trace play trace.mcap --run a",
      "orrery run flags --run a --duration 0.1 --size 64x36 --out out",
      "orrery trace export png trace.mcap --out a.png --force",
      "orrery hash stress --entities 20000 --tick 10", "orrery sample flags --at 0",
      "orrery curve 'spring()' --plot a.svg", "orrery trace verify trace.mcap",
    ])
  func fewThreadsAreEnoughOrRefused(words: String) throws {
    let place = try Place()
    let fixture = try Program(
      "sim", Faults.simArguments("fixture", ticks: 20) + ["--wait-for", "1"], in: place)
    let logger = try Program.run("logger", ["--run", "fixture", "--out", "trace.mcap"], in: place)
    #expect(logger.code == 0 && fixture.wait() == 0, "\(logger.errorText)")
    let live = try Program("sim", ["flags", "--run", "live", "--json"], in: place)
    live.waitForProgress()
    let group = try TestGroup(.pids)
    var ends: [Int32: Int] = [:]
    for threads in [1, 2, 3, 4, 5, 6, 8, 10, 12, 14, 16, 20, 24] {
      let run = try Self.run(words, threads: threads, of: group, in: place)
      let code = run.code ?? -1
      ends[code, default: 0] += 1
      let comment: Comment = "\(words), \(threads) threads, code \(code): \(run.errorText)"
      // A program that runs others says how they ended; ffmpeg is one that Orrery does not know from inside.
      #expect([0, 1, 69, 71, 74].contains(code), comment)
      if code == 71 {
        #expect(run.errorText.contains("pids.max") || run.errorText.contains("71"), comment)
        // A round before may have had its threads, and left a picture.
        let lines = run.errorText.split(separator: "\n").filter { !$0.hasSuffix("replaces a.svg") }
        #expect(lines.count == 1 || words.contains("run"), comment)
      }
      // What is left of a program that a library ended is a dead run.
      #expect(try Program.run("orrery", ["clean"], in: place).code == 0)
    }
    #expect(ends[71] ?? 0 > 0 || !words.contains("sim"), "\(words): \(ends)")
    #expect(ends[0] ?? 0 > 0 || words.hasPrefix("orrery run"), "\(words): \(ends)")
    live.signal(SIGTERM)
    #expect(live.wait() == 0)
    Faults.figure(38, "\(words): ends \(ends)")
  }

  // MARK: - Connections

  /// Connects to a socket and says nothing; -1 if it is refused.
  private static func connect(_ path: String) -> CInt {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let socket = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    if result == 0 { return socket }
    close(socket)
    return -1
  }

  /// ZeroMQ would abort the sim when no descriptor is left for one of them.
  @Test(arguments: ["control", "announce", "events"])
  func idleConnectionsLeaveTheSimItsDescriptors(name: String) throws {
    let place = try Place()
    let sim = try Program(
      "/bin/sh",
      ["-c", "ulimit -n 100; exec \(Program.directory)/sim flags --run idle --json"], in: place)
    sim.waitForProgress()
    let path = place.runtime + "/orrery/idle/" + name
    var sockets = (0..<240).map { _ in Self.connect(path) }.filter { $0 >= 0 }
    defer { for socket in sockets { close(socket) } }
    #expect(sockets.count > 100)
    // Those that do not shake hands are hung up on after a second; others take their places.
    for _ in 0..<3 {
      usleep(700_000)
      #expect(sim.isRunning, "\(sim.errorText)")
      sockets += (0..<100).map { _ in Self.connect(path) }.filter { $0 >= 0 }
    }
    for socket in sockets { close(socket) }
    sockets = []
    let stats = try Program.run("orrery", ["control", "idle", "stats"], in: place)
    #expect(stats.code == 0, "\(stats.errorText)")
    #expect(try Program.run("orrery", ["control", "idle", "quit"], in: place).code == 0)
    #expect(sim.wait() == 0, "\(sim.errorText)")
  }

  // MARK: - Writing

  /// Writes that io_uring refuses are done in another way: the trace has every frame.
  @Test(
    .enabled(if: Faults.strace != nil, "needs strace"),
    arguments: ["ENOMEM", "EINVAL", "EAGAIN", "EBUSY"], ["1+", "2", "3+2", "5+"])
  func refusedQueueOfWritesLosesNothing(error: String, when: String) throws {
    let place = try Place()
    let sim = try Program(
      "sim",
      [
        "stress", "--entities", "20000", "--run", "ring", "--ticks", "60", "--unpaced",
        "--lockstep", "--wait-for", "1",
      ], in: place)
    let logger = try Program(
      try #require(Faults.strace),
      [
        "-f", "-qq", "-o", "/dev/null", "-e", "inject=io_uring_enter:error=\(error):when=\(when)",
        Program.directory + "/logger", "--run", "ring", "--out", "a.mcap", "--compression", "none",
        "--json",
      ], in: place)
    #expect(logger.wait() == 0, "\(logger.errorText)")
    #expect(sim.wait() == 0, "\(sim.errorText)")
    let verify = try Program.run("orrery", ["trace", "verify", "a.mcap"], in: place)
    #expect(verify.code == 0, "\(verify.text)\(verify.errorText)")
    #expect(number("received", in: try report("orrery.subscriber.v2", in: logger.text)) == 60)
  }

  /// Where shards meet, or where runs are, on a file system without a free byte.
  @Test(.enabled(if: geteuid() == 0, "mounting needs root"), arguments: [true, false])
  func fullFileSystemIsSaid(rendezvous: Bool) throws {
    let place = try Place()
    let directory = place.files + "/full"
    #expect(mkdir(directory, 0o700) == 0)
    let words =
      rendezvous
      ? "sim flags --run a --ticks 3 --shard 0/2 --rendezvous \(directory)"
      : "sim flags --run a --ticks 3"
    let variable = rendezvous ? "X" : "XDG_RUNTIME_DIR"
    let run = try Program.run(
      "/usr/bin/unshare",
      [
        "-m", "/bin/sh", "-c",
        "mount -t tmpfs -o size=64k,nr_inodes=\(rendezvous ? 3 : 64) none \(directory)"
          + " && chmod 700 \(directory) && { head -c 1M /dev/zero > \(directory)/fill 2>/dev/null;"
          + " export \(variable)=\(directory); exec \(Program.directory)/\(words); }",
      ], in: place)
    #expect(run.code == 74, "\(run.errorText)")
    #expect(run.errorText.contains("No space left on device"), "\(run.errorText)")
    #expect(run.errorText.split(separator: "\n").count == 1, "\(run.errorText)")
  }

  /// What needs little memory is not refused with advice that cannot help.
  @Test func limitOfAddressSpaceIsNamed() throws {
    let place = try Place()
    let run = try Program.run(
      "/bin/sh",
      ["-c", "ulimit -v 600000; exec \(Program.directory)/sim flags --run a --ticks 1"], in: place)
    #expect(run.code == 71, "\(run.errorText)")
    #expect(run.errorText.contains("raise ulimit -v by "), "\(run.errorText)")
    #expect(!run.errorText.contains("--entities"), "\(run.errorText)")
  }

  // MARK: - What stands in the way

  /// What is no file and has the name of a lock is in the way of that run only.
  @Test func pipeInPlaceOfALockHoldsNobodyUp() throws {
    let place = try Place()
    let directory = place.runtime + "/orrery/odd"
    try FileManager.default.createDirectory(
      atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    #expect(mkfifo(directory + "/lock", 0o600) == 0)
    let whole = ["run", "flags", "--run", "b", "--duration", "0.1", "--out", "b"]
    for words in [["ps"], ["clean"], whole] {
      let run = try Program.run("orrery", words, in: place)
      #expect(run.code == 0, "\(words): \(run.errorText)")
    }
    let other = try Program.run("sim", ["flags", "--run", "b", "--ticks", "3"], in: place)
    #expect(other.code == 0, "\(other.errorText)")
    for (words, code) in [
      (["sim", "flags", "--run", "odd"], 77), (["control", "odd", "stats"], 77),
      (["ps", "odd"], 0),
    ] as [([String], Int32)] {
      let run = try Program.run("orrery", words, in: place)
      #expect(run.code == code, "\(words): \(run.errorText)")
      let text = run.text + run.errorText
      #expect(text.contains(directory + "/lock: is no plain file"), "\(text)")
    }
  }

  /// A key that is just being copied is skipped, the log says so once, and the others go on.
  @Test func badKeyIsSkippedAndLogged() throws {
    let place = try Place()
    #expect(try Program.run("orrery", ["keygen", "keys"], in: place).code == 0)
    let port = 20_000 + Int(getpid()) % 10_000
    let address = "tcp://127.0.0.1:\(port)"
    let sim = try Program(
      "sim", ["flags", "--run", "keys", "--listen", address, "--keys", "keys", "--json"], in: place)
    sim.waitForProgress()
    let logger = try Program(
      "logger", ["--connect", address, "--keys", "keys", "--out", "a.mcap", "--json"], in: place)
    logger.wait(forFile: "a.mcap", in: place)
    try place.write("", to: "keys/clients/bad.pub")
    sim.wait(for: "the line about the file") { sim.errorText.contains("bad.pub") }
    usleep(2_500_000)
    let stats = try Program.run(
      "orrery", ["control", "--connect", address, "--keys", "keys", "stats"], in: place)
    #expect(logger.isRunning, "\(logger.errorText)")
    #expect(stats.code == 0, "\(stats.errorText)")
    sim.signal(SIGTERM)
    #expect(sim.wait() == 0)
    #expect(logger.wait() == 0, "\(logger.errorText)")
    let lines = sim.errorText.split(separator: "\n").filter { $0.contains("bad.pub") }
    #expect(lines.count == 1, "\(sim.errorText)")
    #expect(lines[0].hasSuffix("not a CURVE key of 40 characters; this file is skipped"))
  }
}
