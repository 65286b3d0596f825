// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestSupport
import Testing

/// Goal: several sims run one scene as one sim would: the same trace, the same picture, whatever dies.
///
/// Method: real processes, by hand and under mpirun where it is installed.
@Suite(.serialized) struct ShardProcessTests {
  private static let scene = ["stress", "--entities", "20000", "--run", "demo", "--json"]

  private static func shards(
    _ count: Int, _ more: [String], in place: Place
  ) throws -> [Program] {
    try (0..<count).map {
      try Program("sim", scene + ["--shard", "\($0)/\(count)"] + more, in: place)
    }
  }

  private static func report(_ program: Program) throws -> [String: Any] {
    let isSim = program.text.contains("orrery.sim.v2")
    return try OrreryProcessTests.report(
      isSim ? "orrery.sim.v2" : "orrery.subscriber.v2", in: program.text)
  }

  /// Frames of a trace without what differs between two runs: run, generation and time of publishing.
  private static func frames(_ file: String, in place: Place) throws -> String {
    let script = """
      import hashlib, sys
      from mcap.reader import make_reader
      for _, channel, message in make_reader(open(sys.argv[1], 'rb')).iter_messages():
          if channel.topic == '/orrery/frames':
              data = bytearray(message.data)
              data[28:36] = data[55:63] = bytes(8)
              print(message.sequence, len(data), hashlib.sha256(data).hexdigest())
      """
    let result = try Program.run(Program.python, ["-c", script, file], in: place)
    #expect(result.code == 0, "\(result.errorText)")
    return result.text
  }

  @Test func fourShardsMakeTheTraceAndThePictureOfOneSim() throws {
    let place = try Place()
    // In live delivery a busy machine would miss some.
    let run = ["--ticks", "120", "--lockstep", "--wait-for", "2"]
    let follow = { (name: String) throws -> [Program] in
      [
        try Program(
          "logger", ["--run", "demo", "--out", name + ".mcap", "--json", "--wait", "300"], in: place
        ),
        try Program(
          "renderer", ["--run", "demo", "--png", name + ".png", "--json", "--wait", "300"],
          in: place),
      ]
    }
    let whole = try [Program("sim", Self.scene + run, in: place)] + follow("whole")
    for program in whole { #expect(program.wait() == 0) }
    let shards = try Self.shards(4, run, in: place)
    let subscribers = try follow("joined")
    for program in shards + subscribers { #expect(program.wait() == 0, "\(program.errorText)") }
    #expect(try Self.frames("joined.mcap", in: place) == Self.frames("whole.mcap", in: place))
    let pictures = ["joined.png", "whole.png"].map {
      FileManager.default.contents(atPath: place.files + "/" + $0)
    }
    #expect(pictures[0] != nil && pictures[0] == pictures[1])
    let report = try Self.report(subscribers[0])
    let accounts = try #require(report["shards"] as? [[String: Any]])
    #expect(accounts.map { $0["shard"] as? String } == ["0/4", "1/4", "2/4", "3/4"])
    #expect(accounts.allSatisfy { $0["received"] as? Int == 120 && $0["missed"] as? Int == 0 })
  }

  /// A shard that is killed is missing in the frames of that time, and nowhere else.
  @Test func killedShardComesBackAtTheTickOfTheOthers() throws {
    let place = try Place()
    let run = ["--duration", "6", "--wait-for", "1"]
    let shards = try Self.shards(3, run, in: place)
    let logger = try Program(
      "logger", ["--run", "demo", "--out", "out.mcap", "--json", "--wait", "300"], in: place)
    shards[1].waitForProgress()
    shards[1].signal(SIGKILL)
    #expect(shards[1].wait() == 137)
    let again = try Program(
      "sim", Self.scene + ["--shard", "1/3", "--duration", "6"], in: place)
    for program in [shards[0], again, shards[2], logger] {
      #expect(program.wait() == 0, "\(program.errorText)")
    }
    let hashes = try [shards[0], again, shards[2]].map { program -> UInt64 in
      let text = try #require(try Self.report(program)["state_hash"] as? String)
      return try #require(UInt64(text, radix: 16))
    }
    let whole = try Program.run(
      "orrery", ["hash", "stress", "--entities", "20000", "--tick", "360"], in: place)
    let sum = hashes.reduce(0, &+)
    #expect(UInt64(whole.text.dropLast(), radix: 16) == sum)
    let accounts = try #require(try Self.report(logger)["shards"] as? [[String: Any]])
    let received = try #require(accounts[1]["received"] as? Int)
    let missed = try #require(accounts[1]["missed"] as? Int)
    #expect(received > 0 && missed > 0)
    #expect(received + missed == accounts[0]["received"] as? Int)
    #expect(try Self.report(again)["frames"] as? Int ?? 0 < 360)
  }

  /// The files of shards where those of one machine meet.
  private static func meetingPlace(of place: Place) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: place.runtime + "/orrery/.shards")
  }

