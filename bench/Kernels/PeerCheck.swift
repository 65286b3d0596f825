// SPDX-License-Identifier: Apache-2.0

import OrreryBase

/// Holds a peer's values against Orrery's, before it is timed: who computes something else does not count.
enum PeerCheck {
  /// Ticks that are run: more than three seconds, with turns, restarts and starts.
  private static let ticks = 200

  /// Not a whole number of vectors.
  private static let count = 4999

  /// The kinds, so that each is planned once.
  struct Expected {
    let task: KernelTask
    let columns: [[Double]]
    let ours: FrameMemory

    /// - Throws: `SceneError` and `SystemCallError`.
    init(_ kind: KernelKind) throws {
      task = try KernelTask(kind, count: PeerCheck.count)
      columns = task.columns
      ours = try OurKernels.values(task, tick: UInt64(PeerCheck.ticks))
    }
  }

  /// How far a variant's values are from Orrery's at most, in points.
  static func distance(_ variant: PeerVariant, from expected: Expected) -> Double {
    let task = expected.task
    let memory = FrameMemory(
      bytes: [Int](repeating: count * 4, count: task.kind.fieldCount), destinations: 1)
    let pointers = memory.floats(destination: 0)
    return pointers.withUnsafeBufferPointer { pointers in
      guard let columns = pointers.baseAddress else { return .infinity }
      let work = variant.make(task)
      for _ in 0..<ticks { work.tick(columns) }
      work.values(columns)
      var most = 0.0
      for field in 0..<task.kind.fieldCount {
        guard let theirs = columns[field] else { return .infinity }
        let ours = expected.ours.columns[field].assumingMemoryBound(to: Float.self)
        most = max(
          most,
          task.distance(
            field: field, ours: ours, theirs: theirs, columns: expected.columns,
            hasCenter: variant.hasCenter))
      }
      return most
    }
  }
}
