// SPDX-License-Identifier: Apache-2.0

import Foundation
import Orrery
import OrreryScene
import OrrerySceneBuilder
import OrrerySim
import TestSupport
import Testing

/// Goal: a transition whose scale passes through 0 can be inverted at every time, on every path.
///
/// Method: a transition to a mirrored view, at the time of 0 and at all other ticks.
@Suite struct ThroughZeroTests {
  /// [R-06] Half of the way from 1 to -1, and twice the way from 1 to 1e-5.
  @Test(arguments: [("scale(-1)", 0.5), ("scale(-1, anchor: topLeading)", 0.5), ("scale", 0)])
  func evalCanBeInverted(transition: String, progress: Double) throws {
    for evaluator in [Eval.library, Eval.kernel] {
      for step in [-1e-6, 0, 1e-6] {
        let request =
          #"{"transition":"\#(transition)","phase":"insertion","progress":\#(progress + step),"#
          + #""size":[240,160]}"#
        let matrix = try Eval.numbers(request, "matrix", nil, evaluator)
        #expect(abs(matrix[0]) >= 0.999_99e-5 && matrix[0] == matrix[3], "\(matrix)")
      }
    }
  }

  /// [R-06] A view that is shown and hidden through 0.
  @Test(arguments: [Animation.linear(duration: 1), .bouncy(duration: 0.5, extraBounce: 0.3)])
  func scenesCanBeInverted(animation: Animation) throws {
    var scene = Scene("through zero") {}
    let view = AnimatedView("v", .box(width: 120, height: 80, cornerRadius: 0, color: .black))
    scene.content = [.view(view.transition(.scale(scale: -1)).hidden())]
    scene.commands = [0.0, 3.0].map { Command(.at($0), actions: [.toggle("v")]) }
    for index in 0..<2 { scene.commands[index].animation = animation }
    let paths = try Paths(try ScenePlan(scene, text: NoTexts()).batches, rate: 60)
    var (random, comparison) = (RandomMotion(seed: 1), Comparison("\(animation)"))
    let ticks = Array(UInt64(0)..<360)
    let found = paths.values(at: ticks, of: [(.scale, 0)], &random, &comparison)[0]
    var player = TransitionPlayer(.scale(scale: -1))
    player.insert(animation: animation, at: 0)
    for (tick, scale) in zip(ticks, found) {
      if tick == 180 { player.remove(animation: animation, at: 3) }
      #expect(abs(scale) >= 0.999_99e-5, "tick \(tick)")
      // At the very end of its removal a view is gone from a scene.
      guard tick != 240, player.isPresent(at: Double(tick) / 60) else { continue }
      let matrix = player.values(at: Double(tick) / 60, size: .zero).matrix
      comparison.add(scale, matrix.a, within: 3e-4, "tick \(tick)")
    }
    #expect(found.contains { $0 < 0 })
  }
}
