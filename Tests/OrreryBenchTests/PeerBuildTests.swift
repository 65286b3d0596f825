// SPDX-License-Identifier: Apache-2.0

import OrreryBench
import OrrerySim
import Testing

/// Peers are built as docs/reference/bench.md says, for the instruction sets that were asked for.
@Suite struct PeerBuildTests {
  @Test func everySetHasItsPeersTheWidestFirst() {
    #expect(
      PeerBuild.jobs([.baseline, .avx2, .avx512]).map(\.family) == [
        "calibration", "calibration", "calibration", "AVX-512 by hand", "SLEEF AVX-512",
        "Highway AVX-512", "AVX2 by hand", "SLEEF AVX2", "Highway AVX2", "C++ arrays",
        "C++ arrays, 512 bits", "entity-component arrays", "C++ players", "ISPC",
      ])
    #expect(
      PeerBuild.jobs([.baseline]).map(\.family) == [
        "calibration", "C++ arrays", "entity-component arrays", "C++ players", "ISPC",
      ])
  }

  @Test func calibrationIsOfEachSetAlone() {
    let jobs = PeerBuild.jobs([.baseline, .avx2, .avx512]).filter(\.isCalibration)
    #expect(jobs.map(\.isa) == [.baseline, .avx2, .avx512])
    #expect(
      jobs.map(\.flags) == [
        ["-ffp-contract=off", "-DWIDTH=16"],
        ["-ffp-contract=off", "-DWIDTH=32", "-march=x86-64-v3"],
        [
          "-ffp-contract=off", "-DWIDTH=64", "-march=x86-64-v4", "-mprefer-vector-width=512",
        ],
      ])
    #expect(PeerBuild.jobs([.baseline]).filter { $0.isa != nil }.count == 1)
  }

  @Test func librariesAreLookedForBeforeTheyAreBuilt() throws {
    let jobs = PeerBuild.jobs([.avx2])
    let sleef = try #require(jobs.first { $0.family == "SLEEF AVX2" })
    #expect(sleef.header?.name == "sleef.h")
    #expect(sleef.header?.package == "libsleef-dev")
    #expect(sleef.linked == ["-lsleef"])
    #expect(sleef.source == "sleef.cpp")
    let highway = try #require(jobs.first { $0.family == "Highway AVX2" })
    #expect(highway.header?.name == "hwy/highway.h")
    #expect(highway.flags == ["-march=x86-64-v3", "-maes", "-mpclmul"])
    #expect(jobs.first { $0.family == "ISPC" }?.ispc == "kernels.ispc")
    let arrays = try #require(jobs.first { $0.family == "C++ arrays" })
    #expect(arrays.flags.contains("-ffast-math"))
    let components = try #require(jobs.first { $0.family == "entity-component arrays" })
    #expect(!components.flags.contains("-ffast-math"))
    #expect(components.source == "components.cpp")
    #expect(jobs.allSatisfy { $0.isCalibration == ($0.family == "calibration") })
  }
}

/// Other programs are found, run to their end, and quoted where they fail.
@Suite struct ToolTests {
  @Test func programsAreFoundOnPathOrNot() {
    #expect(Tool.find("sh")?.hasSuffix("/sh") == true)
    #expect(Tool.find("no-such-program") == nil)
    #expect(Tool.find("no-such-program.txt") == nil)
  }

  @Test func outputIsThatOfAProgramThatSucceeds() {
    #expect(Tool.output("/bin/sh", ["-c", "echo out; echo err >&2"]) == "out\n")
    #expect(Tool.output("/bin/sh", ["-c", "echo out; exit 1"]) == nil)
    #expect(Tool.output("/nonexistent/tool", []) == nil)
  }

  @Test func failureIsQuotedByTheLineThatSaysMost() {
    #expect(Tool.run("/bin/sh", ["-c", "echo err >&2"]) == nil)
    #expect(
      Tool.run("/bin/sh", ["-c", "echo first >&2; echo fatal error: x >&2; exit 1"])
        == "fatal error: x")
    #expect(Tool.run("/bin/sh", ["-c", "echo first >&2; echo second >&2; exit 1"]) == "first")
    #expect(Tool.run("/bin/sh", ["-c", "echo out; exit 1"]) == "/bin/sh failed")
    #expect(Tool.run("/nonexistent/tool", []) != nil)
  }

  @Test func compilerSaysWhoItIs() {
    guard let compiler = Tool.compiler() else { return }
    #expect(compiler.path.hasPrefix("/"))
    #expect(!compiler.version.isEmpty)
    #expect(!compiler.version.contains("\n"))
  }
}
