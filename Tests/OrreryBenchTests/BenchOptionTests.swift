// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrreryBench
import OrrerySim
import Testing

/// Options of `bench` take what the help says, and refuse what is next to it.
///
/// Method: command lines as a shell hands them over, both sides of each limit.
@Suite struct BenchOptionTests {
  @Test(arguments: [
    "tick --rounds 1 --look-ahead 0 --threads 1024", "tick --rounds 1000 --look-ahead 7",
    "--quick", "study --out a.json",
    "run stress feed --threads 1024 --isa baseline --rounds 10000",
    "run a.toml --entities 1 --copies 10000000 --look-ahead 0 --hash off --seed 0 --round-ms 60000",
    "run feed storm --worst 1000",
    "run stress --frames --duration 0.5 --subscribers none --rate 0.01",
    "capacity", "capacity a.toml --rate 1,10000 --budget 1 --p 50 --threads 1,1024 --duration 1",
    "capacity --first 5 --max 5", "capacity --max 100000000", "capacity --max 1000",
    "capacity --kind spring --isa baseline --look-ahead 0,7 --subscribers reader,logger,renderer",
    "sweep a.toml --case 0 --out b --resume", "sweep a.toml --slurm", "sweep a.toml --parallel",
    "sweep a.toml --list", "compare a.json b.json --threshold 0.1%",
    "compare a b --frames --starts 4", "compare a.json --scenes feed,board",
    "compare a.json b.json --json",
    "report a.json b.json -o c.html --baseline d.json --edited --plots e",
    "report a.json --summary md",
    "save a.json --results b", "history", "history row --machine m --plot a.svg",
    "draw --rounds 1", "draw --rounds 1000 --width 16384 --height 1",
    "kernels --rounds 1 --duration 60 --threads 1,1024 --tile 1,2,4,8 --entities 50000000",
    "kernels --rounds 1000 --plot a.png --isa baseline --kinds orbit,mixed", "kernels --quick",
    "kernels --duration 0.0005", "views --rounds 1 --entities 10000000", "views --quick",
    "transport --rounds 1 --plot a.svg",
    "transport --rounds 1000 --groups spin,wake,rate,remote,cost", "transport --quick",
    "subscribers --entities 1 --pairs 1 --duration 1,1,3600 --subscribers 1",
    "subscribers --entities 10000000 --pairs 1000 --duration 3600,3600,3600 --subscribers 256",
    "pipeline --scenes stress,flags --entities 1,100000000 --duration 0.5 --check",
    "pipeline --scenes planets --duration 3600 --out a.json",
  ])
  func whatIsInTheLimitsIsTaken(line: String) throws {
    _ = try BenchCommand.parseAsRoot(line.split(separator: " ").map(String.init))
  }

