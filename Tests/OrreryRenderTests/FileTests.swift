// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import OrreryMessages
import OrreryRender
import Testing

/// Pictures and videos are written whole or not at all, and every failure is an error.
///
/// Method: files in a new folder; encoders that are missing, die, stall or complain, made of shell
/// scripts; the real encoder's file read back by its companion. One after another, because a script
/// cannot be run while a process that another test is just starting still has it open.
@Suite(.serialized) struct FileTests {
  private static func painter(width: Int = 64, height: Int = 48) throws -> ScenePainter {
    var layout = Scenes.empty(width: 64, height: 48)
    layout.sprites = [Scenes.sprite([Scenes.box(width: 20, height: 20, color: 0xFF00_00FF)])]
    layout.batches = [Scenes.batch(origins: [(10, 10)], fields: [.x])]
    return try ScenePainter(layout: layout, width: width, height: height)
  }

  /// Runs `body` with a new folder.
  private static func withFolder(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("orrery-render-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try body(folder)
  }

  /// An encoder that runs these shell commands.
  ///
  /// Another process writes what will be run: a child that another test starts at this very moment would
  /// hold our descriptor for a while, and nobody can run a file that is open for writing.
  private static func encoder(_ folder: String, _ commands: String) throws -> String {
    let path = "\(folder)/encoder"
    try "#!/bin/sh\n\(commands)\n".write(toFile: "\(path).sh", atomically: true, encoding: .utf8)
    _ = try output("install", "-m", "755", "\(path).sh", path)
    return path
  }

  private static func files(_ folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).filter { !$0.hasPrefix("encoder") }
  }

  @Test func pngHoldsThePicture() throws {
    try Self.withFolder { (folder) throws in
      let painter = try Self.painter()
      painter.draw([.x: [0]])
      try painter.writePNG(path: "\(folder)/a.png")
      #expect(try Self.files(folder) == ["a.png"])
      let raw = try Self.output(
        "ffmpeg", "-v", "error", "-i", "\(folder)/a.png", "-f", "rawvideo", "-pix_fmt", "bgra", "-")
      #expect([UInt8](raw) == painter.picture)
    }
  }

