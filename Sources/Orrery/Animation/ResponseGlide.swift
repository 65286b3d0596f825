// SPDX-License-Identifier: Apache-2.0

/// A spring whose response becomes another one, little by little.
///
///     response(t) = old + (new - old) (3 p² - 2 p³),  p = t/duration in [0, 1]
///
/// Such a spring has no closed form. It is taken as 64 springs one after the other, each with the
/// response in the middle of its time, and each moved exactly: the error falls with the square of
/// their number. The times of the springs are fixed by the start, so the motion does not depend on
/// when somebody looks.
package struct ResponseGlide: Sendable {
  /// Response at the start, s, greater than 0.
  package let oldResponse: Double

  /// The spring at the end; its damping ratio holds from the start.
  package let spring: Spring

  /// s, greater than 0 and finite.
  package let duration: Double

  /// What happens from the start to the beginning of each spring.
  private let beginnings: [SpringPropagator]

  /// Springs that stand for the glide.
  ///
  /// From a response of 0.6 s to one of 0.3 s in 0.25 s, critically damped, values are within 2e-5
  /// of the interval of the true ones.
  private static let count = 64

  /// Nil if there is nothing to become: no time for it, or a response that stays, or one of 0.
  ///
  /// - Parameters:
  ///   - oldResponse: Response at the start, s.
  ///   - spring: What it becomes.
  ///   - duration: s.
  init?(from oldResponse: Double, to spring: Spring, duration: Double) {
    guard duration > 0, duration < .infinity, oldResponse > 0, oldResponse < .infinity,
      spring.response > 0, spring.response < .infinity, oldResponse != spring.response
    else { return nil }
    self.oldResponse = oldResponse
    self.spring = spring
    self.duration = duration
    var beginning = spring.propagator(0)
    var beginnings = [beginning]
    for index in 0..<Self.count {
      let middle = (Double(index) + 0.5) / Double(Self.count)
      let part = Spring(
        response: Self.response(oldResponse, spring.response, middle),
        dampingRatio: spring.dampingRatio)
      beginning = part.propagator(duration / Double(Self.count)).after(beginning)
      beginnings.append(beginning)
    }
    self.beginnings = beginnings
  }

  /// The response at a time.
  ///
  /// - Parameter time: s since the start.
  /// - Returns: s.
  package func response(at time: Double) -> Double {
    Self.response(oldResponse, spring.response, max(0, min(1, time / duration)))
  }

  private static func response(_ old: Double, _ new: Double, _ part: Double) -> Double {
    part == 1 ? new : old + (new - old) * (part * part * (3 - 2 * part))
  }

  /// - Parameter time: s since the start, at least 0.
  /// - Returns: What happens until then.
  func propagator(_ time: Double) -> SpringPropagator {
    if time >= duration {
      return spring.propagator(time - duration).after(beginnings[Self.count])
    }
    let length = duration / Double(Self.count)
    let index = min(Int(time / length), Self.count - 1)
    let part = Spring(
      response: Self.response(
        oldResponse, spring.response, (Double(index) + 0.5) / Double(Self.count)),
      dampingRatio: spring.dampingRatio)
    return part.propagator(max(0, time - Double(index) * length)).after(beginnings[index])
  }
}

extension SpringPropagator {
  /// What happens if this follows another one.
  func after(_ first: SpringPropagator) -> SpringPropagator {
    SpringPropagator(
      xx: xx * first.xx + xv * first.vx, xv: xx * first.xv + xv * first.vv,
      vx: vx * first.xx + vv * first.vx, vv: vx * first.xv + vv * first.vv)
  }
}
