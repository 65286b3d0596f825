// SPDX-License-Identifier: Apache-2.0

/// A spring whose response changes to another one smoothly.
///
///     response(t) = old + (new - old) (3 p² - 2 p³),  p = t/duration in [0, 1]
///
/// Such a spring has no closed form. It is approximated by 64 springs one after the other, each
/// with the response in the middle of its time, and each solved exactly: the error falls with the
/// square of their number. The times of the springs are fixed by the start, so the motion does not
/// depend on when it is evaluated.
package struct ResponseGlide: Sendable {
  /// Response at the start, s, greater than 0.
  package let oldResponse: Double

  /// The spring at the end; its damping ratio holds from the start.
  package let spring: Spring

  /// Seconds, greater than 0 and finite.
  package let duration: Double

  /// Propagators from the start to the beginning of each spring.
  private let startPropagators: [SpringPropagator]

  /// Number of springs that approximate the glide.
  ///
  /// From a response of 0.6 s to one of 0.3 s in 0.25 s, critically damped, the error is at most
  /// 2e-5 of the interval.
  private static let count = 64

  /// Nil if nothing changes: the responses are equal, or one of the numbers is 0 or infinite.
  ///
  /// - Parameters:
  ///   - oldResponse: Response at the start, s.
  ///   - spring: The spring at the end.
  ///   - duration: Seconds.
  init?(from oldResponse: Double, to spring: Spring, duration: Double) {
    guard duration > 0, duration < .infinity, oldResponse > 0, oldResponse < .infinity,
      spring.response > 0, spring.response < .infinity, oldResponse != spring.response
    else { return nil }
    self.oldResponse = oldResponse
    self.spring = spring
    self.duration = duration
    var propagator = spring.propagator(0)
    var startPropagators = [propagator]
    for index in 0..<Self.count {
      let middle = (Double(index) + 0.5) / Double(Self.count)
      let part = Spring(
        response: Self.response(oldResponse, spring.response, middle),
        dampingRatio: spring.dampingRatio)
      propagator = part.propagator(duration / Double(Self.count)).after(propagator)
      startPropagators.append(propagator)
    }
    self.startPropagators = startPropagators
  }

  /// The response at a time.
  ///
  /// - Parameter time: Seconds since the start.
  /// - Returns: Seconds.
  package func response(at time: Double) -> Double {
    Self.response(oldResponse, spring.response, max(0, min(1, time / duration)))
  }

  private static func response(_ old: Double, _ new: Double, _ part: Double) -> Double {
    part == 1 ? new : old + (new - old) * (part * part * (3 - 2 * part))
  }

  /// - Parameter time: Seconds since the start, at least 0.
  /// - Returns: The propagator from the start to that time.
  func propagator(_ time: Double) -> SpringPropagator {
    if time >= duration {
      return spring.propagator(time - duration).after(startPropagators[Self.count])
    }
    let length = duration / Double(Self.count)
    let index = min(Int(time / length), Self.count - 1)
    let part = Spring(
      response: Self.response(
        oldResponse, spring.response, (Double(index) + 0.5) / Double(Self.count)),
      dampingRatio: spring.dampingRatio)
    return part.propagator(max(0, time - Double(index) * length)).after(startPropagators[index])
  }
}

extension SpringPropagator {
  /// The propagator of both: `first`, then this one.
  func after(_ first: SpringPropagator) -> SpringPropagator {
    SpringPropagator(
      xx: xx * first.xx + xv * first.vx, xv: xx * first.xv + xv * first.vv,
      vx: vx * first.xx + vv * first.vx, vv: vx * first.xv + vv * first.vv)
  }
}
