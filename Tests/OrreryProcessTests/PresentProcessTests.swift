// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestSupport
import Testing

/// Goal: the picture of a run's present frame, and those of several of its times, can be had from any run, and compared.
///
/// Method: pictures of real runs, compared with those of a renderer that drew the same frame.
@Suite(.serialized) struct PresentProcessTests {
  private static func differs(
    _ words: String..., in place: Place
  ) throws -> (code: Int32?, text: String, errorText: String) {
    try Program.run("orrery", ["picture", "diff"] + words, in: place)
  }

  /// A run that is paused publishes nothing: its newest frame is drawn, as the renderer draws it.
  @Test func snapshotIsThePictureOfTheNewestFrame() throws {
    let place = try Place()
    let sim = try Program(
      "sim",
      [
        "planets", "--run", "p", "--json", "--wait-for", "1", "--listen", "tcp://127.0.0.1:0",
      ], in: place)
    let renderer = try Program(
      "renderer", ["--run", "p", "--png", "a.png", "--size", "1280x720"], in: place)
    sim.waitForProgress()
    func control(_ words: String...) throws -> (code: Int32?, text: String, errorText: String) {
      try Program.run("orrery", ["control", "p"] + words, in: place)
    }
    #expect(try control("pause").code == 0)
    #expect(try control("seek", "--at", "2.5").code == 0)
    let shot = try control("snapshot", "--out", "now.png", "--json")
    #expect(shot.code == 0, "\(shot.errorText)")
    let found = try report("orrery.control.v1", in: shot.text)
    #expect(number("tick", in: found) == 150 && number("width", in: found) == 1280)
    let raw = try report(
      "orrery.control.v1", in: control("snapshot", "--out", "f.bin", "--json").text)
    #expect(found["state_hash"] as? String == raw["state_hash"] as? String)
    #expect(number("sequence", in: found) == number("sequence", in: raw))
    #expect(try control("snapshot", "--out", "x.png", "--layout", "l.bin").code == 64)
    // From another machine the same frame is sent, though the run is paused.
    let note = sim.errorText.split(separator: "\n").first { $0.contains("listens at ") }
    let address = String(try #require(note?.split(separator: " ").last))
    let far = try Program.run(
      "orrery", ["control", "snapshot", "--out", "far.png", "--connect", address], in: place)
    #expect(far.code == 0, "\(far.errorText)")
    #expect(try Self.differs("now.png", "far.png", in: place).code == 0)
    sim.signal(SIGINT)
    #expect(sim.wait() == 0 && renderer.wait() == 0)
    let same = try Self.differs("a.png", "now.png", in: place)
    #expect(same.code == 0 && same.text.hasPrefix("equal: no pixel of 921600 differs"), "\(same)")
    let gone = try control("snapshot", "--out", "now.png")
    #expect(gone.code == 69, "\(gone.errorText)")
  }

  @Test func snapshotIsOfAllShardsAndOfPlayedTraces() throws {
    let place = try Place()
    let shards = try (0..<2).map { index in
      try Program(
        "sim",
        [
          "stress", "--entities", "3000", "--run", "both", "--shard", "\(index)/2", "--json",
        ], in: place)
    }
    for shard in shards { shard.waitForProgress() }
    let shot = try Program.run(
      "orrery", ["control", "both", "snapshot", "--out", "both.png"], in: place)
    #expect(shot.code == 0, "\(shot.errorText)")
    // Half of the entities would leave half of the picture: the whole scene is as bright as that of one sim.
    for shard in shards { shard.signal(SIGINT) }
    for shard in shards { #expect(shard.wait() == 0) }
    let sim = try Program(
      "sim",
      [
        "stress", "--entities", "3000", "--run", "one", "--ticks", "5", "--lockstep", "--wait-for",
        "1",
      ], in: place)
    let logger = try Program("logger", ["--run", "one", "--out", "one.mcap"], in: place)
    #expect(sim.wait() == 0 && logger.wait() == 0)
    let play = try Program(
      "orrery", ["trace", "play", "one.mcap", "--run", "again", "--wait-for", "1"], in: place)
    let held = try Program(
      "renderer", ["--run", "again", "--png", "last.png", "--wait", "300"], in: place)
    #expect(play.wait() == 0 && held.wait() == 0)
    let again = try Program(
      "orrery", ["trace", "play", "one.mcap", "--run", "again", "--hold"], in: place)
    let played = try Program.run(
      "orrery", ["control", "again", "snapshot", "--out", "again.png", "--wait", "60"], in: place)
    #expect(played.code == 0, "\(played.errorText)")
    again.signal(SIGINT)
    again.wait()
    // Dots on a dark ground: as many bright pixels, though the ticks differ.
    let bytes = { (name: String) in
      FileManager.default.contents(atPath: place.files + "/" + name)?.count ?? 0
    }
    #expect(bytes("both.png") > bytes("last.png") * 8 / 10, "\(bytes("both.png"))")
    #expect(bytes("again.png") > bytes("last.png") * 8 / 10, "\(bytes("again.png"))")
  }

  /// Sheets, overlays and densities of a run in lockstep, of which every frame is known.
  @Test func pictureOfAWholeRun() throws {
    let place = try Place()
    let sim = try Program(
      "sim", ["flags", "--run", "p", "--ticks", "61", "--lockstep", "--wait-for", "4"], in: place)
    let kinds = [
      "sheet": ["--sheet", "3x2", "--size", "64x36"], "over": ["--overlay", "3"],
      "dense": ["--density"], "last": [],
    ]
    let renderers = try kinds.map { name, words in
      try Program("renderer", ["--run", "p", "--png", name + ".png", "--json"] + words, in: place)
    }
    #expect(sim.wait() == 0, "\(sim.errorText)")
    for renderer in renderers { #expect(renderer.wait() == 0, "\(renderer.errorText)") }
    let size = { (name: String) -> [Int] in
      let png = [UInt8](FileManager.default.contents(atPath: place.files + "/" + name) ?? Data())
      return png.count > 24 ? [16, 20].map { Int(png[$0 + 2]) << 8 | Int(png[$0 + 3]) } : []
    }
    #expect(size("sheet.png") == [3 * 72 + 8, 2 * 62 + 8])
    #expect(size("over.png") == size("last.png") && size("dense.png") == size("last.png"))
    let over = try Self.differs("last.png", "over.png", "-o", "d.png", "--json", in: place)
    let found = try report("orrery.picture-diff.v1", in: over.text)
    #expect(over.code == 1 && number("different_pixels", in: found) ?? 0 > 1000, "\(over)")
    #expect(try Repository.schema("picture-diff").faults(of: Data(over.text.utf8)) == [])
    #expect(size("d.png") == size("last.png"))
    let wrong = try Self.differs("last.png", "sheet.png", in: place)
    #expect(wrong.code == 1 && wrong.text.isEmpty, "\(wrong)")
    #expect(wrong.errorText.contains("only pictures of one size are compared"))
    let missing = try Self.differs("last.png", "none.png", in: place)
    #expect(missing.code == 69 && missing.errorText.contains("none.png"), "\(missing)")
  }
}
