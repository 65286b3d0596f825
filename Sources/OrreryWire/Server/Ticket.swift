// SPDX-License-Identifier: Apache-2.0

import CZeroMQ
import Glibc
import OrreryFrame
import Synchronization

/// What is on its way to one subscriber: handed to ZeroMQ and not released by it.
final class OutFlow: Sendable {
  private let inFlight = Atomic<Int>(0)
  private let released = Atomic<Int>(0)
  private let isWaitedFor = Atomic(false)
  private let waker: Waker

  /// The most that may be in flight.
  let windowBytes: Int

  /// A message counts as this much at least: a thousand fill a window.
  private let leastBytes: Int

  /// - Parameters:
  ///   - windowBytes: What may be in flight, where messages are short against it.
  ///   - messageBytes: Length of the usual message: two may always be in flight.
  ///   - waker: Whom to tell that there is room.
  init(windowBytes: Int, messageBytes: Int, waker: Waker) {
    self.windowBytes = max(windowBytes, 2 * messageBytes)
    leastBytes = windowBytes / Self.messagesMost
    self.waker = waker
  }

  /// Messages in flight at most.
  static let messagesMost = 1024

  /// Bytes in flight.
  var bytes: Int { inFlight.load(ordering: .acquiring) }

  /// How often something was released.
  var releasedCount: Int { released.load(ordering: .relaxed) }

  /// Whether a message fits in the window.
  func hasRoom(for bytes: Int) -> Bool {
    let inFlight = self.bytes
    return inFlight == 0 || inFlight + max(bytes, leastBytes) <= windowBytes
  }

  func add(_ bytes: Int) { inFlight.wrappingAdd(max(bytes, leastBytes), ordering: .relaxed) }

  /// On ZeroMQ's thread.
  func release(_ bytes: Int) {
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
  func wait() -> Bool {
    isWaitedFor.store(true, ordering: .sequentiallyConsistent)
    if inFlight.load(ordering: .sequentiallyConsistent) > windowBytes / 2 { return true }
    stopWaiting()
    return false
  }

  func stopWaiting() { isWaitedFor.store(false, ordering: .relaxed) }
}

/// Memory that ZeroMQ sends from, and whom to tell when it has.
///
/// The last reference is ZeroMQ's: it is dropped on ZeroMQ's thread.
class Ticket: @unchecked Sendable {
  let bytes: UnsafeRawBufferPointer
  private let flow: OutFlow?

  init(_ bytes: UnsafeRawBufferPointer, flow: OutFlow?) {
    self.bytes = bytes
    self.flow = flow
    flow?.add(bytes.count)
  }

  deinit { flow?.release(bytes.count) }
}

/// A frame of the ring, which stays where it is until it has been sent.
final class FrameTicket: Ticket, @unchecked Sendable {
  private let writer: FrameWriter
  private let place: Int

  init(_ frame: PinnedFrame, writer: FrameWriter, flow: OutFlow) {
    self.writer = writer
    place = frame.place
    super.init(frame.bytes, flow: flow)
  }

  deinit { writer.unpin(place: place) }
}

/// Memory of its own.
final class BufferTicket: Ticket, @unchecked Sendable {
  private let memory: UnsafeMutableRawBufferPointer

  /// Memory that `fill` writes into: it says how many bytes there are; nil gives up.
  static func make(
    capacity: Int, flow: OutFlow?, fill: (UnsafeMutableRawBufferPointer) -> Int?
  ) -> BufferTicket? {
    let memory = UnsafeMutableRawBufferPointer.allocate(
      byteCount: max(capacity, 1), alignment: 16)
    guard let count = fill(memory) else {
      memory.deallocate()
      return nil
    }
    return BufferTicket(memory, count: count, flow: flow)
  }

  convenience init(_ bytes: [UInt8], flow: OutFlow? = nil) {
    let memory = UnsafeMutableRawBufferPointer.allocate(
      byteCount: max(bytes.count, 1), alignment: 16)
    memory.copyBytes(from: bytes)
    self.init(memory, count: bytes.count, flow: flow)
  }

  private init(_ memory: UnsafeMutableRawBufferPointer, count: Int, flow: OutFlow?) {
    self.memory = memory
    super.init(UnsafeRawBufferPointer(rebasing: memory[..<count]), flow: flow)
  }

  deinit { memory.deallocate() }
}

extension Socket {
  /// How sending went.
  enum Sending {
    case sent
    /// The peer's queue is full.
    case full
    /// Nobody has this address any more.
    case gone
  }

  /// Sends a message of one part to a ROUTER's peer, without copying it.
  func send(_ part: Ticket, to peer: [UInt8]) -> Sending {
    guard zmq_send(handle, peer, peer.count, ZMQ_SNDMORE | ZMQ_DONTWAIT) >= 0 else {
      return zmq_errno() == EHOSTUNREACH ? .gone : .full
    }
    return send(part, flags: ZMQ_DONTWAIT) ? .sent : .gone
  }

  /// Sends a message to a ROUTER's peer, without copying what tickets hold.
  func send(_ parts: [Ticket], to peer: [UInt8]) -> Sending {
    let flags = ZMQ_SNDMORE | ZMQ_DONTWAIT
    guard zmq_send(handle, peer, peer.count, flags) >= 0 else {
      return zmq_errno() == EHOSTUNREACH ? .gone : .full
    }
    for (index, part) in parts.enumerated() {
      let more = index < parts.count - 1 ? ZMQ_SNDMORE : 0
      guard send(part, flags: ZMQ_DONTWAIT | more) else { return .gone }
    }
    return .sent
  }

  /// Sends one part.
  func send(_ ticket: Ticket, flags: CInt) -> Bool {
    var message = zmq_msg_t()
    let hint = Unmanaged.passRetained(ticket)
    let made = zmq_msg_init_data(
      &message, UnsafeMutableRawPointer(mutating: ticket.bytes.baseAddress), ticket.bytes.count,
      { _, hint in
        guard let hint else { return }
        Unmanaged<Ticket>.fromOpaque(hint).release()
      }, hint.toOpaque())
    guard made == 0 else {
      hint.release()
      return false
    }
    guard zmq_msg_send(&message, handle, flags) >= 0 else {
      zmq_msg_close(&message)
      return false
    }
    return true
  }
}
