// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Bad input is one clear line and the documented exit code, from every program.
@Suite struct BadInputProcessTests {
  struct Misuse: Sendable, CustomTestStringConvertible {
    let program: String
    let arguments: [String]
    let code: Int32
    let says: String
    var testDescription: String { ([program] + arguments).joined(separator: " ") }

    init(_ line: String, _ code: Int32, _ says: String) {
      let words = line.split(separator: " ").map(String.init)
      program = words[0]
      arguments = Array(words.dropFirst())
      self.code = code
      self.says = says
    }
  }

  static let misuses = [
    Misuse("orrery frobnicate", 64, "frobnicate"),
    Misuse("orrery eval --path gpu", 64, "gpu"),
    Misuse("orrery curve sprng", 64, "did you mean spring?"),
    Misuse("orrery curve linear --plot x.pdf", 64, "x.pdf"),
    Misuse("orrery curve linear --plot /proc/nosuch/x.svg", 74, "/proc/nosuch/x.svg"),
    Misuse("orrery run nosuch", 64, "there are completions, "),
    Misuse("orrery run ./nosuch.toml", 69, "./nosuch.toml: open: No such file"),
    Misuse("orrery run flags --duration 0", 64, "more than 0"),
    Misuse("orrery run flags --duration -1", 64, "more than 0"),
    Misuse("orrery run flags --duration inf", 64, "more than 0"),
    Misuse("orrery run flags --duration nan", 64, "more than 0"),
    Misuse("orrery run flags --rate 0", 64, "--rate"),
    Misuse("orrery run flags --rate -60", 64, "--rate"),
    Misuse("orrery run flags --entities 10", 64, "no field"),
    Misuse("orrery run stress --entities 0", 64, "--entities"),
    Misuse("orrery run stress --entities -5", 64, "--entities"),
    Misuse("orrery run stress --entities 100000000000", 64, "--entities"),
    Misuse("orrery run flags --locale xx_YY", 64, "xx_YY"),
    Misuse("orrery run flags --size 0x0", 64, "--size"),
    Misuse("orrery run flags --size 99999x1", 64, "--size"),
    Misuse("orrery run flags --compression gzip", 64, "none, lz4, zstd or zstd:LEVEL"),
    Misuse("orrery run flags --out /proc/nosuch --duration 1", 74, "/proc/nosuch: mkdir"),
    Misuse("orrery sample flags --at -1", 64, "--at"),
    Misuse("orrery sample flags --at 1,,2", 64, "--at"),
    Misuse("orrery sample flags --at 0 --entity 2", 64, "entities 0 to 1"),
    Misuse("orrery hash flags --tick -1", 64, "--tick"),
    Misuse("orrery hash flags --tick 1 --isa sse9", 64, "auto, baseline, avx2 or avx512"),
    Misuse("orrery hash flags --tick 1 --threads 0", 64, "1 to 1024"),
    Misuse("orrery hash flags --tick 4611686018427387905", 64, "use at most 2^62"),
    Misuse("orrery curve linear --size 64x36", 64, "--size needs --plot"),
    Misuse("orrery curve linear --as scss", 64, "css, swift, kotlin, dart, lottie, gsap or json"),
    Misuse("orrery curve linear --as css --plot x.svg", 64, "--as and --plot exclude each other"),
    Misuse("orrery curve linear --within 0.01", 64, "--within needs --as"),
    Misuse("orrery curve linear --as css --within 0", 64, "--within 0.0: use 1e-06 to 0.5"),
    Misuse("orrery curve linear --as css --within nan", 64, "--within nan: use 1e-06 to 0.5"),
    Misuse("orrery curve linear --as css --rate 60", 64, "--rate needs --as lottie"),
    Misuse("orrery curve linear --as lottie --rate 0", 64, "use 1 to 1000 frames a second"),
    Misuse("orrery curve sprng --as css", 64, "did you mean spring?"),
    Misuse("orrery curve spring(bounce:1) --as css", 64, "never comes to rest"),
    Misuse("orrery curve linear(duration:1).speed(0) --as css", 64, "never comes to rest"),
    Misuse("orrery curve spring(bounce:0.9999) --as css", 64, "turns or jumps too often"),
    Misuse("orrery curve [{\"linear\":8}] --as css", 64, "duration: missing"),
    Misuse("orrery curve [{} --as css", 64, "keyframes: not JSON at byte"),
    Misuse("orrery keygen keys --client server", 64, "and not 'server'"),
    Misuse("orrery keygen keys --client a.b", 64, "use 1 to 64 letters, digits, '-' and '_'"),
    Misuse("orrery keygen keys --client " + String(repeating: "a", count: 65), 64, "use 1 to 64"),
    Misuse("orrery keygen /proc/nosuch/keys", 69, "/proc/nosuch/keys"),
    Misuse("orrery ps nobody", 69, "no run named 'nobody'; start one"),
    Misuse("orrery ps ../up", 64, "run name '../up'"),
    Misuse("orrery clean now", 64, "now"),
    Misuse("orrery trace verify .", 74, ".: not a regular file"),
    Misuse("orrery trace export csv .", 74, ".: not a regular file"),
    Misuse("orrery trace play . --run x", 74, ".: not a regular file"),
    Misuse("orrery trace diff . .", 74, ".: not a regular file"),
    Misuse("orrery trace play nosuch.mcap --run x", 69, "nosuch.mcap: open: No such file"),
    Misuse("bench kernels --kinds orbit,comet", 64, "--kinds"),
    Misuse("bench kernels --entities 0", 64, "--entities"),
    Misuse("bench kernels --entities 60000000", 64, "at most 50000000"),
    Misuse("bench kernels --isa sse9", 64, "--isa"),
    Misuse("bench kernels --tile 3", 64, "1, 2, 4 or 8"),
    Misuse("bench kernels --threads 1025", 64, "1 to 1024"),
    Misuse("bench kernels --rounds 0", 64, "1 to 1000"),
    Misuse("bench kernels --duration nan", 64, "more than 0"),
    Misuse("bench kernels --plot x.pdf", 64, ".png or .svg"),
    Misuse("sim flags", 64, "--run"),
    Misuse("sim flags --run ../up", 64, "run name '../up'"),
    Misuse("sim flags --run x --slots 1", 64, "2 to 65536"),
    Misuse("sim flags --run x --ticks 1 --duration 1", 64, "exclude each other"),
    Misuse("sim flags --run x --look-ahead 8", 64, "--look-ahead 8: use 0 to 7"),
    Misuse("sim flags --run x --look-ahead -1", 64, "--look-ahead"),
    Misuse("sim flags --run x --format int8", 64, "--format"),
    Misuse("orrery run flags --stores slow", 64, "--stores"),
    Misuse("sim stress --run x --entities 50000000 --slots 65536", 71, "MB of memory"),
    Misuse("renderer --run nosuch --wait 0", 69, "no run named 'nosuch'"),
    Misuse("renderer --run nosuch --at 1", 64, "--at needs --png"),
    Misuse(
      "renderer --run nosuch --png x.png --at -0.1", 64, "--at -0.1: use 0 to 4000000000 seconds"),
    Misuse("renderer --run nosuch --png x.png --at 0 --wait 0", 69, "no run named 'nosuch'"),
    Misuse("renderer --run nosuch --png x.png --at nan", 64, "use 0 to 4000000000"),
    Misuse("renderer --run nosuch --png x.png --at 1e20", 64, "use 0 to 4000000000"),
    Misuse("logger --run nosuch --wait 0 --out x.mcap", 69, "no run named 'nosuch'"),
    Misuse("logger --run nosuch", 64, "--out"),
    Misuse("logger --run nosuch --out x.mcap --waiting nap", 64, "--waiting"),
    Misuse(
      "logger --run nosuch --wait 0 --out x.mcap --keep 5s", 64, "--keep needs --mode flight"),
    Misuse(
      "logger --run nosuch --wait 0 --out x.mcap --after 1s", 64, "--after needs --mode flight"),
    Misuse(
      "logger --run nosuch --wait 0 --out x.mcap --trigger missed>0", 64,
      "--trigger needs --mode flight"),
    // The longest times and the shortest one are taken, and a little more or less is not.
    Misuse(
      "logger --run nosuch --wait 0 --out x.mcap --mode flight --keep 1ms --after 60min", 69,
      "no run named 'nosuch'"),
    Misuse(
      "logger --run nosuch --wait 0 --out x.mcap --mode flight --keep 60min --after 0s", 69,
      "no run named 'nosuch'"),
    Misuse(
      "logger --run nosuch --wait 0 --out x.mcap --mode flight --keep 0.999ms", 64,
      "--keep 0.999ms: use 1ms to 60min"),
    Misuse(
      "logger --run nosuch --wait 0 --out x.mcap --mode flight --keep 60.01min", 64,
      "--keep 60.01min: use 1ms to 60min"),
    Misuse(
      "logger --run nosuch --wait 0 --out x.mcap --mode flight --after 60.01min", 64,
      "--after 60.01min: use up to 60min"),
    Misuse("renderer --run nosuch --reading some", 64, "--reading"),
    Misuse("renderer --run nosuch --from-frame -1", 64, "--from-frame"),
    Misuse(
      "logger --run nosuch --out x.mcap --from-frame 9223372036854775807", 64, "no run gets there"),
    Misuse("sim flags --run x --stall-limit 0", 64, "--stall-limit 0.0: use 0.01 to 86400"),
    Misuse("sim flags --run x --shm-name ../up", 64, "--shm-name '../up'"),
    Misuse("orrery control x step -1", 64, "-1: no number below 0 is possible here"),
    Misuse(
      "orrery run flags --out /proc/version", 74, "/proc/version is a file; a directory is wanted"),
    Misuse("logger --run .. --out x.mcap", 64, "run name '..'"),
  ]

