// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Goal: the Python package follows runs and reads traces as its page says.
///
/// Method: its own tests run against the built programs; the page's blocks run as they stand, one after the other.
@Suite struct PythonProcessTests {
  /// Runs Python with the package as it stands in the checkout, so that nothing has to be installed.
  private static func python(_ arguments: [String], in place: Place) throws -> (
    code: Int32?, text: String, errorText: String
  ) {
    try Program.run(
      "/usr/bin/env",
      [
        "PYTHONPATH=\(Program.root)/tools/python", "PYTHONDONTWRITEBYTECODE=1",
        "ORRERY_BIN=\(Program.directory)", Program.python,
      ] + arguments, in: place)
  }

  @Test(arguments: ["attached", "programs", "trace"])
  func testsOfThePackagePass(name: String) throws {
    let tests = Program.root + "/tools/python/tests"
    let run = try Self.python(
      ["-m", "unittest", "discover", "-s", tests, "-p", "test_\(name).py"], in: Place())
    #expect(run.code == 0, "\(run.errorText)")
    // None is skipped, and some are found.
    let last = run.errorText.split(separator: "\n").last
    #expect(last == "OK" && !run.errorText.contains("Ran 0 tests"), "\(run.errorText)")
  }

  @Test func everyCellOfTheNotebookRuns() throws {
    let run = try Self.python(
      [
        Program.root + "/tools/python/tests/notebook.py",
        Program.root + "/docs/how-to/what-it-costs.ipynb",
      ], in: Place())
    try #require(run.code == 0, "\(run.errorText)")
    for line in [
      "name = \"card\"", "120 frames, the card's scale is 0.8 to 1.04", "a picture: <svg",
      "a tick of", "largest difference",
    ] {
      #expect(run.text.contains(line), "\(run.text)")
    }
  }

  @Test func everyBlockOfThePageRunsAsItStands() throws {
    let page = try String(contentsOfFile: Program.root + "/docs/how-to/python.md", encoding: .utf8)
    let blocks = page.components(separatedBy: "\n```").compactMap { part in
      part.hasPrefix("python\n") ? String(part.dropFirst("python\n".count)) : nil
    }
    try #require(blocks.count >= 4)
    let place = try Place()
    try place.write(blocks.joined(separator: "\n"), to: "page.py")
    let run = try Self.python(["page.py"], in: place)
    try #require(run.code == 0, "\(run.errorText)")
    #expect(run.text.hasSuffix("[0.         0.12916193 1.        ]\n"), "\(run.text)")
    #expect(place.has("film.mcap"))
    #expect(place.runs == [])
  }
}