  @Test(arguments: [
    ("study --out -", "--out -: standard output has the report"),
    ("report a.json -o q.pdf", "--out q.pdf: the page is HTML, so use a name that ends in .html"),
    ("report a.json --edited", "--edited needs --baseline"),
    ("run", "<scenes>"), ("run stress --entities 0", "--entities: 0 is out of range"),
    ("run stress --copies 10000001", "--copies: 10000001 is out of range"),
    ("run stress --threads 1025", "--threads: 1025 is out of range"),
    ("run stress --isa sse9", "--isa: \"sse9\" is none of"),
    ("run stress --look-ahead 8", "--look-ahead: 8 is out of range"),
    ("run stress --hash fll", "did you mean full?"), ("run stress --seed=-1", "--seed: -1 is out"),
    ("run stress --worst 1001", "--worst: 1001 is out of range"),
    ("run stress --rounds 0", "--rounds: 0 is out of range"),
    ("run stress --round-ms 0", "--round-ms: 0 is out of range"),
    ("run stress --duration nan", "--duration: nan is out of range"),
    ("run stress --rate 0", "--rate: 0.0 is out of range"),
    ("run stress --subscribers reader,loger", "\"loger\" is none of reader, logger, renderer"),
    ("run stress --subscribers reader,reader", "--subscribers: names a program twice"),
    ("capacity --rate 10001", "--rate: use 1 to 10000"),
    ("capacity --budget 0", "--budget 0.0: use"),
    ("capacity --budget 1.1", "--budget 1.1: use"), ("capacity --budget nan", "--budget nan: use"),
    ("capacity --p 49", "--p 49.0: use 50 to 100"), ("capacity --kind comet", "--kind"),
    ("capacity --threads 1025", "--threads: use 1 to 1024"),
    ("capacity --duration 0.9", "--duration 0.9: use 1 to 3600"),
    ("capacity --first 0", "--first 0: use"),
    ("capacity --max 0", "--max 0: use"),
    ("capacity --first 6 --max 5", "--first 6: above --max 5"),
    ("capacity --look-ahead 8", "--look-ahead 8: use numbers from 0 to 7"),
    ("capacity --look-ahead 1,,2", "--look-ahead 1,,2: use numbers"),
    ("capacity --subscribers logger,logger", "each once; or none"),
    ("capacity --plot a.pdf", "--plot a.pdf: use a name that ends in .png or .svg"),
    ("sweep", "<plan>"), ("sweep a.toml --case=-1", "--case -1: use 0 or more"),
    ("sweep a.toml --slurm --list", "exclude each other"),
    ("compare a.json", "NEW is missing"),
    ("compare a.json b.json --scenes a,b", "leave out b.json"),
    ("compare a b --json --markdown", "one of them"),
    ("compare a.json --scenes a,b,c", "use two names"),
    ("compare a.json --scenes a,b --edited", "leave out --edited"),
    ("compare a b --threshold 0.05%", "use 0.1% to 100%"),
    ("compare a b --threshold x", "--threshold"),
    ("compare a b --starts 3", "--starts 3: use 4 to 1000"),
    ("report", "<results>"), ("report a.json --summary html", "--summary"), ("save", "<result>"),
    ("history --plot a.svg", "--plot needs a row"),
    ("history row --plot a", "use a name that ends"),
    ("tick --rounds 0", "--rounds 0: use 1 to 1000"),
    ("tick --rounds 1001", "--rounds 1001: use 1 to 1000"),
    ("tick --look-ahead 8", "--look-ahead 8: use 0 to 7"),
    ("tick --threads 1025", "--threads: use 1 to 1024"),
    ("tick --threads 1,1025", "--threads: use 1 to 1024"),
    ("tick --entities 0", "--entities"), ("tick --entities 1,", "--entities"),
    ("draw --width 0", "--width 0: use 1 to 16384"),
    ("draw --height 16385", "--height 16385: use 1 to 16384"),
    ("views --out -", "--out -: standard output has the report"),
    ("transport --out -", "--out -: standard output has the report"),
    ("kernels --out -", "--out -: standard output has the report"),
    ("subscribers --out -", "--out -: standard output has the report"),
    ("draw --rounds 0", "--rounds 0: use 1 to 1000"),
    ("draw --rounds 1001", "--rounds 1001: use 1 to 1000"),
    ("kernels --rounds 0", "--rounds 0: use 1 to 1000"),
    ("kernels --rounds 1001", "--rounds 1001: use 1 to 1000"),
    ("kernels --duration 0", "--duration 0.0: use more than 0 and at most 60"),
    ("kernels --duration inf", "--duration inf: use more than 0 and at most 60"),
    ("kernels --duration nan", "--duration nan: use more than 0 and at most 60"),
    ("kernels --tile 16", "--tile: use 1, 2, 4 or 8"),
    ("kernels --duration 60.5", "--duration 60.5: use more than 0 and at most 60"),
    ("kernels --threads 1025", "--threads: use 1 to 1024"),
    ("kernels --tile 1,3", "--tile: use 1, 2, 4 or 8"),
    ("kernels --entities 1,50000001", "--entities 50000001: use at most 50000000"),
    ("kernels --plot a.txt", "--plot a.txt: use a name that ends in .png or .svg"),
    ("kernels --kinds orbit,circle", "--kinds"), ("kernels --isa avx3", "--isa"),
    ("views --rounds 0", "--rounds 0: use 1 to 1000"),
    ("views --rounds 1001", "--rounds 1001: use 1 to 1000"),
    ("views --entities 1,10000001", "--entities 10000001: use at most 10000000"),
    ("transport --rounds 0", "--rounds 0: use 1 to 1000"),
    ("transport --rounds 1001", "--rounds 1001: use 1 to 1000"),
    ("transport --plot a", "--plot a: use a name that ends in .png or .svg"),
    ("transport --groups spin,", "--groups"),
    ("subscribers --entities 0", "--entities 0: use 1 to 10000000"),
    ("subscribers --entities 10000001", "--entities 10000001: use 1 to 10000000"),
    ("subscribers --pairs 0", "--pairs 0: use 1 to 1000"),
    ("subscribers --pairs 1001", "--pairs 1001: use 1 to 1000"),
    ("subscribers --duration 1,2", "--duration: use three numbers of at most 3600"),
    ("subscribers --duration 1,2,3,4", "--duration: use three numbers of at most 3600"),
    ("subscribers --duration 1,3601,1", "--duration: use three numbers of at most 3600"),
    ("subscribers --subscribers 0", "--subscribers 0: use 1 to 256"),
    ("subscribers --subscribers 257", "--subscribers 257: use 1 to 256"),
    ("pipeline --out -", "--out -: standard output has the report"),
    ("pipeline --scenes stress,moons", "--scenes"), ("pipeline --entities 0", "--entities"),
    ("pipeline --entities 1,100000001", "--entities: use 1 to 100000000"),
    ("pipeline --duration 0.49", "--duration 0.49: use 0.5 to 3600 seconds"),
    ("pipeline --duration 3600.1", "--duration 3600.1: use 0.5 to 3600 seconds"),
    ("pipeline --duration -1", "--duration -1.0: use 0.5 to 3600 seconds"),
    ("pipeline --duration nan", "--duration nan: use 0.5 to 3600 seconds"),
  ])
  func whatIsOutsideIsRefusedByName(line: String, message: String) throws {
    let words = line.split(separator: " ").map(String.init)
    let error = #expect(throws: (any Error).self, "\(line)") {
      _ = try BenchCommand.parseAsRoot(words)
    }
    let text = BenchCommand.message(for: try #require(error))
    #expect(text.contains(message), "\(line): \(text)")
  }

