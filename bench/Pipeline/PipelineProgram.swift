// SPDX-License-Identifier: Apache-2.0

import OrreryBase

extension PipelineReport.Program {
  /// The figures of a sim.
  ///
  /// - Parameters:
  ///   - published: Its frames.
  ///   - cost: Its processor time and memory.
  package init(sim published: PublishedFrames, cost: PipelineReport.Cost) {
    let frames = published.times
    func stage(_ name: String, _ time: (SimFrameTimes) -> UInt64) -> PipelineReport.Stage {
      .init(name, frames.compactMap { frame in frame.dueNs.map { ($0, time(frame)) } })
    }
    let perSecond = published.perSecond(frames.count, doneNs: 0)
    self.init(
      program: "sim", frames: frames.count, missed: nil, perSecond: perSecond,
      bytesPerSecond: perSecond * Double(published.frameBytes),
      stages: [
        stage("begun", \.begunNs), stage("computed", \.computedNs),
        stage("published", \.publishedNs),
      ],
      work: DurationReport(frames.map { ($0.begunNs, $0.computedNs) }), cost: cost)
  }

  /// The figures of a subscriber: its times and the sim's are joined by the frames' numbers.
  ///
  /// - Parameters:
  ///   - program: reader, renderer or logger.
  ///   - times: The times of the frames that it used, in their order.
  ///   - published: All frames of the sim.
  ///   - cost: Its processor time and memory.
  package init(
    _ program: String, _ times: [SubscriberFrameTimes], of published: PublishedFrames,
    cost: PipelineReport.Cost
  ) {
    let dueTimes = Dictionary(
      published.times.map { ($0.sequence, $0.dueNs) }, uniquingKeysWith: { first, _ in first })
    let used = times.filter { dueTimes.keys.contains($0.sequence) }
    func stage(_ name: String, _ time: (SubscriberFrameTimes) -> UInt64) -> PipelineReport.Stage {
      .init(
        name,
        used.compactMap { frame in
          (dueTimes[frame.sequence] ?? nil).map { ($0, time(frame)) }
        })
    }
    let perSecond = published.perSecond(used.count, doneNs: used.last?.doneNs ?? 0)
    self.init(
      program: program, frames: used.count,
      missed: dueTimes.count - Set(used.map(\.sequence)).count, perSecond: perSecond,
      bytesPerSecond: perSecond * Double(published.frameBytes),
      stages: [stage("found", \.foundNs), stage(Self.lastStage(of: program), \.doneNs)],
      work: DurationReport(used.map { ($0.foundNs, $0.doneNs) }), cost: cost)
  }

  /// The name of the stage in which a subscriber is done with a frame.
  private static func lastStage(of program: String) -> String {
    ["renderer": "drawn", "logger": "recorded"][program] ?? "read"
  }
}

extension PipelineReport.Stage {
  /// A stage of frames; each time is a frame's due time and the time at which it reached the stage.
  fileprivate init(_ name: String, _ times: [(UInt64, UInt64)]) {
    (self.name, sinceDue) = (name, DurationReport(times))
  }
}

extension DurationReport {
  /// The durations between pairs of times; one that ends before it begins counts as 0.
  fileprivate init(_ times: [(UInt64, UInt64)]) {
    var histogram = Histogram()
    for (begin, end) in times { histogram.record(max(end, begin) - begin) }
    self.init(histogram)
  }
}