  @Test(arguments: misuses)
  func misuseIsOneClearLine(misuse: Misuse) throws {
    let place = try Place()
    let run = try Program.run(misuse.program, misuse.arguments, in: place)
    #expect(run.code == misuse.code, "\(run.errorText)")
    #expect(run.errorText.contains(misuse.says), "\(run.errorText)")
    #expect(run.text.isEmpty)
    #expect(place.runs == [])
    #expect(try FileManager.default.contentsOfDirectory(atPath: place.files) == [])
  }

  @Test func badSceneNamesFileLineColumnAndKey() throws {
    let place = try Place()
    try place.write(
      """
      size = [1280, 720]
      [[content]]
      kind = "row"
      currencies = ["EUR"]
      marquee = { speed = -3 }

      """, to: "bad.toml")
    for command in [["run", "bad.toml"], ["hash", "bad.toml", "--tick", "1"]] {
      let run = try Program.run("orrery", command, in: place)
      #expect(run.code == 65)
      #expect(run.errorText.contains("bad.toml:5:21: speed: -3 is out of range 0...100000"))
    }
    let sim = try Program.run("sim", ["bad.toml", "--run", "bad"], in: place)
    #expect(sim.code == 65)
    #expect(sim.errorText.contains("bad.toml:5:21"))
  }

