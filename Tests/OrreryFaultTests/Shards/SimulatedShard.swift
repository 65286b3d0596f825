// SPDX-License-Identifier: Apache-2.0

import OrreryFrame

/// A shard: processes that follow each other.
final class SimulatedShard {
  private let index: Int
  private let plan: ShardPlan
  private let scheduler: Scheduler
  private let staticPart: [UInt8]

  /// The process that was started last.
  private(set) var process: ShardProcess

  init(
    _ index: Int, _ plan: ShardPlan, defect: ShardProcess.Defect, scheduler: Scheduler
  ) throws(FrameError) {
    (self.index, self.plan, self.scheduler) = (index, plan, scheduler)
    staticPart = plan.staticPart(index)
    process = try ShardProcess(
      index, plan, staticPart: staticPart, defect: defect, scheduler: scheduler)
  }

  /// Starts it again after its process died.
  func restart(defect: ShardProcess.Defect) throws(FrameError) {
    guard process.isDead else { return }
    process = try ShardProcess(
      index, plan, staticPart: staticPart, defect: defect, scheduler: scheduler)
  }
}
