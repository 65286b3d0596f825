// SPDX-License-Identifier: Apache-2.0

import OrreryBase

/// One figure of a study: all its rounds, and the machine's limit.
package struct StudyRow: Codable, Equatable, Sendable {
  /// Whether small figures are good, as of times, or large ones, as of rates.
  package enum Better: String, Codable, Sendable {
    case smaller
    case larger
  }

  /// A limit of the machine, calibrated in the same run and in turns with the row.
  package struct Bound: Codable, Equatable, Sendable {
    /// The work that was timed as the limit, such as "writing the frame's bytes".
    package let what: String
    /// Its rounds, in the row's unit.
    package var samples: [Double]

    /// A limit with its rounds.
    package init(what: String, samples: [Double] = []) {
      (self.what, self.samples) = (what, samples)
    }
  }

  /// The part of one kind of entity in a tick.
  package struct Part: Codable, Equatable, Sendable {
    /// marquee, orbit, tween, spring, flow, clock, timer or view.
    package let kind: String
    /// Entities of the kind.
    package let entities: Int
    /// Nanoseconds of a tick of these entities alone, by rounds.
    package var tickNs: [Double]
    /// Nanoseconds of a tick's events, which come before its values, by rounds; nil for kinds without events.
    package var eventsNs: [Double]?
    /// Bytes of a frame for each of them.
    package let bytesPerEntity: Double

    /// The median of its rounds, by entity, in nanoseconds; nil without rounds.
    package var nsEach: Double? { each(tickNs) }

    /// The same for its events: they are timed apart, and are never more than the whole.
    package var eventsNsEach: Double? {
      eventsNs.flatMap { each($0) }.map { min($0, nsEach ?? $0) }
    }

    private func each(_ rounds: [Double]) -> Double? {
      entities > 0 ? SampleSummary(rounds).map { $0.median / Double(entities) } : nil
    }

    /// A part without rounds.
    package init(kind: String, entities: Int, tickNs: [Double] = [], bytesPerEntity: Double) {
      (self.kind, self.entities) = (kind, entities)
      (self.tickNs, self.bytesPerEntity) = (tickNs, bytesPerEntity)
    }
  }

  /// Single durations, such as those of ticks, in few figures.
  package struct Durations {
    /// Nanoseconds.
    package let p50, p99, p999, max: Double
    /// How many took longer than their budget; nil without one.
    package let overBudget: UInt64?

    init(_ histogram: HdrHistogram, budgetNs: Double?) {
      p50 = Double(histogram.quantile(0.5))
      p99 = Double(histogram.quantile(0.99))
      p999 = Double(histogram.quantile(0.999))
      max = Double(histogram.max)
      overBudget = budgetNs.map { budget in
        histogram.recorded.reduce(0) { Double($1.value) > budget ? $0 + $1.count : $0 }
      }
    }
  }

  /// The parts of the time from one frame to the next in a sim that publishes them: nanoseconds, by rounds.
  package struct Split: Codable, Equatable, Sendable {
    /// Waiting for the next tick's due time, and sending events.
    package var waitNs: [Double] = []
    /// Computing the values, events included.
    package var computeNs: [Double] = []
    /// Making the frame visible and announcing it.
    package var publishNs: [Double] = []

    /// A split without rounds.
    package init() {}
  }

  /// Whose figure it is.
  package enum Subject: String, Codable, Sendable {
    /// Orrery's.
    case ours
    /// Another implementation of the same work.
    case peer
    /// The limit of the machine: moving the same bytes without arithmetic, a bare wake.
    case limit
  }

  /// Where an area prints a figure: figures of a line stand side by side, lines of a table below each other.
  package struct Place: Codable, Equatable, Sendable {
    /// The heading: "orbit, 10,000 entities".
    package let table: String
    /// What was measured: "Orrery avx512, 8 ticks".
    package let line: String
    /// Which figure of it, as "p99"; empty if there is one only.
    package let figure: String

    /// A place.
    package init(_ table: String, _ line: String, _ figure: String = "") {
      (self.table, self.line, self.figure) = (table, line, figure)
    }

    /// The name of the row that stands here.
    package var name: String { "\(table): \(line)" + (figure.isEmpty ? "" : ", \(figure)") }
  }

  /// Name of the figure, by which two studies are compared: "tick stress".
  package let name: String
  /// Its unit: ns, ms, MB/s, Hz.
  package let unit: String
  /// Which figures are good.
  package let better: Better
  /// The rounds, in their order.
  package var samples: [Double]
  /// Entities that the figure is for; nil if it has none.
  package var entities: Int?
  /// The machine's limit; nil if the row has none.
  package var bound: Bound?
  /// Sixteen hexadecimal digits: the state at the last tick of the first round; nil if nothing is hashed.
  package var hash: String?
  /// The tick of that hash.
  package var hashTick: UInt64?
  /// The tick's parts by kind; empty where they were not measured.
  package var parts: [Part]
  /// The parts of the time of a tick in a sim; nil for other rows.
  package var split: Split?
  /// All single durations in ns, as HdrHistogram's V2 encoding in base64; nil if the row has none.
  package var histogram: String?
  /// The time that a single one of them may take, ns: a tick's at the scene's rate; nil if there is none.
  package var budgetNs: Double?
  /// The slowest ticks, the slowest first; nil unless they were asked for.
  package var worst: [WorstTick]?
  /// Why the figure is unsure; empty if it is not.
  package var doubts: [String]
  /// The part of its rounds' time for which its thread could have run, but other programs had the processor; nil if
  /// the kernel does not say it.
  package var waited: Double?
  /// Where an area prints it; nil of rows of a study.
  package var place: Place?
  /// Whose it is; nil: Orrery's.
  package var subject: Subject?
  /// Bytes loaded and stored for an entity and tick; nil if unknown.
  package var bytes: Double?
  /// The fastest round of the best peer (in `tick`, the median of the first row of its kind), divided by that of
  /// this row; nil without any.
  package var ratio: Double?

  /// A row without rounds.
  package init(
    _ name: String, unit: String, better: Better = .smaller, samples: [Double] = [],
    entities: Int? = nil, bound: Bound? = nil
  ) {
    (self.name, self.unit, self.better, self.samples) = (name, unit, better, samples)
    (self.entities, self.bound) = (entities, bound)
    (parts, doubts) = ([], [])
  }

  /// A row of an area.
  package init(
    _ place: Place, unit: String, better: Better = .smaller, _ samples: [Double],
    subject: Subject = .ours, entities: Int? = nil
  ) {
    self.init(place.name, unit: unit, better: better, samples: samples, entities: entities)
    self.place = place
    self.subject = subject == .ours ? nil : subject
  }

  /// The figures of the single durations; nil if the row has none.
  package var durations: Durations? {
    histogram.flatMap { HdrHistogram(encoded: $0) }.map { Durations($0, budgetNs: budgetNs) }
  }

  /// If more of its time was waited for a processor, its rounds are no figure of the program.
  package static let waitedMax = 0.05

  /// Whether its time was waited for a processor too much, and how much, in words; nil: it was not.
  package var waitedText: String? {
    waited.flatMap { part in
      part > Self.waitedMax
        ? "other programs had its processor for \(decimal(part * 100, places: 0)) % of the time"
        : nil
    }
  }

  /// Whether two results are compared by it: it is Orrery's, and not the machine's or a peer's.
  package var isJudged: Bool { subject == nil && !Steadiness.names.contains(name) }

  /// The rounds' summary; nil without rounds.
  package var summary: SampleSummary? { SampleSummary(samples) }

  /// The part of the machine's limit that the row reaches, at most about 1; nil without a limit.
  package var ofBound: Double? {
    guard let bound, let limit = SampleSummary(bound.samples)?.median, let mine = summary?.median,
      limit > 0, mine > 0
    else { return nil }
    return better == .smaller ? limit / mine : mine / limit
  }
}
