// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import OrreryBench
import TestSupport
import Testing

/// A plan is a list of numbered cases; a fault in it is named with file, line, column and key.
@Suite struct SweepTests {
  private static let text = """
    name = "threads"

    [run]
    scene = "stress"
    rounds = 4
    round-ms = 1

    [grid]
    entities = [10, 20, 30]
    threads = [1, 2]
    hash = ["full", "off"]
    """

  private static func plan(_ text: String = text) throws -> SweepPlan {
    try SweepPlan.parse(text, file: "p.toml")
  }

  @Test func casesAreTheGridInItsOrder() throws {
    let plan = try Self.plan()
    #expect(plan.name == "threads")
    #expect(plan.cases.count == 12)
    #expect(plan.cases.map(\.number) == Array(0..<12))
    #expect(plan.varied == [.entities, .threads, .hash])
    #expect(plan.cases[0].words == ["entities=10", "threads=1", "hash=full"])
    #expect(plan.cases[1].words == ["entities=10", "threads=1", "hash=off"])
    #expect(plan.cases[11].words == ["entities=30", "threads=2", "hash=off"])
    #expect(plan.cases[7].settings.entities == 20)
    #expect(plan.cases[7].settings.hash == .off)
    #expect(plan.cases.allSatisfy { $0.settings.rounds == 4 && $0.settings.roundMilliseconds == 1 })
    #expect(plan.cases[11].file == "case-000011.json")
    #expect(plan.cases[1].title(of: plan) == "threads, case 1: entities=10 threads=1 hash=off")
  }

  @Test func planWithoutGridIsOneCase() throws {
    let plan = try Self.plan("[run]\nscene = \"feed\"\nframes = true\nsubscribers = []\n")
    #expect(plan.name == "p")
    #expect(plan.cases.count == 1)
    #expect(plan.cases[0].settings.scene == "feed")
    #expect(plan.cases[0].settings.subscribers == [])
    #expect(plan.cases[0].settings.frames)
  }

  @Test(arguments: [
    ("x", "p.toml:1:2: "),
    ("[run]\nsceen = \"a\"", "p.toml:2:1: run.sceen: no such key; did you mean scene?"),
    ("[runs]\n", "p.toml:1:2: runs: no such key; did you mean run?"),
    ("name = 3", "p.toml:1:8: name: is not a text"), ("name = \"\"", "name: is not a text"),
    ("[run]\nthreads = 0", "p.toml:2:11: run.threads: 0 is out of range 1...1024"),
    ("[run]\nthreads = \"2\"", "run.threads: \"2\" is not a whole number"),
    ("[run]\nlook-ahead = 8", "run.look-ahead: 8 is out of range 0...7"),
    (
      "[run]\nhash = \"ful\"", "run.hash: \"ful\" is none of full, rolling, off; did you mean full?"
    ),
    ("[run]\nisa = \"sse9\"", "run.isa: \"sse9\" is none of"),
    ("[run]\nscene = 1", "run.scene: 1 is not a scene's name or path"),
    ("[run]\nframes = 1", "run.frames: 1 is not true or false"),
    ("[run]\nduration = 0.4", "run.duration: 0.4 is out of range 0.5...3600.0"),
    ("[run]\nrate = nan", "run.rate: nan is out of range"),
    ("[run]\nsubscribers = \"reader\"", "run.subscribers: \"reader\" is not an array"),
    ("[run]\nsubscribers = [\"reader\", \"reader\"]", "names a program twice"),
    ("[grid]\nthreads = []", "p.toml:2:11: grid.threads: needs an array with at least one value"),
    ("[grid]\nthreads = 2", "grid.threads: needs an array"),
    ("[grid]\nthreads = [1,\n 2000]", "p.toml:3:2: grid.threads[1]: 2000 is out of range"),
    ("run = 3", "run: is not a table"), ("[grid]\nentities = [1]\nentities = [2]", "p.toml:3:1: "),
  ])
  func faultIsNamedWithItsPlace(text: String, message: String) throws {
    let error = #expect(throws: Failure.self, "\(text)") { try Self.plan(text) }
    #expect(error?.status == .badData)
    #expect(error?.description.contains(message) == true, "\(error as Any)")
  }

