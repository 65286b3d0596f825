// SPDX-License-Identifier: Apache-2.0

import CZeroMQ
import Glibc
import OrreryFrame
import Synchronization

/// What is on its way to one subscriber: handed to ZeroMQ and not released by it.
package final class OutFlow: Sendable {
  private let inFlight = Atomic<Int>(0)
  private let released = Atomic<Int>(0)
  private let isWaitedFor = Atomic(false)
  private let waker: Waker

  /// The most that may be in flight.
  package let windowBytes: Int

  /// A message counts as this much at least: a thousand fill a window.
  private let leastBytes: Int

  /// Nothing is in flight.
  ///
  /// - Parameters:
  ///   - windowBytes: What may be in flight, where messages are short against it.
  ///   - messageBytes: Length of the usual message: two may always be in flight.
  ///   - waker: Whom to tell that there is room.
  package init(windowBytes: Int, messageBytes: Int, waker: Waker) {
    self.windowBytes = max(windowBytes, 2 * messageBytes)
    leastBytes = windowBytes / Self.messagesMax
    self.waker = waker
  }

  /// Messages in flight at most.
  package static let messagesMax = 1024

  /// Bytes in flight.
  package var bytes: Int { inFlight.load(ordering: .acquiring) }

  /// How often something was released.
  package var releasedCount: Int { released.load(ordering: .relaxed) }

  /// Whether a message fits in the window.
  package func hasRoom(for bytes: Int) -> Bool {
    let inFlight = self.bytes
    return inFlight == 0 || inFlight + max(bytes, leastBytes) <= windowBytes
  }

  /// Counts a message that is handed to ZeroMQ.
  package func add(_ bytes: Int) {
    inFlight.wrappingAdd(max(bytes, leastBytes), ordering: .relaxed)
  }

  /// Counts a message that ZeroMQ has let go of; on its thread.
  package func release(_ bytes: Int) {
    released.wrappingAdd(1, ordering: .relaxed)
    let left = inFlight.wrappingSubtract(
      max(bytes, leastBytes), ordering: .sequentiallyConsistent
    ).newValue
    if left <= windowBytes / 2, isWaitedFor.load(ordering: .sequentiallyConsistent) {
      waker.wake()
    }
  }

  /// Asks for a wake-up once half of the window is free, so that sending goes on in batches.
  ///
  /// - Returns: False if it is free by now.
  package func wait() -> Bool {
    isWaitedFor.store(true, ordering: .sequentiallyConsistent)
    if inFlight.load(ordering: .sequentiallyConsistent) > windowBytes / 2 { return true }
    stopWaiting()
    return false
  }

  /// Takes the request for a wake-up back.
  package func stopWaiting() { isWaitedFor.store(false, ordering: .relaxed) }
}

/// Memory that ZeroMQ is given to send from, and how it lets go of it.
package struct Parcel {
  package let bytes: UnsafeRawBufferPointer

  /// Called once, with the memory's address: on ZeroMQ's thread when it was sent, otherwise on the sender's.
  let release: @convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> Void

  /// The other argument of `release`.
  let hint: UnsafeMutableRawPointer

  /// For what cannot be sent.
  package func drop() { release(UnsafeMutableRawPointer(mutating: bytes.baseAddress), hint) }
}

/// Frames of the ring on their way to one subscriber: each stays where it is until it has been sent.
///
/// Where a frame lies tells what is to be unpinned, so nothing is allocated for it.
final class FrameOutlet: Sendable {
  private let writer: FrameWriter
  private let flow: OutFlow

  init(_ writer: FrameWriter, flow: OutFlow) { (self.writer, self.flow) = (writer, flow) }

  /// Takes a pinned frame over.
  func parcel(_ frame: PinnedFrame) -> Parcel {
    flow.add(frame.bytes.count)
    return Parcel(
      bytes: frame.bytes,
      release: { frame, hint in
        guard let frame, let hint else { return }
        let outlet = Unmanaged<FrameOutlet>.fromOpaque(hint)
        outlet.takeUnretainedValue().release(frame)
        outlet.release()
      }, hint: Unmanaged.passRetained(self).toOpaque())
  }

