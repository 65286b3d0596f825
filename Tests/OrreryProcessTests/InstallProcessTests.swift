// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Goal: an installation has all that its programs need, and its removal leaves nothing behind and nothing of others out.
///
/// Method: `tools/install-programs` with the built programs; `tools/check-install` does the same with a Debian package,
/// in a bare system.
@Suite struct InstallProcessTests {
  /// Whether Swift is there, which links the programs anew.
  static let hasSwift = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    .contains { FileManager.default.isExecutableFile(atPath: $0 + "/swiftc") }

  /// What only ICU's data answers.
  static let requests =
    ["de", "en_GB", "ja", "ar", "zh"].map {
      #"{"label":["CHF","JPY","XAF","DEM"],"currency":true,"locale":"\#($0)"}"#
    } + [
      #"{"label":["CHF","JPY"],"currency":true,"locale":"zh","script":"Hant"}"#,
      #"{"schedule":"everyMinute","now":1761443110,"count":3,"timeZone":"Europe/Berlin"}"#,
      #"{"schedule":"everyMinute","now":-3000000000,"count":3,"timeZone":"Asia/Kolkata"}"#,
    ]

  private static func install(
    _ words: [String], in place: Place
  ) throws -> (code: Int32?, text: String, errorText: String) {
    try Program.run(
      "/usr/bin/env",
      ["ORRERY_BIN=\(Program.directory)", Program.root + "/tools/install-programs"] + words,
      in: place)
  }

  /// All paths below a folder.
  private static func paths(_ folder: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder).sorted()
  }

  @Test(.enabled(if: hasSwift))
  func installationRunsByItselfAndIsRemovedWithoutATrace() throws {
    let place = try Place()
    let prefix = place.files + "/prefix"
    // What others have there.
    try FileManager.default.createDirectory(
      atPath: prefix + "/share/man/man1", withIntermediateDirectories: true)
    try place.write("a page", to: "prefix/share/man/man1/other.1")
    let before = try Self.paths(prefix)
    // The second call replaces what the first has installed.
    for _ in 0..<2 {
      let run = try Self.install(["prefix"], in: place)
      #expect(run.code == 0 && run.text == prefix + "/bin/orrery\n", "\(run.errorText)")
    }
    let installed = try Self.paths(prefix)
    for path in [
      "libexec/orrery/bench", "share/man/man1/orrery-run.1.gz",
      "share/bash-completion/completions/orrery", "share/zsh/site-functions/_orrery",
      "share/fish/vendor_completions.d/orrery.fish", "share/systemd/user/orrery@.service",
      "share/orrery/scenes/planets.toml", "share/orrery/python/pyproject.toml",
      "share/orrery/subscriber.py", "share/doc/orrery/docs/reference/cli.md",
    ] { #expect(installed.contains(path), "\(path)") }

    // Links of the documents lead to what is there, too.
    for path in installed where path.hasPrefix("share/doc/") && path.hasSuffix(".md") {
      let text = try String(contentsOfFile: prefix + "/" + path, encoding: .utf8)
      let folder = (prefix + "/" + path as NSString).deletingLastPathComponent
      for link in text.matches(of: /\]\(([^)#:]+)(#[^)]*)?\)/) {
        #expect(
          FileManager.default.fileExists(atPath: folder + "/" + link.1), "\(path): \(link.1)")
      }
    }

    // Whatever it loads is the system's.
    let libraries = try Program.run(
      "/usr/bin/ldd", [prefix + "/libexec/orrery/orrery"], in: place)
    #expect(libraries.text.contains("/libc.so.6 "), "\(libraries.text)")
    #expect(!libraries.text.contains("swift"), "\(libraries.text)")
    for program in ["sim", "renderer", "logger", "live", "metrics", "bench"] {
      let help = try Program.run(prefix + "/libexec/orrery/" + program, ["--help"], in: place)
      #expect(
        help.text == (try Program.run(program, ["--help"], in: place)).text, "\(program)")
    }
    // The parts of ICU's data that are left have the same names and hours.
    try place.write(Self.requests.joined(separator: "\n"), to: "requests")
    let answers = try [Program.directory + "/orrery", prefix + "/bin/orrery"].map { program in
      try Program.run("/bin/bash", ["-c", "\(program) eval < requests"], in: place)
    }
    #expect(answers[0].code == 0 && answers[0].text == answers[1].text, "\(answers)")
    let unit = try String(
      contentsOfFile: prefix + "/share/systemd/user/orrery@.service", encoding: .utf8)
    #expect(unit.contains("\nExecStart=\(prefix)/bin/orrery sim ${SCENE} --run %i $OPTIONS\n"))
    let run = try Program.run(
      prefix + "/bin/orrery",
      ["run", "flags", "--duration", "0.2", "--lockstep", "--size", "64x36", "--out", "out"],
      in: place)
    #expect(run.code == 0 && place.has("out/flags.mcap"), "\(run.errorText)")

    let removal = try Self.install(["--remove", "prefix"], in: place)
    #expect(removal.code == 0, "\(removal.errorText)")
    #expect(try Self.paths(prefix) == before)
    #expect(try Self.install(["--remove", "prefix"], in: place).code == 69)
  }

  @Test(arguments: [[], ["--help"], ["a", "b"], [""]])
  func wrongWordsAreRefused(words: [String]) throws {
    let place = try Place()
    let run = try Self.install(words, in: place)
    #expect(run.code == 64 && !run.errorText.isEmpty, "\(run.errorText)")
    #expect(try Self.paths(place.files) == [])
  }
}
