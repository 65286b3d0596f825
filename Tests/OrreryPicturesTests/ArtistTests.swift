// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import OrreryFrame
import OrreryPictures
import OrreryWire
import TestSupport
import Testing

/// Goal: the pictures that an artist leaves are those that were asked for, at the times at which they were published.
///
/// Method: frames that all look different, in a real ring; pictures compared with ones that were drawn apart; an encoder
/// that keeps what it is given, whose pictures' times are read from the stream.
@Suite struct ArtistTests {
  /// Paths of a studio's files.
  private static func outputs(
    _ studio: Studio, png: String? = nil, at: Double? = nil, frames: String? = nil,
    video: String? = nil
  ) -> PictureOutputs {
    let path = { (name: String) in studio.base.path + "/" + name }
    return PictureOutputs(
      png: png.map(path), at: at, frames: frames.map(path), video: video.map(path))
  }

  /// The account of a subscriber that got every frame.
  private static func account(_ studio: Studio) -> Losses {
    var losses = Losses(joinedAfter: 0)
    for sequence in 1...max(studio.writer.sequence, 1) { losses.receive(sequence) }
    return losses
  }

  @discardableResult
  private static func finish(_ artist: Artist, _ studio: Studio) throws -> [String] {
    try artist.finish(account(studio), simEnded: true)
  }

