// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Goal: each example of docs/examples does what its page says.
///
/// Method: those in Swift are programs of this package, too, and `tools/check` builds them as packages of their own.
/// Run each on a sim or a trace, and compare what it prints with `orrery sample` or with a formula.
@Suite struct ExampleFolderProcessTests {
  private static let folder = Program.root + "/docs/examples"

  private static func text(_ path: String) throws -> String {
    try String(contentsOfFile: Program.root + "/" + path, encoding: .utf8)
  }

  /// A sim of flags that waits for one subscriber and publishes thirty frames, and where it listens.
  private static func sim(in place: Place) throws -> (Program, address: String) {
    let sim = try Program(
      "sim",
      [
        "flags", "--run", "demo", "--listen", "tcp://127.0.0.1:0", "--wait-for", "1", "--ticks",
        "30", "--lockstep",
      ], in: place)
    sim.wait(for: "where it listens") {
      sim.errorText.contains("listens at ") || !sim.isRunning
    }
    let line = try #require(
      sim.errorText.split(separator: "\n").first { $0.contains("listens at ") }, "\(sim.errorText)")
    return (sim, String(try #require(line.split(separator: " ").last)))
  }

  /// The x of an entity of flags, as `orrery sample` computes it.
  private static func x(tick: Int, in place: Place) throws -> Float {
    let sample = try Program.run(
      "orrery", ["sample", "flags", "--at", "\(Double(tick) / 60)", "--entity", "0", "--json"],
      in: place)
    return Float(try #require(report("orrery.sample.v2", in: sample.text)["x"] as? Double))
  }

  private static func python(
    _ script: String, _ words: [String], in place: Place
  ) throws -> (code: Int32?, text: String, errorText: String) {
    try Program.run(
      "/usr/bin/env",
      [
        "PYTHONPATH=\(Program.root)/tools/python", "PYTHONDONTWRITEBYTECODE=1", Program.python,
        "\(folder)/\(script)",
      ] + words, in: place)
  }

  /// Swift brings a clang, and needs no other compiler.
  private static func compile(_ source: String, in place: Place) throws {
    let build = try Program.run(
      "/usr/bin/env",
      [
        "clang", "-Wall", "-Wextra", "-Werror", "-O2", "-I",
        Program.root + "/Sources/CFrameLayout/include", "\(folder)/\(source)", "-o", "program",
      ], in: place)
    try #require(build.code == 0, "\(build.errorText)")
  }

  @Test func customAnimationBouncesThreeTimes() throws {
    let run = try Program.run("example-animation", [], in: Place())
    let lines = run.text.split(separator: "\n")
    try #require(run.code == 0 && lines.count == 37, "\(run.errorText)")
    for (tick, line) in lines.enumerated() {
      // Twice as fast, so its second is half a second, and the delay a twentieth.
      let progress = min(max((Double(tick) / 60 - 0.05) * 2, 0), 1)
      let height = pow(1 - progress, 2) * abs(cos(3.5 * .pi * progress))
      let words = line.split(separator: " ")
      #expect(abs((Double(words[2]) ?? .nan) - 100 * (1 - height)) < 0.0006, "\(line)")
    }
  }

  @Test func sceneInSwiftGivesTheFileOfTheGuide() throws {
    let run = try Program.run("example-scene", [], in: Place())
    let guide = try Self.text(
      "Sources/OrrerySceneBuilder/OrrerySceneBuilder.docc/OrrerySceneBuilder.md")
    #expect(guide.contains("```toml\n" + run.text.dropLast() + "\n```"), "\(run.text)")
  }

  @Test func subscriberInSwiftFollowsASim() throws {
    let place = try Place()
    let (sim, address) = try Self.sim(in: place)
    let follow = try Program.run("example-follow", [address], in: place)
    #expect(sim.wait() == 0, "\(sim.errorText)")
    let lines = follow.text.split(separator: "\n")
    try #require(lines.count == 32, "\(follow.errorText)")
    #expect(lines[0].hasSuffix(" entities at 60.0 Hz"))
    #expect(lines[30] == "30 30 \(try Self.x(tick: 30, in: place))")
    #expect(lines[31] == "30 received, 0 missed")
    let source = try Self.text("docs/examples/subscriber-swift/Sources/follow/main.swift")
    let page = try Self.text("docs/how-to/a-subscriber.md")
    let block = try #require(
      page.components(separatedBy: "```swift\n").dropFirst().first?
        .components(separatedBy: "\n```").first)
    #expect(source.contains("\nimport OrreryRuns\n") && block.hasPrefix("import OrreryRuns\n\n"))
    // The page names the address; the program is given it.
    let body = block.components(separatedBy: "waitSeconds: 5)\n").dropFirst().joined()
    #expect(body.count > 100 && source.hasSuffix("waitSeconds: 5)\n\(body)\n"))
  }

  @Test func subscriberInSwiftReadsATraceThatIsPlayed() throws {
    let place = try Place()
    let run = try Program.run(
      "orrery", ["run", "flags", "--ticks", "30", "--lockstep", "--only", "trace", "--out", "."],
      in: place)
    #expect(run.code == 0, "\(run.errorText)")
    let player = try Program(
      "orrery",
      ["trace", "play", "flags.mcap", "--run", "again", "--lockstep", "--wait-for", "1"], in: place)
    let follow = try Program.run("example-follow", ["again"], in: place)
    #expect(player.wait() == 0, "\(player.errorText)")
    let last = follow.text.split(separator: "\n").suffix(2)
    #expect(
      last == ["30 30 \(try Self.x(tick: 30, in: place))", "30 received, 0 missed"],
      "\(follow.text)\(follow.errorText)")
  }

