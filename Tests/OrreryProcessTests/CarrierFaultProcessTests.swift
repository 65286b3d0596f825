// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Faults of where a run lives: /dev/shm, the run directory, names, users; `faultNN` is row NN of the catalogue.
///
/// Method: real processes; a private /dev/shm where it must be small, another user where one is needed. A smoke count by
/// default, ORRERY_TEST_EFFORT times as many on request.
@Suite(.serialized)
struct CarrierFaultProcessTests {
  private static let isRoot = geteuid() == 0

  private static func sim(_ more: [String] = []) -> [String] {
    ["stress", "--run", "fault", "--entities", "1000", "--json"] + more
  }

  private static func freshName() -> String { "orrery-test-" + UUID().uuidString.prefix(8) }

  /// Runs a shell script with a private /dev/shm of a size.
  private static func withShm(
    _ size: String, _ script: String, in place: Place
  ) throws -> (code: Int32?, text: String, errorText: String) {
    try Program.run(
      "/usr/bin/unshare",
      [
        "-m", "/bin/bash", "-c",
        "mount -t tmpfs -o size=\(size),mode=1777 tmpfs /dev/shm || exit 99; bin=\(Program.directory)\n"
          + script,
      ], in: place)
  }

  /// Every size ends with a run or with exit code 71 and what is needed; never with SIGBUS.
  @Test(.enabled(if: isRoot, "needs root: mounts a small /dev/shm"))
  func fault07SmallSharedMemoryIsAnErrorWithItsNumbers() throws {
    let place = try Place()
    let count = 10 * testEffort
    let result = try Self.withShm(
      "1m",
      """
      for i in $(seq 1 \(count)); do
        n=$((i * 120000 / \(count)))
        $bin/sim stress --entities $n --run small --shm-name small --slots 4 --unpaced --ticks 2 >/dev/null 2>errors
        echo "$n $?"; cat errors >&2
      done
      $bin/sim stress --entities 120000 --run small --slots 4 --unpaced --ticks 2 >/dev/null && echo memory runs
      """, in: place)
    #expect(result.code == 0, "\(result.errorText)")
    var codes: [Int: Int] = [:]
    for line in result.text.split(separator: "\n") where line != "memory runs" {
      codes[Int(line.split(separator: " ").last ?? "") ?? -1, default: 0] += 1
    }
    #expect(Set(codes.keys) == [0, 71], "\(codes)")
    #expect(codes.values.reduce(0, +) == count)
    #expect(result.errorText.contains("/dev/shm/small: the ring needs "))
    #expect(result.errorText.contains("remount,size="))
    // The default carrier is not bounded by /dev/shm.
    #expect(result.text.contains("memory runs"))
  }

  /// A /dev/shm that has no limit says that it has no blocks, neither free ones nor others.
  @Test(.enabled(if: isRoot, "needs root: mounts a /dev/shm of its own"))
  func sharedMemoryWithoutALimitIsNeverFull() throws {
    let place = try Place()
    let result = try Self.withShm(
      "0",
      """
      $bin/sim stress --entities 1000 --run boundless --shm-name boundless --slots 4 --unpaced --ticks 2 --json
      """, in: place)
    #expect(result.code == 0, "\(result.errorText)")
    let account = try report("orrery.sim.v2", in: result.text)
    #expect(number("frames", in: account) == 2)
  }

  /// The sim waits for a logger meanwhile: it has written no frame when there is no page left.
  @Test(.enabled(if: isRoot, "needs root: mounts a small /dev/shm"))
  func fault08SharedMemoryThatOthersFillDoesNotTouchARunningSim() throws {
    let place = try Place()
    let seconds = 2 * testEffort
    let result = try Self.withShm(
      "8m",
      """
      $bin/sim stress --entities 10000 --run full --shm-name full --slots 16 --duration \(seconds) --wait-for 1 --json >sim &
      sim=$!
      until [ -e /dev/shm/full ]; do sleep 0.01; done
      dd if=/dev/zero of=/dev/shm/others bs=64k 2>dd; grep -q 'No space' dd && echo filled
      $bin/logger --run full --out full.mcap --json >logger &
      logger=$!
      wait $sim; echo "sim $?"; wait $logger; echo "logger $?"; cat sim logger
      """, in: place)
    #expect(result.text.contains("filled"), "\(result.errorText)")
    #expect(result.text.contains("sim 0\nlogger 0\n"), "\(result.text)\(result.errorText)")
    let account = try report("orrery.subscriber.v2", in: result.text)
    #expect(number("received", in: account) == seconds * 60)
    #expect(number("missed", in: account) == 0)
  }