  @Test func gridThatIsTooLargeIsRefused() {
    let axis = "[" + (1...400).map(String.init).joined(separator: ",") + "]"
    let error = #expect(throws: Failure.self) {
      try Self.plan("[grid]\nentities = \(axis)\nseed = \(axis)\n")
    }
    #expect(error?.description.contains("more than 100000 cases") == true)
  }

  @Test func completeCasesAreSkippedAndOthersAreNot() throws {
    let (base, plan) = (try TemporaryBase(), try Self.plan())
    let folder = SweepFolder(base.path + "/out", plan)
    #expect(!FileManager.default.fileExists(atPath: folder.path))
    try folder.make()
    #expect(try folder.missing().count == 12)
    func write(_ number: Int, isPartial: Bool) throws {
      var result = StudySamples.full()
      (result.title, result.isPartial) = (plan.cases[number].title(of: plan), isPartial)
      result.caseHash = plan.cases[number].hash
      try result.write(to: folder.path(of: plan.cases[number]))
    }
    try write(3, isPartial: false)
    try write(4, isPartial: true)
    #expect(try folder.missing().map(\.number) == [0, 1, 2] + Array(4..<12))
    let lines = try folder.table().split(separator: "\n")
    #expect(lines.count == 5, "\(lines)")
    #expect(lines[0].hasPrefix("case,entities,threads,hash,figure,unit"))
    #expect(lines[1].hasPrefix("3,10,2,off,tick stress,ns,smaller,100,4,20.0,20.5,"), "\(lines[1])")
    // Another plan's results in the folder are not taken for this one's.
    try write(5, isPartial: false)
    try FileManager.default.moveItem(
      atPath: folder.path(of: plan.cases[5]), toPath: folder.path(of: plan.cases[6]))
    let error = #expect(throws: Failure.self) { try folder.missing() }
    #expect(error?.status == .usage)
    #expect(error?.description.contains("another plan") == true)
  }

  /// What all cases share is not in their titles, nor are the bytes of a scene file.
  @Test func resultOfOtherSettingsOrAnEditedSceneIsRefused() throws {
    let base = try TemporaryBase()
    let scene = base.path + "/mine.toml"
    try "a = 1".write(toFile: scene, atomically: true, encoding: .utf8)
    func plan(rounds: Int) throws -> SweepPlan {
      try SweepPlan.parse(
        "[run]\nscene = \"\(scene)\"\nrounds = \(rounds)\n[grid]\nthreads = [1]\n", file: "p.toml")
    }
    let first = try plan(rounds: 4)
    let folder = SweepFolder(base.path + "/out", first)
    try folder.make()
    var result = StudySamples.full()
    (result.title, result.caseHash) = (first.cases[0].title(of: first), first.cases[0].hash)
    try result.write(to: folder.path(of: first.cases[0]))
    #expect(try folder.missing().isEmpty)
    let others = SweepFolder(folder.path, try plan(rounds: 5))
    let error = #expect(throws: Failure.self) { try others.missing() }
    #expect(error?.description.contains("other settings under [run]") == true)
    try "a = 2".write(toFile: scene, atomically: true, encoding: .utf8)
    #expect(throws: Failure.self) { try folder.missing() }
  }

  @Test func enginesAreGivenEachCaseOnce() throws {
    let plan = try Self.plan()
    let slurm = SweepScript.slurm(plan, file: "my plan.toml", folder: "out")
    #expect(slurm.contains("#SBATCH --array=0-11\n"))
    #expect(slurm.contains("#SBATCH --cpus-per-task=3\n"))
    #expect(slurm.contains("sweep 'my plan.toml' --out out --case \"$SLURM_ARRAY_TASK_ID\"\n"))
    let parallel = SweepScript.parallel(plan, file: "p.toml", folder: "a'b")
    #expect(
      parallel == "seq 0 11 | parallel --jobs 1 --retries 2 orrery bench sweep p.toml --out"
        + " 'a'\\''b' --case {}\n")
  }

  /// A case is measured in the program itself: small, and twice the same hash.
  @Test func caseIsMeasured() throws {
    let plan = try Self.plan()
    let one = plan.cases[0]
    var study = one.settings.study(title: "t", command: "c")
    study.repeatSeconds = 0
    let result = try StudyRun(study).measure()
    #expect(!result.isPartial)
    #expect(result.title == "t")
    let row = try #require(result.row("tick stress"))
    #expect(row.samples.count == 4)
    #expect(row.entities == 10)
    #expect(try StudyRun(study).measure().row("tick stress")?.hash == row.hash)
    #expect(Steadiness.names.allSatisfy { result.row($0)?.samples.count == 4 })
  }

  /// Before each round the machine is measured, before one that is repeated too.
  ///
  /// Method: rounds of one cycle, of which hardly two take equally long.
  @Test func machineIsMeasuredBeforeEachRound() throws {
    let names = ["flags", "planets", "feed", "ticker-wall"]
    var plan = StudyRun.Plan(
      workloads: names.map { Workload(name: $0) }, title: "t", command: "c")
    (plan.rounds, plan.roundNs, plan.repeatSeconds) = (3, 1, 0.5)
    plan.options.splits = false
    var repeats = 0
    let result = try StudyRun(plan) { repeats += $0.text.hasPrefix("again, ") ? 1 : 0 }.measure()
    let rounds = names.reduce(0) { $0 + (result.row("tick " + $1)?.samples.count ?? 0) }
    #expect(rounds == 12 + repeats)
    #expect(Steadiness.names.allSatisfy { result.row($0)?.samples.count == rounds })
  }
}