  /// All shards are killed, and started again at once: nobody takes the dead for the living.
  @Test(arguments: [false, true]) func runThatWasKilledAsAWholeBeginsAnew(isPaused: Bool) throws {
    let place = try Place()
    let killed = try Self.shards(3, [], in: place)
    for shard in killed { shard.waitForProgress() }
    usleep(500_000)
    if isPaused { _ = try Self.control(["demo", "pause"], in: place) }
    for shard in killed { shard.signal(SIGKILL) }
    for shard in killed { #expect(shard.wait() == 128 + SIGKILL) }
    let again = try Self.shards(3, ["--ticks", "60"], in: place)
    for shard in again { #expect(shard.wait() == 0, "\(shard.errorText)") }
    let reports = try again.map(Self.report)
    #expect(reports.map { $0["frames"] as? Int } == [60, 60, 60])
    let hash = try Program.run(
      "orrery", ["hash", "stress", "--entities", "20000", "--tick", "60"], in: place)
    let sum = reports.reduce(UInt64(0)) { sum, report in
      sum &+ (UInt64(report["state_hash"] as? String ?? "", radix: 16) ?? 0)
    }
    #expect(hash.text.contains(String(sum, radix: 16)), "\(hash.text)")
    #expect(try Self.meetingPlace(of: place) == [])
  }

  @Test func cleanRemovesWhatDeadShardsLeft() throws {
    let place = try Place()
    let shards = try Self.shards(2, [], in: place)
    for shard in shards { shard.waitForProgress() }
    let nothing = try Program.run("orrery", ["clean"], in: place)
    #expect(nothing.text == "nothing to clean\n")
    for shard in shards { shard.signal(SIGKILL) }
    for shard in shards { shard.wait() }
    let clean = try Program.run("orrery", ["clean"], in: place)
    #expect(clean.code == 0)
    #expect(clean.text.contains("dead shards of run 'demo': removed "), "\(clean.text)")
    #expect(clean.text.contains("/.shards/demo.1of2.shard"), "\(clean.text)")
    #expect(try Self.meetingPlace(of: place) == [])
    #expect(try Program.run("orrery", ["clean"], in: place).text == "nothing to clean\n")
  }

  /// A shard's trace is what a logger of that shard alone writes.
  @Test func eachShardHasATraceOfItsOwn() throws {
    let place = try Place()
    let sims = try Self.shards(3, ["--ticks", "60", "--lockstep", "--wait-for", "2"], in: place)
    let all = try Program(
      "logger",
      ["--run", "demo", "--per-shard", "--out", "all.mcap", "--json", "--wait", "300"], in: place)
    let alone = try (0..<3).map {
      try Program(
        "logger", ["--run", "demo.\($0)of3", "--out", "alone\($0).mcap", "--wait", "300"], in: place
      )
    }
    for program in sims + [all] + alone { #expect(program.wait() == 0, "\(program.errorText)") }
    for shard in 0..<3 {
      let frames = try Self.frames("all.\(shard)of3.mcap", in: place)
      #expect(frames.split(separator: "\n").count == 60)
      #expect(try Self.frames("alone\(shard).mcap", in: place) == frames)
    }
    #expect(!place.has("all.mcap"))
    #expect(all.text.components(separatedBy: "orrery.subscriber.v2").count == 4, "three reports")
  }

  @Test func worstShardIsTheExitCodeOfAll() throws {
    let place = try Place()
    try place.write("", to: "all.1of2.mcap")
    let sims = try Self.shards(2, ["--ticks", "240"], in: place)
    let all = try Program(
      "logger", ["--run", "demo", "--per-shard", "--out", "all.mcap", "--wait", "300"], in: place)
    #expect(all.wait() == 74, "\(all.errorText)")
    #expect(place.has("all.0of2.mcap"))
    for sim in sims { #expect(sim.wait() == 0) }
  }

  @Test func runOfOneSimHasNoTracesByShard() throws {
    let place = try Place()
    let sim = try Program("sim", ["flags", "--run", "demo", "--json"], in: place)
    sim.waitForProgress()
    let logger = try Program.run(
      "logger", ["--run", "demo", "--per-shard", "--out", "all.mcap"], in: place)
    #expect(logger.code == 64)
    #expect(logger.errorText.contains("--per-shard needs a run of several shards"))
    sim.signal(SIGTERM)
    #expect(sim.wait() == 0)
  }

  /// Shards of this machine are followed in memory, wherever they meet.
  @Test func shardsAreFoundWhereTheyMeet() throws {
    let place = try Place()
    let meeting = place.files + "/meeting"
    try FileManager.default.createDirectory(
      atPath: meeting, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    let sims = try Self.shards(
      2, ["--ticks", "60", "--lockstep", "--wait-for", "1", "--rendezvous", meeting], in: place)
    let logger = try Program(
      "logger",
      [
        "--run", "demo", "--rendezvous", meeting, "--out", "out.mcap", "--json", "--wait", "300",
      ], in: place)
    for program in sims + [logger] { #expect(program.wait() == 0, "\(program.errorText)") }
    let report = try Self.report(logger)
    #expect(report["waiting"] as? String == "futex")
    #expect(report["received"] as? Int == 60)
  }

  /// One shard has no address, but its ring; the other is another machine's.
  @Test func memoryAndMessagesAreJoined() throws {
    let here = try Place()
    let there = try Place()
    let meeting = here.files + "/meeting"
    try FileManager.default.createDirectory(
      atPath: meeting, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    let run = ["--ticks", "60", "--lockstep", "--wait-for", "1", "--rendezvous", meeting]
    let port = 20_000 + Int(getpid()) % 10_000
    let sims = [
      try Program("sim", Self.scene + ["--shard", "0/2"] + run, in: here),
      try Program(
        "sim", Self.scene + ["--shard", "1/2", "--listen", "tcp://127.0.0.1:\(port)"] + run,
        in: there),
    ]
    let logger = try Program(
      "logger",
      [
        "--run", "demo", "--rendezvous", meeting, "--out", "out.mcap", "--json", "--wait", "300",
        "--lead", "5000",
      ], in: here)
    for program in sims + [logger] { #expect(program.wait() == 0, "\(program.errorText)") }
    let report = try Self.report(logger)
    #expect(report["waiting"] as? String == "remote")
    let shards = try #require(report["shards"] as? [[String: Any]])
    #expect(shards.map { $0["received"] as? Int } == [60, 60])
  }

  /// Asks a run, and asks again if its shards were not ready; `sims` are those of its shards.
  private static func control(
    _ words: [String], in place: Place, of sims: [Program] = []
  ) throws -> [String: Any] {
    var result = try Program.run("orrery", ["control"] + words + ["--json"], in: place)
    for _ in 0..<100 where result.code != 0 {
      usleep(100_000)
      result = try Program.run("orrery", ["control"] + words + ["--json"], in: place)
    }
    try #require(result.code == 0, "\(words): \(result.errorText)\(sims.map(\.errorText))")
    let object = try JSONSerialization.jsonObject(with: Data(result.text.utf8))
    return try #require(object as? [String: Any])
  }

  /// A change is made by all at one frame; the first shard has the views, and does not forget them.
  @Test func controlAddressesTheRun() throws {
    let place = try Place()
    let start = { (index: Int) throws in
      try Program(
        "sim", ["planets", "--run", "demo", "--json", "--shard", "\(index)/2"], in: place)
    }
    var shards = try (0..<2).map(start)
    shards[0].waitForProgress()
    _ = try Self.control(["demo", "toggle", "Mars"], in: place)
    _ = try Self.control(["demo", "pause"], in: place)
    let before = try Self.control(["demo", "seek", "100"], in: place)
    for index in 0..<2 {
      _ = try Self.hash(of: "demo.\(index)of2", atTick: 100, in: place, of: shards)
    }
    // Who comes now gets the frame that the paused run shows.
    let renderer = try Program(
      "renderer", ["--run", "demo", "--png", "a.png", "--json"], in: place)
    renderer.wait(for: "its frame") {
      let stats = try? Program.run(
        "orrery", ["control", "demo.1of2", "stats", "--json"], in: place)
      return stats?.text.contains(#""received":1"#) ?? false
    }
    renderer.signal(SIGINT)
    #expect(renderer.wait() == 0, "\(renderer.errorText)")
    #expect(number("received", in: try Self.report(renderer)) == 1 && place.has("a.png"))
    shards[0].signal(SIGKILL)
    #expect(shards[0].wait() == 137)
    shards[0] = try start(0)
    let after = try Self.control(["demo", "seek", "100"], in: place)
    #expect(after["state_hash"] as? String == before["state_hash"] as? String)
    #expect(after["sequence"] as? Int == (before["sequence"] as? Int ?? 0) + 1)
    _ = try Self.control(["demo", "resume"], in: place)
    let alone = try Program.run("orrery", ["control", "demo.1of2", "pause"], in: place)
    #expect(alone.code == 65)
    #expect(alone.errorText.contains("ask the run or its first shard"))
    let quit = try Program.run("orrery", ["control", "demo", "quit"], in: place)
    #expect(quit.code == 0, "\(quit.errorText)")
    for shard in shards { #expect(shard.wait() == 0) }
    #expect(!place.runs.contains { $0.hasPrefix("demo") })
  }

  /// Killed and started again in a run that goes on: the sum of the hashes is the scene's again.
  @Test func shardKilledAtAnyMomentComesBack() throws {
    let place = try Place()
    let start = { (index: Int) throws in
      try Program("sim", Self.scene + ["--shard", "\(index)/3", "--wait", "300"], in: place)
    }
    var shards = try (0..<3).map(start)
    var random = SeededRandom(seed: 35)
    for _ in 0..<2 * testEffort {
      shards[0].waitForProgress()
      usleep(.random(in: 0...500_000, using: &random))
      let index = Int.random(in: 0..<3, using: &random)
      shards[index].signal(SIGKILL)
      #expect(shards[index].wait() == 137)
      shards[index] = try start(index)
      _ = try Self.control(["demo", "pause"], in: place, of: shards)
      let shown = try Self.control(["demo", "step"], in: place, of: shards)
      let next = try #require(shown["tick"] as? Int)
      let hashes = try (0..<3).map {
        try Self.hash(of: "demo.\($0)of3", atTick: next, in: place, of: shards)
      }
      let whole = try Program.run(
        "orrery", ["hash", "stress", "--entities", "20000", "--tick", "\(next)"], in: place)
      #expect(UInt64(whole.text.dropLast(), radix: 16) == hashes.reduce(0, &+))
      _ = try Self.control(["demo", "resume"], in: place)
    }
    _ = try Self.control(["demo", "quit"], in: place)
    for shard in shards { #expect(shard.wait() == 0, "\(shard.errorText)") }
  }

  /// Shard 1 is away while a change is decided, and back before its frame.
  @Test func shardThatComesBeforeAChangeMakesIt() throws {
    let place = try Place()
    let start = { (index: Int) throws in
      try Program(
        "sim", Self.scene + ["--shard", "\(index)/2", "--start-delay", "4", "--wait", "300"],
        in: place)
    }
    var shards = try (0..<2).map(start)
    shards[0].waitForProgress()
    shards[1].signal(SIGKILL)
    #expect(shards[1].wait() == 137)
    let pause = try Program("orrery", ["control", "demo", "pause", "--json"], in: place)
    try waitUntil("the decision") {
      (try? Self.meetingPlace(of: place))?.contains { $0.hasSuffix(".1.decision") } == true
    }
    shards[1] = try start(1)
    #expect(pause.wait() == 0, "\(pause.errorText)")
    let object = try JSONSerialization.jsonObject(with: Data(pause.text.utf8)) as? [String: Any]
    let tick = try #require(object?["tick"] as? Int)
    for index in 0..<2 {
      _ = try Self.hash(of: "demo.\(index)of2", atTick: tick, in: place, of: shards)
    }
    _ = try Self.control(["demo", "quit"], in: place)
    for shard in shards { #expect(shard.wait() == 0, "\(shard.errorText)") }
  }

  /// The hash that a shard shows at a tick, once it has come to it.
  private static func hash(
    of run: String, atTick tick: Int, in place: Place, of sims: [Program]
  ) throws -> UInt64 {
    for _ in 0..<100 {
      let stats = try control([run, "stats"], in: place, of: sims)
      if stats["tick"] as? Int == tick, let hash = stats["state_hash"] as? String {
        return try #require(UInt64(hash, radix: 16))
      }
      usleep(20_000)
    }
    Issue.record("\(run) does not come to tick \(tick)")
    return 0
  }

  @Test func shardsThatDoNotComeAreNamed() throws {
    let place = try Place()
    let alone = try Program.run(
      "sim", Self.scene + ["--shard", "1/3", "--wait", "0.3", "--ticks", "10"], in: place)
    #expect(alone.code == 69)
    #expect(alone.errorText.contains("1 of 3 shards of run 'demo' came within 0.3 s"))
    #expect(alone.errorText.contains("missing: 0, 2"))
  }

  @Test(
    arguments: [
      (["--shard", "3/3"], "--shard"), (["--rendezvous", "."], "--rendezvous needs --shard"),
      (["--shard", "0/2", "--format", "fixed16"], "exclude each other"),
      (["--shard", "auto"], "none of OMPI_COMM_WORLD_RANK"),
      (["--shard", "0/2", "--start-delay", "-1"], "--start-delay -1"),
    ] as [([String], String)])
  func wrongArgumentsAreRefused(arguments: [String], message: String) throws {
    let result = try Program.run("sim", Self.scene + arguments, in: Place())
    #expect(result.code == 64)
    #expect(result.errorText.contains(message), "\(result.errorText)")
  }

  private static let mpirun = ["/usr/bin/mpirun", "/usr/local/bin/mpirun"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  @Test(.enabled(if: mpirun != nil, "needs mpirun (Debian: openmpi-bin)"))
  func mpirunNumbersTheShards() throws {
    let place = try Place()
    let mpirun = try #require(Self.mpirun)
    // In lockstep no frame is missed, on however busy a machine.
    let ticks = Swift.min(500 * testEffort, 10_000)
    let options = [
      "--rate", "1000", "--ticks", "\(ticks)", "--wait-for", "1", "--lockstep",
    ]
    func follow(_ file: String) throws -> Program {
      try Program(
        "logger", ["--run", "demo", "--out", file, "--json", "--wait", "300"], in: place)
    }
    let whole = try [Program("sim", Self.scene + options, in: place), follow("whole.mcap")]
    for program in whole { #expect(program.wait() == 0) }
    let logger = try follow("joined.mcap")
    let run = try Program.run(
      mpirun,
      [
        "--allow-run-as-root", "--oversubscribe", "-n", "4", Program.directory + "/sim",
      ] + Self.scene + options + ["--shard", "auto"], in: place)
    #expect(run.code == 0, "\(run.errorText)")
    #expect(logger.wait() == 0)
    let frames = try Self.frames("joined.mcap", in: place)
    #expect(frames.split(separator: "\n").count == ticks)
    #expect(try frames == Self.frames("whole.mcap", in: place))
  }

  private static let hasSlurm =
    geteuid() == 0
    && ["/usr/sbin/slurmctld", "/usr/sbin/slurmd", "/usr/sbin/munged", "/usr/bin/srun"].allSatisfy {
      FileManager.default.isExecutableFile(atPath: $0)
    }

  /// Slurm on this machine alone, which the test sets up and takes down.
  @Test(.enabled(if: hasSlurm, "needs root, slurm-wlm and munge"))
  func srunNumbersTheShards() throws {
    let place = try Place()
    let logger = try Program(
      "logger", ["--run", "demo", "--out", "out.mcap", "--json", "--wait", "300"], in: place)
    let run = try Program.run(
      Program.root + "/tools/one-node-slurm",
      [place.files + "/slurm", "srun", "-n", "4", Program.directory + "/sim"] + Self.scene
        + ["--shard", "auto", "--ticks", "200", "--lockstep", "--wait-for", "1"], in: place)
    #expect(run.code == 0, "\(run.errorText)")
    #expect(logger.wait() == 0)
    #expect(try Self.report(logger)["received"] as? Int == 200)
    #expect(run.text.components(separatedBy: "orrery.sim.v2").count == 5, "four reports")
  }
}
