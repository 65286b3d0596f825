// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryFrame
import TestSupport
import Testing

/// Joins a run on a thread of its own and keeps all its frames.
final class FrameKeeper: @unchecked Sendable {
  /// Frames in their order, without what differs from run to run; to be read once the run has ended.
  private(set) var frames: [[UInt8]] = []

  /// Frames that were lapped, or overwritten while they were held.
  private(set) var lostCount = 0

  private let held: UInt64
  private var thread: TestThread?

  /// Joins a run that waits for a subscriber.
  ///
  /// With `held` 1 each frame is held, and looked at again, until the next one is there.
  init(run: String, held: UInt64) throws {
    self.held = held
    thread = nil
    let directory = try RunDirectory(name: run)
    thread = try TestThread("the keeper of frames' end") { [self] in
      do throws(FrameError) {
        try follow(JoinClient(JoinConnection(directory), name: "keeper"))
      } catch {
        Issue.record("\(error)")
      }
    }
  }

  /// Waits until the run has ended and everything was read.
  func finish() throws {
    try thread?.join()
    thread = nil
  }

  private func follow(_ client: JoinClient) throws(FrameError) {
    let reader = client.reader
    var sequence = client.joinedAfter
    var before: FrameView?
    while true {
      let hasEnded = reader.hasEnded
      if reader.published == sequence {
        if hasEnded { break }
        Clock.sleep(untilMonotonicNs: Clock.monotonicNs() + 20_000)
        continue
      }
      sequence += 1
      if case .frame(let view) = reader.acquire(sequence) {
        frames.append(Self.lasting(view.bytes))
        if !reader.isWhole(view) { lostCount += 1 }
        if held == 1, let before, !reader.isWhole(before) { lostCount += 1 }
        before = view
      } else {
        lostCount += 1
      }
      client.report(sequence: max(sequence, held) - held, missed: 0)
    }
    client.report(sequence: sequence, missed: 0)
  }

  /// A frame's bytes without the time of publishing and the generation; docs/reference/frame.md says where.
  private static func lasting(_ frame: UnsafeRawBufferPointer) -> [UInt8] {
    var bytes = Array(frame)
    for offset in Array(28..<36) + Array(55..<63) { bytes[offset] = 0 }
    return bytes
  }
}