  @Test func subscriberInPythonFollowsASim() throws {
    let place = try Place()
    let (sim, address) = try Self.sim(in: place)
    let follow = try Self.python("subscriber-python/follow.py", [address], in: place)
    #expect(sim.wait() == 0, "\(sim.errorText)")
    let lines = follow.text.split(separator: "\n")
    try #require(lines.count == 31, "\(follow.errorText)")
    #expect(lines[30] == "30 received, 0 missed")
    let words = lines[29].split(separator: " ")
    #expect(Float(words[2]) == (try Self.x(tick: 30, in: place)), "\(lines[29])")
  }

  @Test func subscriberInCReadsFramesInPlace() throws {
    let place = try Place()
    try Self.compile("subscriber-c/follow.c", in: place)
    let name = "follow-" + UUID().uuidString.prefix(8)
    let sim = try Program(
      "sim", ["flags", "--run", "c", "--shm-name", name, "--duration", "60", "--json"], in: place)
    sim.waitForProgress()
    let follow = try Program.run(place.files + "/program", ["/dev/shm/" + name, "5"], in: place)
    #expect(follow.code == 0, "\(follow.errorText)")
    sim.signal(SIGTERM)
    #expect(sim.wait() == 0)
    let lines = follow.text.split(separator: "\n")
    try #require(lines.count == 6, "\(follow.text)")
    #expect(lines[5].hasPrefix("5 received, "))
    for line in lines.dropLast() {
      let words = line.split { $0 == " " || $0 == "," || $0 == ":" }
      let tick = try #require(words.count == 10 ? Int(words[3]) : nil, "\(line)")
      #expect(Float(words[9]) == (try Self.x(tick: tick, in: place)), "\(line)")
    }
  }

  @Test func tracesAreReadInCAndInPython() throws {
    let place = try Place()
    try Self.compile("trace-c/read.c", in: place)
    for format in ["float32", "fixed16"] {
      let run = try Program.run(
        "orrery",
        [
          "run", "stress", "--entities", "100", "--ticks", "30", "--lockstep", "--only", "trace",
          "--out", format, "--format", format,
        ], in: place)
      #expect(run.code == 0, "\(run.errorText)")
      let trace = format + "/stress.mcap"
      let rows = try Program.run(
        "orrery", ["trace", "export", "csv", trace, "--entity", "0", "--columns", "x"], in: place)
      let values = rows.text.split(separator: "\n").dropFirst().compactMap { row in
        row.split(separator: ",").last.flatMap { Float(String($0)) }
      }
      try #require(values.count == 30, "\(rows.errorText)")

      #expect(Set(values).count > 20)
      let inC = try Program.run(place.files + "/program", [trace], in: place)
      let lines = inC.text.split(separator: "\n")
      try #require(lines.count == 31 && lines[30] == "30 frames", "\(inC.text)\(inC.errorText)")
      for (index, line) in lines.dropLast().enumerated() {
        #expect(line.hasPrefix("frame \(index + 1), tick \(index + 1): entity 0, field 1 is "))
        #expect(line.split(separator: " ").last.flatMap { Float(String($0)) } == values[index])
      }
      let inPython = try Self.python("trace-python/read.py", [trace], in: place)
      let words = inPython.text.split(separator: "\n").first?.split(separator: " ") ?? []
      try #require(words.count == 9 && words[1] == "0:", "\(inPython.errorText)")
      #expect(abs((Float(words[3]) ?? .nan) - (values.min() ?? .nan)) < 0.001)
      #expect(abs((Float(words[5]) ?? .nan) - (values.max() ?? .nan)) < 0.001)
      #expect(inPython.text.hasSuffix("\n30 frames\n"))
    }
    for end in [3, 9, 3000] {
      let whole = try Data(contentsOf: URL(fileURLWithPath: place.files + "/float32/stress.mcap"))
      try whole.prefix(end).write(to: URL(fileURLWithPath: place.files + "/cut.mcap"))
      #expect(try Program.run(place.files + "/program", ["cut.mcap"], in: place).code == 65)
    }
  }

  /// The library's engine and a sim agree; `CardTests` compares the card with this trace.
  @Test func traceOfTheCardIsTheOneThatItsTestReads() throws {
    let place = try Place()
    let tests = Self.folder + "/ui-test/Tests/CardTests"
    let run = try Program.run(
      "orrery",
      [
        "run", tests + "/card.toml", "--lockstep", "--duration", "0.75", "--only", "trace", "--out",
        ".",
      ], in: place)
    #expect(run.code == 0, "\(run.errorText)")
    let rows = try Program.run("orrery", ["trace", "export", "csv", "card.mcap"], in: place)
    let kept = try String(contentsOfFile: tests + "/card.csv", encoding: .utf8)
    #expect(rows.text == kept)
  }

  @Test func everyExampleHasAPageAndARow() throws {
    let index = try Self.text("docs/examples/README.md")
    let folders = try FileManager.default.contentsOfDirectory(atPath: Self.folder)
      .filter { $0 != "README.md" }
    #expect(folders.count == 8)
    for name in folders {
      #expect(index.contains("](\(name)/README.md)"), "\(name)")
      #expect(FileManager.default.fileExists(atPath: "\(Self.folder)/\(name)/README.md"), "\(name)")
    }
  }
}
