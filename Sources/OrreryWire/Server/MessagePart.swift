// SPDX-License-Identifier: Apache-2.0

import CZeroMQ
import Glibc
import OrreryFrame
import Synchronization

/// Flow control for one subscriber: the bytes that were handed to ZeroMQ and not released by it.
package final class SendWindow: Sendable {
  private let inFlight = Atomic<Int>(0)
  private let released = Atomic<Int>(0)
  private let isAwaited = Atomic(false)
  private let waker: Waker

  /// Limit of the bytes in flight.
  package let bytesMax: Int

  /// Each message counts as at least this many bytes, so that `messagesMax` messages fill a window.
  private let messageBytesMin: Int

  /// Creates a window with nothing in flight.
  ///
  /// - Parameters:
  ///   - windowBytes: Limit of the bytes in flight, if two usual messages fit in it.
  ///   - messageBytes: Length of the usual message; two may always be in flight.
  ///   - waker: Woken when there is room again.
  package init(windowBytes: Int, messageBytes: Int, waker: Waker) {
    bytesMax = max(windowBytes, 2 * messageBytes)
    messageBytesMin = windowBytes / Self.messagesMax
    self.waker = waker
  }

  /// Limit of the messages in flight.
  package static let messagesMax = 1024

  /// Bytes in flight.
  package var bytes: Int { inFlight.load(ordering: .acquiring) }

  /// Messages released so far.
  package var releasedCount: Int { released.load(ordering: .relaxed) }

  /// Whether a message fits in the window.
  package func hasRoom(for bytes: Int) -> Bool {
    let inFlight = self.bytes
    return inFlight == 0 || inFlight + max(bytes, messageBytesMin) <= bytesMax
  }

  /// Counts a message as handed to ZeroMQ.
  package func add(_ bytes: Int) {
    inFlight.wrappingAdd(max(bytes, messageBytesMin), ordering: .relaxed)
  }

  /// Counts a message as released; called on ZeroMQ's thread.
  package func release(_ bytes: Int) {
    released.wrappingAdd(1, ordering: .relaxed)
    let left = inFlight.wrappingSubtract(
      max(bytes, messageBytesMin), ordering: .sequentiallyConsistent
    ).newValue
    if left <= bytesMax / 2, isAwaited.load(ordering: .sequentiallyConsistent) {
      waker.wake()
    }
  }

  /// Asks for a wake when half of the window is free, so that sending goes on in batches.
  ///
  /// - Returns: False if half of it is free already.
  package func wait() -> Bool {
    isAwaited.store(true, ordering: .sequentiallyConsistent)
    if inFlight.load(ordering: .sequentiallyConsistent) > bytesMax / 2 { return true }
    stopWaiting()
    return false
  }

  /// Cancels the request for a wake.
  package func stopWaiting() { isAwaited.store(false, ordering: .relaxed) }
}

/// Memory that ZeroMQ sends from without copying, and the function that releases it.
package struct SendBuffer {
  /// The bytes to send.
  package let bytes: UnsafeRawBufferPointer

  /// Called once, with the memory's address: on ZeroMQ's thread after sending, otherwise on the
  /// sender's thread.
  let release: @convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> Void

  /// The second argument of `release`.
  let hint: UnsafeMutableRawPointer

  /// Releases a buffer that cannot be sent.
  package func drop() { release(UnsafeMutableRawPointer(mutating: bytes.baseAddress), hint) }
}

/// Pinned frames on their way to one subscriber: each keeps its place in the ring until sent.
///
/// A frame's address says which place to unpin, so no record of it is allocated.
final class PinnedFrames: Sendable {
  private let writer: FrameWriter
  private let window: SendWindow

  init(_ writer: FrameWriter, window: SendWindow) { (self.writer, self.window) = (writer, window) }

  /// Takes over a pinned frame, which is unpinned when the buffer is released.
  func sendBuffer(_ frame: PinnedFrame) -> SendBuffer {
    window.add(frame.bytes.count)
    return SendBuffer(
      bytes: frame.bytes,
      release: { frame, hint in
        guard let frame, let hint else { return }
        let pinnedFrames = Unmanaged<PinnedFrames>.fromOpaque(hint)
        pinnedFrames.takeUnretainedValue().release(frame)
        pinnedFrames.release()
      }, hint: Unmanaged.passRetained(self).toOpaque())
  }

