// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryFrame

/// Counters as OpenMetrics text: what `orrery metrics` answers.
///
/// Names begin with `orrery_sim_` and `orrery_subscriber_`, and end in the base unit: times are in seconds. A family
/// stands together, whatever process its samples are of.
package struct MetricsText {
  /// The media type of the text.
  package static let type = "application/openmetrics-text; version=1.0.0; charset=utf-8"

  /// A process's counters, with the labels of its samples.
  private struct Source {
    let reading: CounterReading
    let labels: [(String, String)]
  }

  private var lines: [String] = []

  /// The text of these counters.
  ///
  /// - Parameters:
  ///   - readings: What was read.
  ///   - runs: The runs that are wanted, by their names or their shards' names; empty: all.
  ///   - unreadableCount: Pages that could not be read.
  ///   - wallOffsetNs: The wall clock's time minus the monotonic clock's.
  /// - Returns: Lines, the last of which is `# EOF`.
  package static func text(
    _ readings: [CounterReading], runs: Set<String> = [], unreadableCount: Int = 0,
    wallOffsetNs: Int64
  ) -> String {
    var text = MetricsText()
    let wanted = readings.filter { reading in
      let run = reading.fact("run") ?? ""
      return runs.isEmpty || runs.contains(run)
        || Shard.parse(run: run).map { runs.contains($0.name) } ?? false
    }
    text.addSims(
      sources(wanted.filter { $0.fact("program") == "sim" }), wallOffsetNs: wallOffsetNs)
    text.addSubscribers(
      sources(wanted.filter { $0.fact("program") != "sim" }), wallOffsetNs: wallOffsetNs)
    text.addFamily("orrery_unreadable_counters", "gauge", "Pages of counters that cannot be read.")
    text.lines.append("orrery_unreadable_counters \(unreadableCount)")
    text.lines.append("# EOF")
    return text.lines.joined(separator: "\n") + "\n"
  }

  /// The labels of each process; of two with the same, the first alone.
  private static func sources(_ readings: [CounterReading]) -> [Source] {
    var seen: Set<String> = []
    return readings.compactMap { reading in
      let run = reading.fact("run") ?? ""
      let shard = Shard.parse(run: run)
      var labels = [("run", shard?.name ?? run)]
      if let shard { labels.append(("shard", "\(shard.shard.index)")) }
      if let program = reading.fact("program"), program != "sim" {
        labels += [("program", program), ("pid", "\(reading.processID)")]
      }
      return seen.insert(Self.braces(labels)).inserted
        ? Source(reading: reading, labels: labels) : nil
    }
  }
}

// MARK: - Families

extension MetricsText {
  private mutating func addSims(_ sims: [Source], wallOffsetNs: Int64) {
    addInfo("orrery_sim", sims, ["scene", "delivery", "isa", "threads", "ticks_per_second"])
    for (name, counter, unit, help) in Self.simNumbers {
      add("orrery_sim_" + name, sims, counter, unit, help)
    }
    addTime("orrery_sim_published_timestamp_seconds", sims, SimCounter.publishedNs, wallOffsetNs)
    addTimes("orrery_sim_work_seconds", sims, SimCounter.workTimesNs, "Times to compute a frame.")
    addTimes(
      "orrery_sim_publish_seconds", sims, SimCounter.publishTimesNs, "Times to publish a frame.")
  }

  private static let simNumbers: [(String, SimCounter, Unit, String)] = [
    ("phase", .phase, .one, "0: waits for subscribers or shards; 1: runs; 2: ends."),
    ("paused", .paused, .one, "1 while no frame is wanted."),
    ("frames", .frames, .one, "Frames published."),
    ("tick", .tick, .one, "The newest frame's tick."),
    ("period_seconds", .periodNs, .seconds, "From one tick to the next; 0: at no time."),
    ("late_ticks", .lateTicks, .one, "Ticks begun after the next one was due."),
    ("over_budget_frames", .overBudgetFrames, .one, "Frames that took longer than a tick."),
    ("stall_max_seconds", .stallMaxNs, .seconds, "Longest time between frames beyond the due one."),
    ("schedule_shifts", .scheduleShifts, .one, "How often the schedule was moved."),
    ("entities", .entities, .one, "Entities of the scene, or of the shard."),
    ("frame_bytes", .frameBytes, .one, "Bytes of a frame."),
    ("events", .events, .one, "Events of views."),
    ("changes", .changes, .one, "Changes of views by commands."),
    (
      "waited_seconds", .waitedNs, .seconds,
      "Time in which a run in lockstep waited for subscribers."
    ),
    ("subscribers", .subscribers, .one, "Subscribers that are connected."),
  ]

