// SPDX-License-Identifier: Apache-2.0

import OrreryBase

/// The most entities that hold a rate, how sure that is, and what limits larger runs.
package struct CapacityResult: Codable, Equatable, Sendable {
  /// One run of whole programs.
  package struct Step: Codable, Equatable, Sendable {
    /// Entities of the scene.
    package let entities: Int
    /// Why it did not hold: the causes in the order in which a frame meets them; empty if it held.
    package let causes: [Cause]
    /// What was measured of the step.
    package let figures: Figures

    /// A run.
    package init(entities: Int, causes: [Cause], figures: Figures) {
      (self.entities, self.causes, self.figures) = (entities, causes, figures)
    }
  }

  /// Figures of a step.
  package struct Figures: Codable, Equatable, Sendable {
    /// Ticks in the run.
    package var ticks: Int
    /// Ticks that were computed later than the budget after their due time.
    package var lateTicks: Int
    /// The wait for a computed frame, from its due time, at the wanted percentile.
    package var waitNs: UInt64
    /// The same of the median frame.
    package var waitMedianNs: UInt64
    /// Mean time to compute a tick.
    package var workNs: UInt64
    /// Time to publish a frame, at the wanted percentile.
    package var publishNs: UInt64
    /// Bytes of frames that were written in a second, as a part of what the machine can write.
    package var ofBandwidth: Double
    /// Frames that the logger missed; nil without one.
    package var loggerMissed: Int?
    /// Bytes of frames a second, as a part of what the logger's disk takes; nil without a logger.
    package var ofDisk: Double?
    /// The part of the run in which the logger worked; nil without one.
    package var loggerBusy: Double?
    /// Pictures a second; nil without a renderer.
    package var picturesHz: Double?
    /// Frames that a reader missed; nil without one.
    package var readerMissed: Int?
    /// The part of all processors' time that other programs had meanwhile; nil if unknown.
    package var others: Double?

    /// Figures of a run without subscribers.
    package init(
      ticks: Int, lateTicks: Int, waitNs: UInt64, waitMedianNs: UInt64, workNs: UInt64,
      publishNs: UInt64, ofBandwidth: Double
    ) {
      (self.ticks, self.lateTicks, self.waitNs) = (ticks, lateTicks, waitNs)
      (self.waitMedianNs, self.workNs, self.publishNs) = (waitMedianNs, workNs, publishNs)
      self.ofBandwidth = ofBandwidth
    }
  }

  /// The limit of a run.
  package enum Cause: String, Codable, Sendable {
    /// Computing a tick took too long, and memory was not the reason.
    case compute
    /// Computing a tick took too long, and its bytes alone take most of that time.
    case memoryBandwidth = "memory_bandwidth"
    /// Making frames visible took too long.
    case publish
    /// Ticks were late although computing and publishing fit: their thread had no processor.
    case schedule
    /// The logger missed frames, and its disk was not the reason.
    case logger
    /// The logger missed frames, and its disk could not take more bytes.
    case disk
    /// The reader missed frames.
    case reader
    /// The renderer drew fewer pictures than the wanted rate.
    case renderer
    /// The memory of the machine was too small for the scene.
    case memory
  }

  /// What was scaled: the scene's name, or the kind of a field.
  package let scene: String
  /// Ticks per second.
  package let rateHz: Double
  /// The part of a tick's length within which it has to be computed.
  package let budget: Double
  /// The percentile of waits that must stay within the budget.
  package let percentile: Double
  /// Seconds of each step.
  package let stepSeconds: Double
  /// Programs beside the sim.
  package let subscribers: [ProgramRun.Subscriber]
  /// The most entities that held; 0 if not even the first step did.
  package var entities = 0
  /// How many of three runs with that number held.
  package var confirmed = 0
  /// Runs with that number.
  package var confirmations = 0
  /// Whether a run with 1.1 times as many failed; nil if it was not made.
  package var failsAbove: Bool?
  /// The first cause of failure just above, with its evidence in words.
  package var firstCause: Cause?
  /// Evidence of that, in words.
  package var evidence: String?
  /// Whether the search reached the largest number that it may try.
  package var isOpen = false
  /// Why the number is only the least that fits: larger runs failed while others had the processors; nil if decided.
  package var undecided: String?
  /// Every run, in its order.
  package var steps: [Step] = []

  /// The name of the row that has the number.
  package var rowName: String { "capacity \(scene) at \(decimal(rateHz, places: 0)) Hz" }

  /// Whether more may fit.
  package var isLeast: Bool { isOpen || undecided != nil }

  /// What stands before its number in tables.
  package var sign: String { isLeast && entities > 0 ? "≥ " : "" }

  /// A search without runs.
  package init(
    scene: String, rateHz: Double, budget: Double, percentile: Double, stepSeconds: Double,
    subscribers: [ProgramRun.Subscriber]
  ) {
    (self.scene, self.rateHz, self.budget) = (scene, rateHz, budget)
    (self.percentile, self.stepSeconds, self.subscribers) = (percentile, stepSeconds, subscribers)
  }
}
