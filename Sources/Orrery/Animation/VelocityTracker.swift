// SPDX-License-Identifier: Apache-2.0

/// The velocity of a value that is moved by hand, from its last three samples.
///
///     velocity = 0.25 · newest difference quotient + 0.75 · the one before
///
/// Two samples give one difference quotient, and fewer give a velocity of zero.
///
/// A difference quotient counts only if the later one of its samples is at most 0.1 s old, and the other
/// one at most 0.1 s older: a value that is held still and then released begins at rest. This limit is
/// Orrery's own; SwiftUI's is not known.
public struct VelocityTracker<Value: VectorArithmetic> {
  private typealias Sample = (value: Value, time: Double)

  /// At most three, oldest first; times rise.
  private var samples: [Sample] = []

  /// Makes a tracker without samples.
  public init() {}

  /// Takes a sample.
  ///
  /// One that is older than the last is ignored; one of the same time replaces it.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - time: Time of the sample, s; a time that is not finite is ignored.
  public mutating func addSample(_ value: Value, time: Double) {
    guard time.isFinite else { return }
    if let last = samples.last {
      if time < last.time { return }
      if time == last.time { samples.removeLast() }
    }
    samples.append((value, time))
    if samples.count > 3 { samples.removeFirst() }
  }

  /// Forgets all samples.
  public mutating func reset() { samples = [] }

  /// Per second, at the time of the last sample.
  public var velocity: Value { velocity(at: -.infinity) }

  /// The velocity with which the value is released.
  ///
  /// - Parameter time: Seconds; a time before the last sample counts as the last sample's.
  /// - Returns: Per second.
  public func velocity(at time: Double) -> Value {
    guard let last = samples.last else { return .zero }
    let time = max(time, last.time)
    // From the newest backwards: after the first that does not count, no older one counts.
    var quotients: [Value] = []
    for (first, second) in zip(samples, samples.dropFirst()).reversed() {
      guard time - second.time <= Self.ageMax, second.time - first.time <= Self.ageMax else {
        break
      }
      quotients.append((second.value - first.value).scaled(by: 1 / (second.time - first.time)))
    }
    guard let newest = quotients.first else { return .zero }
    return quotients.count > 1 ? newest.interpolated(towards: quotients[1], amount: 0.75) : newest
  }

  /// Seconds: 0.1, and a microsecond for times that are rounded.
  private static var ageMax: Double { 0.100_001 }
}

extension VelocityTracker: Sendable where Value: Sendable {}
