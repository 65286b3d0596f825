// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryFrame

/// The counters of the last seconds, from which `orrery top` computes rates and lengths of time.
///
/// Each look reads all pages once. Nothing is asked of a process, so a sim that hangs is seen as well as any other.
package struct TopWindow {
  /// Which process's page: a number is given again.
  private struct Page: Hashable {
    let processID: Int32
    let startedNs: UInt64

    init(_ reading: CounterReading) {
      (processID, startedNs) = (reading.processID, reading.startedNs)
    }
  }

  private let base: String

  /// The runs that are wanted, by their names or their shards' names; empty: all.
  private let wanted: Set<String>

  /// What was read, oldest first.
  private var samples: [(atNs: UInt64, pages: [Page: CounterReading])] = []

  /// The time that rates are of.
  private static let windowNs: UInt64 = 5_000_000_000

  /// A window without looks.
  ///
  /// - Parameters:
  ///   - runs: The runs that are wanted, by name; empty: all.
  ///   - base: The directory of all runs.
  package init(_ runs: [String] = [], base: String = RunDirectory.base()) {
    (wanted, self.base) = (Set(runs), base)
  }

  /// Looks at all counters.
  ///
  /// - Returns: Rates since the oldest look of the window; of what was not there, since its beginning.
  /// - Throws: `RunDirectoryError` when the directory of all runs cannot be used.
  package mutating func look() throws(RunDirectoryError) -> TopReport {
    let (readings, faults) = try CounterDirectory(base: base).readings()
    let nowNs = Clock.monotonicNs()
    while samples.count > 1, samples[0].atNs + Self.windowNs < nowNs { samples.removeFirst() }
    var runs = Self.runs(
      readings.filter { $0.fact("program") == "sim" }.map { reading in
        TopRun(reading, before: before(reading), isStopped: Self.isStopped(reading))
      })
    addRunsWithoutCounters(to: &runs)
    for reading in readings where reading.fact("program") != "sim" {
      let name = reading.fact("run") ?? "?"
      let run =
        Self.run(of: reading, among: readings, in: runs) ?? runs.firstIndex { $0.name == name }
      let subscriber = TopSubscriber(
        reading, before: before(reading), run: run.map { runs[$0] },
        isStopped: Self.isStopped(reading))
      if let run {
        runs[run].subscribers.append(subscriber)
      } else {
        var elsewhere = TopRun(
          name: name, state: .elsewhere, notice: "its sim has no counters here")
        elsewhere.subscribers = [subscriber]
        runs.append(elsewhere)
      }
    }
    samples.append((nowNs, Dictionary(readings.map { (Page($0), $0) }) { first, _ in first }))
    return TopReport(
      runs: runs.filter(isWanted).sorted { $0.name < $1.name },
      unreadable: faults.map { $0.description.printable() })
  }

  /// A wanted run that a report does not have; nil: all are there.
  func missing(in report: TopReport) -> String? {
    let found = Set(report.runs.flatMap { [$0.name] + $0.shards.map(\.name) })
    return wanted.subtracting(found).min()
  }

  /// The oldest reading of the same page.
  private func before(_ reading: CounterReading) -> CounterReading? {
    let page = Page(reading)
    return samples.lazy.compactMap { $0.pages[page] }.first
  }

  private func isWanted(_ run: TopRun) -> Bool {
    wanted.isEmpty || wanted.contains(run.name) || run.shards.contains { wanted.contains($0.name) }
  }

  private static func isStopped(_ reading: CounterReading) -> Bool {
    ProcessState(of: reading.processID)?.isStopped == true
  }

  /// Puts shards below their run.
  private static func runs(_ sims: [TopRun]) -> [TopRun] {
    var shards: [String: [(Int, TopRun)]] = [:]
    var runs: [TopRun] = []
    for sim in sims {
      if let (name, shard) = Shard.parse(run: sim.name) {
        shards[name, default: []].append((shard.index, sim))
      } else {
        runs.append(sim)
      }
    }
    return runs
      + shards.map { name, shards in
        TopRun(name, shards: shards.sorted { $0.0 < $1.0 }.map(\.1))
      }
  }

  /// The index of the run whose sim has a subscriber's frames made.
  private static func run(
    of subscriber: CounterReading, among readings: [CounterReading], in runs: [TopRun]
  ) -> Int? {
    guard subscriber.generation != 0,
      let sim = readings.first(where: {
        $0.fact("program") == "sim" && $0.generation == subscriber.generation
      }), let name = sim.fact("run")
    else { return nil }
    return runs.firstIndex { $0.name == name || $0.shards.contains { $0.name == name } }
  }

  /// Adds runs whose sims have no counters yet, or none at all.
  private func addRunsWithoutCounters(to runs: inout [TopRun]) {
    let known = Set(runs.flatMap { [$0.name] + $0.shards.map(\.name) })
    for name in (try? RunDirectory.names(in: base)) ?? [] where !known.contains(name) {
      guard let directory = try? RunDirectory(name: name, base: base),
        let state = try? directory.state()
      else { continue }
      switch state {
      case .starting, .running:
        runs.append(
          directory.isPreparing || state == .starting
            ? TopRun(name: name, state: .preparing, notice: "prepares its scene; no tick yet")
            : TopRun(name: name, state: .silent, notice: "keeps no counters: orrery ps \(name)"))
      case .stopped:
        runs.append(
          TopRun(name: name, state: .stopped, notice: "stopped by a signal or a debugger"))
      case .missing, .dead: break
      }
    }
  }
}
