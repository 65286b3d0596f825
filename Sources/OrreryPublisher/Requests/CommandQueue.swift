// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryBase
import OrreryScene
import OrreryWire
import Synchronization

/// Commands to a running sim, queued until its loop performs them between two ticks.
///
/// The thread that receives a request parses and checks it. The loop reads one word per tick, and
/// takes the lock only if that word says that commands are queued. So a tick without a command
/// takes no lock and allocates nothing.
package final class CommandQueue: ControlHandler, @unchecked Sendable {
  /// A command, and the closure that gets its reply.
  package struct Entry: Sendable {
    /// The checked command.
    package let command: QueuedCommand
    /// The request that it was read from.
    package let request: ControlRequest
    /// Gets its reply.
    package let answer: Answer
  }

  /// Sends the reply to the client; called once.
  package typealias Answer = @Sendable (ControlReply) -> Void

  /// Entries that may be queued; a client that waits for each reply has one.
  package static let capacity = 64

  private let reader: CommandReader
  private let snapshot: @Sendable () -> ControlReply
  private let state = Monitor(State())

  /// 1 while entries are queued; the loop sleeps on it.
  private let word = FutexWord()

  private struct State {
    var entries: [Entry] = []
    var isClosed = false
    /// Wakes the loop when it waits for anything but this queue.
    var interrupt: @Sendable () -> Void = {}
  }

  /// Creates an open, empty queue.
  ///
  /// - Parameters:
  ///   - reader: Parses requests.
  ///   - snapshot: Answers `snapshot` requests, on the requesting thread.
  package init(reader: CommandReader, snapshot: @escaping @Sendable () -> ControlReply) {
    self.reader = reader
    self.snapshot = snapshot
  }

  /// Queues a request's command, or refuses the request at once; see `ControlHandler`.
  package func handle(
    _ request: ControlRequest, answer: @escaping @Sendable (ControlReply) -> Void
  ) {
    if request.verb == .snapshot {
      answer(snapshot())
      return
    }
    do throws(ControlRefusal) {
      put(Entry(command: try reader.command(request), request: request, answer: answer))
    } catch {
      answer(.refused(error.description))
    }
  }

  private func put(_ entry: Entry) {
    let (refusal, interrupt) = state.change { state -> (String?, @Sendable () -> Void) in
      if state.isClosed { return (Self.endedReason, {}) }
      if state.entries.count >= Self.capacity {
        return ("\(Self.capacity) requests wait already; try again", {})
      }
      state.entries.append(entry)
      return (nil, state.interrupt)
    }
    if let refusal {
      entry.answer(.refused(refusal))
      return
    }
    wake(interrupt)
  }

  private func wake(_ interrupt: @Sendable () -> Void) {
    // Pairs with the acquiring exchange in `takeAll`.
    word.atomic.pointee.store(1, ordering: .releasing)
    word.wakeAll()
    interrupt()
  }

  /// Wakes the loop so that it looks for commands; also wakes a sim that waits for readers.
  package func wake() { wake(state.read { $0.interrupt }) }

  /// Reads a request as `handle` does.
  package func command(_ request: ControlRequest) throws(ControlRefusal) -> QueuedCommand {
    try reader.command(request)
  }

  /// Sets the closure that wakes the loop when it waits for anything but this queue.
  ///
  /// It is called for each queued command until `close`.
  package func setInterrupt(_ interrupt: @escaping @Sendable () -> Void) {
    state.change { $0.interrupt = interrupt }
  }

  /// The reason for refusals after `close`.
  static let endedReason = "the run has ended"
}

// MARK: - The loop's side

extension CommandQueue {
  /// Whether commands are queued; read before every tick.
  package var isWaiting: Bool { word.atomic.pointee.load(ordering: .relaxed) != 0 }

  /// Takes all queued entries, in the order of arrival.
  package func takeAll() -> [Entry] {
    guard word.atomic.pointee.exchange(0, ordering: .acquiring) != 0 else { return [] }
    return state.change { state in
      defer { state.entries = [] }
      return state.entries
    }
  }

  /// Sleeps until a command is queued or a signal arrives, at most `ns` nanoseconds.
  package func wait(ns: UInt64) { word.wait(while: 0, ns: ns) }

  /// Refuses all queued and later requests.
  package func close() {
    let entries = state.change { state in
      (state.isClosed, state.interrupt) = (true, {})
      defer { state.entries = [] }
      return state.entries
    }
    for entry in entries { entry.answer(.refused(Self.endedReason)) }
  }
}
