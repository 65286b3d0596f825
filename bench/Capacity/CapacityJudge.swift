// SPDX-License-Identifier: Apache-2.0

import OrreryBase

/// Whether a run held its rate, and what limited it if not.
package struct CapacityJudge: Sendable {
  /// Length of a tick in nanoseconds.
  package let tickNs: Double
  /// The part of it within which a frame has to be computed.
  package let budget: Double
  /// The percentile of waits that must stay within the budget, at most 100.
  package let percentile: Double
  /// Pictures a second that the renderer has to draw.
  package let picturesHz: Double

  /// If the disk is busier than this, it is the reason why a logger misses frames.
  private static let diskBusy = 0.7
  /// If writing the bytes alone takes more than this part of a tick's work, memory bandwidth is the reason.
  private static let bandwidthShare = 0.6
  /// The part of all processors above which others may be why a run failed.
  ///
  /// The programs of an idle machine have less than a hundredth; 0.05 is one of two processors for a tenth of the time.
  static let othersMax = 0.05
  /// The renderer may miss one picture in twenty: its first and its last are cut off.
  private static let picturesShare = 0.95

  /// A judge of runs.
  package init(tickNs: Double, budget: Double, percentile: Double, picturesHz: Double) {
    (self.tickNs, self.budget) = (tickNs, budget)
    (self.percentile, self.picturesHz) = (percentile, picturesHz)
  }

  /// The causes of a failure, in the order in which a frame meets them; empty if the run held.
  package func causes(_ figures: CapacityResult.Figures) -> [CapacityResult.Cause] {
    var causes: [CapacityResult.Cause] = []
    let limitNs = budget * tickNs
    if Double(figures.waitNs) > limitNs {
      let workNs = Double(figures.workNs)
      if Double(figures.waitMedianNs) > limitNs / 2 || workNs > limitNs / 2 {
        // The time to write the bytes alone, as a part of the time that computing took.
        let bytesNs = figures.ofBandwidth * tickNs
        causes.append(bytesNs > Self.bandwidthShare * workNs ? .memoryBandwidth : .compute)
      } else {
        causes.append(Double(figures.publishNs) > limitNs / 2 ? .publish : .schedule)
      }
    }
    if (figures.readerMissed ?? 0) > 0 { causes.append(.reader) }
    if (figures.loggerMissed ?? 0) > 0 {
      causes.append((figures.ofDisk ?? 0) > Self.diskBusy ? .disk : .logger)
    }
    if let pictures = figures.picturesHz, pictures < Self.picturesShare * picturesHz {
      causes.append(.renderer)
    }
    return causes
  }

  /// What a run says of a number of entities: a failure while others had the processors says nothing.
  package func answer(
    _ causes: [CapacityResult.Cause], _ figures: CapacityResult.Figures
  ) -> CapacitySearch.Answer {
    if causes.isEmpty { return .holds }
    return (figures.others ?? 0) > Self.othersMax ? .undecided : .fails
  }

  /// The part of the processors that others had, in words.
  package static func othersText(_ part: Double) -> String {
    "other programs had \(decimal(part * 100, places: part < 0.1 ? 1 : 0)) % of the processors"
  }

  /// The evidence of a cause, in a sentence.
  package func evidence(
    _ cause: CapacityResult.Cause, _ figures: CapacityResult.Figures
  ) -> String {
    let limit = duration(UInt64(budget * tickNs))
    let wait = duration(figures.waitNs)
    let work = duration(figures.workNs)
    let name = "p\(decimal(percentile, places: percentile == percentile.rounded() ? 0 : 1))"
    let late = "\(name) of a tick was done \(wait) after its due time, the budget is \(limit)"
    switch cause {
    case .compute: return "\(late); a tick computes for \(work)"
    case .memoryBandwidth:
      let part = decimal(
        figures.ofBandwidth * tickNs / Double(max(figures.workNs, 1)) * 100, places: 0)
      return "\(late); its bytes alone are \(part) % of the \(work) that a tick computes"
    case .publish: return "\(late); publishing takes \(duration(figures.publishNs))"
    case .schedule:
      let others = figures.others.map { "; \(Self.othersText($0))" } ?? ""
      return "\(late), though a tick computes for \(work) only: the sim waited for a processor"
        + others
    case .logger:
      let busy = decimal((figures.loggerBusy ?? 0) * 100, places: 0)
      return
        "the logger missed \(figures.loggerMissed ?? 0) frames; it worked \(busy) % of the time"
    case .disk:
      let part = decimal((figures.ofDisk ?? 0) * 100, places: 0)
      return "the logger missed \(figures.loggerMissed ?? 0) frames; they are \(part) % of what the"
        + " disk takes"
    case .reader: return "a reader missed \(figures.readerMissed ?? 0) frames"
    case .renderer:
      return
        "the renderer drew \(decimal(figures.picturesHz ?? 0, places: 1)) pictures a second, and"
        + " not \(decimal(picturesHz, places: 1))"
    case .memory: return "the machine has too little memory for the scene"
    }
  }
}
