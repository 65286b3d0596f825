// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import OrreryBase
import Testing

/// Goal: however a run ends, nothing stays in the runtime directory, in /dev/shm or beside the outputs.
///
/// Method: whole runs that are ended in every way; then one more program of Orrery's, as anybody would start next.
@Suite(.serialized) struct LeftoverProcessTests {
  enum End: String, CaseIterable {
    case byItself
    case interrupted
    case interruptedTwice
    case killedOrrery
    case killedSim
    case killedRenderer
    case killedLogger
    case fullDisk
  }

  @Test(arguments: End.allCases) func nothingIsLeftBehind(end: End) throws {
    let place = try Place()
    let shared = Self.sharedMemory
    let run = try Self.start(end, in: place)
    let children = end == .byItself || end == .fullDisk ? [:] : Self.waitForChildren(of: run)
    switch end {
    case .byItself, .fullDisk: break
    case .interrupted: run.signal(SIGINT)
    case .interruptedTwice:
      run.signal(SIGINT)
      run.wait(for: "the answer to the first signal") { run.errorText.contains("Ctrl-C") }
      run.signal(SIGINT)
    case .killedOrrery: run.signal(SIGKILL)
    case .killedSim: kill(try #require(children["sim"]), SIGKILL)
    case .killedRenderer: kill(try #require(children["renderer"]), SIGKILL)
    case .killedLogger: kill(try #require(children["logger"]), SIGKILL)
    }
    // A run that has begun goes on without a subscriber that died; otherwise it ends.
    if end == .killedRenderer || end == .killedLogger {
      run.wait(for: "the dead child to be noticed") { run.children.count <= 2 }
      run.signal(SIGINT)
    }
    run.wait()
    run.wait(for: "the children's end") { children.values.allSatisfy { kill($0, 0) != 0 } }
    // What the dead leave, the next program reclaims.
    let next = try Program.run("orrery", ["ps"], in: place)
    #expect(next.code == 0, "\(next.errorText)")
    #expect(next.text == "no runs\n")
    #expect(place.runs == [])
    #expect(Self.sharedMemory.subtracting(shared) == [])
    let outputs: Set = ["left.mcap", "left.mp4", "left.png"]
    let files = try FileManager.default.contentsOfDirectory(atPath: place.files + "/out")
    #expect(Set(files).subtracting(outputs) == [], "\(run.errorText)")
  }

  /// Starts a run of flags that names its shared memory, with its files in `out`.
  private static func start(_ end: End, in place: Place) throws -> Program {
    var words = ["run", "flags", "--run", "left", "--size", "160x90", "--out", "out"]
    switch end {
    case .byItself: words += ["--duration", "1"]
    case .fullDisk:
      // No file of more than 4 KiB: neither video nor trace gets anywhere.
      words += ["--duration", "2", "--lockstep"]
      let line = (["\(Program.directory)/orrery"] + words).joined(separator: " ")
      return try Program("/bin/bash", ["-c", "ulimit -f 4; exec \(line)"], in: place)
    default: break
    }
    return try Program("orrery", words, in: place)
  }

  /// Waits until three programs run and all of them have opened what they write to.
  private static func waitForChildren(of run: Program) -> [String: pid_t] {
    var found: [String: pid_t] = [:]
    run.wait(for: "its three programs") {
      // A child has its parent's name until it has become the other program.
      found = run.children
      return Set(found.keys) == ["sim", "renderer", "logger"]
    }
    // Time for an encoder to have begun; the test holds without it, too.
    Clock.sleep(untilMonotonicNs: Clock.monotonicNs() + 700_000_000)
    return found
  }

  private static var sharedMemory: Set<String> {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/dev/shm")) ?? []
    // Tests beside this one have segments of their own, and so has the clock that `faketime` gives them.
    return Set(names.filter { !$0.hasPrefix("orrery-test-") && !$0.contains("faketime") })
  }
}
