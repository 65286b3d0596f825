// SPDX-License-Identifier: Apache-2.0

import Logging
import OrreryBase
import OrreryFrame
import OrreryScene
import OrrerySim

/// A sim's counters page: figures that the loop has found anyway, stored where other processes see them.
///
/// Each frame costs some 25 stores.
final class SimCounters: Sendable {
  private let page: CounterPage

  /// Makes the page; without one the run goes on, and a notice says why.
  ///
  /// - Parameters:
  ///   - plan: The scene.
  ///   - maker: What fills its frames.
  ///   - options: The run's.
  ///   - writer: Its ring.
  ///   - directory: Where the page is named.
  init?(
    _ plan: ScenePlan, _ maker: any FrameMaker, _ options: SimOptions, _ writer: FrameWriter,
    in directory: CounterDirectory
  ) {
    do {
      page = try CounterPage(
        SimCounter.self,
        facts: [
          "program": "sim", "run": options.run, "scene": plan.name,
          "ticks_per_second": "\(plan.rate.ticksPerSecond)", "delivery": "\(options.delivery)",
          "isa": maker.isa, "threads": "\(maker.threadCount)",
        ], in: directory)
    } catch {
      Logger(label: "sim").notice("orrery top does not show this run: \(error)")
      return nil
    }
    page.setGeneration(writer.generation)
    page.set(.entities, UInt64(maker.entityCount))
    page.set(.frameBytes, writer.layout.frameBytes)
  }

  /// Notes how many subscribers are connected: called by those who serve them.
  func setSubscribers(_ count: Int) { page.set(.subscribers, UInt64(count)) }

  /// Notes what the sim is at.
  func enter(_ phase: SimPhase) { page.set(.phase, phase.rawValue) }

  /// Notes whether frames are wanted, and when: after what may change that.
  func notePace(of course: RunCourse) {
    page.set(.paused, course.playback.wantsFrame ? 0 : 1)
    page.set(.periodNs, course.options.isPaced ? course.clock.tickNs : 0)
  }

  /// Counts a frame that was published.
  func count(_ timing: FrameTiming, of course: RunCourse) {
    page.begin()
    page.set(.frames, course.figures.work.count)
    page.set(.sequence, course.writer.sequence)
    page.set(.tick, course.figures.newest.tick)
    page.set(.publishedNs, course.figures.lastPublishedNs ?? 0)
    page.set(.lateTicks, course.clock.lateTicks)
    page.set(.overBudgetFrames, course.figures.pace.overBudgetFrames)
    page.set(.stallMaxNs, course.figures.pace.stallMaxNs)
    page.set(.scheduleShifts, course.clock.scheduleShifts)
    page.set(.events, course.publication.eventSender.numberedCount)
    page.set(.changes, UInt64(course.figures.changeCount))
    page.set(.waitedNs, course.figures.pace.waitedNs)
    page.record(.workTimesNs, ns: UInt64(timing.computeNs))
    page.record(.publishTimesNs, ns: UInt64(timing.publishNs))
    notePace(of: course)
    page.end()
  }
}

extension CounterPage {
  fileprivate func set(_ counter: SimCounter, _ value: UInt64) { set(counter.rawValue, value) }

  fileprivate func record(_ counter: SimCounter, ns: UInt64) { record(counter.rawValue, ns: ns) }
}
