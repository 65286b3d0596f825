// SPDX-License-Identifier: Apache-2.0

import Foundation
import NIOCore
import NIOPosix

/// Evaluates motions for the page's editor, one after the other on a thread of its own: a spring that hardly settles takes
/// a third of a second, and frames do not wait for it.
final class CurveService: Sendable {
  /// Gives the sheet of a motion's text, or says what is wrong with it, as one line of JSON.
  typealias Evaluate = @Sendable (_ spec: String) -> String

  private let evaluate: Evaluate
  private let loop: any EventLoop
  private let pool = NIOThreadPool(numberOfThreads: 1)

  init(loop: any EventLoop, _ evaluate: @escaping Evaluate) {
    (self.loop, self.evaluate) = (loop, evaluate)
    pool.start()
  }

  /// The text that an address asks for, in which forms write a space as `+`; nil if it asks for none.
  static func spec(of address: String) -> String? {
    let query = address.drop { $0 != "?" }.dropFirst()
    let field = query.split(separator: "&").first { $0.hasPrefix("spec=") }
    return field.flatMap { field in
      String(field.dropFirst("spec=".count).map { $0 == "+" ? " " : $0 }).removingPercentEncoding
    }
  }

  /// Evaluates a text; fails only once the service is closed.
  func sheet(_ spec: String) -> EventLoopFuture<Answer> {
    pool.runIfActive(eventLoop: loop) { [evaluate] in
      Answer(type: "application/json", ByteBuffer(string: evaluate(spec)))
    }
  }

  /// Ends when everything that was asked before is answered.
  func answerAll() -> EventLoopFuture<Void> { pool.runIfActive(eventLoop: loop) {} }

  func close() { try? pool.syncShutdownGracefully() }
}
