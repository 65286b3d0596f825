// SPDX-License-Identifier: Apache-2.0

import Orrery

/// Falls onto its new value like a ball that bounces three times.
struct Bouncing: CustomAnimation {
  /// Seconds until it rests.
  var duration: Double

  func animate<V: VectorArithmetic>(
    value: V, time: Double, context: inout AnimationContext<V>
  ) -> V? {
    guard time < duration else { return nil }
    let progress = time / duration
    let height = (1 - progress) * (1 - progress) * abs(cos(3.5 * .pi * progress))
    return value.scaled(by: 1 - height)
  }
}

extension Animation {
  /// As `.spring` and `.easeInOut` are called.
  static func bouncing(duration: Double) -> Animation { Animation(Bouncing(duration: duration)) }
}

let engine = AnimationEngine()
let y = engine.property(0.0)
withAnimation(.bouncing(duration: 1).delay(0.1).speed(2)) { y.value = 100 }
for tick in 0...36 {
  engine.advance(to: Double(tick) / 60)
  print(String(format: "%.3f s  %7.3f", engine.time, y.presentation))
}
