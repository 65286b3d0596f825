// SPDX-License-Identifier: Apache-2.0

import OrreryFrame
import OrreryPictures
import OrreryWire
import Testing

/// Goal: a picture of several times of a run has the run's first and last frame, however many were passed over.
///
/// Method: artists that are shown other frames of one ring; their files are compared.
@Suite struct SpreadArtistTests {
  /// Two pictures of a run of 18 frames: sixteen are kept at most, so the last one is drawn at the end.
  @Test(arguments: [PictureSpread.overlay(2), .sheet(columns: 2, rows: 1)])
  func lastFrameIsShownThoughItWasPassedOver(spread: PictureSpread) throws {
    let studio = try Studio()
    let wanted: [(name: String, frames: Set<UInt64>)] = [
      ("all", Set(1...18)), ("ends", [1, 18]), ("before", [1, 17]),
    ]
    let artists = try wanted.map {
      try SpreadArtist(
        path: studio.base.path + "/" + $0.name, spread, size: nil, source: studio.reader,
        look: .scene)
    }
    for sequence in 1...18 as ClosedRange<UInt64> {
      studio.publish()
      let view = try #require(studio.frame(sequence))
      for (artist, wanted) in zip(artists, wanted) where wanted.frames.contains(sequence) {
        #expect(try artist.use(view, source: studio.reader))
        try artist.keep(sequence: sequence)
      }
    }
    for (artist, wanted) in zip(artists, wanted) {
      let files = try artist.finish(Losses(joinedAfter: 0), simEnded: true)
      #expect(files == [studio.base.path + "/" + wanted.name])
    }
    let all = try #require(studio.file("all"))
    #expect(all == studio.file("ends"))
    #expect(all != studio.file("before"))
  }
}
