// SPDX-License-Identifier: Apache-2.0

/// Guesses the end of an animation from the silence after it: when nothing has been written for a
/// while.
///
/// Every write arms a timeout anew, and when it expires the animation is taken for finished. The
/// write after that begins another one.
///
/// This is a known recipe for a framework without completions, kept as it is to show where it errs:
///
/// - It is late by its whole timeout, always.
/// - A stall that is longer than the timeout is taken for the end, and the rest for another
///   animation.
/// - It knows nothing of repetitions, never fires for one that is endless, and cannot tell an
///   animation that finished from one that was cancelled.
///
/// The recipe shares its state between all views of a type, so that of views that start together
/// only one is told; here each detector has its own. Use the events of an animation instead.
public struct WriteTimeoutDetector: Hashable, Sendable {
  /// Seconds of silence.
  public let timeout: Double

  /// When the timeout will expire, in seconds; nil if no animation is known of.
  public private(set) var deadline: Double?

  /// Makes a detector that has seen nothing.
  ///
  /// - Parameter timeout: Seconds of silence.
  public init(timeout: Double = 0.1) {
    self.timeout = timeout
  }

  /// Takes a write of the animated property.
  ///
  /// - Parameter time: Seconds. A write at the deadline itself is in time.
  /// - Returns: When the animation before was taken for finished, if that was not told yet.
  @discardableResult
  public mutating func write(at time: Double) -> Double? {
    let expiry = deadline.flatMap { time > $0 ? $0 : nil }
    deadline = time + timeout
    return expiry
  }

  /// Lets time pass without a write.
  ///
  /// - Parameter time: Seconds.
  /// - Returns: When the animation was taken for finished, once.
  public mutating func advance(to time: Double) -> Double? {
    guard let expiry = deadline, time >= expiry else { return nil }
    deadline = nil
    return expiry
  }

  /// The times at which writes lead to a completion, the last of them followed by silence.
  ///
  /// - Parameters:
  ///   - writes: Seconds, ascending; what is not finite is left out.
  ///   - timeout: Seconds of silence.
  /// - Returns: Seconds, ascending.
  public static func fires(writes: [Double], timeout: Double = 0.1) -> [Double] {
    var detector = WriteTimeoutDetector(timeout: timeout)
    var fires: [Double] = []
    for write in writes where write.isFinite {
      if let expiry = detector.write(at: write) { fires.append(expiry) }
    }
    if let expiry = detector.advance(to: .infinity) { fires.append(expiry) }
    return fires
  }
}
