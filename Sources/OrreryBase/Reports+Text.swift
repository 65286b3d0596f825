// SPDX-License-Identifier: Apache-2.0

/// Reports for people: one fact on each line, aligned.
extension SimReport {
  package var text: String {
    """
    scene      \(scene), \(entities) entities, run '\(run)'
    frames     \(frames) in \(decimal(seconds, places: 2)) s, \(delivery), \
    \(slots) slots of \(frameBytes) bytes
    output     \(output), \(lookAhead) ticks ahead, \(stores) stores
    tick       p50 \(tick.p50), p99 \(tick.p99), max \(tick.max) (\(isa), \
    \(threads) \(threads == 1 ? "thread" : "threads"))
    publish    p50 \(publish.p50), p99 \(publish.p99), max \(publish.max)
    late       \(lateTicks) ticks, schedule moved \(scheduleShifts) times
    state hash \(stateHash)\(subscriberLines)
    """
  }

  /// One line for each of the last eight subscribers.
  private var subscriberLines: String {
    let shown = subscribers.suffix(8).map { account in
      "\nsubscriber \(account.name) (pid \(account.processID), \(account.waiting), \(account.reading)):"
        + " read \(account.received), missed \(account.missed), \(account.departure)"
    }
    let more = subscribers.count - shown.count
    return (more > 0 ? "\nsubscribers \(more) more, and" : "") + shown.joined()
  }
}

extension SubscriberReportMessage {
  package var text: String {
    let padded = program + String(repeating: " ", count: max(11 - program.count, 1))
    return """
      \(padded)received \(received) of \(published), missed \(missed)\(gapLines)
                 use p50 \(use.p50), p99 \(use.p99), max \(use.max)
                 latency p50 \(latency.p50), p99 \(latency.p99), max \(latency.max)
      """
  }

  /// The first gaps, as many as fit on two lines of a terminal of 80 columns.
  private var gapLines: String {
    let indent = "\n" + String(repeating: " ", count: 11)
    var lines: [String] = []
    var line = ""
    for (index, gap) in gaps.enumerated() {
      if line.count + gap.count + 1 > 50 {
        lines.append(line)
        line = ""
        if lines.count == 2 {
          return indent + lines.joined(separator: indent) + " and \(gaps.count - index) more gaps"
        }
      }
      line += line.isEmpty ? gap : " " + gap
    }
    if !line.isEmpty { lines.append(line) }
    return lines.map { indent + $0 }.joined()
  }
}

extension DurationReport {
  package var p50: String { duration(p50Ns) }
  package var p99: String { duration(p99Ns) }
  package var max: String { duration(maxNs) }
}

/// A duration in a suitable unit.
package func duration(_ ns: UInt64) -> String {
  switch ns {
  case ..<1_000: "\(ns) ns"
  case ..<1_000_000: decimal(Double(ns) / 1e3, places: 1) + " µs"
  case ..<1_000_000_000: decimal(Double(ns) / 1e6, places: 2) + " ms"
  default: decimal(Double(ns) / 1e9, places: 2) + " s"
  }
}

/// A number with a given count of decimal places, the same in every locale.
package func decimal(_ value: Double, places: Int) -> String {
  let scale = (0..<places).reduce(1.0) { product, _ in product * 10 }
  guard value.isFinite, abs(value) < 1e15, abs(value) * scale < 0x1p63 else { return "\(value)" }
  let scaled = UInt64((abs(value) * scale).rounded())
  let whole = scaled / UInt64(scale)
  let sign = value < 0 && scaled > 0 ? "-" : ""
  guard places > 0 else { return "\(sign)\(whole)" }
  let fraction = String(scaled % UInt64(scale))
  return "\(sign)\(whole)." + String(repeating: "0", count: places - fraction.count) + fraction
}
