// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// A thread of the operating system that runs one closure.
package final class BackgroundThread: @unchecked Sendable {
  private let thread: pthread_t

  /// Starts a thread with all signals blocked: signals belong to the main thread.
  ///
  /// - Throws: `SystemCallError` when the system has no thread left.
  package init(_ body: @escaping @Sendable () -> Void) throws(SystemCallError) {
    let box = Unmanaged.passRetained(Body(run: body))
    var every = sigset_t()
    var previous = sigset_t()
    sigfillset(&every)
    pthread_sigmask(SIG_SETMASK, &every, &previous)
    defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }
    var thread = pthread_t()
    let failure = linux_start_thread(
      &thread, nil,
      { argument in
        guard let argument else { return nil }
        Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
        return nil
      }, box.toOpaque())
    guard failure == 0 else {
      box.release()
      throw SystemCallError(
        call: "pthread_create",
        path: "a thread, or memory for one (ulimit -u, ulimit -v, pids.max)", errno: failure)
    }
    self.thread = thread
  }

  /// Does the parts of a work at the same time, and waits for all of them.
  ///
  /// The first is done here, and each other one by a thread of its own; here, too, if the system has no
  /// thread left.
  ///
  /// - Parameters:
  ///   - count: Number of parts, 1 or more.
  ///   - part: Does the part of this index.
  package static func concurrently(_ count: Int, _ part: @escaping @Sendable (_ index: Int) -> Void)
  {
    var threads: [BackgroundThread] = []
    for index in 1..<max(count, 1) {
      do throws(SystemCallError) {
        threads.append(try BackgroundThread { part(index) })
      } catch {
        part(index)
      }
    }
    part(0)
    for thread in threads { thread.join() }
  }

  /// Checks that `count` more threads can be started, by starting them for a moment.
  ///
  /// - Throws: `SystemCallError` when the system has fewer.
  package static func checkRoom(for count: Int) throws(SystemCallError) {
    let isOver = Monitor(false)
    var threads: [BackgroundThread] = []
    defer {
      isOver.change { $0 = true }
      for thread in threads { thread.join() }
    }
    for _ in 0..<count {
      threads.append(try BackgroundThread { isOver.wait { $0 ? () : nil } })
    }
  }

  /// Waits for the closure to return; call it once.
  package func join() { pthread_join(thread, nil) }

  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(run: @escaping @Sendable () -> Void) { self.run = run }
  }
}
