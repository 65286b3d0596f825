// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase
import TestSupport
import Testing

/// Goal: a directory's names are those that are there and wanted.
@Suite struct DirectoryListingTests {
  @Test func namesAreThoseThatAreWanted() throws {
    let base = try TemporaryBase()
    #expect(try DirectoryListing.names(in: base.path) == [])
    for name in ["a", "b", ".c"] {
      close(open(base.path + "/" + name, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600))
    }
    #expect(try DirectoryListing.names(in: base.path).sorted() == [".c", "a", "b"])
    #expect(try DirectoryListing.names(in: base.path) { $0 != "a" }.sorted() == [".c", "b"])
    #expect(try DirectoryListing.names(in: base.path, countMax: 2).count == 2)
  }

  @Test func missingDirectoryIsAnError() {
    #expect(throws: SystemCallError(call: "opendir", path: "/nowhere", errno: ENOENT)) {
      try DirectoryListing.names(in: "/nowhere")
    }
  }
}
