// SPDX-License-Identifier: Apache-2.0

import OrreryBase

/// Holds a peer's values against Orrery's, before it is timed: who computes something else does not count.
enum PeerCheck {
  /// How long a peer is run, and with how many entities: not a whole number of vectors.
  struct Length {
    let ticks: Int
    let count: Int

    /// More than three seconds, with turns, restarts and starts.
    static let seconds = Length(ticks: 200, count: 4999)

    /// An hour: what adds a rounded step at each tick has drifted by then.
    static let hour = Length(ticks: 216_000, count: 159)
  }

  /// What a kind's values are after so long.
  struct Expected {
    let length: Length
    let task: KernelTask
    let columns: [[Double]]
    let ours: FrameMemory

    /// - Throws: `SceneError` and `SystemCallError`.
    init(_ kind: KernelKind, after length: Length) throws {
      self.length = length
      task = try KernelTask(kind, count: length.count)
      columns = task.columns
      ours = try OurKernels.values(task, tick: UInt64(length.ticks))
    }
  }

  /// How far a variant's values are from Orrery's at most, in points.
  static func distance(_ variant: PeerVariant, from expected: Expected) -> Double {
    let task = expected.task
    let memory = FrameMemory(
      bytes: [Int](repeating: task.count * 4, count: task.kind.fieldCount), destinations: 1)
    let pointers = memory.floats(destination: 0)
    return pointers.withUnsafeBufferPointer { pointers in
      guard let columns = pointers.baseAddress else { return .infinity }
      let work = variant.make(task)
      for _ in 0..<expected.length.ticks { work.tick(columns) }
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