  @Test func pngInAMissingFolderNamesThePathAndWhy() throws {
    let path = "/no/such/folder/a.png"
    let painter = try Self.painter()
    #expect(
      throws: RenderError.file(SystemCallError(call: "open", path: path, errno: ENOENT))
    ) { try painter.writePNG(path: path) }
  }

  @Test func failedPNGLeavesWhatWasThere() throws {
    try Self.withFolder { (folder) throws in
      let path = "\(folder)/a.png"
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true)
      let painter = try Self.painter()
      #expect(
        throws: RenderError.file(SystemCallError(call: "rename", path: path, errno: EISDIR))
      ) { try painter.writePNG(path: path) }
      #expect(try Self.files(folder) == ["a.png"])
    }
  }

  @Test(arguments: [(64, 48), (63, 47), (1, 1)])
  func videoHasEveryFrame(width: Int, height: Int) throws {
    try Self.withFolder { (folder) throws in
      let painter = try Self.painter(width: width, height: height)
      let path = "\(folder)/a b.mp4"
      let video = try VideoWriter(
        path: path, width: width, height: height, rateNumerator: 60, rateDenominator: 1)
      for frame in 0..<30 {
        painter.draw([.x: [Float(frame)]])
        try video.write(painter.pixels, timeNs: Self.timeNs(frame))
      }
      try video.finish()
      #expect(try Self.files(folder) == ["a b.mp4"])
      let report = try Self.output(
        "ffprobe", "-v", "error", "-count_frames", "-show_entries",
        "stream=width,height,nb_read_frames,r_frame_rate", "-of", "csv=p=0", "file:\(path)")
      let even = [width, height].map { ($0 + 1) / 2 * 2 }
      #expect(
        String(decoding: report, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
          == "\(even[0]),\(even[1]),60/1,30")
    }
  }

  /// When a frame is due at 60 frames per second, an hour into a scene, in whole nanoseconds.
  private static func timeNs(_ frame: Int) -> UInt64 {
    3_600_000_000_000 + UInt64(frame) * 1_000_000_000 / 60
  }

  @Test func missedFramesLeaveTheirTime() throws {
    try Self.withFolder { (folder) throws in
      let painter = try Self.painter()
      let path = "\(folder)/gaps.mp4"
      let video = try VideoWriter(
        path: path, width: 64, height: 48, rateNumerator: 60, rateDenominator: 1)
      for frame in [0, 1, 2, 30, 31, 60] {
        painter.draw([.x: [Float(frame)]])
        try video.write(painter.pixels, timeNs: Self.timeNs(frame))
      }
      try video.finish()
      let report = try Self.output(
        "ffprobe", "-v", "error", "-show_entries", "frame=best_effort_timestamp_time", "-of",
        "csv=p=0", "file:\(path)")
      let times = String(decoding: report, as: UTF8.self).split(whereSeparator: {
        $0 == "\n" || $0 == ","
      })
      .compactMap { Double($0) }
      let frames = times.map { Int(($0 * 60).rounded()) }
      #expect(frames == [0, 1, 2, 30, 31, 60])
    }
  }

  @Test func nameThatLooksLikeAnOptionOrAProtocolIsAName() throws {
    let path = "-\(UUID().uuidString):a.mp4"
    defer { unlink(path) }
    let painter = try Self.painter()
    let video = try VideoWriter(
      path: path, width: 64, height: 48, rateNumerator: 60, rateDenominator: 1)
    for frame in 0..<3 { try video.write(painter.pixels, timeNs: Self.timeNs(frame)) }
    try video.finish()
    #expect(FileManager.default.fileExists(atPath: path))
  }

  @Test func missingEncoderIsNamed() throws {
    try Self.withFolder { (folder) throws in
      #expect(throws: RenderError.encoderMissing(program: "no-such-encoder")) {
        try VideoWriter(
          path: "\(folder)/a.mp4", width: 64, height: 48, rateNumerator: 60, rateDenominator: 1,
          program: "no-such-encoder")
      }
      #expect(try Self.files(folder).isEmpty)
    }
  }

  @Test func videoInAMissingFolderNamesThePathAndWhy() {
    let path = "/no/such/folder/a.mp4"
    #expect(
      throws: RenderError.file(SystemCallError(call: "open", path: path, errno: ENOENT))
    ) {
      try VideoWriter(path: path, width: 64, height: 48, rateNumerator: 60, rateDenominator: 1)
    }
  }

  /// Writes frames until something is thrown, at most a thousand, and then finishes.
  private static func run(
    _ folder: String, _ commands: String, stallSeconds: Double = 10, finishSeconds: Double = 10
  ) throws {
    let painter = try painter()
    painter.draw([.x: [0]])
    let video = try VideoWriter(
      path: "\(folder)/a.mp4", width: 64, height: 48, rateNumerator: 60, rateDenominator: 1,
      program: try encoder(folder, commands), stallSeconds: stallSeconds,
      finishSeconds: finishSeconds)
    for frame in 0..<1000 { try video.write(painter.pixels, timeNs: Self.timeNs(frame)) }
    try video.finish()
  }

  @Test func encoderThatDiesIsReportedWithItsLastWords() throws {
    try Self.withFolder { (folder) throws in
      let commands = "echo first >&2; head -c 40000 >/dev/null; echo 'disk is full' >&2; exit 7"
      #expect(throws: RenderError.encoderFailed(status: 7, lastLine: "disk is full")) {
        try Self.run(folder, commands)
      }
      #expect(try Self.files(folder).isEmpty)
    }
  }

  @Test func encoderThatIsKilledIsReported() throws {
    try Self.withFolder { (folder) throws in
      let commands = "echo going >&2; head -c 40000 >/dev/null; kill -9 $$"
      #expect(throws: RenderError.encoderFailed(status: 137, lastLine: "going")) {
        try Self.run(folder, commands)
      }
    }
  }

  @Test func encoderThatFailsAtTheEndIsReported() throws {
    try Self.withFolder { (folder) throws in
      #expect(throws: RenderError.encoderFailed(status: 1, lastLine: "no")) {
        try Self.run(folder, "cat >/dev/null; echo no >&2; exit 1")
      }
      #expect(try Self.files(folder).isEmpty)
    }
  }

  @Test func encoderThatStopsReadingIsReported() throws {
    try Self.withFolder { (folder) throws in
      #expect(throws: RenderError.encoderStalled(seconds: 0.3, lastLine: "hm")) {
        try Self.run(folder, "echo hm >&2; exec sleep 100", stallSeconds: 0.3)
      }
    }
  }

  @Test func encoderThatDoesNotEndIsReported() throws {
    try Self.withFolder { (folder) throws in
      let silent = "\(folder)/encoder gave no reason"
      #expect(throws: RenderError.encoderStalled(seconds: 0.3, lastLine: silent)) {
        try Self.run(folder, "cat >/dev/null; exec sleep 100", finishSeconds: 0.3)
      }
    }
  }

  @Test func encoderThatTalksWithoutEndIsNotWaitedFor() throws {
    try Self.withFolder { (folder) throws in
      // More than a socket holds: it would stop if nobody read.
      let commands = "cat >/dev/null; yes warning | head -c 3000000 >&2; exit 3"
      #expect(throws: RenderError.encoderFailed(status: 3, lastLine: "warning")) {
        try Self.run(folder, commands)
      }
    }
  }

  @Test func encoderStandsInAProcessGroupOfItsOwn() throws {
    try Self.withFolder { (folder) throws in
      // Fields 1 and 5 of stat: the process and its group.
      let commands = """
        cat >/dev/null; read -r line </proc/$$/stat; set -- $line
        [ "$1" = "$5" ] && echo own >&2; exit 9
        """
      #expect(throws: RenderError.encoderFailed(status: 9, lastLine: "own")) {
        try Self.run(folder, commands)
      }
    }
  }

  @Test func realEncodersComplaintIsPassedOn() throws {
    try Self.withFolder { (folder) throws in
      let painter = try Self.painter()
      let video = try VideoWriter(
        path: "\(folder)/a.unknown", width: 64, height: 48, rateNumerator: 60, rateDenominator: 1)
      #expect {
        for frame in 0..<1000 { try video.write(painter.pixels, timeNs: Self.timeNs(frame)) }
        try video.finish()
      } throws: { error in
        guard case RenderError.encoderFailed(1, let line) = error else { return false }
        return line.contains("a.") && line.contains("nvalid argument")
      }
      // It stays lost.
      #expect(throws: RenderError.self) { try video.write(painter.pixels, timeNs: 1) }
      #expect(throws: RenderError.self) { try video.finish() }
    }
  }

  @Test(arguments: [(UInt64(0), UInt64(1)), (60, 0), (.max, 1)])
  func impossibleFrameRateIsRefused(numerator: UInt64, denominator: UInt64) {
    #expect(throws: RenderError.frameRate(numerator: numerator, denominator: denominator)) {
      try VideoWriter(
        path: "/tmp/a.mp4", width: 64, height: 48, rateNumerator: numerator,
        rateDenominator: denominator)
    }
  }

  private static func output(_ program: String, _ arguments: String...) throws -> Data {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [program] + arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return data
  }
}