  /// Ten starters at once after a kill, each wanting the dead sim's run and its segment's name.
  @Test func fault10OneOfManyStartersTakesADeadSimsPlace() throws {
    let name = Self.freshName()
    let path = "/dev/shm/" + name
    for round in 0..<testEffort {
      let place = try Place()
      let arguments = Self.sim(["--shm-name", name])
      let first = try Program("sim", arguments, in: place)
      first.waitForProgress()
      first.signal(SIGKILL)
      #expect(first.wait() == 128 + SIGKILL)
      #expect(FileManager.default.fileExists(atPath: path))
      let starters = try (0..<10).map { _ in try Program("sim", arguments, in: place) }
      starters[0].wait(for: "one of ten sims to run, in round \(round)") {
        starters.count(where: \.isRunning) == 1
          && starters.contains { $0.text.contains("orrery.progress") }
      }
      let winners = starters.filter(\.isRunning)
      #expect(winners.count == 1)
      for loser in starters where loser !== winners.first { #expect(loser.wait() == 75) }
      // Another run that wants the same segment's name leaves the living alone.
      for _ in 0..<3 {
        let other = try Program.run(
          "sim", ["stress", "--run", "other", "--entities", "10", "--shm-name", name], in: place)
        #expect(other.code == 75)
        #expect(other.errorText.contains("a live sim has its ring there"))
      }
      for winner in winners {
        #expect(winner.isRunning)
        winner.signal(SIGTERM)
        #expect(winner.wait() == 0)
      }
      #expect(!FileManager.default.fileExists(atPath: path))
      #expect(place.runs == [])
    }
  }

  /// The record of a dead sim names a process id that somebody else has now.
  @Test func fault11ForeignProcessOfARecordedNumberIsLeftAlone() throws {
    let place = try Place()
    let stranger = try Program("/bin/sleep", ["600"], in: place)
    let directory = place.runtime + "/orrery/fault"
    try FileManager.default.createDirectory(
      atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    for _ in 0..<testEffort {
      try "pid \(stranger.processID)\nuser 0\nsince 1 Unix time\n".write(
        toFile: directory + "/lock", atomically: true, encoding: .utf8)
      let sim = try Program.run("sim", Self.sim(["--ticks", "5", "--unpaced"]), in: place)
      #expect(sim.code == 0, "\(sim.errorText)")
      #expect(stranger.isRunning)
      try FileManager.default.createDirectory(
        atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700]
      )
    }
    stranger.signal(SIGKILL)
    stranger.wait()
  }

  /// What may stand where a sim wants its run's directory.
  private static let squats = [
    ("base is a link", "mkdir real; ln -s real orrery"),
    ("base is open to others", "mkdir -m 777 orrery"),
    ("base is another user's", "mkdir -m 700 orrery; chown 65534 orrery"),
    ("run is a link", "mkdir -m 700 orrery real; ln -s ../real orrery/fault"),
    ("run is open to others", "mkdir -m 700 orrery; mkdir -m 755 orrery/fault"),
    ("run is another user's", "mkdir -m 700 orrery orrery/fault; chown 65534 orrery/fault"),
    ("run is a file", "mkdir -m 700 orrery; touch orrery/fault"),
    ("lock is a link", "mkdir -m 700 orrery orrery/fault; ln -s /tmp/x orrery/fault/lock"),
  ]

  @Test(
    .enabled(if: isRoot, "needs root: two squatters are another user"), arguments: squats.indices)
  func fault19SquattedRunDirectoryIsRefused(index: Int) throws {
    let place = try Place()
    let (name, script) = Self.squats[index]
    let made = try Program.run("/bin/bash", ["-c", "cd \(place.runtime) && \(script)"], in: place)
    try #require(made.code == 0, "\(made.errorText)")
    let sim = try Program.run("sim", Self.sim(["--ticks", "1", "--unpaced"]), in: place)
    #expect(sim.code == 77, "\(name): \(sim.errorText)")
  }

  /// Another user finds no way in: not the run's directory and its sockets, not the segment, not the process.
  @Test(.enabled(if: isRoot, "needs root: becomes another user"))
  func fault20AnotherUserIsKeptOut() throws {
    let place = try Place()
    let name = Self.freshName()
    let sim = try Program("sim", Self.sim(["--shm-name", name]), in: place)
    sim.waitForProgress()
    let run = place.runtime + "/orrery/fault"
    let attempts = [
      "ls \(run)", "cat \(run)/lock", "cat /dev/shm/\(name)", "echo x >>/dev/shm/\(name)",
      "rm -f /dev/shm/\(name)", "mv /dev/shm/\(name) /dev/shm/\(name).2",
      "ls /proc/\(sim.processID)/fd/",
      "cat /proc/\(sim.processID)/maps", "kill -0 \(sim.processID)",
    ]
    for attempt in attempts {
      let result = try Program.run(
        "/usr/bin/setpriv",
        ["--reuid=65534", "--regid=65534", "--clear-groups", "/bin/bash", "-c", attempt], in: place)
      #expect(result.code != 0, "\(attempt)")
      #expect(
        result.errorText.contains("denied") || result.errorText.contains("not permitted"),
        "\(attempt): \(result.errorText)")
    }
    let logger = try Program.run(
      "/usr/bin/setpriv",
      [
        "--reuid=65534", "--regid=65534", "--clear-groups", Program.directory + "/logger", "--run",
        "fault",
        "--out", "/dev/null", "--force", "--wait", "1",
      ], in: place)
    #expect(logger.code == 77, "\(logger.errorText)")
    #expect(sim.isRunning)
    sim.signal(SIGTERM)
    #expect(sim.wait() == 0)
  }

