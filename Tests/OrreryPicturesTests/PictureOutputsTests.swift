// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import OrreryPictures
import TestSupport
import Testing

/// Each path goes where it belongs, and nothing is written over unasked.
@Suite struct PictureOutputsTests {
  @Test func pathsAreKeptApart() {
    let outputs = PictureOutputs(png: "a.png", at: 2, frames: "b", video: "c.mp4")
    #expect(outputs.png == "a.png")
    #expect(outputs.at == 2)
    #expect(outputs.frames == "b")
    #expect(outputs.video == "c.mp4")
    // A directory or a video has every picture, one file only one.
    #expect(outputs.drawsEvery)
    #expect(PictureOutputs(png: nil, at: nil, frames: "b", video: nil).drawsEvery)
    #expect(PictureOutputs(png: nil, at: nil, frames: nil, video: "c").drawsEvery)
    #expect(!PictureOutputs(png: "a", at: 2, frames: nil, video: nil).drawsEvery)
    #expect(PictureOutputs(png: nil, at: nil, frames: nil, video: nil, drawsEvery: true).drawsEvery)
  }

  /// What is in use, of a base that has a file, an empty folder and a folder with a picture.
  private func complaint(
    png: String? = nil, frames: String? = nil, video: String? = nil
  ) throws -> Failure? {
    let base = try TemporaryBase()
    let files = FileManager.default
    for folder in ["empty", "full"] {
      try files.createDirectory(
        atPath: base.path + "/" + folder, withIntermediateDirectories: true)
    }
    try Data().write(to: URL(fileURLWithPath: base.path + "/full/notes.txt"))
    try Data().write(to: URL(fileURLWithPath: base.path + "/full/00000001.png"))
    try Data().write(to: URL(fileURLWithPath: base.path + "/there"))
    try files.createSymbolicLink(
      atPath: base.path + "/link", withDestinationPath: "nowhere")
    let path = { (name: String) in base.path + "/" + name }
    do throws(Failure) {
      try PictureOutputs(
        png: png.map(path), at: nil, frames: frames.map(path), video: video.map(path)
      ).checkUnused()
    } catch {
      let plain = error.description.replacingOccurrences(of: base.path + "/", with: "")
      return Failure(error.status, plain)
    }
    return nil
  }

  @Test func filesThatAreThereAreNotWrittenOver() throws {
    for name in ["there", "link"] {
      for found in [try complaint(png: name), try complaint(png: "new", video: name)] {
        #expect(found?.status == .inputOutput)
        #expect(found?.description == "\(name): is there already; --force replaces it")
      }
    }
    let found = try complaint(png: "new", frames: "full", video: "other")
    #expect(found?.status == .inputOutput)
    #expect(found?.description == "full: holds pictures already; --force writes over them")
  }

  @Test func newFilesAndFoldersWithoutPicturesAreUsed() throws {
    #expect(try complaint() == nil)
    #expect(try complaint(png: "new", frames: "empty", video: "other") == nil)
    #expect(try complaint(png: "no/folder", frames: "no/other", video: "no/third") == nil)
  }
}
