// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import OrreryConsole
import TestSupport
import Testing

/// Goal: a file holds what was written and nothing else.
///
/// Method: files in a folder of their own; a pipe that takes a part at a time.
@Suite struct NewFileTests {
  @Test func fileHoldsWhatWasWritten() throws {
    let base = try TemporaryBase()
    let path = base.path + "/a"
    try NewFile.write([1, 2, 3, 4, 5], to: path)
    #expect(FileManager.default.contents(atPath: path) == Data([1, 2, 3, 4, 5]))
    try NewFile.write([9, 8], to: path)
    #expect(FileManager.default.contents(atPath: path) == Data([9, 8]))
    try NewFile.write([], to: path)
    #expect(FileManager.default.contents(atPath: path) == Data())
  }

  @Test func causeOfAFailureIsNamed() throws {
    let path = "/nonexistent/a"
    #expect(throws: SystemCallError(call: "open", path: path, errno: ENOENT)) {
      try NewFile.write([1], to: path)
    }
    #expect(throws: SystemCallError(call: "write", path: "/dev/full", errno: ENOSPC)) {
      try NewFile.write([1], to: "/dev/full")
    }
  }
}
