// SPDX-License-Identifier: Apache-2.0

import OrrerySubscriber
import Testing

/// Following one run after the other.
@Suite struct RunFollowerTests {
  @Test(arguments: [
    ("out.mcap", 1, "out.mcap"), ("out.mcap", 2, "out-2.mcap"), ("a.b/out", 3, "a.b/out-3"),
    ("a.b/.out", 2, "a.b/.out-2"), ("/a/b.tar.gz", 12, "/a/b.tar-12.gz"),
  ])
  func filesAreNumberedBeforeTheirEnding(path: String, number: Int, expected: String) {
    #expect(RunFollower.numbered(path, number) == expected)
  }
}
