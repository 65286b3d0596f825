// SPDX-License-Identifier: Apache-2.0

import OrreryBase

/// Compares a peer's values with Orrery's before it is timed: a peer with other values is left out.
package enum PeerCheck {
  /// The length of a check and its count of entities, which is not a whole number of vectors.
  package struct Length {
    /// Ticks before values are compared.
    package let ticks: Int
    /// Count of entities.
    package let count: Int

    /// Creates a length.
    package init(ticks: Int, count: Int) { (self.ticks, self.count) = (ticks, count) }

    /// More than three seconds, with reversals, restarts and late starts.
    package static let seconds = Length(ticks: 200, count: 4999)

    /// An hour: a variant that adds a rounded step at each tick has drifted by then.
    package static let hour = Length(ticks: 216_000, count: 159)
  }

  /// The right values of a kind after some time.
  package struct Expected {
    /// The length of the check.
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

  /// Judges a variant by its distances from Orrery's values.
  ///
  /// - Parameters:
  ///   - variant: The compared variant.
  ///   - asksHour: Whether to check after an hour as well. Objects are exempt: they would take
  ///     minutes, and are never the fastest.
  ///   - pointsOff: Its distance after some seconds.
  ///   - hour: Computes its distance after an hour.
  /// - Returns: The check to report, and the variant to time; nil if its values are wrong.
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

  /// The largest difference between a variant's values and Orrery's, in points.
  package static func distance(_ variant: PeerVariant, from expected: Expected) -> Double {
    let task = expected.task
    let memory = FrameMemory(
      bytes: [Int](repeating: task.count * 4, count: task.kind.fieldCount), destinations: 1)
    let pointers = memory.floats(destination: 0)
    return pointers.withUnsafeBufferPointer { pointers in
      guard let columns = pointers.baseAddress else { return .infinity }
      let work = variant.make(task)
      for _ in 0..<expected.length.ticks / variant.ticks { work.tick(columns) }
      work.values(columns)
      var largest = 0.0
      for field in 0..<task.kind.fieldCount {
        guard let theirs = columns[field] else { return .infinity }
        let ours = expected.ours.columns[field].assumingMemoryBound(to: Float.self)
        largest = max(
          largest,
          task.distance(
            field: field, ours: ours, theirs: theirs, columns: expected.columns,
            hasCenter: variant.hasCenter))
      }
      return largest
    }
  }
}