  private func release(_ frame: UnsafeRawPointer) {
    writer.unpin(place: writer.place(of: frame))
    flow.release(Int(writer.layout.frameBytes))
  }
}

/// Bytes in memory of their own.
///
/// The last reference is ZeroMQ's: it is dropped on ZeroMQ's thread.
package final class Ticket: @unchecked Sendable {
  private let memory: UnsafeMutableRawBufferPointer
  private let count: Int
  private let flow: OutFlow?

  /// A copy of these bytes, counted from now on.
  package convenience init(_ bytes: [UInt8], flow: OutFlow? = nil) {
    let memory = UnsafeMutableRawBufferPointer.allocate(
      byteCount: max(bytes.count, 1), alignment: 16)
    memory.copyBytes(from: bytes)
    self.init(memory, count: bytes.count, flow: flow)
  }

  /// Memory that `fill` writes into: it says how many bytes there are; nil gives up.
  package convenience init?(
    capacity: Int, flow: OutFlow?, fill: (UnsafeMutableRawBufferPointer) -> Int?
  ) {
    let memory = UnsafeMutableRawBufferPointer.allocate(
      byteCount: max(capacity, 1), alignment: 16)
    guard let count = fill(memory) else {
      memory.deallocate()
      return nil
    }
    self.init(memory, count: count, flow: flow)
  }

  private init(_ memory: UnsafeMutableRawBufferPointer, count: Int, flow: OutFlow?) {
    (self.memory, self.count, self.flow) = (memory, count, flow)
    flow?.add(count)
  }

  deinit {
    flow?.release(count)
    memory.deallocate()
  }

  /// The bytes, held until they are released as often as this was asked for.
  package var parcel: Parcel {
    Parcel(
      bytes: UnsafeRawBufferPointer(rebasing: memory[..<count]),
      release: { _, hint in
        guard let hint else { return }
        Unmanaged<Ticket>.fromOpaque(hint).release()
      }, hint: Unmanaged.passRetained(self).toOpaque())
  }
}

extension Socket {
  /// How sending went.
  package enum Sending {
    case sent
    /// The peer's queue is full.
    case full
    /// Nobody has this address any more.
    case gone
  }

  /// Sends a message of one part to a ROUTER's peer, without copying it.
  package func send(_ parcel: Parcel, to peer: [UInt8]) -> Sending {
    let begun = begin(peer)
    guard begun == .sent else {
      parcel.drop()
      return begun
    }
    return send(parcel, flags: ZMQ_DONTWAIT) ? .sent : .gone
  }

  /// Sends a message to a ROUTER's peer, without copying what tickets hold.
  package func send(_ parts: [Ticket], to peer: [UInt8]) -> Sending {
    let begun = begin(peer)
    guard begun == .sent else { return begun }
    for (index, part) in parts.enumerated() {
      let more = index < parts.count - 1 ? ZMQ_SNDMORE : 0
      guard send(part.parcel, flags: ZMQ_DONTWAIT | more) else { return .gone }
    }
    return .sent
  }

  /// Says whom the parts that follow are for.
  private func begin(_ peer: [UInt8]) -> Sending {
    guard zmq_send(handle, peer, peer.count, ZMQ_SNDMORE | ZMQ_DONTWAIT) >= 0 else {
      return zmq_errno() == EHOSTUNREACH ? .gone : .full
    }
    return .sent
  }

  private func send(_ parcel: Parcel, flags: CInt) -> Bool {
    var message = zmq_msg_t()
    guard
      zmq_msg_init_data(
        &message, UnsafeMutableRawPointer(mutating: parcel.bytes.baseAddress),
        parcel.bytes.count, parcel.release, parcel.hint) == 0
    else {
      parcel.drop()
      return false
    }
    guard zmq_msg_send(&message, handle, flags) >= 0 else {
      zmq_msg_close(&message)
      return false
    }
    return true
  }
}
