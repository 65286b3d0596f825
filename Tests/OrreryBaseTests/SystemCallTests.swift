// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase
import Testing

/// Goal: an interrupted call is made again, a failed one is told, and a bug traps.
@Suite struct SystemCallTests {
  @Test func interruptedCallIsMadeAgain() throws {
    var calls = 0
    let result = try systemCall("read", "nothing") { () -> Int in
      calls += 1
      guard calls < 4 else { return 17 }
      errno = EINTR
      return -1
    }
    #expect(result == 17)
    #expect(calls == 4)
  }

  @Test func failedCallSaysWhichOnWhatAndWhy() {
    var calls = 0
    let error = #expect(throws: SystemCallError.self) {
      try systemCall("open", "/nowhere") { () -> CInt in
        calls += 1
        errno = ENOENT
        return -1
      }
    }
    #expect(calls == 1)
    #expect(error == SystemCallError(call: "open", path: "/nowhere", errno: ENOENT))
    #expect(error?.description == "/nowhere: open: No such file or directory")
  }

  @Test(arguments: [0, 1, 1 << 40] as [Int])
  func resultIsHandedOn(result: Int) throws {
    #expect(try systemCall("read", "nothing") { result } == result)
  }

  /// Codes of docs/reference/exit-codes.md, by what went wrong.
  @Test(
    arguments: [
      ("mkdir", ENOSPC, .inputOutput), ("mkdir", EDQUOT, .inputOutput),
      ("write", EIO, .inputOutput),
      ("write", EFBIG, .inputOutput), ("open", EROFS, .inputOutput),
      ("open", EACCES, .notPermitted),
      ("open", EPERM, .notPermitted), ("open", ELOOP, .notPermitted),
      ("open", ENOENT, .unavailable),
      ("bind", EADDRINUSE, .unavailable), ("mmap", ENOMEM, .resource), ("open", EMFILE, .resource),
      ("open", ENFILE, .resource), ("sendmsg", ENOBUFS, .resource),
      ("pthread_create", EAGAIN, .resource), ("posix_spawn", EAGAIN, .resource),
      ("fork", EAGAIN, .resource), ("flock", EAGAIN, .unavailable),
    ] as [(String, CInt, OrreryBase.ExitStatus)])
  func failureHasItsCode(call: String, number: CInt, status: OrreryBase.ExitStatus) {
    #expect(SystemCallError(call: call, path: "/x", errno: number).exitStatus == status)
  }

  @Test func badDescriptorAndBadAddressTrap() async {
    await #expect(processExitsWith: .failure) {
      try systemCall("read", "nothing") { () -> CInt in
        errno = EBADF
        return -1
      }
    }
    await #expect(processExitsWith: .failure) {
      try systemCall("read", "nothing") { () -> CInt in
        errno = EFAULT
        return -1
      }
    }
  }

  @Test func descriptorIsClosedWithItsOwner() throws {
    var number: CInt = -1
    do {
      let file = FileDescriptor(owning: open("/dev/null", O_RDONLY | O_CLOEXEC))
      // A number that no parallel test gets when it is free again.
      number = fcntl(file.number, F_DUPFD_CLOEXEC, 900)
      let moved = FileDescriptor(owning: number)
      #expect(fcntl(moved.number, F_GETFD) >= 0)
    }
    #expect(number >= 900)
    #expect(fcntl(number, F_GETFD) == -1)
  }

  @Test func negativeDescriptorTraps() async {
    await #expect(processExitsWith: .failure) { _ = FileDescriptor(owning: -1) }
  }
}