  /// A program of another version on the other end of the join socket.
  @Test func fault26AnotherVersionIsRefusedWithBothNumbers() throws {
    let place = try Place()
    // A sim of the future: it answers whoever joins with version 9.
    let old = """
      import os, socket, struct
      os.makedirs(os.environ["XDG_RUNTIME_DIR"] + "/orrery/fault", 0o700)
      s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
      s.bind(os.environ["XDG_RUNTIME_DIR"] + "/orrery/fault/join"); s.listen(4); print("there", flush=True)
      while True:
          c = s.accept()[0]; c.recv(100)
          c.send(struct.pack("<QIIQQQQIIQ", 0x4e494f4a5952524f, 9, 1, 0, 0, 0, 0, 0, 0, 0)); c.close()
      """
    let future = try Program("/usr/bin/python3", ["-c", old], in: place)
    future.wait(for: "its socket") { future.text.contains("there") }
    for program in [["logger", "--out", "a.mcap"], ["renderer", "--png", "a.png"]] {
      let result = try Program.run(
        program[0], ["--run", "fault"] + program.dropFirst(), in: place)
      #expect(result.code == 76, "\(result.errorText)")
      #expect(result.errorText.contains("frame layout version 9, this program knows 3"))
      #expect(result.errorText.contains("of one release"))
    }
    future.signal(SIGKILL)
    future.wait()
    try FileManager.default.removeItem(atPath: place.runtime + "/orrery")
    // A subscriber of the past: it hears the sim's version.
    let sim = try Program("sim", Self.sim(), in: place)
    sim.waitForProgress()
    let past = """
      import os, socket, struct
      s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
      s.connect(os.environ["XDG_RUNTIME_DIR"] + "/orrery/fault/join")
      s.send(struct.pack("<QII32s16x", 0x4e494f4a5952524f, 2, 1, b"old"))
      print(struct.unpack_from("<QII", s.recv(100))[1:], len(s.recv(100)))
      """
    let result = try Program.run("/usr/bin/python3", ["-c", past], in: place)
    #expect(result.text == "(3, 1) 0\n", "\(result.text)\(result.errorText)")
    sim.signal(SIGTERM)
    #expect(sim.wait() == 0)
  }

  /// A cleaner of temporary directories removes everything that a running sim has made.
  @Test func fault33RemovedNamesDoNotDisturbWhoIsThere() throws {
    let place = try Place()
    let name = Self.freshName()
    let sim = try Program(
      "sim", Self.sim(["--shm-name", name, "--slots", "1024", "--wait-for", "1"]), in: place)
    let logger = try Program("logger", ["--run", "fault", "--out", "a.mcap", "--json"], in: place)
    sim.wait(for: "tick 1") { sim.text.contains("\"tick\":1") }
    try FileManager.default.removeItem(atPath: place.runtime + "/orrery")
    try FileManager.default.removeItem(atPath: "/dev/shm/" + name)
    let late = try Program.run(
      "logger", ["--run", "fault", "--out", "b.mcap", "--wait", "0.5"], in: place)
    #expect(late.code == 69)
    #expect(late.errorText.contains("no run named 'fault' appeared"))
    sim.wait(for: "word that its name was removed") {
      sim.errorText.contains("was removed: nobody can join any more")
    }
    sim.signal(SIGTERM)
    #expect(sim.wait() == 0, "\(sim.errorText)")
    let frames = try #require(number("frames", in: try report("orrery.sim.v2", in: sim.text)))
    #expect(logger.wait() == 0, "\(logger.errorText)")
    let account = try report("orrery.subscriber.v2", in: logger.text)
    #expect(number("received", in: account) == frames)
    #expect(account["ended"] as? String == "run_ended")
  }

  @Test func fault34SecondSimOfANameRefusesAndNamesTheFirst() throws {
    for round in 0..<(3 * testEffort) {
      let place = try Place()
      let sims = try (0..<2).map { _ in try Program("sim", Self.sim(), in: place) }
      sims[0].wait(for: "one of two sims to run, in round \(round)") {
        sims.count(where: \.isRunning) == 1
          && sims.contains { $0.text.contains("orrery.progress") }
      }
      let winner = try #require(sims.first { $0.isRunning })
      let loser = try #require(sims.first { !$0.isRunning })
      #expect(loser.wait() == 75)
      #expect(loser.errorText.contains("run 'fault' is taken by a live sim"))
      // A loser that was as fast as can be finds the winner before it has signed.
      let second = try Program.run("sim", Self.sim(), in: place)
      #expect(second.code == 75)
      for word in ["pid \(winner.processID)", "user \(geteuid())", "since "] {
        #expect(second.errorText.contains(word), "\(second.errorText)")
      }
      winner.signal(SIGTERM)
      #expect(winner.wait() == 0)
    }
  }
}
