// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBench
import TestSupport

/// Results and rounds that a test has made up.
enum StudySamples {
  /// What a machine does to rounds beside the noise.
  enum Disturbance: CaseIterable {
    case none
    /// Up to half of the rounds, one after another, take 5 % longer.
    case slowPhase
    /// Rounds become slower, by 5 % from the first to the last.
    case drift
    /// One round of twelve takes 30 % longer.
    case interruptions
  }

  /// Rounds around a mean: a bell with a tail to the right, as times have, and neighbours that are alike.
  static func rounds(
    _ count: Int, mean: Double, noise: Double, with disturbance: Disturbance = .none,
    _ random: inout SeededRandom
  ) -> [Double] {
    var drift = 0.0
    let begin = Int(random.unit() * Double(count))
    let end = begin + 1 + Int(random.unit() * Double(count / 2 - 1))
    return (0..<count).map { index in
      let bell = (0..<12).reduce(-6.0) { sum, _ in sum + random.unit() }
      drift = 0.3 * drift + bell
      let tail = random.unit() < 0.05 ? 5 * noise * random.unit() : 0
      let factor =
        switch disturbance {
        case .none: 1.0
        case .slowPhase: (begin..<end).contains(index) ? 1.05 : 1
        case .drift: 1 + 0.05 * Double(index) / Double(count)
        case .interruptions: random.unit() < 1.0 / 12 ? 1.3 : 1
        }
      return mean * (1 + noise * drift + tail) * factor
    }
  }

  /// A machine that nobody has.
  static let context: StudyContext = {
    var context = StudyContext.now()
    (context.processor, context.processorCount) = ("Test Processor", 2)
    (context.commit, context.isDirty) = ("0123456789ab", false)
    context.instructionSets = ["baseline", "avx2"]
    context.date = "2026-01-31T12:00:00Z"
    (context.loadBefore, context.loadAfter, context.stolen) = (0.1, 0.9, 0)
    return context
  }()

  /// A result of rows.
  static func result(_ rows: [StudyRow], title: String = "study") -> StudyResult {
    var result = StudyResult(title: title, command: "orrery bench", context: context)
    result.rows = rows
    return result
  }

  /// A result with everything that a result may have.
  static func full() -> StudyResult {
    var tick = StudyRow("tick stress", unit: "ns", samples: [20, 21, 22, 20], entities: 100)
    tick.bound = .init(what: "writing the frame's bytes", samples: [10, 10, 11, 10])
    (tick.hash, tick.hashTick) = ("00000000000000ab", 60)
    tick.parts = [
      .init(kind: "marquee", entities: 50, tickNs: [9, 9, 9, 9], bytesPerEntity: 4),
      .init(kind: "orbit", entities: 50, tickNs: [11, 11, 12, 11], bytesPerEntity: 8),
      .init(kind: "view", entities: 10, tickNs: [40, 40], bytesPerEntity: 24),
    ]
    tick.parts[2].eventsNs = [10, 12, 11]
    tick.doubts = ["its rounds have a spread of 12 %"]
    var found = StudyRow("frame found", unit: "µs", samples: [200, 210, 190, 205], entities: 100)
    found.histogram = HdrHistogram([200_000, 210_000, 190_000, 17_000_000]).encoded
    var computed = StudyRow("frame computed", unit: "µs", samples: [100, 110], entities: 100)
    var split = StudyRow.Split()
    (split.waitNs, split.computeNs, split.publishNs) = ([15e6, 17e6], [3_000_000], [1_000_000])
    computed.split = split
    let drawing = StudyRow("drawing", unit: "Hz", better: .larger, samples: [60, 61, 59, 60])
    var result = result([tick, computed, found, drawing])
    result.notes = ["left out: <storm> & more"]
    var capacity = CapacityResult(
      scene: "stress, 1 thread", rateHz: 60, budget: 0.9, percentile: 99.9, stepSeconds: 10,
      subscribers: [.logger])
    var figures = CapacityResult.Figures(
      ticks: 600, lateTicks: 0, waitNs: 9_000_000, waitMedianNs: 8_000_000, workNs: 7_000_000,
      publishNs: 2_000, ofBandwidth: 0.1)
    (figures.loggerMissed, figures.ofDisk, figures.loggerBusy) = (0, 0.4, 0.5)
    capacity.steps = [.init(entities: 1_000_000, causes: [], figures: figures)]
    (figures.waitNs, figures.loggerMissed) = (20_000_000, 3)
    (figures.picturesHz, figures.readerMissed, figures.others) = (31, 0, 0.01)
    capacity.steps.append(
      .init(entities: 2_000_000, causes: [.compute, .logger], figures: figures))
    (capacity.entities, capacity.confirmed, capacity.confirmations) = (1_000_000, 3, 3)
    (capacity.failsAbove, capacity.firstCause) = (true, .compute)
    capacity.evidence = "with 2,000,000: it was late"
    result.capacities = [capacity]
    return result
  }

  /// Peers that take longer, that do more, and that have nothing to be compared with.
  static let peers = PeerResult(
    title: "Parts & pieces", command: "tools/bench-parts",
    figures: [
      .init("work", "Orrery", 20, unit: "µs"), .init("work", "parts", 50, unit: "µs"),
      .init("pictures", "parts", 60, unit: "Hz", better: .larger),
      .init("pictures", "Orrery", 30, unit: "Hz", better: .larger),
      .init("alone", "parts", 1, unit: "ms"),
    ])
}

extension SeededRandom {
  /// A number from 0 to 1.
  mutating func unit() -> Double { number(in: 0...1) }
}
