// SPDX-License-Identifier: Apache-2.0

import CFrameLayout
import Foundation
import OrreryBase

/// The subscribers' counts, in a file: a killed subscriber has already stored its own.
package final class SubscriberCounts {
  /// Limit of subscribers.
  package static let subscribersMax = 256

  /// The events that subscribers count.
  package enum Count: Int, CaseIterable {
    case joined, whole, torn, missed
  }

  private static let lineBytes = 64
  private static let bytes = subscribersMax * lineBytes

  /// The file.
  package let path: String
  private let base: UnsafeMutableRawPointer

  /// Maps the file; makes it if it does not exist.
  ///
  /// - Throws: `SystemCallError`.
  package init(path: String) throws(SystemCallError) {
    self.path = path
    let file = FileDescriptor(
      owning: try systemCall("open", path) { open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600) })
    try systemCall("ftruncate", path) { ftruncate(file.number, off_t(Self.bytes)) }
    let base = mmap(nil, Self.bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file.number, 0)
    guard let base, base != MAP_FAILED else {
      throw SystemCallError(call: "mmap", path: path, errno: errno)
    }
    self.base = base
  }

  deinit { munmap(base, Self.bytes) }

  private func word(_ count: Count, of subscriber: Int) -> UnsafeMutablePointer<UInt64> {
    precondition((0..<Self.subscribersMax).contains(subscriber), "subscriber \(subscriber)")
    return (base + subscriber * Self.lineBytes + count.rawValue * 8)
      .assumingMemoryBound(to: UInt64.self)
  }

  /// Adds to a count of a subscriber.
  ///
  /// Only that subscriber may write its counts.
  package func add(_ count: Count, _ number: UInt64, of subscriber: Int) {
    let word = word(count, of: subscriber)
    word_store_release(word, word_load_relaxed(word) &+ number)
  }

  /// The sum over all subscribers.
  package func sum(_ count: Count) -> UInt64 {
    (0..<Self.subscribersMax).reduce(0) { $0 &+ word_load_acquire(word(count, of: $1)) }
  }
}
