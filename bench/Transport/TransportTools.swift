// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase

/// The limits and peers of `bench transport`, compiled when it runs.
final class TransportTools: TransportPrograms {
  /// Missing programs with the reason, a line each.
  private(set) var missing: [String] = []

  /// The compiler's name and version; nil if there is none.
  let compiler: String?

  /// The folder of the programs.
  package let folder: URL

  private var programs: Set<String> = []
  private var routing: HandoverProgram?
  private var python: String?

  /// A program to compile: name of its source, linker flags, and packages to install.
  private struct Job {
    let name: String
    var flags: [String] = []
    var linked: [String] = []
    var package = "g++"
  }

  /// The folder of iceoryx's headers in Debian.
  private static let iceoryxHeaders = "/usr/include/iceoryx/v2.0.3"

  private static let jobs = [
    Job(name: "wakes"), Job(name: "ring"),
    Job(name: "zeromq", linked: ["-lzmq"], package: "libzmq3-dev"),
    Job(
      name: "iceoryx", flags: ["-I", iceoryxHeaders],
      linked: ["-liceoryx_posh", "-liceoryx_hoofs", "-liceoryx_platform"],
      package: "iceoryx libiceoryx-posh-dev libiceoryx-hoofs-dev"),
  ]

  /// Builds and finds the programs.
  ///
  /// - Throws: If the sources cannot be written to a temporary folder.
  init() throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("orrery-transport-\(ProcessInfo.processInfo.processIdentifier)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try PeerSources.write(to: folder)
    if let found = Tool.compiler() {
      compiler = found.version
      build(with: found.path)
    } else {
      compiler = nil
      missing.append("no g++ on PATH, so no limits, no libzmq and no iceoryx: apt-get install g++")
    }
    startRouting()
    findPython()
  }

  deinit {
    routing?.stop()
    try? FileManager.default.removeItem(at: folder)
  }

  private func build(with compiler: String) {
    for job in Self.jobs {
      let words =
        ["-std=c++17", "-O3", "-march=native", "-I", folder.path] + job.flags + [
          "-o", folder.appendingPathComponent(job.name).path,
          folder.appendingPathComponent(job.name + ".cpp").path,
        ]
      if let error = Tool.run(compiler, words + job.linked) {
        missing.append("\(job.name): \(error); apt-get install \(job.package)")
      } else {
        programs.insert(job.name)
      }
    }
  }

  /// Starts iceoryx's daemon, which ends with this program.
  private func startRouting() {
    guard let launch = program("iceoryx", "roudi") else { return }
    guard Tool.find("iox-roudi") != nil, let started = try? HandoverProgram(launch) else {
      return drop("iceoryx", "no iox-roudi on PATH; apt-get install iceoryx")
    }
    while let line = started.readLine() {
      guard String(decoding: line, as: UTF8.self).contains("ready for clients") else { continue }
      routing = started
      return
    }
    drop("iceoryx", "its daemon RouDi did not start; another one may be running")
  }

  private func drop(_ name: String, _ reason: String) {
    programs.remove(name)
    missing.append("\(name): \(reason)")
  }

  /// Finds the first Python that has iceoryx2: in a virtual environment, or on PATH.
  private func findPython() {
    let paths = [".venv-bench/bin/python", ".venv/bin/python"]
    for path in paths + [Tool.find("python3")].compactMap({ $0 })
    where Tool.output(path, ["-c", "import iceoryx2"]) != nil {
      python = path
      return
    }
    missing.append(
      "iceoryx2: no Python that imports it; tools/install --bench puts it into .venv-bench")
  }

  /// How to start a compiled program.
  package func program(_ name: String, _ arguments: String...) -> HandoverProgram.Launch? {
    guard programs.contains(name) else { return nil }
    return .init(path: folder.appendingPathComponent(name).path, arguments: arguments)
  }

  /// How to start iceoryx2.
  package func iceoryx2(_ arguments: String...) -> HandoverProgram.Launch? {
    python.map {
      .init(
        path: $0, arguments: [folder.appendingPathComponent("rust_iceoryx.py").path] + arguments)
    }
  }
}
