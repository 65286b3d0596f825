// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Goal: the ring's protocol with spare places holds in every order of its steps: nothing torn is accepted
/// or sent, and the writer always finds a place.
///
/// Method: spin searches `Tests/Models/ring.pml` to its end, within a bound of memory and time; then the same
/// with a step left out, which it must find. What `RingModel` searches are the orders of one reader's and the
/// writer's loads and stores; this is the writer and the thread that pins.
@Suite(.serialized) struct RingSearchTests {
  private static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().path

  private static func tool(_ name: String) -> String? {
    ["/usr/bin/", "/usr/local/bin/", "/bin/"].map { $0 + name }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  private static let hasTools = tool("spin") != nil && tool("gcc") != nil

  /// Runs a program in a folder.
  private static func run(_ words: [String], in folder: String) throws -> String {
    let data = try output(of: words[0], Array(words.dropFirst()), in: folder, hasErrors: true)
    return String(decoding: data, as: UTF8.self)
  }

  /// Searches all states.
  ///
  /// - Returns: What spin's program says of the search.
  private static func search(_ definitions: [String]) throws -> String {
    let base = try TemporaryBase()
    let spin = try #require(tool("spin"))
    let compiler = try #require(tool("gcc"))
    let flags = definitions.map { "-D" + $0 }
    _ = try run([spin, "-a"] + flags + [folder + "/Models/ring.pml"], in: base.path)
    // At most 2.5 GB of states, and five minutes.
    _ = try run(
      [compiler, "-O2", "-w", "-DSAFETY", "-DCOLLAPSE", "-DMEMLIM=2500", "-o", "pan", "pan.c"],
      in: base.path)
    return try run(["/usr/bin/timeout", "300", base.path + "/pan", "-m20000"], in: base.path)
  }

  @Test(.enabled(if: hasTools, "needs spin and gcc"))
  func everyOrderOfPinningHolds() throws {
    let text = try Self.search(["FRAMES=\(testEffort > 1 ? 6 : 5)"])
    #expect(text.contains("errors: 0"), "\(text)")
    #expect(!text.contains("Search not completed"), "\(text)")
    print(text.split(separator: "\n").first { $0.contains("states, stored") } ?? "no states")
  }

  @Test(
    .enabled(if: hasTools, "needs spin and gcc"),
    arguments: [
      "NO_WRITER_FENCE", "NO_SENDER_FENCE", "NO_SECOND_LOOK", "NO_READER_LOOK", "NO_PIN_LIMIT",
    ])
  func missingStepIsFound(fault: String) throws {
    let text = try Self.search([fault])
    #expect(text.contains("errors: 1"), "\(text)")
  }
}
