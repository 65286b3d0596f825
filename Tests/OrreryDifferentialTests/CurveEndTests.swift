// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryScene
import OrrerySim
import Testing

/// Curves of a kernel at both ends of their cycle, where phases are rounded.
@Suite struct CurveEndTests {
  /// [D-06] One step of single precision before 1, a curve is at its end, and not in the next cycle.
  @Test(arguments: ["cubicBezier(0.4, 0, 0.2, 1)", "linear", "easeIn", "circularEaseOut"])
  func lastInputIsTheEnd(curve: String) throws {
    let request = #"{"curve":"\#(curve)","at":[0.9999999403953552,0.99999997,1]}"#
    #expect(try Eval.numbers(request, "values", nil, Eval.kernel) == [1, 1, 1])
  }

  /// [D-06] A curve that rises vertically begins at its start.
  @Test(arguments: ["circularEaseOut", "cubicBezier(0, 1.5, 1, 1.5)", "circularEaseOut.inverse"])
  func verticalCurvesBeginAtTheStart(curve: String) throws {
    let request = #"{"curve":"\#(curve)","at":[0,-1,-0.001]}"#
    #expect(try Eval.numbers(request, "values", nil, Eval.kernel) == [0, 0, 0])
  }

  /// [D-06] At whole cycles too, while steps still happen at their ticks.
  @Test func cyclesBeginAtTheStart() throws {
    func values(_ curve: UnitCurve, _ period: Double) throws -> [Float] {
      let spec = TweenSpec(from: 0, to: 1, period: period, cycle: TweenCycle(curve: curve))
      let paths = try World(
        ScenePlan(
          name: "cycle", seed: 1, rate: 60, batches: [.tween(Specs([spec]), .x)], layout: .init()),
        instructionSet: .best, threadCount: 1)
      return (0..<10).map { Values(of: paths, tick: UInt64($0) * 6).value(.x, entity: 0) }
    }
    #expect(try values(.circularEaseOut, 0.1) == Array(repeating: 0, count: 10))
    #expect(try values(.steps(5, .jumpEnd), 0.5) == [0, 0.2, 0.4, 0.6, 0.8, 0, 0.2, 0.4, 0.6, 0.8])
  }
}