  @Test func fullDiskEndsTheLoggerWithAReadableTrace() throws {
    let place = try Place()
    let sim = try Program(
      "sim",
      [
        "stress", "--run", "full", "--entities", "100000", "--ticks", "60", "--wait-for", "1",
        "--lockstep", "--unpaced", "--json",
      ], in: place)
    // 16 MiB: about 27 frames.
    let recorder = try Program(
      "/bin/bash",
      [
        "-c", "ulimit -f 16384; exec \(Program.directory)/logger --run full --out full.mcap",
      ], in: place)
    #expect(recorder.wait() == 74, "\(recorder.errorText)")
    #expect(recorder.errorText.contains("full.mcap"))
    #expect(recorder.errorText.split(separator: "\n").count == 1)
    #expect(sim.wait() == 0, "a logger that failed must not stop the sim")
    let check = try Program.run(
      Program.python,
      [Program.root + "/tools/mcap-crosscheck.py", "full.mcap", "--json"], in: place)
    #expect(check.code == 0, "\(check.text)\(check.errorText)")
    let found = try #require(
      try JSONSerialization.jsonObject(with: Data(check.text.utf8)) as? [String: Any])
    let frames = try #require(found["frames"] as? Int)
    #expect((12...28).contains(frames))
  }

  @Test func existingTraceIsNotReplacedUnasked() throws {
    let place = try Place()
    try place.write("precious", to: "kept.mcap")
    let sim = try Program("sim", ["flags", "--run", "kept"], in: place)
    let recorder = try Program.run("logger", ["--run", "kept", "--out", "kept.mcap"], in: place)
    #expect(recorder.code == 74)
    #expect(recorder.errorText.contains("kept.mcap"))
    sim.signal(SIGTERM)
    #expect(sim.wait() == 0)
    #expect(
      try String(contentsOfFile: place.files + "/kept.mcap", encoding: .utf8) == "precious")
  }

  @Test func siblingProgramsRunThroughOrrery() throws {
    let place = try Place()
    let run = try Program.run(
      "orrery", ["sim", "flags", "--run", "sibling", "--ticks", "3", "--unpaced"], in: place)
    #expect(run.code == 0)
    #expect(run.text.contains("published     3 frames "))
  }
}
