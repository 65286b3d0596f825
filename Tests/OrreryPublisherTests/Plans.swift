// SPDX-License-Identifier: Apache-2.0

import Foundation
import Orrery
import OrreryBase
import OrreryMessages
import OrreryPublisher
import OrreryScene
import TestSupport

extension ScenePlan {
  /// Blocks of kinds that look ahead, whole ones and parts, and of one that does not.
  static var mixed: ScenePlan {
    let batches: [BatchPlan] = [
      .orbit(
        Specs(count: 5_000) {
          OrbitSpec(radius: Double($0 % 400), period: 10 + Double($0 % 50), phase: 0)
        }),
      .marquee(
        Specs(count: 2_100) {
          MarqueeSpec(period: 438, speed: 20 + Double($0 % 70), direction: .left, phase: 0.5)
        }),
      .tween(
        Specs(count: 2_049) { TweenSpec(from: -730, to: Double($0), period: 4) }, .x),
      .spring(
        Specs(count: 100) {
          SpringSpec(
            from: 0, to: Double($0), spring: Spring(duration: 0.5, bounce: 0.2), period: 5, phase: 0
          )
        }, .x),
      .timer(
        Specs(count: 70) {
          TimerSpec(start: -1_550 - Double($0), step: 3, resetAt: 330, interval: 0.01)
        }),
    ]
    var layout = Orrery_SceneLayout()
    layout.batches = batches.map { _ in Orrery_Batch() }
    return ScenePlan(name: "mixed", seed: 1, rate: 60, batches: batches, layout: layout)
  }
}

extension SimOptions {
  /// An unpaced run under a name of this process alone.
  init(test name: String, ticks: UInt64?) {
    self.init(run: "test-\(getpid())-\(name)")
    isPaced = false
    tickCount = ticks
  }
}

/// Runs a simulation on a thread of its own, which a test waits for no longer than its patience lasts.
func finish(
  _ simulation: Simulation, frameTimes: FrameTimesFile<SimFrameTimes>? = nil,
  progress: @escaping @Sendable (_ tick: UInt64, _ frames: UInt64, _ lateTicks: UInt64) -> Void = {
    _, _, _ in
  }
) throws -> SimReport {
  nonisolated(unsafe) let (unsafe, times) = (simulation, frameTimes)
  return try within("the run's end") { try unsafe.run(frameTimes: times, progress: progress) }
}

/// A simulation that runs on a thread of its own while a test goes on.
final class RunningSimulation {
  private let report: Monitor<SimReport?>
  private let thread: TestThread

  init(_ simulation: Simulation) throws {
    nonisolated(unsafe) let unsafe = simulation
    let report = Monitor<SimReport?>(nil)
    self.report = report
    thread = try TestThread("the run's end") {
      let ended = try unsafe.run()
      report.change { $0 = ended }
    }
  }

  /// Waits for the run's end.
  func join() throws -> SimReport? {
    try thread.join()
    return report.read { $0 }
  }
}