  @Test(arguments: [("", 7), ("--quick", 2), ("--rounds 9", 9), ("--quick --rounds 9", 9)])
  func transportHasSevenRoundsOrTwoShortOnes(options: String, rounds: Int) throws {
    let words = ["transport"] + options.split(separator: " ").map(String.init)
    let bench = try #require(try BenchCommand.parseAsRoot(words) as? TransportBench)
    #expect(bench.roundCount == rounds)
  }

  @Test(
    arguments: [
      ("", 7, 10_000_000), ("--quick", 2, 500_000), ("--rounds 9", 9, 10_000_000),
      ("--quick --rounds 9", 9, 500_000), ("--duration 0.25", 7, 250_000_000),
      ("--quick --duration 0.25", 2, 250_000_000),
    ] as [(String, Int, UInt64)])
  func kernelsHaveSevenRoundsOrTwoQuickOnes(options: String, rounds: Int, ns: UInt64) throws {
    let words = ["kernels"] + options.split(separator: " ").map(String.init)
    let bench = try #require(try BenchCommand.parseAsRoot(words) as? KernelBench)
    #expect(bench.roundCount == rounds)
    #expect(bench.roundNs == ns)
  }

  @Test(
    arguments: [
      ("", 7, [10_000, 100_000, 1_000_000]), ("--quick", 2, [1000]),
      ("--rounds 9 --entities 5", 9, [5]),
      ("--quick --rounds 9 --entities 2000,7,999", 9, [7, 999, 1000]),
    ] as [(String, Int, [Int])])
  func viewsHaveSevenRoundsOrTwoOfSmallNumbers(
    options: String, rounds: Int, counts: [Int]
  ) throws {
    let words = ["views"] + options.split(separator: " ").map(String.init)
    let bench = try #require(try BenchCommand.parseAsRoot(words) as? ViewBench)
    #expect(bench.roundCount == rounds)
    #expect(bench.counts == counts)
  }