  @Test func lastPictureIsKept() throws {
    let studio = try Studio()
    let artist = try Artist(Self.outputs(studio, png: "a.png"), size: nil, source: studio.reader)
    for _ in 0..<3 { #expect(try studio.show(artist)) }
    #expect(try studio.names() == [], "a picture that is not the last is not written")
    #expect(try Self.finish(artist, studio) == [studio.base.path + "/a.png"])
    #expect(try studio.file("a.png") == studio.picture(3))
    #expect(try studio.picture(3) != studio.picture(2))
    #expect(artist.drawnCount == 1, "only the picture that is wanted is drawn")
  }

  /// Whoever draws every frame of a large scene sees none of the last ones in time.
  @Test(arguments: [nil, 0.05] as [Double?])
  func onlyThePictureThatIsWantedIsDrawn(seconds: Double?) throws {
    let studio = try Studio()
    let artist = try Artist(
      Self.outputs(studio, png: "a.png", at: seconds), size: nil, source: studio.reader)
    for _ in 0..<6 { #expect(try studio.show(artist)) }
    try Self.finish(artist, studio)
    #expect(artist.drawnCount == 1)
    #expect(try studio.file("a.png") == studio.picture(seconds == nil ? 6 : 3))
    let every = try Artist(
      Self.outputs(studio, png: "b.png", frames: "all"), size: nil, source: studio.reader)
    for _ in 0..<2 { try studio.show(every) }
    try Self.finish(every, studio)
    #expect(every.drawnCount == 2)
    #expect(try studio.file("b.png") == studio.picture(8))
  }

  /// To measure drawing alone: whatever is written, or nothing at all.
  @Test(arguments: [nil, "a.png"]) func everyPictureIsDrawnIfAskedFor(png: String?) throws {
    let studio = try Studio()
    let outputs = PictureOutputs(
      png: png.map { studio.base.path + "/" + $0 }, at: nil, frames: nil, video: nil,
      drawsEvery: true)
    let artist = try Artist(outputs, size: nil, source: studio.reader)
    for _ in 0..<5 { #expect(try studio.show(artist)) }
    #expect(artist.drawnCount == 5)
    try Self.finish(artist, studio)
    #expect(artist.drawnCount == 5)
    #expect(try studio.names() == [png].compactMap { $0 })
    if let png { #expect(try studio.file(png) == studio.picture(5)) }
  }

  /// Frames of another machine do not stay where they are: the next message takes the last one's place.
  @Test func lastFrameThatTheSourceDoesNotKeepIsKept() throws {
    let studio = try Studio()
    let passing = PassingSource(studio.reader)
    let artist = try Artist(Self.outputs(studio, png: "a.png"), size: nil, source: passing)
    for _ in 0..<3 {
      studio.publish()
      let view = try #require(studio.frame(studio.writer.sequence))
      #expect(try artist.use(passing.receive(view), source: passing))
      try artist.keep(sequence: view.sequence)
    }
    passing.forget()
    try Self.finish(artist, studio)
    #expect(try studio.file("a.png") == studio.picture(3))
    #expect(artist.drawnCount == 1)
  }

  /// Frames of another machine: one piece of memory for all of them.
  private final class PassingSource: FrameSource {
    private let reader: FrameReader
    private let room: UnsafeMutableRawBufferPointer

    init(_ reader: FrameReader) {
      self.reader = reader
      room = .allocate(byteCount: Int(reader.layout.frameBytes), alignment: 64)
    }

    deinit { room.deallocate() }

    func receive(_ frame: FrameView) -> FrameView {
      room.copyMemory(from: frame.bytes)
      return FrameView(sequence: frame.sequence, bytes: UnsafeRawBufferPointer(room))
    }

    /// Another message takes the frame's place.
    func forget() { room.initializeMemory(as: UInt8.self, repeating: 0xff) }

    var layout: FrameLayout { reader.layout }
    var staticPart: UnsafeRawBufferPointer { reader.staticPart }
    var generation: UInt64 { reader.generation }
    var delivery: Delivery { reader.delivery }
    var overwrittenAfter: UInt64? { nil }
    var frames: (any FrameRing)? { nil }
    func isWhole(_ view: FrameView) -> Bool { true }
  }

  @Test func pictureHasTheSizeThatIsAskedFor() throws {
    let studio = try Studio()
    let artist = try Artist(
      Self.outputs(studio, png: "a.png"), size: PictureSize("32x40"), source: studio.reader)
    try studio.show(artist)
    try Self.finish(artist, studio)
    #expect(try studio.file("a.png") == studio.picture(1, width: 32, height: 40))
  }

  @Test(arguments: [(63.5, 48.4, 64, 48), (0.2, 3, 1, 3)])
  func pictureHasTheScenesSize(width: Double, height: Double, columns: Int, rows: Int) throws {
    let studio = try Studio(size: (width, height))
    let artist = try Artist(Self.outputs(studio, png: "a.png"), size: nil, source: studio.reader)
    try studio.show(artist)
    try Self.finish(artist, studio)
    #expect(try studio.file("a.png") == studio.picture(1, width: columns, height: rows))
  }

  @Test(arguments: [1e5, 1e6, .infinity, .nan])
  func sceneThatIsTooLargeIsRefused(side: Double) throws {
    let studio = try Studio(size: (side, 10))
    #expect {
      try Artist(Self.outputs(studio, png: "a.png"), size: nil, source: studio.reader)
    } throws: { error in
      [.usage, .badData].contains((error as? Failure)?.status)
    }
  }

  /// From a million points on a side is as large as any number: it need not fit one of pixels.
  @Test(
    arguments: [
      (1e5, 100_000), (999_999, 999_999), (999_999.4, 999_999), (1e6, .max), (1e300, .max),
      (.infinity, .max), (.nan, .max),
    ] as [(Double, Int)])
  func sideThatIsTooLongIsNamedInPixels(points: Double, pixels: Int) throws {
    for isWidth in [true, false] {
      let studio = try Studio(size: isWidth ? (points, 10) : (10, points))
      let error = #expect(throws: Failure.self) {
        try Artist(Self.outputs(studio, png: "a.png"), size: nil, source: studio.reader)
      }
      #expect(error?.status == .usage)
      let size = isWidth ? "\(pixels)x10" : "10x\(pixels)"
      #expect(error?.description.contains("picture of \(size) pixels") == true, "\(size)")
    }
  }

  /// A scene of no size has a picture of a pixel, and is refused as a scene.
  @Test(arguments: [(0.0, 10.0), (10, -3)])
  func sceneWithoutASizeIsBadData(width: Double, height: Double) throws {
    let studio = try Studio(size: (width, height))
    let error = #expect(throws: Failure.self) {
      try Artist(Self.outputs(studio, png: "a.png"), size: nil, source: studio.reader)
    }
    #expect(error?.status == .badData)
    #expect(error?.description.contains("scene of") == true)
  }

  /// A tick is shown from its time on: 0.05 s is the third tick of sixty in a second.
  @Test(arguments: [(0.0, 1), (0.05, 3), (0.0416, 2), (0.042, 3), (0.058, 3), (0.059, 4)])
  func pictureOfATimeIsThatOfTheNearestTick(seconds: Double, sequence: UInt64) throws {
    let studio = try Studio()
    let artist = try Artist(
      Self.outputs(studio, png: "a.png", at: seconds), size: nil, source: studio.reader)
    for _ in 0..<5 { try studio.show(artist) }
    #expect(try studio.file("a.png") == studio.picture(sequence))
    // What comes afterwards changes nothing.
    try Self.finish(artist, studio)
    #expect(try studio.file("a.png") == studio.picture(sequence))
  }

  @Test func timeIsThatOfTheTickAndNotOfTheFrame() throws {
    let studio = try Studio(rate: (30_000, 1001))
    let artist = try Artist(
      Self.outputs(studio, png: "a.png", at: 100.1), size: nil, source: studio.reader)
    for tick in [2999, 3000, 3001] as [UInt64] { try studio.show(artist, tick: tick) }
    try Self.finish(artist, studio)
    #expect(try studio.file("a.png") == studio.picture(2))
  }

  @Test func missedTimeIsThatOfTheNextPicture() throws {
    let studio = try Studio()
    let artist = try Artist(
      Self.outputs(studio, png: "a.png", at: 0.05), size: nil, source: studio.reader)
    for tick in [1, 2, 7, 8] as [UInt64] { try studio.show(artist, tick: tick) }
    try Self.finish(artist, studio)
    #expect(try studio.file("a.png") == studio.picture(3))
  }

  /// The picture of another time is not what was asked for: there is none, and the last tick is named.
  @Test(arguments: [(60.0, "--at 60 is tick 3600"), (0.051, "--at 0.051 is tick 3")])
  func timeBeyondTheRunHasNoPicture(seconds: Double, says: String) throws {
    let studio = try Studio()
    let artist = try Artist(
      Self.outputs(studio, png: "a.png", at: seconds, frames: "all"), size: nil,
      source: studio.reader)
    for _ in 0..<2 { try studio.show(artist) }
    #expect(try Self.finish(artist, studio) == [studio.base.path + "/all/ (2 pictures)"])
    #expect(try studio.names() == ["all"])
    let shortfall = try #require(artist.shortfall)
    #expect(shortfall.status == .unmet)
    let path = studio.base.path + "/a.png"
    #expect(
      shortfall.description
        == "\(says): the last tick that came was 2 (0.033 s); \(path) is not written")
  }

