// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Durations of a repeated operation, in nanoseconds.
package struct DurationReport: Codable, Equatable, Sendable {
  package var p50Ns: UInt64
  package var p99Ns: UInt64
  package var maxNs: UInt64

  package init(_ histogram: Histogram) {
    p50Ns = histogram.quantile(0.5)
    p99Ns = histogram.quantile(0.99)
    maxNs = histogram.max
  }
}

/// A sim's account of one subscriber.
package struct SubscriberAccount: Codable, Equatable, Sendable {
  package var name: String
  /// 0 for a subscriber on another machine.
  package var processID: UInt32
  /// How it learned of frames: spin, futex or announcement; message if frames were sent to it.
  package var waiting: String
  /// Which frames it wanted: every or newest.
  package var reading: String
  /// Newest frame when it joined.
  package var joinedAfter: UInt64
  /// As far as it reported.
  package var received: UInt64
  package var missed: UInt64
  /// How its connection ended.
  package var departure: String

  package init(
    name: String, processID: UInt32, waiting: String, reading: String, joinedAfter: UInt64,
    received: UInt64, missed: UInt64, departure: String
  ) {
    self.name = name
    self.processID = processID
    self.waiting = waiting
    self.reading = reading
    self.joinedAfter = joinedAfter
    self.received = received
    self.missed = missed
    self.departure = departure
  }
}

/// Final report of a sim.
package struct SimReport: Codable, Equatable, Sendable {
  package var program = "sim"
  package var scene: String
  package var run: String
  package var entities: UInt64
  package var isa: String
  package var threads: Int
  package var delivery: String
  package var slots: UInt64
  package var frameBytes: UInt64
  /// Ticks that may be computed early.
  package var lookAhead: UInt64
  /// Requested format: float32 or fixed16.
  package var output: String
  /// cached or streaming.
  package var stores: String
  package var ticksPerSecond: Double
  /// Frames published: one for each tick.
  package var frames: UInt64
  /// Hash of the last frame, sixteen hexadecimal digits.
  package var stateHash: String
  /// Seconds from the first tick to the last.
  package var seconds: Double
  /// Time to compute one tick into its slot, hash included.
  package var tick: DurationReport
  /// Time to make a computed frame visible and announce it.
  package var publish: DurationReport
  /// Ticks that began after the next one was due.
  package var lateTicks: UInt64
  /// Times that the schedule was moved because the sim had been stopped for several ticks.
  package var scheduleShifts: UInt64
  package var memory: MemoryReport
  /// The last 256 subscribers of the local socket, in the order in which they left.
  package var subscribers: [SubscriberAccount]

  package init(
    scene: String, run: String, entities: UInt64, isa: String, threads: Int, delivery: String,
    slots: UInt64, frameBytes: UInt64, lookAhead: UInt64, output: String, stores: String,
    ticksPerSecond: Double, frames: UInt64, stateHash: String, seconds: Double,
    tick: DurationReport, publish: DurationReport, lateTicks: UInt64, scheduleShifts: UInt64,
    memory: MemoryReport, subscribers: [SubscriberAccount] = []
  ) {
    self.scene = scene
    self.run = run
    self.entities = entities
    self.isa = isa
    self.threads = threads
    self.delivery = delivery
    self.slots = slots
    self.frameBytes = frameBytes
    self.lookAhead = lookAhead
    self.output = output
    self.stores = stores
    self.ticksPerSecond = ticksPerSecond
    self.frames = frames
    self.stateHash = stateHash
    self.seconds = seconds
    self.tick = tick
    self.publish = publish
    self.lateTicks = lateTicks
    self.scheduleShifts = scheduleShifts
    self.subscribers = subscribers
    self.memory = memory
  }
}

/// Final report of a renderer or a logger.
package struct SubscriberReportMessage: Codable, Equatable, Sendable {
  package var program: String
  package var run: String
  /// How it learned of frames: spin, futex, announcement or remote.
  package var waiting: String
  /// Which frames it wanted: every or newest.
  package var reading: String
  /// Newest frame when it joined; from there on, published == received + missed.
  package var joinedAfter: UInt64
  package var published: UInt64
  package var received: UInt64
  package var missed: UInt64
  /// The first gaps, each "first-last".
  package var gaps: [String]
  /// Time from publishing to the start of reading.
  package var latency: DurationReport
  /// Time to use one frame: to draw or to record it.
  package var use: DurationReport
  /// Whether the sim ended in order.
  package var simEnded: Bool
  /// Files written.
  package var files: [String]

  package init(
    program: String, run: String, waiting: String = "announcement", reading: String = "every",
    joinedAfter: UInt64, published: UInt64, received: UInt64, missed: UInt64, gaps: [String],
    latency: DurationReport, use: DurationReport, simEnded: Bool, files: [String]
  ) {
    self.program = program
    self.run = run
    self.waiting = waiting
    self.reading = reading
    self.joinedAfter = joinedAfter
    self.published = published
    self.received = received
    self.missed = missed
    self.gaps = gaps
    self.latency = latency
    self.use = use
    self.simEnded = simEnded
    self.files = files
  }
}

/// Progress that a sim reports from time to time.
package struct ProgressReport: Codable, Equatable, Sendable {
  package var program = "sim"
  package var tick: UInt64
  package var seconds: Double
  package var lateTicks: UInt64

  package init(
    tick: UInt64, seconds: Double, lateTicks: UInt64
  ) {
    self.tick = tick
    self.seconds = seconds
    self.lateTicks = lateTicks
  }
}

/// Reports as one line of JSON, for programs.
package enum ReportLine {
  /// A report as one line of JSON with a `schema` field.
  package static func encode(_ report: some Encodable, schema: String) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let body = try? encoder.encode(report), body.first == UInt8(ascii: "{") else {
      preconditionFailure("\(report) cannot be encoded")
    }
    return "{\"schema\":\"\(schema)\"," + String(decoding: body.dropFirst(), as: UTF8.self)
  }

  /// Parses a line that `encode` made.
  package static func decode<Report: Decodable>(_ line: some StringProtocol) -> Report? {
    try? JSONDecoder().decode(Report.self, from: Data(line.utf8))
  }
}

/// Sixteen hexadecimal digits.
package func hexadecimal(_ word: UInt64) -> String {
  let digits = String(word, radix: 16)
  return String(repeating: "0", count: 16 - digits.count) + digits
}