  /// The help of a subcommand, or of the program itself, in one line.
  private static func help(_ words: [String]) throws -> String {
    let text: String
    if let word = words.first {
      let subcommand = try #require(
        BenchCommand.configuration.subcommands.first { $0.configuration.commandName == word })
      text = BenchCommand.helpMessage(for: subcommand, columns: 1000)
    } else {
      text = BenchCommand.helpMessage(columns: 1000)
    }
    return text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// What each subcommand says of its options, and what they are where nobody says anything.
  static let helps: [(String, [String])] = [
    (
      "tick",
      [
        "--entities <entities> Numbers of entities, 1 to 100000000, separated by commas. "
          + "(default: 10000,100000,1000000)",
        "--threads <threads> Numbers of threads, at most, 1 to 1024, separated by commas. (default: 1)",
        "--hash <hash> Values that the hash covers, separated by commas: full, rolling, off. (default: full)",
        "sim does 7 in a ring of 28 slots. (default: 7)",
        "--rounds <rounds> Rounds, 1 to 1000; each is at least 20 ms long. (default: 9)",
      ]
    ),
    (
      "draw",
      [
        "--width <width> Width of pictures in pixels, 1 to 16384. (default: 1280)",
        "--height <height> Height of pictures in pixels, 1 to 16384. (default: 720)",
        "--rounds <rounds> Rounds of 30 pictures, 1 to 1000. (default: 9)",
      ]
    ),
    (
      "kernels",
      [
        "Kinds, all by default: orbit, marquee, flow, tween, spring, mixed, keyframes-2,",
        "--entities <entities> Numbers of entities, 1 to 50000000, separated by commas. "
          + "(default: 10000,100000,1000000,10000000)",
        "--threads <threads> Numbers of threads, 1 to 1024, separated by commas. (default: 1,2)",
        "Ticks that are computed at once: 1, 2, 4 or 8. (default: 1,8)",
        "--rounds <rounds> Rounds of each row, 1 to 1000. --duration <duration> Seconds of a round of a "
          + "row, more than 0 and at most 60.",
        // The same on every machine.
        "--isa <isa> Instruction sets: baseline, avx2 or avx512. Default: those of this machine.",
        "--quick Two short rounds", "--check Exit with code 1", "--out <out> Writes",
        "--plot <plot> Draws a roofline",
      ]
    ),
    (
      "views",
      [
        "--entities <entities> Numbers of views, and of events, 1 to 10000000, separated by commas. "
          + "(default: 10000,100000,1000000)",
        "--rounds <rounds> Rounds of each row, 1 to 1000. --quick Two short rounds",
        "--check Exit with code 1", "--out <out> Writes",
      ]
    ),
    (
      "transport",
      [
        "Groups: spin,wake,rate,remote,cost. (default: spin,wake,rate,remote,cost)",
        "--rounds <rounds> Rounds of each row, 1 to 1000. --quick Two short rounds",
        "--check Exit with code 1", "--out <out> Writes",
        "--plot <plot> Draws latencies",
      ]
    ),
    (
      "subscribers",
      [
        "--entities <entities> Entities of the scene stress, 1 to 10000000. (default: 100000)",
        "--subscribers <subscribers> Subscribers that come and go, 1 to 256. (default: 64)",
        "--pairs <pairs> Pairs of runs, 1 to 1000, one with logger and renderer and one without. --duration",
        "--quick A few seconds in all", "--out <out> Writes",
      ]
    ),
    (
      "pipeline",
      [
        "--scenes <scenes> Scenes, separated by commas: flags, planets, stress. "
          + "(default: flags,planets,stress)",
        "--entities <entities> Entities of the scene stress, 1 to 100000000, separated by commas. "
          + "(default: 100000,1000000,4000000,10000000)",
        "--duration <duration> Seconds of each run, 0.5 to 3600. (default: 5.0)",
        "--check Exit with code 1", "--out <out> Writes",
      ]
    ),
  ]