  @Test func timeOfARunWithoutAFrameHasNoPicture() throws {
    let studio = try Studio()
    let artist = try Artist(
      Self.outputs(studio, png: "a.png", at: 0), size: nil, source: studio.reader)
    #expect(try artist.finish(Losses(joinedAfter: 0), simEnded: true) == [])
    #expect(artist.shortfall?.description.contains("--at 0 is tick 0: no tick came; ") == true)
  }

  @Test func whatWasAskedForAndCameIsNoShortfall() throws {
    for at in [nil, 0.0, 0.05] as [Double?] {
      let studio = try Studio()
      let artist = try Artist(
        Self.outputs(studio, png: "a.png", at: at), size: nil, source: studio.reader)
      for _ in 0..<3 { try studio.show(artist) }
      try Self.finish(artist, studio)
      #expect(artist.shortfall == nil)
    }
  }

  /// A video that is larger than its pictures is mentioned, with both sizes.
  @Test func oddSizesOfAVideoAreMentioned() throws {
    let studio = try Studio()
    let encoder = try studio.keepingEncoder()
    func notices(_ video: String, _ size: String) throws -> [String] {
      let artist = try Artist(
        Self.outputs(studio, video: video), size: PictureSize(size), source: studio.reader,
        encoder: encoder)
      return artist.notices
    }
    for ending in ["mp4", "mov", "mkv", "webm"] {
      for (size, becomes) in [("31x20", "32x20"), ("30x21", "30x22"), ("31x21", "32x22")] {
        let text = try notices("a.\(ending)", size)
        #expect(text.count == 1)
        let path = studio.base.path + "/a.\(ending)"
        #expect(
          text.first
            == "\(path): the video has \(becomes) pixels, its pictures \(size): "
            + "a .\(ending) needs even sides, and gets black at the edge")
      }
      #expect(try notices("a.\(ending)", "30x20").isEmpty)
    }
    for ending in ["gif", "apng"] { #expect(try notices("a.\(ending)", "31x21").isEmpty) }
  }

