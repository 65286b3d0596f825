// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import OrreryBase
import TestSupport
import Testing

/// Goal: where the system has no thread left, ours are reported as an error, and a library's end the program with a
/// line and the code for missing resources: no trap, no abort.
///
/// Method: processes of their own whose address space has no room for another stack.
@Suite struct BackgroundThreadTests {
  /// Leaves room for small blocks, but for no stack of 8 MiB.
  private static func leaveNoRoomForStacks() throws {
    let text = try #require(SmallFile.read("/proc/self/status"))
    let used = try #require(Memory.bytes(of: "VmSize", in: text))
    var limit = rlimit(rlim_cur: rlim_t(used + 6 << 20), rlim_max: rlim_t(used + 6 << 20))
    try #require(setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0)
  }

  @Test(.disabled(if: isSanitized, "a sanitizer has its own threads and memory"))
  func missingThreadIsAnError() async {
    await #expect(processExitsWith: .success) {
      // Nothing is started before: the stacks of threads that have ended are used again.
      try Self.leaveNoRoomForStacks()
      let error = #expect(throws: SystemCallError.self) { try BackgroundThread {} }
      #expect(error?.call == "pthread_create")
      #expect(error?.errno == EAGAIN)
      #expect(error?.isShortage == true)
      #expect(error?.exitStatus == .resource)
      #expect(throws: SystemCallError.self) { try BackgroundThread.checkRoom(for: 1) }
      // What can do without is done here.
      let done = Monitor(0)
      BackgroundThread.concurrently(4) { _ in done.change { $0 += 1 } }
      #expect(done.read { $0 } == 4)
    }
  }

  /// As GLib and ZeroMQ do, which abort if it fails.
  @Test(.disabled(if: isSanitized, "a sanitizer has its own threads and memory"))
  func missingThreadOfALibraryEndsTheProgramInOrder() async {
    let result = await #expect(
      processExitsWith: .exitCode(71), observing: [\.standardErrorContent]
    ) {
      try Self.leaveNoRoomForStacks()
      var thread = pthread_t()
      _ = pthread_create(&thread, nil, { _ in nil }, nil)
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains(": a library needs one more thread: Resource temporarily unavailable"))
  }
}
