// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import OrreryScene
import Testing

/// Goal: what a person types finds its scene, or a reason.
///
/// Method: load built-in scenes by name and files by path, good and bad.
@Suite struct SceneSourceTests {
  private func error(_ name: String) -> SceneError? {
    do throws(SceneError) {
      _ = try SceneSource.load(nameOrPath: name)
      return nil
    } catch {
      return error
    }
  }

  /// A file in a directory of its own.
  private func withFile(_ bytes: [UInt8], _ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("mine.toml")
    try Data(bytes).write(to: file)
    try body(file.path)
  }

  @Test(arguments: BuiltInScenes.names)
  func builtInScenesCanBePlanned(name: String) throws {
    let file = try SceneSource.load(nameOrPath: name)
    #expect(file.scene.name == name)
    let plan = try ScenePlan(file, text: FixedWidths())
    let counts = [
      "flags": 2, "flags-linear": 2, "flags-timer": 2, "stress": 100_000, "flow-text": 4,
      "flow-text-as-written": 2, "timeline": 5 + 3 * 7 + 8 + 1, "timeline-as-written": 4,
      "planets": 12 + 18, "planets-as-written": 12 + 1 + 6 + 4, "completions": 12 + 5 + 4,
      "completions-as-written": 14 + 9, "feed": 10, "idle": 2, "lottie-like": 60, "storm": 1,
      "ticker-wall": 20, "dashboard": 6 * 7 + 4 * 8 + 10,
    ]
    #expect(plan.entityCount == counts[name])
  }

  @Test func stressScalesInProportion() throws {
    let file = try SceneSource.load(nameOrPath: "stress")
    #expect(try ScenePlan(file, text: FixedWidths()).batches.map(\.count) == [50_000, 50_000])
    let options = ScenePlanOptions(entities: 999)
    let plan = try ScenePlan(file, options: options, text: FixedWidths())
    #expect(plan.batches.map(\.count) == [500, 499])
  }

  @Test func unknownNameIsAnsweredWithTheNearestOrAllOfThem() {
    #expect(
      error("flasg").map { "\($0)" }
        == "no built-in scene \"flasg\"; did you mean flags? all of them: orrery scene list"
        + "; a file's name has a slash or ends in .toml, .json, .csv, .ndjson, .jsonl, .parquet")
    #expect(
      error("xyzzy").map { "\($0)" }
        == "no built-in scene \"xyzzy\"; there are "
        + BuiltInScenes.names.joined(separator: ", ")
        + "; a file's name has a slash or ends in .toml, .json, .csv, .ndjson, .jsonl, .parquet")
  }

  @Test func fileIsReadByPath() throws {
    try withFile(Array("[[content]]\nkind='text'\ntext='a'\n".utf8)) { path in
      let file = try SceneSource.load(nameOrPath: path)
      #expect(file.scene.name == "mine")
    }
  }

  @Test func missingFileIsReported() {
    let expected = SystemCallError(call: "open", path: "./no-such.toml", errno: ENOENT)
    #expect(error("./no-such.toml") == .unreadable(expected))
    #expect(
      error("no-such.toml").map { "\($0)" } == "no-such.toml: open: No such file or directory")
    #expect(error("/").map { "\($0)" } == "/: a directory, and no scene file")
  }

  @Test func bytesThatAreNoTextAreReported() throws {
    try withFile(Array("# ä\nname = \"".utf8) + [0xff]) { path in
      #expect(error(path) == .notUTF8(file: path, line: 2, column: 9))
    }
  }

  @Test func traceIsNoScene() throws {
    try withFile([0x89] + Array("MCAP0\r\n".utf8)) { path in
      #expect(error(path) == .isTrace(file: path))
      let text = error(path).map { "\($0)" } ?? ""
      #expect(text.contains("orrery trace play \(path) plays it"), "\(text)")
      #expect(text.hasSuffix("orrery scene show \(path) prints its scene"), "\(text)")
    }
  }

  @Test func tableInParquetIsNamed() throws {
    try withFile(Array("PAR1".utf8) + [0x15, 0xff, 0x15]) { path in
      #expect(error(path) == .isParquet(file: path))
    }
    // Text may begin with these letters, too.
    try withFile(Array("PAR1 = 1".utf8)) { path in
      #expect(error(path) != .isParquet(file: path))
    }
  }

  @Test func resultIsNoScene() throws {
    try withFile(Array("{ \"schema\": \"orrery.bench-result.v1\" }".utf8)) { path in
      #expect(error(path) == .isResult(file: path))
    }
  }

  @Test func planIsNoScene() throws {
    try withFile(Array("[run]\nscene = \"flags\"\n[grid]\nthreads = [1, 2]\n".utf8)) { path in
      #expect(error(path) == .isPlan(file: path))
    }
  }

  @Test func largeFileIsNotRead() throws {
    try withFile([UInt8](repeating: 0x23, count: SceneLimits.fileBytesMax + 1)) { path in
      #expect(error(path) == .tooLarge(file: path, limitBytes: SceneLimits.fileBytesMax))
    }
    #expect(error("/dev/zero") == .tooLarge(file: "/dev/zero", limitBytes: 16 * 1024 * 1024))
  }

  @Test func largestFileIsRead() throws {
    let text = Array("name = \"large\"\n[[content]]\nkind='text'\ntext='a'\n".utf8)
    let rest = [UInt8](repeating: 0x23, count: SceneLimits.fileBytesMax - text.count)
    try withFile(text + rest) { (path) throws in
      #expect(try SceneSource.load(nameOrPath: path).scene.name == "large")
    }
  }

  /// What has neither a slash nor the ending is a name, and what is like none gets no hint.
  @Test func namesAreNoFiles() throws {
    let expected = SceneError.unknownScene(
      name: "\"xyzzy\"", nearest: nil, known: BuiltInScenes.names)
    #expect(error("xyzzy") == expected)
    #expect(BuiltInScenes.text("xyzzy") == nil)
    #expect(BuiltInScenes.names == BuiltInScenes.names.sorted())
    for name in BuiltInScenes.names { #expect(BuiltInScenes.text(name)?.isEmpty == false) }
  }
}
