// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import Synchronization

/// The limit that the user has set on this process's own memory.
///
/// Own memory is that of its heap and stacks, and of a command also the ring that it makes. Mapped files do not
/// count, nor does a ring that belongs to a sim. Three things keep a program within its limit:
///
/// - what is large asks before it takes memory (`hasRoom`, `endUnlessRoom`), and is refused with what it needs;
/// - a pool grows only as far as `room(besides:)` allows, and its user waits then;
/// - a thread looks a hundred times a second. A command that is over its limit ends at once. A subscriber
///   ends in order, with whole files and its account (`overrun`), or at once if it is over by a twelfth.
package enum MemoryLimit {
  /// What kind of program keeps to a limit.
  package enum Kind: Sendable {
    /// It follows a run, and ends in order.
    case subscriber
    /// It does one thing, whose incomplete files are removed when it ends.
    case command
  }

  private struct Setting: Sendable {
    let bytes: UInt64
    /// As the user typed it.
    let argument: String
    let kind: Kind
    /// Ends the process at once.
    let end: @Sendable (Failure) -> Never
  }

  private static let setting = Mutex<Setting?>(nil)
  private static let isOverrun = Atomic<Bool>(false)

  /// Time between two looks.
  private static let lookNs: UInt64 = 10_000_000

  /// Looks between two attempts to give freed memory back to the system.
  private static let looksBetweenTrims = 50

  /// Sets the limit; call it once, when no other thread takes memory yet.
  ///
  /// - Parameters:
  ///   - bytes: The limit.
  ///   - argument: The limit as the user typed it.
  ///   - kind: How the program ends when it is over its limit.
  ///   - end: Ends the process at once, from another thread.
  /// - Throws: `SystemCallError` when the system has no thread left.
  package static func set(
    _ bytes: UInt64, argument: String, kind: Kind, end: @escaping @Sendable (Failure) -> Never
  ) throws(SystemCallError) {
    let own = Setting(bytes: bytes, argument: argument, kind: kind, end: end)
    setting.withLock { $0 = own }
    linux_give_back_freed_memory()
    _ = try BackgroundThread { watch(own) }
  }

  /// Own memory that this process uses, in bytes; nil: no limit is set.
  package static var usedBytes: UInt64? { setting.withLock { $0 }.map { usedBytes($0.kind) } }

  /// What this process uses beside a pool.
  ///
  /// - Parameter byteCount: Bytes of the pool.
  /// - Returns: Bytes; nil: no limit is set.
  package static func usedBytes(beside byteCount: Int) -> UInt64? {
    usedBytes.map { $0 - min($0, UInt64(byteCount)) }
  }

  /// Own memory that may still be taken, in bytes; nil: no limit is set.
  package static var leftBytes: UInt64? {
    guard let setting = setting.withLock({ $0 }) else { return nil }
    return setting.bytes - min(usedBytes(setting.kind), setting.bytes)
  }

  /// Whether so many bytes can be taken.
  package static func hasRoom(for byteCount: Int) -> Bool {
    leftBytes.map { UInt64(max(byteCount, 0)) <= $0 } ?? true
  }

  /// Ends a command that is about to take too much; a subscriber goes on.
  ///
  /// - Parameters:
  ///   - byteCount: Bytes that it takes.
  ///   - what: What takes them, as `a chunk`.
  package static func endUnlessRoom(for byteCount: UInt64, _ what: @autoclosure () -> String) {
    guard let setting = setting.withLock({ $0 }), setting.kind == .command,
      setting.bytes < usedBytes(setting.kind) + byteCount
    else { return }
    end(setting, Failure(.resource, "\(what()) needs \(megabytes(byteCount)) MB of memory" + note))
  }

  /// Bytes that a pool may have, beside all else that this process uses; an eighth of the limit is left to that.
  ///
  /// - Parameter otherBytes: What all else uses.
  /// - Returns: The bytes; nil: no limit is set.
  package static func room(besides otherBytes: UInt64) -> UInt64? {
    setting.withLock { $0 }.map { setting in
      let whole = setting.bytes - setting.bytes / 8
      return whole - min(otherBytes, whole)
    }
  }

  /// The end of a message about memory that is missing: the limit, and what is used of it; empty without one.
  package static var note: String {
    guard let setting = setting.withLock({ $0 }) else { return "" }
    let used = megabytes(usedBytes(setting.kind))
    return "; --memory-limit \(setting.argument), of which \(used) MB are used"
  }

  /// Why a subscriber has to end: it was over its limit.
  package static var overrun: Failure? {
    guard isOverrun.load(ordering: .relaxed) else { return nil }
    return failure
  }

  private static var failure: Failure { Failure(.resource, "too little memory" + note) }

  /// Memory that counts.
  private static func usedBytes(_ kind: Kind) -> UInt64 {
    let text = SmallFile.read("/proc/self/status") ?? ""
    let own = Memory.bytes(of: "RssAnon", in: text) ?? 0
    return kind == .command ? own + (Memory.bytes(of: "RssShmem", in: text) ?? 0) : own
  }

  private static func end(_ setting: Setting, _ failure: Failure) -> Never {
    // What a subscriber has written so far may be read.
    if setting.kind == .command { PartialFile.removeAll() }
    setting.end(failure)
  }

  private static func watch(_ setting: Setting) {
    let bytes = setting.bytes
    var looksToTrim = 0
    while true {
      Clock.sleep(untilMonotonicNs: Clock.monotonicNs() + lookNs)
      looksToTrim = max(looksToTrim - 1, 0)
      var used = usedBytes(setting.kind)
      // What was freed a moment ago is still the process's, and is no reason to end.
      let isTrimmed = used > bytes && (looksToTrim == 0 || used > bytes + bytes / 12)
      if isTrimmed {
        linux_trim_heap()
        looksToTrim = looksBetweenTrims
        used = usedBytes(setting.kind)
      }
      guard used > bytes else { continue }
      if setting.kind == .command || used > bytes + bytes / 12 { end(setting, failure) }
      if isTrimmed { isOverrun.store(true, ordering: .relaxed) }
    }
  }
}
