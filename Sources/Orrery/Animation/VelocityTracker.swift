// SPDX-License-Identifier: Apache-2.0

/// The velocity of a value that is moved by hand, from its last three samples.
///
///     velocity = 0.25 · newest difference quotient + 0.75 · the one before
///
/// Two samples give one difference quotient, and fewer give a velocity of zero.
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

  /// Per second.
  public var velocity: Value {
    switch samples.count {
    case 2:
      return Self.quotient(samples[0], samples[1])
    case 3:
      let older = Self.quotient(samples[0], samples[1])
      let newest = Self.quotient(samples[1], samples[2])
      return newest.interpolated(towards: older, amount: 0.75)
    default:
      return .zero
    }
  }

  private static func quotient(_ first: Sample, _ second: Sample) -> Value {
    (second.value - first.value).scaled(by: 1 / (second.time - first.time))
  }
}

extension VelocityTracker: Sendable where Value: Sendable {}