  private func release(_ frame: UnsafeRawPointer) {
    writer.unpin(place: writer.place(of: frame))
    window.release(Int(writer.layout.frameBytes))
  }
}

/// One part of a message, in memory of its own.
///
/// It is freed with the last reference, which ZeroMQ may drop on its own thread.
package final class MessagePart: @unchecked Sendable {
  private let memory: UnsafeMutableRawBufferPointer
  private let count: Int
  private let window: SendWindow?

  /// Copies the bytes; they count in the window from now on.
  package convenience init(_ bytes: [UInt8], window: SendWindow? = nil) {
    let memory = UnsafeMutableRawBufferPointer.allocate(
      byteCount: max(bytes.count, 1), alignment: 16)
    memory.copyBytes(from: bytes)
    self.init(memory, count: bytes.count, window: window)
  }

  /// Allocates memory for `fill` to write into; `fill` returns the byte count, or nil to give up.
  package convenience init?(
    capacity: Int, window: SendWindow?, fill: (UnsafeMutableRawBufferPointer) -> Int?
  ) {
    let memory = UnsafeMutableRawBufferPointer.allocate(
      byteCount: max(capacity, 1), alignment: 16)
    guard let count = fill(memory) else {
      memory.deallocate()
      return nil
    }
    self.init(memory, count: count, window: window)
  }

  private init(_ memory: UnsafeMutableRawBufferPointer, count: Int, window: SendWindow?) {
    (self.memory, self.count, self.window) = (memory, count, window)
    window?.add(count)
  }

  deinit {
    window?.release(count)
    memory.deallocate()
  }

  /// The bytes, as a buffer that holds a reference until it is released.
  package var sendBuffer: SendBuffer {
    SendBuffer(
      bytes: UnsafeRawBufferPointer(rebasing: memory[..<count]),
      release: { _, hint in
        guard let hint else { return }
        Unmanaged<MessagePart>.fromOpaque(hint).release()
      }, hint: Unmanaged.passRetained(self).toOpaque())
  }
}

extension Socket {
  /// Result of sending.
  package enum Sending {
    case sent
    /// The peer's queue is full.
    case full
    /// No peer has this address any more.
    case gone
  }

  /// Sends a message of one part to a ROUTER's peer, without copying it.
  package func send(_ sendBuffer: SendBuffer, to peer: [UInt8]) -> Sending {
    let begun = begin(peer)
    guard begun == .sent else {
      sendBuffer.drop()
      return begun
    }
    return send(sendBuffer, flags: ZMQ_DONTWAIT) ? .sent : .gone
  }

  /// Sends a message of several parts to a ROUTER's peer, without copying them.
  package func send(_ parts: [MessagePart], to peer: [UInt8]) -> Sending {
    let begun = begin(peer)
    guard begun == .sent else { return begun }
    for (index, part) in parts.enumerated() {
      let more = index < parts.count - 1 ? ZMQ_SNDMORE : 0
      guard send(part.sendBuffer, flags: ZMQ_DONTWAIT | more) else { return .gone }
    }
    return .sent
  }

  /// Sends the address part, which names the peer.
  private func begin(_ peer: [UInt8]) -> Sending {
    guard zmq_send(handle, peer, peer.count, ZMQ_SNDMORE | ZMQ_DONTWAIT) >= 0 else {
      return zmq_errno() == EHOSTUNREACH ? .gone : .full
    }
    return .sent
  }

  private func send(_ sendBuffer: SendBuffer, flags: CInt) -> Bool {
    var message = zmq_msg_t()
    guard
      zmq_msg_init_data(
        &message, UnsafeMutableRawPointer(mutating: sendBuffer.bytes.baseAddress),
        sendBuffer.bytes.count, sendBuffer.release, sendBuffer.hint) == 0
    else {
      sendBuffer.drop()
      return false
    }
    guard zmq_msg_send(&message, handle, flags) >= 0 else {
      zmq_msg_close(&message)
      return false
    }
    return true
  }
}
