// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryBase

/// A curve, spring or animation that moves a value from 0 to 1.
package enum MotionNotation: Hashable, Sendable {
  case curve(UnitCurve)
  case spring(Spring)
  case animation(Animation)
}

extension Notation {
  /// Reads a spring, a curve or an animation; they are tried in this order.
  ///
  /// So `spring(duration: 0.5)` is a spring, `easeIn` a curve and `easeIn(duration: 1)` an
  /// animation. A type's name in front overrides this order: `Animation.easeIn`.
  ///
  /// - Parameter text: An expression.
  /// - Returns: The spring, curve or animation.
  /// - Throws: What is wrong with the text, and where: the error of the attempt that got farthest.
  package static func motion(_ text: String) throws(NotationError) -> MotionNotation {
    let node = try NotationParser.parse(text)
    var errors: [NotationError] = []
    do throws(NotationError) {
      return .spring(try spring(node))
    } catch {
      errors.append(error)
    }
    do throws(NotationError) {
      return .curve(try curve(node))
    } catch {
      errors.append(error)
    }
    do throws(NotationError) {
      return .animation(try animation(node))
    } catch {
      errors.append(error)
    }
    throw farthest(errors)
  }

  /// The error that is farthest in the text; unknown names at one column become one error.
  private static func farthest(_ errors: [NotationError]) -> NotationError {
    let column = errors.map(\.column).max() ?? 1
    let last = errors.filter { $0.column == column }
    // An error inside a call of a known name says more than "unknown name" of another attempt.
    let known = last.last { error in
      if case .unknownName = error.fault { false } else { true }
    }
    if let known { return known }
    var names: [String] = []
    var misspelt = ""
    for case .unknownName(let found, _, _, let known) in last.map(\.fault) {
      misspelt = found
      names += known.filter { !names.contains($0) }
    }
    return NotationError(
      column: column,
      .unknownName(
        found: misspelt, kind: last.count > 1 ? "curve, spring or animation" : "name",
        nearest: NearestName.find(misspelt, among: names), known: names))
  }
}
