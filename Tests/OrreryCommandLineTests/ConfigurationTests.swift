// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import OrreryBase
import OrreryCommandLine
import Testing

/// Goal: options that are set by files and by the environment count as if they were typed, and the strongest one wins.
///
/// Method: a program with a few options, an environment, and a user's file in a folder of its own.
@Suite struct ConfigurationTests {
  private struct Program: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "sim")
    @Option var threads = 1
    @Option var stallLimit = 2.5
    @Option var keys: String?
    @Option var shown: [String] = []
    @Flag var lockstep = false
    @Option(name: .shortAndLong) var out = "."
  }

  /// What is set, for a user's file and variables.
  private func settings(
    _ file: String = "", _ variables: [String] = [], of program: String = "sim"
  ) throws -> [Configuration.Setting] {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let place = folder.appending(path: "orrery")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    try Data(file.utf8).write(to: place.appending(path: "config.toml"))
    do {
      return try Configuration(
        of: program, environment: ["XDG_CONFIG_HOME=\(folder.path)"] + variables
      ) { CommandTree(Program.self) }.settings
    } catch {
      throw Failure(
        error.status, error.description.replacing(place.path + "/config.toml", with: "FILE"))
    }
  }

  @Test func fileSetsOptionsOfItsProgramOnly() throws {
    let file = """
      [sim]
      threads = 4
      stall-limit = 0.5
      lockstep = true
      out = "a b"

      [logger]
      compression = "zstd"
      """
    let found = try settings(file)
    #expect(found.map(\.option) == ["threads", "stall-limit", "lockstep", "out"])
    #expect(
      found.compactMap(\.word) == ["--threads=4", "--stall-limit=0.5", "--lockstep", "--out=a b"])
    #expect(found.map { $0.source.suffix(2) } == [":2", ":3", ":4", ":5"])
    #expect(try settings("[logger]\ncompression = 'zstd'").isEmpty)
    #expect(try settings().isEmpty)
  }

  @Test func variableIsStrongerThanTheFile() throws {
    let file = "[sim]\nthreads = 4\nlockstep = true\n"
    let found = try settings(file, ["ORRERY_SIM_LOCKSTEP=false", "ORRERY_SIM_STALL_LIMIT=7"])
    #expect(found.map(\.value) == ["4", "7", "false"])
    #expect(
      found.map { $0.source.split(separator: "/").last } == [
        "config.toml:2", "ORRERY_SIM_STALL_LIMIT", "ORRERY_SIM_LOCKSTEP",
      ])
    #expect(found.compactMap(\.word) == ["--threads=4", "--stall-limit=7"])
    // Others are not options.
    #expect(try settings("", ["ORRERY_LOG=debug", "ORRERY_SIM_THREADS="]).isEmpty)
  }

  @Test(arguments: [
    ("[sim]\nthread = 4", "FILE:2: thread: no option of sim with one value; did you mean threads?"),
    ("[sim]\nshown = 'a'", "FILE:2: shown: no option of sim with one value"),
    ("[sim]\nhelp = true", "FILE:2: help: no option of sim with one value"),
    (
      "\n[smi]\nthreads = 4",
      "FILE:2: smi: options stand in [run], [sim], [renderer], [logger], [live]; did you mean sim?"
    ),
    (
      "sim = 4", "FILE:1: sim: options stand in [run], [sim], [renderer], [logger], [live]"
    ),
    ("[sim]\nthreads = [4]", "FILE:2: threads: one number or one text is wanted"),
    ("[sim]\nthreads = true", "FILE:2: threads: one number or one text is wanted"),
    ("[sim]\nlockstep = 1", "FILE:2: lockstep: true or false is wanted"),
    ("[sim]\nthreads = 4\nthreads = 5", "FILE:3: the key \"threads\" stands twice"),
  ])
  func badFileIsRefusedWithItsLine(file: String, message: String) {
    let error = #expect(throws: Failure.self) { try settings(file) }
    #expect(error?.description == message)
    #expect(error?.status == .usage)
  }

  @Test(arguments: [
    (
      "ORRERY_SIM_THREAD=4",
      "ORRERY_SIM_THREAD: no option of sim with one value; did you mean ORRERY_SIM_THREADS?"
    ),
    ("ORRERY_SIM_LOCKSTEP=yes", "ORRERY_SIM_LOCKSTEP: lockstep: true or false is wanted"),
  ])
  func badVariableIsRefused(variable: String, message: String) {
    let error = #expect(throws: Failure.self) { try settings("", [variable]) }
    #expect(error?.description == message)
  }

  @Test func longFileIsRefused() {
    let error = #expect(throws: Failure.self) {
      try settings(String(repeating: "#\n", count: 33_000))
    }
    #expect(error?.description == "FILE: a configuration has at most 65536 bytes")
  }

  @Test func failureNamesWhereItsOptionIsSet() throws {
    let words = CommandLineProgram.ConfiguredWords(
      words: [], settings: try settings("", ["ORRERY_SIM_OUT=x", "ORRERY_SIM_THREADS=0"]))
    #expect(
      words.explained("orrery sim: --threads 0: use 1")
        == "orrery sim: --threads 0: use 1 (--threads is set by ORRERY_SIM_THREADS)")
    #expect(words.explained("orrery sim: --output x: no") == "orrery sim: --output x: no")
  }
}
