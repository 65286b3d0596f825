// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import OrreryMessages
import OrreryRender
import TestSupport
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
    _ = try output(of: "install", ["-m", "755", "\(path).sh", path])
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
      let raw = try output(
        of: "ffmpeg",
        ["-v", "error", "-i", "\(folder)/a.png", "-f", "rawvideo", "-pix_fmt", "bgra", "-"])
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
      let report = try output(
        of: "ffprobe",
        [
          "-v", "error", "-count_frames", "-show_entries",
          "stream=width,height,nb_read_frames,r_frame_rate", "-of", "csv=p=0", "file:\(path)",
        ])
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

  /// Of 720 rows and more, of which players assume BT.709, and of fewer.
  @Test(arguments: ["mp4", "mov", "mkv", "webm", "gif", "apng"], [(64, 48), (1280, 720)])
  func coloursOfAVideoAreThoseOfThePictures(ending: String, size: (Int, Int)) throws {
    let (width, height) = size
    let colours: [[UInt8]] = [[52, 199, 89], [255, 59, 48], [0, 122, 255], [128, 128, 128]]
    var picture: [UInt8] = []
    for _ in 0..<height {
      for x in 0..<width {
        let colour = colours[x * colours.count / width]
        picture += [colour[2], colour[1], colour[0], 255]
      }
    }
    try Self.withFolder { (folder) throws in
      let path = "\(folder)/a.\(ending)"
      let video = try VideoWriter(
        path: path, width: width, height: height, rateNumerator: 60, rateDenominator: 1)
      for frame in 0..<3 {
        try picture.withUnsafeBytes { try video.write($0, timeNs: Self.timeNs(frame)) }
      }
      try video.finish()
      // Luma and chroma are turned back by what the file says of itself.
      let pixels = try output(
        of: "ffmpeg",
        [
          "-v", "error", "-i", "file:\(path)", "-frames:v", "1", "-vf",
          "scale=flags=accurate_rnd+full_chroma_int+full_chroma_inp,format=rgb24", "-f", "rawvideo",
          "pipe:1",
        ])
      try #require(pixels.count == width * height * 3)
      for (index, colour) in colours.enumerated() {
        let x = (2 * index + 1) * width / (2 * colours.count)
        let pixel = pixels.dropFirst((height / 2 * width + x) * 3).prefix(3)
        let difference = zip(pixel, colour).map { abs(Int($0) - Int($1)) }.max() ?? 255
        #expect(difference <= 2, "\(Array(pixel)) for \(colour)")
      }
      guard !["gif", "apng"].contains(ending) else { return }
      let tags = try output(
        of: "ffprobe",
        [
          "-v", "error", "-show_entries",
          "stream=color_range,color_space,color_transfer,color_primaries", "-of", "csv=p=0",
          "file:\(path)",
        ])
      #expect(
        String(decoding: tags, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
          == "tv,bt709,bt709,bt709")
    }
  }

  @Test(arguments: [(60, 1, "50/1"), (50, 1, "50/1"), (30_000, 1_001, "30000/1001")])
  func gifIsNoFasterThanPlayersShowIt(numerator: UInt64, denominator: UInt64, rate: String) throws {
    try Self.withFolder { (folder) throws in
      let program = try Self.encoder(
        folder, "printf '%s\\n' \"$@\" >'\(folder)/encoder.arguments'; cat >/dev/null; exit 4")
      let video = try VideoWriter(
        path: "\(folder)/a.gif", width: 4, height: 4, rateNumerator: numerator,
        rateDenominator: denominator, program: program)
      #expect(throws: RenderError.self) { try video.finish() }
      let words = try Self.text("\(folder)/encoder.arguments").split(separator: "\n")
      let option = try #require(words.firstIndex(of: "-r"))
      #expect(words[option + 1] == rate)
    }
  }

  @Test(arguments: ["video", "a.", ".hidden", "a.avi", "a.mp4/video", "a.mp4 "])
  func videoOfAnUnknownKindIsRefused(name: String) {
    let known = ".mp4, .mov, .mkv, .webm, .gif, .apng"
    #expect(throws: RenderError.videoFormat(path: name, known: known)) {
      try VideoWriter(path: name, width: 4, height: 4, rateNumerator: 60, rateDenominator: 1)
    }
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
      let report = try output(
        of: "ffprobe",
        [
          "-v", "error", "-show_entries", "frame=best_effort_timestamp_time", "-of",
          "csv=p=0", "file:\(path)",
        ])
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

  /// It has not stalled: on a busy machine it is at work for long before it reads on.
  @Test func encoderThatComputesIsWaitedFor() throws {
    try Self.withFolder { (folder) throws in
      let work =
        "end=$(($(date +%s) + 4)); while [ $(date +%s) -lt $end ]; do i=0; "
        + "while [ $i -lt 20000 ]; do i=$((i + 1)); done; done"
      try Self.run(
        folder, "\(work); cat >/dev/null; printf abc; echo total_size=3 >&2", stallSeconds: 1)
      #expect(try Self.files(folder) == ["a.mp4"])
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

  /// Its lines of progress are no complaint.
  @Test func encoderThatGoesOnSaysHowFarItIs() throws {
    try Self.withFolder { (folder) throws in
      let commands = """
        cat >/dev/null; echo 'no room' >&2; for n in 1 2 3; do
        printf 'frame=%s\\nstream_0_0_q=28.0\\nprogress=continue\\n' $n >&2; sleep 0.25; done; exit 1
        """
      let video = try VideoWriter(
        path: "\(folder)/a.mp4", width: 4, height: 4, rateNumerator: 60, rateDenominator: 1,
        program: try Self.encoder(folder, commands))
      var encoded: [UInt64] = []
      #expect(throws: RenderError.encoderFailed(status: 1, lastLine: "no room")) {
        try video.finish { encoded.append($0) }
      }
      #expect(!encoded.isEmpty)
      #expect(encoded == encoded.sorted())
      #expect(encoded.allSatisfy { (0...3).contains($0) } && encoded.last ?? 0 > 0, "\(encoded)")
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

  @Test func folderThatIsRemovedMeanwhileIsNamed() throws {
    try Self.withFolder { (folder) throws in
      let painter = try Self.painter()
      let inner = "\(folder)/inner"
      try FileManager.default.createDirectory(atPath: inner, withIntermediateDirectories: true)
      let path = "\(inner)/a.mp4"
      let video = try VideoWriter(
        path: path, width: 64, height: 48, rateNumerator: 60, rateDenominator: 1)
      try FileManager.default.removeItem(atPath: inner)
      try video.write(painter.pixels, timeNs: 0)
      let missing = SystemCallError(call: "rename", path: path, errno: ENOENT)
      #expect(throws: RenderError.file(missing)) { try video.finish() }
    }
  }

  @Test func realEncodersComplaintIsPassedOn() throws {
    try Self.withFolder { (folder) throws in
      let painter = try Self.painter()
      let video = try VideoWriter(
        path: "\(folder)/a.mp4", width: 64, height: 48, rateNumerator: 60, rateDenominator: 1,
        program: Self.encoder(folder, "exec ffmpeg -no_such_option 1 \"$@\""))
      #expect {
        for frame in 0..<1000 { try video.write(painter.pixels, timeNs: Self.timeNs(frame)) }
        try video.finish()
      } throws: { error in
        guard case RenderError.encoderFailed(let status, let line) = error else { return false }
        return status != 0 && line.contains("ption")
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

  // MARK: - What an encoder gets

  private static func text(_ path: String) throws -> String {
    try String(contentsOfFile: path, encoding: .utf8)
  }

  /// An element of Matroska: its id, a length in eight bytes, and its content.
  private static func element(_ id: UInt32, _ content: [UInt8]...) -> [UInt8] {
    let all = content.flatMap { $0 }
    let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: id >> UInt32($0)) }
    return Array(bytes.drop { $0 == 0 }) + length(all.count) + all
  }

  private static func length(_ count: Int) -> [UInt8] {
    [0x01] + [48, 40, 32, 24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) }
  }

  private static func number(_ number: UInt64) -> [UInt8] {
    [56, 48, 40, 32, 24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> UInt64($0)) }
  }

  /// RFC 9559: one uncompressed track, and a cluster for each picture with its time in microseconds.
  private static func matroska(
    width: UInt64, height: UInt64, pictures: [(timeNs: UInt64, bytes: [UInt8])]
  ) -> [UInt8] {
    var stream = element(
      0x1A45_DFA3, element(0x4282, Array("matroska".utf8)), element(0x4287, number(4)),
      element(0x4285, number(2)))
    // A segment of unknown length.
    stream += [0x18, 0x53, 0x80, 0x67, 0x01] + Array(repeating: 0xFF, count: 7)
    stream += element(
      0x1549_A966, element(0x2A_D7B1, number(1_000)), element(0x4D80, Array("orrery".utf8)),
      element(0x5741, Array("orrery".utf8)))
    let picture = element(
      0xE0, element(0xB0, number(width)), element(0xBA, number(height)),
      element(0x2E_B524, Array("BGRA".utf8)))
    let track = element(
      0xAE, element(0xD7, number(1)), element(0x73C5, number(1)), element(0x83, number(1)),
      element(0x86, Array("V_UNCOMPRESSED".utf8)), picture)
    stream += element(0x1654_AE6B, track)
    for (timeNs, bytes) in pictures {
      stream += element(
        0x1F43_B675, element(0xE7, number(timeNs / 1_000)),
        element(0xA3, [0x81, 0, 0, 0x80], bytes))
    }
    return stream
  }

  @Test func encoderGetsPicturesWithTheirTimes() throws {
    try Self.withFolder { (folder) throws in
      let program = try Self.encoder(
        folder, "for last; do :; done; cat >'\(folder)/encoder.stream'; echo x >\"${last#file:}\"")
      let video = try VideoWriter(
        path: "\(folder)/a.mkv", width: 5, height: 3, rateNumerator: 60, rateDenominator: 1,
        program: program)
      let startNs: UInt64 = 5_000_000_123
      let times: [UInt64] = [0, 16_666_999, 16_667_000, 72_057_594_037_927_936]
      let pictures = times.enumerated().map { index, timeNs in
        (timeNs: timeNs, bytes: (0..<60).map { UInt8($0 + index) })
      }
      for picture in pictures {
        try picture.bytes.withUnsafeBytes { try video.write($0, timeNs: startNs + picture.timeNs) }
      }
      try video.finish()
      #expect(try Self.files(folder) == ["a.mkv"])
      let stream = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/encoder.stream"))
      let expected = Self.matroska(width: 5, height: 3, pictures: pictures)
      #expect(firstDifference(stream, expected) == nil)
    }
  }

  @Test func encoderIsToldHowToEncode() throws {
    try Self.withFolder { (folder) throws in
      let program = try Self.encoder(
        folder, "printf '%s\\n' \"$@\" >'\(folder)/encoder.arguments'; cat >/dev/null; exit 4")
      let video = try VideoWriter(
        path: "\(folder)/a.mp4", width: 4, height: 4, rateNumerator: 30_000,
        rateDenominator: 1_001, program: program)
      #expect(throws: RenderError.self) { try video.finish() }
      let words = try Self.text("\(folder)/encoder.arguments").split(separator: "\n")
        .map(String.init)
      #expect(
        words == [
          "-hide_banner", "-loglevel", "level+error", "-xerror", "-nostdin", "-y",
          "-protocol_whitelist", "pipe,file", "-progress", "pipe:2", "-f", "matroska", "-i",
          "pipe:0", "-an", "-r",
          "30000/1001", "-fps_mode",
          "vfr", "-vf",
          "pad=ceil(iw/2)*2:ceil(ih/2)*2,scale=in_range=pc:out_range=tv:out_color_matrix=bt709:"
            + "flags=accurate_rnd+full_chroma_int,format=yuv420p,"
            + "setparams=range=tv:color_primaries=bt709:color_trc=bt709:colorspace=bt709",
          "-c:v", "libx264", "-preset", "veryfast", "-crf", "20", "-movflags", "+faststart",
          "-color_primaries", "bt709", "-color_trc", "bt709", "-colorspace", "bt709",
          "-color_range", "tv", "-flush_packets", "1", "-f", "mp4", "file:/proc/self/fd/1",
        ])
    }
  }

  /// The ending chooses the container, so the unfinished file has it too.
  @Test(arguments: [
    ("a.mp4", "a.%.partial.mp4"), ("a.b.mkv", "a.b.%.partial.mkv"), ("A.MOV", "A.%.partial.MOV"),
    (".gif", ".%.partial.gif"),
  ])
  func unfinishedFileHasANameOfItsOwn(name: String, partial: String) throws {
    try Self.withFolder { (folder) throws in
      let program = try Self.encoder(
        folder, "name=$(readlink /proc/$$/fd/1); echo \"$name\" >&2; cat >/dev/null; exit 4")
      // A dot in the folder's name is none in the file's.
      let inner = "\(folder)/in.ner"
      try FileManager.default.createDirectory(atPath: inner, withIntermediateDirectories: true)
      let video = try VideoWriter(
        path: "\(inner)/\(name)", width: 4, height: 4, rateNumerator: 1, rateDenominator: 1,
        program: program)
      let expected = partial.replacingOccurrences(of: "%", with: "\(getpid())")
      #expect(
        throws: RenderError.encoderFailed(status: 4, lastLine: "\(inner)/\(expected)")
      ) { try video.finish() }
      #expect(try FileManager.default.contentsOfDirectory(atPath: inner) == [])
    }
  }

  /// Signals that we block or ignore are the encoder's to choose.
  @Test func encoderHasSignalsOfItsOwn() throws {
    try Self.withFolder { (folder) throws in
      // The two signals of glibc's own are left out: nobody can set them.
      let program = try Self.encoder(
        folder,
        "output=$(readlink /proc/$$/fd/1); grep -E '^Sig(Blk|Ign)' /proc/$$/status | sed s/00000001800/00000000000/ >'\(folder)/encoder.signals';"
          + " echo $output >>'\(folder)/encoder.signals'; cat >/dev/null; exit 4")
      var signals = sigset_t()
      sigemptyset(&signals)
      sigaddset(&signals, SIGUSR1)
      var previous = sigset_t()
      pthread_sigmask(SIG_BLOCK, &signals, &previous)
      let old = signal(SIGUSR2, SIG_IGN)
      defer {
        signal(SIGUSR2, old)
        pthread_sigmask(SIG_SETMASK, &previous, nil)
      }
      let video = try VideoWriter(
        path: "\(folder)/a.mp4", width: 4, height: 4, rateNumerator: 1, rateDenominator: 1,
        program: program)
      #expect(throws: RenderError.self) { try video.finish() }
      let lines = try Self.text("\(folder)/encoder.signals").split(separator: "\n")
        .map(String.init)
      #expect(
        lines == [
          "SigBlk:\t0000000000000000", "SigIgn:\t0000000000000000",
          "\(folder)/a.\(getpid()).partial.mp4",
        ])
    }
  }

  // MARK: - What becomes of a video

  @Test(arguments: [(1, 1), (16_384, 1), (1, 16_384)])
  func largestVideosAreBegun(width: Int, height: Int) throws {
    try Self.withFolder { (folder) throws in
      let video = try VideoWriter(
        path: "\(folder)/a.mp4", width: width, height: height,
        rateNumerator: UInt64(Int32.max), rateDenominator: UInt64(Int32.max), program: "cat")
      #expect(throws: RenderError.self) { try video.finish() }
    }
  }

  @Test(arguments: [(0, 1), (1, 0), (16_385, 1), (1, 16_385), (-1, 1)])
  func videosOfImpossibleSizeAreRefused(width: Int, height: Int) {
    #expect(throws: RenderError.pictureSize(width: width, height: height, limit: 16_384)) {
      try VideoWriter(
        path: "/tmp/a.mp4", width: width, height: height, rateNumerator: 1, rateDenominator: 1)
    }
  }

  @Test func frameRatesEndWith32Bits() {
    let more = UInt64(Int32.max) + 1
    for (numerator, denominator) in [(more, UInt64(1)), (1, more)] {
      #expect(throws: RenderError.frameRate(numerator: numerator, denominator: denominator)) {
        try VideoWriter(
          path: "/tmp/a.mp4", width: 1, height: 1, rateNumerator: numerator,
          rateDenominator: denominator)
      }
    }
  }

  @Test func videoNeedsAPathThatCanBeAFile() throws {
    #expect(throws: RenderError.file(SystemCallError(call: "open", path: "", errno: ENOENT))) {
      try VideoWriter(path: "", width: 1, height: 1, rateNumerator: 1, rateDenominator: 1)
    }
    try Self.withFolder { (folder) throws in
      let path = "\(folder)/a.mp4"
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      #expect(
        throws: RenderError.file(SystemCallError(call: "rename", path: path, errno: EISDIR))
      ) { try VideoWriter(path: path, width: 1, height: 1, rateNumerator: 1, rateDenominator: 1) }
    }
  }

  @Test func lostVideoStaysLost() throws {
    try Self.withFolder { (folder) throws in
      let painter = try Self.painter()
      let video = try VideoWriter(
        path: "\(folder)/a.mp4", width: 64, height: 48, rateNumerator: 60, rateDenominator: 1,
        program: try Self.encoder(
          folder, "for last; do :; done; : >\"${last#file:}\"; cat >/dev/null; echo no >&2; exit 3")
      )
      try video.write(painter.pixels, timeNs: 1)
      let expected = RenderError.encoderFailed(status: 3, lastLine: "no")
      #expect(throws: expected) { try video.finish() }
      #expect(throws: expected) { try video.write(painter.pixels, timeNs: 2) }
      #expect(throws: expected) { try video.finish() }
      #expect(try Self.files(folder).isEmpty)
    }
  }

  @Test func finishedVideoTakesNothingMore() throws {
    try Self.withFolder { (folder) throws in
      let painter = try Self.painter()
      let video = try VideoWriter(
        path: "\(folder)/a.mp4", width: 64, height: 48, rateNumerator: 60, rateDenominator: 1,
        program: try Self.encoder(
          folder, "for last; do :; done; cat >\"${last#file:}\""))
      try video.write(painter.pixels, timeNs: 1)
      try video.finish()
      let expected = RenderError.encoderFailed(status: 0, lastLine: "finished")
      #expect(throws: expected) { try video.write(painter.pixels, timeNs: 2) }
      #expect(throws: expected) { try video.finish() }
      #expect(try Self.files(folder) == ["a.mp4"])
    }
  }

  /// An encoder that ends with 0 and has complained, or has written less than it says.
  @Test(arguments: [
    (
      "echo '[mp4 @ 0x5] [error] Error writing trailer: No space' >&2",
      "[mp4 @ 0x5] Error writing trailer: No space"
    ),
    ("printf 'x: [fatal] no\\n    Last message repeated 3 times\\n' >&2", "x: no"),
    ("echo total_size=4 >&2", "the file has 3 bytes, 4 were written"),
  ])
  func encoderThatComplainsHasFailed(commands: String, reason: String) throws {
    try Self.withFolder { (folder) throws in
      let program = try Self.encoder(folder, "cat >/dev/null; printf 'abc'; \(commands); exit 0")
      let video = try VideoWriter(
        path: "\(folder)/a.mp4", width: 4, height: 4, rateNumerator: 1, rateDenominator: 1,
        program: program)
      #expect(throws: RenderError.encoderFailed(status: 0, lastLine: reason)) { try video.finish() }
      #expect(try Self.files(folder).isEmpty)
    }
  }

  /// What is said without being an error does not count: the loader of programs complains of what it is told to load.
  @Test func encoderThatTalksHasNotFailed() throws {
    try Self.withFolder { (folder) throws in
      let program = try Self.encoder(
        folder,
        "cat >/dev/null; printf 'abc'; echo 'ERROR: ld.so: ignored.' >&2; echo total_size=3 >&2")
      let video = try VideoWriter(
        path: "\(folder)/a.mp4", width: 4, height: 4, rateNumerator: 1, rateDenominator: 1,
        program: program)
      try video.finish()
      #expect(try Self.files(folder) == ["a.mp4"])
    }
  }

  /// The file has another name then, and is complete there, also if it had no picture yet.
  @Test(arguments: [(30, false), (30, true), (0, false)])
  func folderThatIsMovedMeanwhileIsNamed(before: Int, atTheEnd: Bool) throws {
    try Self.withFolder { (folder) throws in
      let painter = try Self.painter()
      let inner = "\(folder)/inner"
      try FileManager.default.createDirectory(atPath: inner, withIntermediateDirectories: true)
      let video = try VideoWriter(
        path: "\(inner)/a.mp4", width: 64, height: 48, rateNumerator: 60, rateDenominator: 1)
      for frame in 0..<before { try video.write(painter.pixels, timeNs: Self.timeNs(frame)) }
      try FileManager.default.moveItem(atPath: inner, toPath: "\(folder)/moved")
      let place = "\(folder)/moved/a.\(getpid()).partial.mp4"
      let moved = RenderError.moved(path: "\(inner)/a.mp4", to: place)
      #expect(throws: moved) {
        if !atTheEnd {
          usleep(1_100_000)
          try video.write(painter.pixels, timeNs: Self.timeNs(30))
        }
        try video.finish()
      }
      #expect("\(moved)".hasSuffix("the file is now \(place)"))
      let counted = try output(
        of: "ffprobe",
        [
          "-v", "error", "-count_packets", "-show_entries", "stream=nb_read_packets", "-of",
          "csv=p=0", place,
        ])
      #expect(String(decoding: counted, as: UTF8.self) == "\(max(before, 1))\n")
    }
  }

  /// A GIF shows at most 50 pictures a second: how many there are is what the encoder says.
  @Test(arguments: [("gif", 11), ("mp4", 24)])
  func picturesOfAFastVideoAreCounted(ending: String, count: UInt64) throws {
    try Self.withFolder { (folder) throws in
      let painter = try Self.painter()
      let video = try VideoWriter(
        path: "\(folder)/a.\(ending)", width: 64, height: 48, rateNumerator: 120,
        rateDenominator: 1)
      for frame in 0..<24 {
        try video.write(painter.pixels, timeNs: UInt64(frame) * 1_000_000_000 / 120)
      }
      #expect(try video.finish() == count)
    }
  }

  /// An encoder that says it is done and has written nothing.
  @Test func videoThatIsNotThereIsReported() throws {
    try Self.withFolder { (folder) throws in
      let video = try VideoWriter(
        path: "\(folder)/a.mp4", width: 4, height: 4, rateNumerator: 1, rateDenominator: 1,
        program: try Self.encoder(folder, "cat >/dev/null"))
      let nothing = RenderError.encoderFailed(status: 0, lastLine: "nothing was written")
      #expect(throws: nothing) { try video.finish() }
      #expect(try Self.files(folder).isEmpty)
    }
  }

  /// Whoever ends a run removes the file of a renderer that was killed, and its encoder may only just have been started.
  @Test func encoderDoesNotMakeARemovedFileAgain() throws {
    try Self.withFolder { (folder) throws in
      let program = try Self.encoder(
        folder,
        "for last; do :; done; while [ -e '\(folder)/a.\(getpid()).partial.mp4' ]; do :; done;"
          + " cat >\"${last#file:}\"; echo x >\"${last#file:}\"")
      let video = try VideoWriter(
        path: "\(folder)/a.mp4", width: 4, height: 4, rateNumerator: 1, rateDenominator: 1,
        program: program)
      #expect(try Self.files(folder) == ["a.\(getpid()).partial.mp4"])
      unlink("\(folder)/a.\(getpid()).partial.mp4")
      #expect(throws: RenderError.self) { try video.finish() }
      #expect(try Self.files(folder).isEmpty)
    }
  }

  /// More is handed over than a socket holds, so the encoder has begun its file.
  @Test func videoThatIsGivenUpLeavesNothing() throws {
    try Self.withFolder { (folder) throws in
      let painter = try Self.painter()
      do {
        let video = try VideoWriter(
          path: "\(folder)/a.mp4", width: 64, height: 48, rateNumerator: 60, rateDenominator: 1,
          program: try Self.encoder(
            folder, "for last; do :; done; : >\"${last#file:}\"; exec cat >/dev/null"))
        for frame in 0..<300 { try video.write(painter.pixels, timeNs: Self.timeNs(frame)) }
        #expect(try Self.files(folder) == ["a.\(getpid()).partial.mp4"])
        withExtendedLifetime(video) {}
      }
      #expect(try Self.files(folder).isEmpty)
    }
  }

  @Test func frameOfAnotherSizeTraps() async {
    await #expect(processExitsWith: .failure) {
      do {
        let video = try VideoWriter(
          path: "/tmp/orrery-trap-\(getpid()).mp4", width: 2, height: 2, rateNumerator: 1,
          rateDenominator: 1, program: "cat")
        try [UInt8](repeating: 0, count: 12).withUnsafeBytes { try video.write($0, timeNs: 1) }
      } catch {}
    }
  }

  @Test func pictureMayBeReadAsTheProcessSays() throws {
    try Self.withFolder { (folder) throws in
      let path = "\(folder)/a.png"
      try Self.painter().writePNG(path: path)
      let facts = try FileManager.default.attributesOfItem(atPath: path)
      #expect(facts[.posixPermissions] as? Int == 0o666 & ~processMask())
    }
  }
}
