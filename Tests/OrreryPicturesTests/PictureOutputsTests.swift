// SPDX-License-Identifier: Apache-2.0

import OrreryPictures
import Testing

/// Each path goes where it belongs.
@Suite struct PictureOutputsTests {
  @Test func pathsAreKeptApart() {
    let outputs = PictureOutputs(png: "a.png", at: 2, frames: "b", video: "c.mp4")
    #expect(outputs.png == "a.png")
    #expect(outputs.at == 2)
    #expect(outputs.frames == "b")
    #expect(outputs.video == "c.mp4")
  }
}
