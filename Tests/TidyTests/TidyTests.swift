// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// What a machine can check of the house rules.
///
/// Method: read the files that git tracks, as text.
@Suite struct TidyTests {
  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

  /// Files that git tracks or would add, generated ones left out; links are not followed.
  static let files: [String] = {
    let output = run("git", ["-C", root, "ls-files", "--cached", "--others", "--exclude-standard"])
    return output.text.split(separator: "\n").map(String.init).filter { path in
      !path.hasSuffix(".pb.swift") && !isLink(path)
        && FileManager.default.fileExists(atPath: root + "/" + path)
    }
  }()

  private static func isLink(_ path: String) -> Bool {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: root + "/" + path)) != nil
  }

  private static func run(_ name: String, _ arguments: [String]) -> (code: Int32, text: String) {
    // Foundation's: these tests import nothing of Orrery's, so that they are built in a moment.
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [name] + arguments
    process.standardOutput = pipe
    process.standardError = pipe
    guard (try? process.run()) != nil else { return (127, "cannot run \(name)") }
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: data, as: UTF8.self))
  }

  private static func text(_ path: String) -> String {
    (try? String(contentsOfFile: root + "/" + path, encoding: .utf8)) ?? ""
  }

  private static func lines(_ path: String) -> [Substring] {
    text(path).split(separator: "\n", omittingEmptySubsequences: false)
  }

  /// Code of tutorials is none: it is shown as a reader types it, and tools/check-docs compiles it.
  static let sources = files.filter { path in
    [".swift", ".c", ".h"].contains { path.hasSuffix($0) } && !path.contains(".docc/")
  }

  @Test func filesAreFound() {
    #expect(Self.sources.count > 100)
  }

  @Test func everySourceSaysItsLicence() {
    for path in Self.sources where !path.hasSuffix("Package.swift") {
      #expect(Self.text(path).hasPrefix("// SPDX-License-Identifier: Apache-2.0\n"), "\(path)")
    }
  }

  /// Which modules may not be imported by which folders, and why ARCHITECTURE.md says so.
  static let forbiddenImports: [(folder: String, module: String)] = [
    ("Sources/OrrerySim/", "OrreryWire"), ("Sources/OrrerySim/", "OrreryFrame"),
    ("Sources/OrreryFrame/", "OrrerySim"), ("Sources/OrreryFrame/", "OrreryScene"),
    ("Sources/OrreryFrame/", "OrreryMessages"),
    ("Sources/OrreryRender/", "OrrerySim"), ("Sources/OrreryRender/", "OrreryScene"),
    ("Sources/OrreryDelta/", "OrreryMessages"), ("Sources/OrreryDelta/", "OrreryScene"),
    ("Sources/OrreryTrace/", "OrreryFrame"), ("Sources/OrreryTrace/", "OrreryMessages"),
    ("Sources/OrreryWire/", "OrrerySim"), ("Sources/renderer/", "OrrerySim"),
    ("Sources/OrreryPictures/", "OrrerySim"), ("Sources/OrreryRecording/", "OrrerySim"),
    ("Sources/logger/", "OrrerySim"), ("Sources/Orrery/", "OrreryScene"),
    ("Sources/OrreryViewers/", "OrrerySim"), ("Sources/OrreryLive/", "OrreryRender"),
    ("Sources/OrreryLive/", "OrrerySim"), ("Sources/OrreryLive/", "OrreryRecording"),
    ("Sources/live/", "OrrerySim"), ("Sources/live/", "OrreryRecording"),
  ]

  @Test(arguments: forbiddenImports.indices)
  func architectureInvariantsOfImportsHold(index: Int) {
    let (folder, module) = Self.forbiddenImports[index]
    for path in Self.sources where path.hasPrefix(folder) {
      #expect(!Self.lines(path).contains("import \(module)"), "\(path) imports \(module)")
    }
  }

  @Test func publicLibraryNeedsFoundationOnly() {
    for path in Self.sources where path.hasPrefix("Sources/Orrery/") {
      for line in Self.lines(path) where line.hasPrefix("import ") || line.contains(" import ") {
        #expect(
          line.hasSuffix("import Foundation") || !line.hasPrefix("import"), "\(path): \(line)")
      }
    }
  }

  @Test func nothingNamesAMachine() {
    // Written in parts, so that this file does not name them either.
    let words = ["/wo" + "rk/", "/ro" + "ot/", ".lib" + "rary/", "TO" + "DO", "FIX" + "ME"]
    for path in Self.files {
      let text = Self.text(path)
      for word in words { #expect(!text.contains(word), "\(path) says \(word)") }
    }
  }

  /// Names for which there is a better word; ARCHITECTURE.md, Words, says which.
  static let namesGivenUp: Set<Substring> = [
    "CommandDesk", "CoursePlace", "EpisodePlace", "HandoverBoard", "Herald", "KeyGate", "LanePiece",
    "OutFlow", "Parcel", "Placement", "PlayList", "RecordPlace", "RestingPlaces", "RunPlace",
    "ScenePlaces", "SimOrder", "Sleeper", "SpringForm", "Ticket", "TransitionForm", "TweenForm",
    "ViewStage", "Voice", "fallAsleep", "getUp", "tellAgain",
  ]

  /// The only declarations that may end so: arguments' and system calls' own names, and keys of JSON.
  static let limitsKept: Set<Substring> = [
    "fileSizeLimit", "isLimit", "memoryLimit", "ofLimit", "residentBytesMost", "stallLimit",
    "timeLimit",
  ]

  @Test func namesGivenUpDoNotComeBack() {
    let keywords: Set<Substring> = ["let", "var", "func", "case"]
    for path in Self.sources where path != "Tests/TidyTests/TidyTests.swift" {
      let words = Self.text(path).split { !($0.isLetter || $0.isNumber || $0 == "_") }
      let found = Self.namesGivenUp.intersection(words)
      #expect(found.isEmpty, "\(path) says \(found.sorted())")
      guard path.hasSuffix(".swift"), !path.hasPrefix("Tests/") else { continue }
      for (keyword, name) in zip(words, words.dropFirst())
      where keywords.contains(keyword) && !Self.limitsKept.contains(name) {
        let isMax = name.hasSuffix("Most") || name.hasSuffix("Limit")
        #expect(!isMax, "\(path) declares '\(name)'; a limit is a …Max")
        let isVerb = keyword == "func" && (name == "place" || name == "settle")
        let isRing = path.hasPrefix("Sources/OrreryFrame/Ring/")
        #expect(!isVerb || isRing, "\(path) declares '\(name)'")
      }
    }
  }

  /// A limit would count the queue and the neighbours: tools/run-tests has one for all.
  @Test func testsHaveNoTimeLimitsOfTheirOwn() {
    for path in Self.sources where path.hasPrefix("Tests/") && path.hasSuffix(".swift") {
      #expect(!Self.text(path).contains(".time" + "Limit("), "\(path)")
    }
  }

  @Test func everyPackageDeclarationIsDocumented() {
    let keywords = ["func", "struct", "class", "enum", "protocol", "init", "typealias"]
    for path in Self.sources where path.hasPrefix("Sources/") && path.hasSuffix(".swift") {
      let lines = Self.lines(path)
      for (index, line) in lines.enumerated() {
        let words = line.split(whereSeparator: { $0 == " " || $0 == "(" || $0 == "<" })
        guard words.first == "package",
          words.dropFirst().prefix(3).contains(where: { word in
            keywords.contains(String(word).trimmingCharacters(in: ["?"]))
          })
        else { continue }
        var above = index - 1
        while above >= 0, lines[above].drop(while: { $0 == " " }).hasPrefix("@") { above -= 1 }
        let isDocumented = above >= 0 && lines[above].contains("///")
        let isBareInit = words.contains { $0.hasPrefix("init") }
        #expect(isDocumented || isBareInit, "\(path):\(index + 1): \(line)")
      }
    }
  }

  @Test func everyToolHasARow() {
    let table = Self.text("tools/README.md")
    for path in Self.files where path.hasPrefix("tools/") && path != "tools/README.md" {
      let name = path.split(separator: "/")[1]
      #expect(table.contains("| `\(name)"), "\(path)")
    }
  }

  @Test func linksInDocumentsLeadSomewhere() throws {
    for path in Self.files where path.hasSuffix(".md") {
      let folder =
        path.contains("/") ? path[..<(path.lastIndex(of: "/") ?? path.endIndex)] + "/" : ""
      for match in Self.text(path).matches(of: /\]\(([^)#:]+)(#[^)]*)?\)/) {
        let target = Self.root + "/" + folder + match.1
        #expect(FileManager.default.fileExists(atPath: target), "\(path): \(match.1)")
      }
    }
  }

  /// Tables and code may have longer lines: a table's row is one line, and code is copied as it is.
  @Test func linesOfDocumentsHaveAtMost120Columns() {
    for path in Self.files where path.hasSuffix(".md") {
      var isCode = false
      for (index, line) in Self.lines(path).enumerated() {
        if line.hasPrefix("```") { isCode.toggle() }
        let isFree = isCode || line.hasPrefix("|") || line.hasPrefix("    ")
        #expect(isFree || line.count <= 120, "\(path):\(index + 1): \(line.count) columns")
      }
    }
  }

  @Test func pictureOfModulesIsThatOfThePackage() {
    let check = Self.run(Self.root + "/tools/draw-modules", ["--check"])
    #expect(check.code == 0, "\(check.text)")
  }

  @Test func tablesOfMutateNameWhatIsThere() {
    let list = Self.run(Self.root + "/tools/mutate", ["--known", "--list"])
    #expect(list.code == 0, "\(list.text)")
  }

  @Test func formatterHasNothingToSay() {
    let folders = ["Package.swift", "Sources", "Tests", "bench", "docs/examples"].map {
      Self.root + "/" + $0
    }
    let lint = Self.run(
      "swift",
      [
        "format", "lint", "--strict", "--recursive", "--configuration",
        Self.root + "/.swift-format",
      ]
        + folders)
    #expect(lint.code == 0, "\(lint.text)")
  }
}
