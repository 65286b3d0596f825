// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Goal: a renderer leaves the pictures that it is asked for, and is in nobody's way.
///
/// Method: runs in lockstep, so that every frame is drawn; files compared with each other; the video's times as
/// FFmpeg's own tool reads them.
@Suite(.serialized) struct PictureProcessTests {
  /// How ready a process is to let others go first; field 19 of its status, 16 after the name.
  private static func niceness(of program: Program) -> Int? {
    guard
      let stat = try? String(contentsOfFile: "/proc/\(program.processID)/stat", encoding: .utf8)
    else { return nil }
    let fields = stat[(stat.lastIndex(of: ")") ?? stat.startIndex)...].split(separator: " ")
    return fields.count > 17 ? Int(fields[17]) : nil
  }

  @Test func pictureOfATimeIsThatOfItsTick() throws {
    let place = try Place()
    let sim = try Program(
      "sim",
      [
        "flags", "--run", "p", "--ticks", "45", "--lockstep", "--wait-for", "1",
        "--json",
      ], in: place)
    let renderer = try Program(
      "renderer",
      [
        "--run", "p", "--png", "a.png", "--at", "0.5", "--frames", "all", "--video", "a.mp4",
        "--size", "64x36", "--json",
      ], in: place)
    renderer.wait(forFile: "all/00000001.png", in: place)
    // A sim that waits for it wants it to get on.
    #expect(Self.niceness(of: renderer) == 0)
    #expect(sim.wait() == 0, "\(sim.errorText)")
    #expect(renderer.wait() == 0, "\(renderer.errorText)")
    let found = try report("orrery.subscriber.v2", in: renderer.text)
    #expect(found["files"] as? [String] == ["a.png", "a.mp4", "all/ (45 pictures)"])
    let names = try FileManager.default.contentsOfDirectory(atPath: place.files + "/all").sorted()
    #expect(names.count == 45)
    #expect(names.first == "00000001.png")
    #expect(names.last == "00000045.png")
    let files = FileManager.default
    let picture = try #require(files.contents(atPath: place.files + "/a.png"))
    #expect(picture == files.contents(atPath: place.files + "/all/00000030.png"))
    #expect(picture != files.contents(atPath: place.files + "/all/00000031.png"))
    let times = try Program.run(
      "/usr/bin/ffprobe",
      [
        "-v", "error", "-select_streams", "v", "-show_entries", "frame=pts_time", "-of", "csv=p=0",
        "a.mp4",
      ], in: place)
    #expect(times.code == 0, "\(times.errorText)")
    let seconds = times.text.split(separator: "\n").compactMap { line in
      Double(line.split(separator: ",").first ?? "")
    }
    #expect(seconds.count == 45)
    for (index, second) in seconds.enumerated() {
      try #require(abs(second - Double(index) / 60) < 0.002, "picture \(index) at \(second) s")
    }
  }

  /// What is there stays there, but for `--force`; a time that does not come is exit code 1, after the report.
  @Test func onlyWhatIsAskedForIsWritten() throws {
    let place = try Place()
    try place.write("kept", to: "a.png")
    let sim = try Program(
      "sim",
      ["flags", "--run", "p", "--ticks", "30", "--lockstep", "--wait-for", "1"],
      in: place)
    let picture = ["--run", "p", "--png", "a.png", "--at", "9", "--size", "31x21", "--json"]
    let refused = try Program.run("renderer", picture, in: place)
    #expect(refused.code == 74, "\(refused.errorText)")
    // Before it may stand that the sim prepares its scene.
    #expect(
      refused.errorText.hasSuffix("orrery renderer: a.png: is there already; --force replaces it\n")
    )
    let late = try Program.run("renderer", picture + ["--force", "--video", "a.mkv"], in: place)
    #expect(late.code == 1, "\(late.errorText)")
    #expect(
      late.errorText.contains(
        "renderer: --at 9 is tick 540: the last tick that came was 30 (0.5 s); a.png is not written\n"
      ))
    #expect(late.errorText.contains("a.mkv: the video has 32x22 pixels, its pictures 31x21"))
    let found = try report("orrery.subscriber.v2", in: late.text)
    #expect(found["files"] as? [String] == ["a.mkv"])
    #expect(sim.wait() == 0, "\(sim.errorText)")
    let bytes = FileManager.default.contents(atPath: place.files + "/a.png")
    #expect(bytes == Data("kept".utf8))
  }

  @Test func rendererOfALiveRunLetsOthersGoFirst() throws {
    let place = try Place()
    let sim = try Program("sim", ["flags", "--run", "p", "--json", "--wait-for", "1"], in: place)
    let renderer = try Program(
      "renderer", ["--run", "p", "--png", "a.png", "--size", "64x36", "--json"], in: place)
    sim.waitForProgress()
    renderer.wait(for: "its low priority") { Self.niceness(of: renderer) == 19 }
    #expect(Self.niceness(of: sim) == 0)
    sim.signal(SIGTERM)
    #expect(sim.wait() == 0, "\(sim.errorText)")
    #expect(renderer.wait() == 0, "\(renderer.errorText)")
    let found = try report("orrery.subscriber.v2", in: renderer.text)
    #expect(found["reading"] as? String == "newest")
    #expect(found["waiting"] as? String == "announcement")
    #expect(found["program"] as? String == "renderer")
  }
}
