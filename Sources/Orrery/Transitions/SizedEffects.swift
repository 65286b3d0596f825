// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Effects that a closure gives for the size of a view.
///
/// The size is known only when values are asked for. So an animation moves a mixture of states: the shares of
/// their closures.
struct SizedEffects: Sendable {
  /// One state.
  private let newest: Source

  private var mix: Mix

  /// - Parameter effects: The effects for a size, from the innermost.
  init(_ effects: @escaping @Sendable (CGSize) -> [TransitionEffect]) {
    self.init(newest: Source(closure: Closure(effects)))
  }

  private init(newest: Source) {
    self.newest = newest
    mix = Mix(shares: [Share(source: newest, weight: 1)])
  }

  /// The same effects in the state in which they change nothing.
  var neutral: SizedEffects {
    var source = newest
    source.isNeutral = true
    return SizedEffects(newest: source)
  }

  /// The shares.
  var vector: Mix { mix }

  /// These effects with other shares.
  func with(_ mix: Mix) -> SizedEffects {
    var effects = self
    effects.mix = mix
    return effects
  }

  /// The effects for a size, from the innermost.
  ///
  /// Numbers of states with the same effects are mixed; otherwise the newest state shows.
  func effects(size: CGSize) -> [TransitionEffect] {
    let shown = newest.effects(size: size)
    if mix.shares.count == 1, mix.shares[0].source == newest, mix.shares[0].weight == 1 {
      return shown
    }
    let states = mix.shares.map { (weight: $0.weight, effects: $0.source.effects(size: size)) }
    guard states.allSatisfy({ TransitionEffect.areAlike($0.effects, shown) }) else { return shown }
    return shown.indices.map { index in
      shown[index].with(
        states.reduce(.zero) { $0 + $1.effects[index].vector.scaled(by: $1.weight) })
    }
  }

  /// A state: a closure, or the neutral form of its effects.
  struct Source: Hashable {
    let closure: Closure
    var isNeutral = false

    func effects(size: CGSize) -> [TransitionEffect] {
      let effects = closure.effects(size)
      return isNeutral ? effects.map(\.neutral) : effects
    }
  }

  /// Gives a closure an identity that its copies share.
  final class Closure: Hashable, Sendable {
    let effects: @Sendable (CGSize) -> [TransitionEffect]

    init(_ effects: @escaping @Sendable (CGSize) -> [TransitionEffect]) { self.effects = effects }

    static func == (lhs: Closure, rhs: Closure) -> Bool { lhs === rhs }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
  }

  struct Share: Hashable {
    let source: Source
    var weight: Double
  }

  /// Shares of states, in the order in which the states were added; no share is 0.
  struct Mix: VectorArithmetic, Hashable {
    private(set) var shares: [Share] = []

    init(shares: [Share]) { self.shares = shares }

    static var zero: Mix { Mix(shares: []) }

    static func + (lhs: Mix, rhs: Mix) -> Mix { lhs.adding(rhs, times: 1) }

    static func - (lhs: Mix, rhs: Mix) -> Mix { lhs.adding(rhs, times: -1) }

    mutating func scale(by rhs: Double) { self = Mix.zero.adding(self, times: rhs) }

    var magnitudeSquared: Double { shares.reduce(0) { $0 + $1.weight * $1.weight } }

    private func adding(_ other: Mix, times factor: Double) -> Mix {
      var mix = self
      for share in other.shares {
        if let index = mix.shares.firstIndex(where: { $0.source == share.source }) {
          mix.shares[index].weight += share.weight * factor
        } else {
          mix.shares.append(Share(source: share.source, weight: share.weight * factor))
        }
      }
      mix.shares.removeAll { $0.weight == 0 }
      return mix
    }
  }
}

extension SizedEffects: Hashable {}
