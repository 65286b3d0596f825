// SPDX-License-Identifier: Apache-2.0

import CFrameLayout
import Glibc
import OrreryBase
import OrreryFrame
import Testing

/// Goal: each error ends a program with the status of docs/reference/exit-codes.md, in one line that has its numbers.
///
/// Method: a table of all cases.
@Suite struct FrameErrorTests {
  private static func system(_ number: CInt) -> FrameError {
    .system(SystemCallError(call: "open", path: "/x", errno: number))
  }

  static let errors: [(error: FrameError, status: OrreryBase.ExitStatus, text: String)] = [
    (system(ENOENT), .unavailable, "/x: open: No such file or directory"),
    (system(ENOMEM), .resource, "/x: open: Cannot allocate memory"),
    (system(ENOSPC), .resource, "/x: open: No space left on device"),
    (
      .system(SystemCallError(call: "bind", path: "/x", errno: ENOSPC)), .inputOutput,
      "/x: bind: No space left on device"
    ),
    (system(EFBIG), .inputOutput, "/x: open: File too large"),
    (system(EMFILE), .resource, "/x: open: Too many open files"),
    (system(ENFILE), .resource, "/x: open: Too many open files in system"),
    (system(EACCES), .notPermitted, "/x: open: Permission denied"),
    (system(EPERM), .notPermitted, "/x: open: Operation not permitted"),
    (system(ELOOP), .notPermitted, "/x: open: Too many levels of symbolic links"),
    (
      .frameTooLarge(bytes: 7, limit: 5), .unavailable,
      "a frame of 7 bytes is over the limit of 5"
    ),
    (
      .notEnoughMemory(needed: 7, available: 5), .resource,
      "the ring needs 7 bytes of memory and 5 are free; use fewer --slots or --entities"
    ),
    (
      .notEnoughSpace(path: "/x", needed: 7, available: 5), .resource,
      "/x: the ring needs 7 bytes and 5 are free there; use fewer --slots, no --shm-name, or a larger"
        + " /dev/shm (mount -o remount,size=… /dev/shm)"
    ),
    (
      .badSegmentName("a b"), .usage,
      "--shm-name 'a b': use 1 to 64 letters, digits, '.', '-' and '_', beginning with a letter or digit"
    ),
    (
      .segmentTaken(path: "/x"), .nameTaken,
      "/x: a live sim has its ring there; choose another --shm-name"
    ),
    (
      .unsafeSegment(path: "/x", owner: 3, mode: 0o100644, links: 2), .notPermitted,
      "/x: must be a plain file of this user with mode 0600 and one name, found owner 3, mode 100644,"
        + " 2 names"
    ),
    (.notARing(found: 0xabc), .mismatch, "not a frame ring: magic abc"),
    (
      .layoutVersion(found: 2, expected: 3), .mismatch,
      "frame layout version 2, this program knows 3; use sim and subscribers of one release"
    ),
    (.notSealed, .notPermitted, "the frame ring is not sealed against truncation"),
    (.corruptHeader(field: "slots", value: 7), .mismatch, "corrupt ring header: slots is 7"),
    (
      .refused(status: UInt32(JOIN_REFUSED_VERSION)), .mismatch,
      "the sim refused to be joined: it knows another layout version"
    ),
    (
      .refused(status: UInt32(JOIN_REFUSED_FULL)), .unavailable,
      "the sim refused to be joined: it has as many subscribers as it serves"
    ),
    (
      .refused(status: UInt32(JOIN_REFUSED_ENDED)), .unavailable,
      "the sim refused to be joined: the run has ended"
    ),
    (
      .refused(status: UInt32(JOIN_REFUSED_SILENT)), .unavailable,
      "the sim refused to be joined: this subscriber did not say in time who it is"
    ),
    (.refused(status: 77), .unavailable, "the sim refused to be joined: reason 77"),
    (.badJoinMessage(bytes: 7), .mismatch, "unexpected message of 7 bytes on the join socket"),
    (.hungUp, .unavailable, "the sim hung up before it answered"),
    (
      .foreignUser(found: 7, expected: 5), .notPermitted, "the peer runs as user 7, not 5"
    ),
  ]

  @Test(arguments: errors.indices)
  func errorHasItsStatusAndItsNumbers(index: Int) {
    let (error, status, text) = Self.errors[index]
    #expect(error.description == text)
    #expect(error.exitStatus == status)
    #expect(Failure(error).status == status)
    #expect(Failure(error).description == text)
  }

  private static let remedy =
    "; let XDG_RUNTIME_DIR, or TMPDIR without it, name a directory that exists and that this user can write to"

  static let directoryErrors:
    [(error: RunDirectoryError, status: OrreryBase.ExitStatus, text: String)] = [
      (
        .system(SystemCallError(call: "mkdir", path: "/x", errno: EACCES)), .notPermitted,
        "/x: mkdir: Permission denied" + remedy
      ),
      (
        .system(SystemCallError(call: "open", path: "/x", errno: ELOOP)), .notPermitted,
        "/x: open: Too many levels of symbolic links"
      ),
      (
        .system(SystemCallError(call: "mkdir", path: "/x", errno: ENOENT)), .unavailable,
        "/x: mkdir: No such file or directory" + remedy
      ),
      (
        .system(SystemCallError(call: "mkdir", path: "/x", errno: ENOSPC)), .inputOutput,
        "/x: mkdir: No space left on device" + remedy
      ),
      (
        .system(SystemCallError(call: "open", path: "/x", errno: EMFILE)), .resource,
        "/x: open: Too many open files"
      ),
      (
        .badName("a b"), .usage,
        "run name 'a b': use 1 to 64 letters, digits, '.', '-' and '_', beginning with a letter or digit"
      ),
      (
        .taken(name: "a", by: "pid 7"), .nameTaken,
        "run 'a' is taken by a live sim (pid 7); choose another --run name"
      ),
      (
        .notALock(path: "/x"), .notPermitted,
        "/x: is no plain file, so no sim made it; remove it, or choose another --run name"
      ),
      (
        .unsafe(path: "/x", owner: 7, mode: 0o40755), .notPermitted,
        "/x: must be a directory of this user with mode 0700, found owner 7, mode 40755"
      ),
      (
        .pathTooLong(path: "/x", limit: 107), .usage,
        "/x: longer than 107 bytes, the limit of a socket's path; set XDG_RUNTIME_DIR to a shorter"
          + " directory"
      ),
    ]

  @Test(arguments: directoryErrors.indices)
  func directoryErrorHasItsStatusAndItsNumbers(index: Int) {
    let (error, status, text) = Self.directoryErrors[index]
    #expect(error.description == text)
    #expect(Failure(error).status == status)
    #expect(Failure(error).description == text)
  }
}