  @Test(arguments: helps)
  func helpSaysWhatEachOptionIsAndItsDefault(subcommand: String, says: [String]) throws {
    let text = try Self.help([subcommand])
    for part in says { #expect(text.contains(part), "\(part): \(text)") }
  }

  /// What only the bench itself starts is not shown; a line without a subcommand is one of `tick`.
  @Test func benchNamesItsSubcommands() throws {
    let text = try Self.help([])
    for part in [
      "USAGE: orrery bench [AREA] [OPTIONS]", "study (default) What it all costs",
      "run A study of scenes", "capacity The most entities", "sweep A grid of settings",
      "compare Is it slower", "report Results as one page", "save Adds a result",
      "history A row over commits", "tick Nanoseconds per entity and tick",
      "kernels Kernels beside the machine's limits", "draw Pictures per second",
      "views Views in transition",
      "transport Handing frames over", "subscribers What a sim notices",
      "pipeline From a tick's due time",
    ] {
      #expect(text.contains(part), "\(part): \(text)")
    }
    #expect(!text.contains("transport-part"))
    #expect(!text.contains("subscriber-part"))
    #expect(!text.contains("reader-part"))
  }

  /// What `bench` starts of itself is refused where something is missing.
  @Test(arguments: [
    ("subscriber-part --run a --waiting spin --counts b", "--number"),
    ("subscriber-part --run a --waiting spin --number 1", "--counts"),
    ("subscriber-part --run a --counts b --number 1", "--waiting"),
    ("subscriber-part --waiting spin --counts b --number 1", "--run"),
    ("transport-part", "<task>"), ("reader-part --run a", "--frame-times"),
    ("reader-part --frame-times a", "--run"),
  ])
  func partNeedsAllThatItIsTold(line: String, message: String) throws {
    let error = #expect(throws: (any Error).self, "\(line)") {
      _ = try BenchCommand.parseAsRoot(line.split(separator: " ").map(String.init))
    }
    let text = BenchCommand.message(for: try #require(error))
    #expect(text.contains(message), "\(line): \(text)")
  }

  @Test(.enabled(if: !InstructionSet.avx512.isSupported))
  func instructionSetsOfOtherMachinesAreRefused() throws {
    let error = #expect(throws: (any Error).self) {
      _ = try BenchCommand.parseAsRoot(["kernels", "--isa", "avx512"])
    }
    let text = BenchCommand.message(for: try #require(error))
    #expect(text.contains("--isa avx512: this machine does not have it"), "\(text)")
  }
}

/// Lists of the command line are read word by word.
@Suite struct BenchListTests {
  @Test func numbersStayInTheirOrder() {
    #expect(NumberList(argument: "10,2,30")?.numbers == [10, 2, 30])
    #expect(NumberList(argument: "7")?.numbers == [7])
    #expect(NumberList([3, 1]).defaultValueDescription == "3,1")
  }

  @Test(arguments: ["", ",", "1,", ",1", "1,,2", "0", "1,0", "-1", "1,x", "1 ,2"])
  func anythingElseIsNoListOfNumbers(word: String) {
    #expect(NumberList(argument: word) == nil)
  }

  @Test func kindsSetsAndGroupsAreFoundByName() {
    #expect(WordList<KernelKind>(argument: "spring,orbit")?.all == [.spring, .orbit])
    #expect(WordList([KernelKind.flow, .mixed]).defaultValueDescription == "flow,mixed")
    #expect(WordList<InstructionSet>(argument: "avx2,baseline")?.all == [.avx2, .baseline])
    #expect(WordList([InstructionSet.avx2, .avx512]).defaultValueDescription == "avx2,avx512")
    #expect(WordList<TransportRow.Group>(argument: "cost,spin")?.all == [.cost, .spin])
    #expect(WordList([TransportRow.Group.wake, .rate]).defaultValueDescription == "wake,rate")
  }

  @Test(arguments: ["", "orbit,", ",orbit", "orbit,x", "Orbit"])
  func oneUnknownNameMakesNoList(word: String) {
    #expect(WordList<KernelKind>(argument: word) == nil)
    let set = word.replacingOccurrences(of: "rbit", with: "")
    #expect(WordList<InstructionSet>(argument: set) == nil, "\(set)")
    #expect(WordList<TransportRow.Group>(argument: set) == nil, "\(set)")
  }

  @Test func oneUnknownNameAmongOthersMakesNoList() {
    #expect(WordList<InstructionSet>(argument: "avx2,avx3") == nil)
    #expect(WordList<InstructionSet>(argument: "avx2,") == nil)
    #expect(WordList<TransportRow.Group>(argument: "spin,sleep") == nil)
    #expect(WordList<TransportRow.Group>(argument: "spin,") == nil)
  }
}
