// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOPosix

/// Makes answers that take long, one after the other on a thread of its own: a spring that hardly settles takes a third of
/// a second, the texts of a large scene more, and frames do not wait for them.
final class AnswerThread: Sendable {
  private let loop: any EventLoop
  private let pool = NIOThreadPool(numberOfThreads: 1)

  init(loop: any EventLoop) {
    self.loop = loop
    pool.start()
  }

  /// Makes an answer of JSON; fails only once the thread is closed.
  func answer(_ make: @escaping @Sendable () -> String) -> EventLoopFuture<Answer> {
    pool.runIfActive(eventLoop: loop) {
      Answer(type: "application/json", ByteBuffer(string: make()))
    }
  }

  /// Ends when everything that was asked before is answered.
  func answerAll() -> EventLoopFuture<Void> { pool.runIfActive(eventLoop: loop) {} }

  func close() { try? pool.syncShutdownGracefully() }
}