  @Test func everyPictureHasItsNumber() throws {
    let studio = try Studio()
    let artist = try Artist(Self.outputs(studio, frames: "all"), size: nil, source: studio.reader)
    for sequence in 1...4 as ClosedRange<UInt64> {
      // The third is missed: its number is no picture's.
      if sequence == 3 {
        studio.publish()
        try artist.miss(3...3)
      } else {
        try studio.show(artist)
      }
    }
    try artist.idle()
    #expect(try Self.finish(artist, studio) == [studio.base.path + "/all/ (3 pictures)"])
    let facts = try FileManager.default.attributesOfItem(atPath: studio.base.path + "/all")
    #expect(facts[.posixPermissions] as? Int == 0o777 & ~processMask())
    #expect(
      try studio.names(in: "all") == ["00000001.png", "00000002.png", "00000004.png"])
    for sequence in [1, 2, 4] as [UInt64] {
      #expect(try studio.file("all/0000000\(sequence).png") == studio.picture(sequence))
    }
  }

  @Test func numberMayBeLong() throws {
    let studio = try Studio()
    let artist = try Artist(Self.outputs(studio, frames: "all"), size: nil, source: studio.reader)
    studio.publish()
    let view = try #require(studio.frame(1))
    _ = try artist.use(view, source: studio.reader)
    for sequence in [12_345_678, 1_234_567_890] as [UInt64] { try artist.keep(sequence: sequence) }
    #expect(try studio.names(in: "all") == ["12345678.png", "1234567890.png"])
  }

  @Test func folderMayBeThereAndItsAbsenceIsAFailure() throws {
    let studio = try Studio()
    for _ in 0..<2 {
      _ = try Artist(Self.outputs(studio, frames: "all"), size: nil, source: studio.reader)
    }
    #expect {
      try Artist(Self.outputs(studio, frames: "no/folder"), size: nil, source: studio.reader)
    } throws: { error in
      (error as? Failure)?.status == .inputOutput && "\(error)".contains("no/folder: mkdir")
    }
  }

  @Test func tornFrameIsNoPicture() throws {
    let studio = try Studio()
    let artist = try Artist(
      Self.outputs(studio, png: "a.png", at: 0.05), size: nil, source: studio.reader)
    try studio.show(artist)
    studio.publish(tick: 3)
    let view = try #require(studio.frame(2))
    // All four slots are taken anew: what is read now is a later frame's.
    for tick in 10...13 as ClosedRange<UInt64> { studio.publish(tick: tick) }
    #expect(try !artist.use(view, source: studio.reader))
    try artist.miss(2...6)
    #expect(try studio.names() == [])
    // Its tick counts for nothing: the picture that is kept next is of tick 2.
    try studio.show(artist, tick: 2)
    #expect(try studio.names() == [])
    try studio.show(artist, tick: 3)
    #expect(try studio.file("a.png") == studio.picture(8))
  }

  @Test func tickOfATornFrameIsForgotten() throws {
    let studio = try Studio()
    let artist = try Artist(
      Self.outputs(studio, png: "a.png", at: 1.0 / 60), size: nil, source: studio.reader)
    studio.publish(tick: 3)
    let view = try #require(studio.frame(1))
    for tick in 10...13 as ClosedRange<UInt64> { studio.publish(tick: tick) }
    #expect(try !artist.use(view, source: studio.reader))
    // As a loop would never do it: what is kept is of the last frame that was whole, and there is none.
    try artist.keep(sequence: 1)
    #expect(try studio.names() == [])
  }

  /// A picture stands until the next one that was received.
  @Test func videoIsDatedBySequence() throws {
    let studio = try Studio(rate: (50, 1))
    let artist = try Artist(
      Self.outputs(studio, video: "a.mkv"), size: nil, source: studio.reader,
      encoder: try studio.keepingEncoder())
    // A seek changes the tick, and not the time of the video.
    for (sequence, tick) in [(1, 1), (2, 2), (3, 3), (4, 4), (5, 1000), (6, 2)] as [(Int, UInt64)] {
      if sequence == 3 || sequence == 4 {
        studio.publish(tick: tick)
        try artist.miss(UInt64(sequence)...UInt64(sequence))
      } else {
        try studio.show(artist, tick: tick)
      }
    }
    #expect(try Self.finish(artist, studio) == [studio.base.path + "/a.mkv"])
    #expect(studio.timesUs("a.mkv") == [0, 20_000, 80_000, 100_000])
  }

  @Test func videoOfALateSubscriberBeginsWithItsFirstPicture() throws {
    let studio = try Studio(rate: (30_000, 1001))
    let artist = try Artist(
      Self.outputs(studio, video: "a.mkv"), size: nil, source: studio.reader,
      encoder: try studio.keepingEncoder())
    for _ in 0..<3 { studio.publish() }
    for _ in 0..<3 { try studio.show(artist) }
    try Self.finish(artist, studio)
    // Thirds of a tick of 33,366.7 µs are cut off.
    #expect(studio.timesUs("a.mkv") == [0, 33_366, 66_733])
  }

  @Test func tickMayBeLongerThanASecond() throws {
    let studio = try Studio(rate: (1, 2))
    let artist = try Artist(
      Self.outputs(studio, png: "a.png", at: 4, video: "a.mkv"), size: nil, source: studio.reader,
      encoder: try studio.keepingEncoder())
    for _ in 0..<3 { try studio.show(artist) }
    try Self.finish(artist, studio)
    #expect(studio.timesUs("a.mkv") == [0, 2_000_000, 4_000_000])
    #expect(try studio.file("a.png") == studio.picture(2))
  }

  @Test func videoOfAYearKeepsItsTime() throws {
    let studio = try Studio(rate: (60, 1))
    let artist = try Artist(
      Self.outputs(studio, video: "a.mkv"), size: nil, source: studio.reader,
      encoder: try studio.keepingEncoder())
    try studio.show(artist)
    // More nanoseconds times ticks than 64 bits hold.
    try artist.keep(sequence: 1 + 60 * 86_400 * 365)
    try Self.finish(artist, studio)
    #expect(studio.timesUs("a.mkv") == [0, 86_400 * 365 * 1_000_000])
  }

  @Test func runWithoutAFrameLeavesNoFile() throws {
    let studio = try Studio()
    let encoder = try studio.keepingEncoder()
    do {
      let artist = try Artist(
        Self.outputs(studio, png: "a.png", video: "a.mkv"), size: nil, source: studio.reader,
        encoder: encoder)
      #expect(try artist.finish(Losses(joinedAfter: 0), simEnded: true) == [])
    }
    #expect(try studio.names().filter { !$0.hasPrefix("encoder") } == [])
  }

  @Test func everythingThatIsWrittenIsNamed() throws {
    let studio = try Studio()
    let artist = try Artist(
      Self.outputs(studio, png: "a.png", frames: "all", video: "a.mkv"), size: nil,
      source: studio.reader, encoder: try studio.keepingEncoder())
    try studio.show(artist)
    #expect(
      try Self.finish(artist, studio)
        == ["a.png", "a.mkv", "all/ (1 pictures)"].map { studio.base.path + "/" + $0 })
  }

  @Test func eachFailureHasItsExitStatus() throws {
    let studio = try Studio()
    let reader = studio.reader
    #expect(throws: Failure.self) {
      try Artist(
        Self.outputs(studio, video: "a.mp4"), size: nil, source: reader, encoder: "no-such")
    }
    func status(
      _ outputs: PictureOutputs, _ studio: Studio, encoder: String = "ffmpeg"
    ) throws -> OrreryBase.ExitStatus? {
      do throws(Failure) {
        let artist = try Artist(outputs, size: nil, source: studio.reader, encoder: encoder)
        try artist.keep(sequence: 1)
      } catch {
        return error.status
      }
      return nil
    }
    #expect(
      try status(Self.outputs(studio, video: "a.mp4"), studio, encoder: "no-such-encoder")
        == .unavailable)
    #expect(try status(Self.outputs(studio, video: "no/folder/a.mp4"), studio) == .inputOutput)
    #expect(
      try status(Self.outputs(studio, png: "no/folder/a.png", at: 0), studio) == .inputOutput)
    let fast = try Studio(rate: (1 << 40, 1))
    #expect(try status(Self.outputs(fast, video: "a.mp4"), fast) == .usage)
    let strange = try Studio(staticPart: [0xff, 0xff])
    #expect(try status(Self.outputs(strange, png: "a.png"), strange) == .mismatch)
  }
}
