// SPDX-License-Identifier: Apache-2.0

import OrreryBase

/// Holds a peer's values against Orrery's, before it is timed: who computes something else does not count.
package enum PeerCheck {
  /// How long a peer is run, and with how many entities: not a whole number of vectors.
  package struct Length {
    /// Ticks until values are compared.
    package let ticks: Int
    /// Entities.
    package let count: Int

    /// Ticks and entities.
    package init(ticks: Int, count: Int) { (self.ticks, self.count) = (ticks, count) }

    /// More than three seconds, with turns, restarts and starts.
    package static let seconds = Length(ticks: 200, count: 4999)

    /// An hour: what adds a rounded step at each tick has drifted by then.
    package static let hour = Length(ticks: 216_000, count: 159)
  }

  /// What a kind's values are after so long.
  package struct Expected {
    /// How long.
    package let length: Length
    /// The motions.
    package let task: KernelTask
    /// Their parameters.
    package let columns: [[Double]]
    /// Orrery's values.
    package let ours: FrameMemory

    /// - Throws: `SceneError` and `SystemCallError`.
    package init(_ kind: KernelKind, after length: Length) throws {
      self.length = length
      task = try KernelTask(kind, count: length.count)
      columns = task.columns
      ours = try OurKernels.values(task, tick: UInt64(length.ticks))
    }
  }

  /// What follows from a variant's distances.
  ///
  /// - Parameters:
  ///   - variant: What was held against Orrery.
  ///   - asksHour: Whether there is time for an hour's ticks. Objects are not asked: they would take minutes,
  ///     and are the best at nothing.
  ///   - pointsOff: Its distance after some seconds.
  ///   - hour: Works out its distance after an hour.
  /// - Returns: What is reported, and the variant to be timed; nil if it computes something else.
  package static func judge(
    _ variant: PeerVariant, asksHour: Bool, pointsOff: Double, hour: () -> Double
  ) -> (check: KernelReport.Check, variant: PeerVariant?) {
    let isRight = pointsOff <= KernelTask.tolerance
    let later = isRight && asksHour && variant.countMax == .max ? hour() : nil
    let check = KernelReport.Check(
      kind: variant.kind.rawValue,
      peer: variant.name.isEmpty ? variant.family : "\(variant.family), \(variant.name)",
      pointsOff: pointsOff, isRight: isRight, pointsOffAfterAnHour: later)
    if !isRight { return (check, nil) }
    var checked = variant
    checked.drifts = later.map { $0 > KernelTask.tolerance } ?? false
    return (check, checked)
  }

  /// How far a variant's values are from Orrery's at most, in points.
  package static func distance(_ variant: PeerVariant, from expected: Expected) -> Double {
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
