// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import OrreryBase
import TestSupport
import Testing

/// Goal: a small file is read without waiting, whatever stands in its place, and written for its user alone.
///
/// Method: files of a test; masks of this process in processes of their own.
@Suite struct SmallFileTests {
  @Test func whatIsNoFileIsNotWaitedFor() throws {
    let base = try TemporaryBase()
    let path = base.path + "/x"
    #expect(SmallFile.read(path) == nil)
    #expect(mkfifo(path, 0o600) == 0)
    #expect(try within("a pipe that nobody writes to") { SmallFile.read(path) } == nil)
    #expect(unlink(path) == 0)
    #expect(mkdir(path, 0o700) == 0)
    #expect(SmallFile.read(path) == nil)
    #expect(rmdir(path) == 0)
    let listener = linux_listen(path, 1)
    #expect(SmallFile.read(path) == nil)
    close(listener)
    #expect(SmallFile.read("/dev/zero") == nil)
    // The kernel's files are plain ones.
    #expect(SmallFile.read("/proc/self/stat")?.hasPrefix("\(getpid()) ") == true)
    withExtendedLifetime(base) {}
  }

  @Test func privateFileIsForItsUserWhateverTheUmask() async {
    await #expect(processExitsWith: .success) {
      for mask in [0o000, 0o177, 0o777] as [mode_t] {
        let base = try TemporaryBase()
        let path = base.path + "/x"
        umask(mask)
        try SmallFile.writePrivate("text", to: path, by: path + ".new")
        var status = stat()
        #expect(lstat(path, &status) == 0)
        #expect(status.st_mode == S_IFREG | 0o600)
        #expect(SmallFile.read(path) == "text\n")
        umask(0o022)
        withExtendedLifetime(base) {}
      }
    }
  }
}
