// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import OrrerySim

/// One search for a capacity, with whole programs.
struct CapacityRun {
  /// Arguments of the sim, without the number of entities.
  var sim: [String]
  /// The judge of runs.
  var judge: CapacityJudge
  /// The result: its name and settings; the search fills in the rest.
  var result: CapacityResult
  /// The first number of entities, and the largest.
  var first: Int
  var max: Int
  /// The entities of a scene that is repeated in whole; nil: its fields grow.
  var copied: Int?

  /// Searches.
  ///
  /// - Parameters:
  ///   - folder: The folder for the programs' files.
  ///   - progress: Learns of each run: its entities, and how many runs are left with it.
  /// - Returns: The result, and whether a signal ended the search.
  /// - Throws: `Failure` if a program fails for another reason than too little memory.
  func measure(
    in folder: ProgramFolder, progress: (_ entities: Int, _ runsLeft: Int) -> Void
  ) throws(Failure) -> (CapacityResult, isInterrupted: Bool) {
    var result = result
    let disk = (0..<3).compactMap { _ in RecordingBound.writing(in: folder.url.path) }.max() ?? 0
    let bandwidth = Self.writeBandwidth()
    var others = 0.0
    let each = copied ?? 1
    let outcome = try CapacitySearch.find(
      from: Swift.max(first / each, 1), max: Swift.max(max / each, 1)
    ) { number, runsLeft throws(Failure) in
      let entities = number * each
      progress(entities, runsLeft)
      let run = ProgramRun(
        sim: sim + [copied == nil ? "--entities" : "--copies", "\(number)"],
        subscribers: result.subscribers,
        seconds: result.stepSeconds)
      do throws(Failure) {
        guard let outcome = try run.measure(in: folder) else { return nil }
        let figures = self.figures(outcome, disk: disk, bandwidth: bandwidth)
        let causes = judge.causes(figures)
        result.steps.append(.init(entities: entities, causes: causes, figures: figures))
        let answer = judge.answer(causes, figures)
        if answer == .undecided { others = figures.others ?? 0 }
        return answer
      } catch  where error.status == .resource {
        result.steps.append(.init(entities: entities, causes: [.memory], figures: .none))
        return .fails
      }
    }
    (result.entities, result.confirmed) = (outcome.number * each, outcome.held)
    (result.confirmations, result.failsAbove) = (outcome.runs, outcome.failsAbove)
    result.isOpen = outcome.isOpen
    if outcome.isUndecided {
      result.undecided =
        "\(outcome.number > 0 ? "larger" : "all") runs failed while \(CapacityJudge.othersText(others))"
      return (result, outcome.isInterrupted)
    }
    // The smallest number that failed is the one just above.
    let failed = result.steps.filter { !$0.causes.isEmpty && $0.entities > result.entities }
    if let step = failed.min(by: { $0.entities < $1.entities }), let cause = step.causes.first {
      result.firstCause = cause
      result.evidence =
        "with \(TextTable.grouped(step.entities)): \(judge.evidence(cause, step.figures))"
    }
    return (result, outcome.isInterrupted)
  }

  private func figures(
    _ outcome: ProgramRun.Outcome, disk: Double, bandwidth: Double
  ) -> CapacityResult.Figures {
    let tickNs = outcome.sim.pace.tickNs
    let share = judge.percentile / 100
    let list = FrameWaits.ofSim(outcome.published, tickNs: tickNs, until: \.computedNs)
    let waits = HdrHistogram(list)
    let publish = HdrHistogram(
      outcome.published.map { $0.publishedNs - min($0.computedNs, $0.publishedNs) })
    let perSecond = Double(outcome.sim.frameBytes) * 1e9 / Double(tickNs)
    var figures = CapacityResult.Figures(
      ticks: list.count, lateTicks: list.count { Double($0) > judge.budget * judge.tickNs },
      waitNs: waits.quantile(share), waitMedianNs: waits.quantile(0.5),
      workNs: outcome.sim.work.meanNs, publishNs: publish.quantile(share),
      ofBandwidth: bandwidth > 0 ? perSecond / bandwidth : 0)
    figures.others = outcome.others
    for part in outcome.parts {
      let seconds = Double(list.count) * Double(tickNs) / 1e9
      let busyNs = part.times.reduce(0.0) { $0 + Double($1.doneNs - min($1.foundNs, $1.doneNs)) }
      switch part.subscriber {
      case .reader: figures.readerMissed = part.missed
      case .logger:
        figures.loggerMissed = part.missed
        figures.loggerBusy = seconds > 0 ? busyNs / 1e9 / seconds : 0
        figures.ofDisk = disk > 0 ? perSecond / (disk * 1e6) : 0
      case .renderer:
        // Up to the last due time: a picture that is drawn after the run's end is late.
        let last = outcome.published.last?.publishedNs ?? 0
        let drawn = part.times.count { $0.foundNs <= last }
        figures.picturesHz = seconds > 0 ? Double(drawn) / seconds : 0
      }
    }
    return figures
  }

  /// Bytes a second that one thread writes to memory.
  private static func writeBandwidth() -> Double {
    let bytes = 256 << 20
    let memory = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 4096)
    defer { memory.deallocate() }
    memset(memory, 1, bytes)
    let best =
      (0..<3).map { _ in
        let begin = Clock.monotonicNs()
        memset(memory, 2, bytes)
        return Double(Clock.monotonicNs() - begin)
      }.min() ?? 0
    return best > 0 ? Double(bytes) * 1e9 / best : 0
  }
}

extension CapacityResult.Figures {
  /// Those of a run that did not begin.
  fileprivate static var none: Self {
    Self(
      ticks: 0, lateTicks: 0, waitNs: 0, waitMedianNs: 0, workNs: 0, publishNs: 0, ofBandwidth: 0)
  }
}
