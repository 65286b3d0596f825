// SPDX-License-Identifier: Apache-2.0

import OrreryFrame

/// A program that reads frames in place, part by part, and compares those that were whole with what was
/// published.
final class SimulatedViewer {
  private let scheduler: Scheduler
  private let name: String
  private var contents: FrameContents?
  private var generation: UInt64 = 0

  /// Frames that were whole, and those that were overwritten while they were read.
  private(set) var wholeCount = 0
  private(set) var overtakenCount = 0

  init(name: String, scheduler: Scheduler) {
    self.name = name
    self.scheduler = scheduler
  }

  func program(reading: Reading, follows: Bool, back: UInt64) -> SimulatedReader.Program {
    SimulatedReader.Program(
      name: name, reading: reading, follows: follows, back: back,
      use: { [self] frame, ring in use(frame, ring) },
      join: { [self] sim, _ in
        contents = sim.contents
        generation = sim.writer.generation
      })
  }

  private func use(_ frame: FrameView, _ ring: InterruptedRing) -> Bool {
    guard let contents else { return false }
    var copy = [UInt8](repeating: 0, count: frame.bytes.count)
    let half = frame.bytes.count / 2
    for range in [0..<64, 64..<max(half, 64), max(half, 64)..<copy.count] {
      for index in range.clamped(to: 0..<copy.count) { copy[index] = frame.bytes[index] }
      scheduler.interrupt()
    }
    guard ring.isWhole(frame) else {
      overtakenCount += 1
      return false
    }
    wholeCount += 1
    if copy != contents.bytes(sequence: frame.sequence, generation: generation) {
      scheduler.fail("\(name) accepted a torn frame \(frame.sequence)")
    }
    return true
  }
}
