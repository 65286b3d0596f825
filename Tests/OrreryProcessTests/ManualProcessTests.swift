// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Goal: every command has a manual page that names all its options and reads well on a terminal of 80 columns.
///
/// Method: the pages of the built programs, their names and options compared with the help; groff and mandoc, which set
/// them as `man` does, have nothing to warn of.
@Suite struct ManualProcessTests {
  /// Whether the programs that set manual pages are installed.
  static let hasFormatters = ["/usr/bin/groff", "/usr/bin/mandoc"]
    .allSatisfy(FileManager.default.isExecutableFile(atPath:))

  /// Writes the pages into a folder of the place.
  ///
  /// - Returns: The folder's path.
  private static func pages(in place: Place) throws -> String {
    let run = try Program.run(
      "/usr/bin/env",
      [
        "PATH=\(Program.directory):/usr/bin:/bin", "python3",
        Program.root + "/tools/generate-man-pages", "pages",
      ], in: place)
    #expect(run.code == 0, "\(run.errorText)")
    return place.files + "/pages"
  }

  /// A page as it stands on a terminal, without bold and italic.
  private static func text(_ page: String, in place: Place) throws -> String {
    let run = try Program.run(
      "/usr/bin/groff", ["-ww", "-man", "-Tutf8", "-P-cbou", "-rLL=78n", page], in: place)
    #expect(run.code == 0 && run.errorText.isEmpty, "\(page): \(run.errorText)")
    return run.text
  }

  @Test(.enabled(if: hasFormatters))
  func everyCommandHasAPageWithAllItsOptions() throws {
    let place = try Place()
    let folder = try Self.pages(in: place)
    let helps = try ExampleProcessTests.helps(in: place)
    let names = helps.map { $0.command.replacing(" ", with: "-") + ".1" }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == names.sorted())
    for ((_, help), name) in zip(helps, names) {
      let text = try Self.text(folder + "/" + name, in: place)
      for line in text.split(separator: "\n") { #expect(line.count <= 80, "\(name): \(line)") }
      for match in help.matches(of: /(?m)^  (?:-., )?(--[a-z-]+)/) {
        #expect(text.contains(match.1), "\(name) lacks \(match.1)")
      }
      let sections = text.split(separator: "\n").filter { $0.first?.isUppercase == true }
      let wanted = [
        "NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXAMPLES", "EXIT STATUS", "ENVIRONMENT",
        "FILES", "SEE ALSO",
      ]
      // The first line and the last have the page's name.
      let found = sections.dropFirst().dropLast().map(String.init).filter { $0 != "COMMANDS" }
      #expect(found == wanted, "\(name)")
    }
    let lint = try Program.run(
      "/usr/bin/mandoc", ["-T", "lint", "-W", "warning"] + names.map { folder + "/" + $0 },
      in: place)
    #expect(lint.code == 0 && lint.text.isEmpty, "\(lint.text)\(lint.errorText)")
  }

  /// What stands on a page as a terminal shows it.
  static let parts: [(page: String, part: String)] = [
    ("orrery-run", "     Run a scene in three processes: sim, renderer and logger.\n\n"),
    ("orrery-run", "\n       On a terminal, keys steer the run: space pauses"),
    ("orrery-run", "\nEXAMPLES\n       orrery run flags --duration 10 --out demo\n"),
    ("orrery-run", "\n       64     bad arguments\n"),
    ("orrery-run", "\n       XDG_RUNTIME_DIR\n              the folder in which runs meet"),
    ("orrery-run", "\n       --out out\n              Directory for the video, the picture"),
    ("orrery-run", "\n       orrery(1), orrery-sim(1), orrery-renderer(1), orrery-logger(1),"),
    ("orrery-control", "\n       toggle NAME ...\n              show or hide views"),
    ("orrery-bench-capacity", " --subscribers \\\n           renderer,logger\n"),
    ("orrery-bench", "two minutes. The command\n              without a name.\n"),
    ("orrery", "\nCOMMANDS\n       orrery-run(1)\n              Run a scene"),
  ]

  /// Lists of a help are lists of the page, a long command goes on in the next line, and tables come from documents.
  @Test(.enabled(if: hasFormatters)) func pagesReadWell() throws {
    let place = try Place()
    let folder = try Self.pages(in: place)
    for (page, part) in Self.parts {
      let text = try Self.text("\(folder)/\(page).1", in: place)
      #expect(text.contains(part), "\(text)")
    }
  }
}