  private mutating func addSubscribers(_ subscribers: [Source], wallOffsetNs: Int64) {
    addInfo("orrery_subscriber", subscribers, ["waiting", "reading", "transport", "delivery"])
    for (name, counter, help) in Self.subscriberNumbers {
      add("orrery_subscriber_" + name, subscribers, counter, .one, help)
    }
    addTime(
      "orrery_subscriber_seen_timestamp_seconds", subscribers, SubscriberCounter.seenNs,
      wallOffsetNs)
    addTimes(
      "orrery_subscriber_age_seconds", subscribers, SubscriberCounter.ageTimesNs,
      "Times from publishing a frame to the start of its use.")
    addTimes(
      "orrery_subscriber_work_seconds", subscribers, SubscriberCounter.workTimesNs,
      "Times to use a frame.")
  }

  private static let subscriberNumbers: [(String, SubscriberCounter, String)] = [
    ("received_frames", .received, "Frames received."),
    ("missed_frames", .missed, "Frames missed."),
    ("sequence", .sequence, "The last frame that was received or missed."),
    ("frame_bytes", .frameBytes, "Bytes of a frame."),
    ("file_bytes", .fileBytes, "Bytes of the file that is written; 0: there is none."),
  ]

  /// The unit of a counter's samples.
  private enum Unit {
    case one
    /// Counted in nanoseconds.
    case seconds
  }

  private mutating func addFamily(_ name: String, _ type: String, _ help: String) {
    lines.append("# TYPE \(name) \(type)")
    if name.hasSuffix("_seconds") { lines.append("# UNIT \(name) seconds") }
    if name.hasSuffix("_bytes") { lines.append("# UNIT \(name) bytes") }
    lines.append("# HELP \(name) \(help)")
  }

  private mutating func addInfo(_ name: String, _ sources: [Source], _ facts: [String]) {
    addFamily(name, "info", "What does not change.")
    for source in sources {
      let labels = facts.compactMap { key in source.reading.fact(key).map { (key, $0) } }
      let pid =
        source.labels.contains { $0.0 == "pid" } ? [] : [("pid", "\(source.reading.processID)")]
      lines.append("\(name)_info\(Self.braces(source.labels + pid + labels)) 1")
    }
  }

  private mutating func add(
    _ name: String, _ sources: [Source], _ counter: some CounterName, _ unit: Unit, _ help: String
  ) {
    let isTotal = counter.kind == .total
    addFamily(name, isTotal ? "counter" : "gauge", help)
    for source in sources {
      let number = source.reading[counter]
      let value = unit == .seconds ? Self.seconds(number) : "\(number)"
      lines.append("\(name)\(isTotal ? "_total" : "")\(Self.braces(source.labels)) \(value)")
    }
  }

  /// A time of the monotonic clock as one since 1970; none before it is known.
  private mutating func addTime(
    _ name: String, _ sources: [Source], _ counter: some CounterName, _ wallOffsetNs: Int64
  ) {
    addFamily(name, "gauge", "When the newest frame came, since 1970.")
    for source in sources where source.reading[counter] > 0 {
      let ns = source.reading[counter] &+ UInt64(bitPattern: wallOffsetNs)
      lines.append("\(name)\(Self.braces(source.labels)) \(Self.seconds(ns))")
    }
  }

  private mutating func addTimes(
    _ name: String, _ sources: [Source], _ counter: some CounterName, _ help: String
  ) {
    addFamily(name, "histogram", help)
    for source in sources {
      let times = source.reading.times(counter)
      let counts = times.counts(upTo: Self.boundsNs)
      for (bound, count) in zip(Self.boundsNs, counts) {
        let labels = source.labels + [("le", Self.seconds(bound))]
        lines.append("\(name)_bucket\(Self.braces(labels)) \(count)")
      }
      lines.append("\(name)_bucket\(Self.braces(source.labels + [("le", "+Inf")])) \(times.count)")
      lines.append("\(name)_count\(Self.braces(source.labels)) \(times.count)")
      lines.append("\(name)_sum\(Self.braces(source.labels)) \(Self.seconds(times.sum))")
    }
  }

  /// Upper bounds of a histogram's buckets: 1, 2.5 and 5 of each power of ten from a microsecond to ten seconds.
  private static let boundsNs: [UInt64] = {
    var bounds: [UInt64] = []
    var power: UInt64 = 1000
    while power < 10_000_000_000 {
      bounds += [power, power * 5 / 2, power * 5]
      power *= 10
    }
    return bounds + [power]
  }()

  /// Nanoseconds as seconds, exactly; with a point, as the convention wants it of bounds.
  static func seconds(_ ns: UInt64) -> String {
    let fraction = String(ns % 1_000_000_000).alignedRight(9, filler: "0")
    let digits = fraction.reversed().drop { $0 == "0" }.reversed()
    return "\(ns / 1_000_000_000)." + (digits.isEmpty ? "0" : String(digits))
  }

  private static func braces(_ labels: [(String, String)]) -> String {
    let pairs = labels.map { name, value in
      let escaped = value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        .replacing("\n", with: "\\n")
      return "\(name)=\"\(escaped)\""
    }
    return labels.isEmpty ? "" : "{" + pairs.joined(separator: ",") + "}"
  }
}
