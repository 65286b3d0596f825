// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryBase

/// Properties of the library's engine that all begin to move, turn round while they move, and end, in one
/// `withAnimation` each.
///
///     0 s       all begin to move
///     0.2 s     all turn round
///     0.3 s     each value is read
///     10 s      all have come to rest: their ends
package final class EngineScene {
  /// One of each, by a spring.
  package let begin, retarget, read, end: BenchRow

  /// Events that came.
  package private(set) var eventCount = 0

  private let engine = AnimationEngine()
  private let properties: [AnimatedProperty<Double>]
  private let cyclesPerRound: Int
  /// What was read, so that reading is not left out.
  private var sum = 0.0

  private static let animation = Animation.spring(duration: 0.5)

  /// Makes the properties, and plays two cycles: memory is allocated then.
  ///
  /// - Parameter count: Of them.
  package init(count: Int) {
    let engine = engine
    properties = (0..<count).map { _ in engine.property(0.0) }
    cyclesPerRound = ViewScene.cyclesPerRound(count: count)
    (begin, retarget, read, end) = (
      Self.row("begin", count), Self.row("retarget", count), Self.row("read a value", count),
      Self.row("end", count)
    )
    for _ in 0..<2 { _ = playCycle() }
  }

  /// Plays a cycle that is not timed, and counts its events.
  ///
  /// - Returns: Properties that still move after it.
  package func playOnce() -> Int {
    engine.onEvent = { _ in self.eventCount += 1 }
    _ = playCycle()
    engine.onEvent = nil
    return engine.activeCount
  }

  private static func row(_ name: String, _ count: Int) -> BenchRow {
    BenchRow(.ours, name: name, family: "", count: count, traffic: nil)
  }

  /// Measures one round.
  package func measure() {
    var sums: [UInt64] = [0, 0, 0, 0]
    for _ in 0..<cyclesPerRound {
      for (index, ns) in playCycle().enumerated() { sums[index] += ns }
    }
    for (row, ns) in zip([begin, retarget, read, end], sums) {
      row.add(ns: ns, calls: cyclesPerRound)
    }
  }

  private func playCycle() -> [UInt64] {
    let begun = timed { move(to: 100) }
    engine.advance(by: 0.2)
    let turned = timed { move(to: 0) }
    engine.advance(by: 0.1)
    let read = timed { for property in properties { sum += property.presentation } }
    return [begun, turned, read, timed { engine.advance(by: 9.7) }]
  }

  /// Moves each property another way, so that nothing that they have in common is computed once.
  private func move(to value: Double) {
    withAnimation(Self.animation) {
      for (index, property) in properties.enumerated() {
        property.value = value + Double(index % 97)
      }
    }
  }

  private func timed(_ body: () -> Void) -> UInt64 {
    let begin = Clock.monotonicNs()
    body()
    return Clock.monotonicNs() - begin
  }
}
