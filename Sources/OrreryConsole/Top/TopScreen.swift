// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrrerySupervisor

/// What stands on the screen of `orrery top`, and what its keys do to it.
package struct TopScreen {
  /// What a key asks of somebody else.
  package enum Action: Equatable {
    /// Pause the run of this name, or let it go on.
    case pause(String)
    case end
  }

  /// A line of the screen.
  package struct Line: Equatable {
    /// Its characters.
    package var text: String
    /// Whether it is bold: a heading.
    package var isBold = false
    /// Whether it is inverted: the run that is picked.
    package var isPicked = false

    /// A line of text.
    package init(_ text: String, isBold: Bool = false, isPicked: Bool = false) {
      (self.text, self.isBold, self.isPicked) = (text, isBold, isPicked)
    }
  }

  /// How runs are sorted.
  package enum Order: String, CaseIterable, Sendable {
    case name
    case rate
    case p99
    case budget
    case entities
    case bytes

    fileprivate func value(of run: TopRun) -> Double {
      switch self {
      case .name: 0
      case .rate: run.ticksPerSecond
      case .p99: Double(run.work.p99Ns)
      case .budget: run.budgetShare ?? 0
      case .entities: Double(run.entities)
      case .bytes: run.bytesPerSecond
      }
    }
  }

  /// What was found last.
  package var report = TopReport(runs: [])

  /// What was done, or why not; it stays until the next key.
  package var notice = ""

  /// The name of the run or shard that is picked; nil: the first.
  private var picked: String?

  /// Whether the picked run is shown alone, with all that is known of it.
  private var isOpen = false

  private var order = Order.name

  /// The first line of the table that is shown.
  private var top = 0

  /// A screen without runs.
  package init() {}

  /// The keys, for help and the last line.
  package static let help = "arrows pick  space pause  enter open  left back  s sort  q quit"

  /// The runs in their order.
  private var runs: [TopRun] {
    guard order != .name else { return report.runs }
    return report.runs.sorted { order.value(of: $0) > order.value(of: $1) }
  }

  private var names: [String] { runs.flatMap { [$0.name] + $0.shards.map(\.name) } }

  private var pickedIndex: Int { picked.flatMap { names.firstIndex(of: $0) } ?? 0 }

  /// Takes a key.
  ///
  /// - Returns: What it asks of somebody else; nil: nothing.
  package mutating func press(_ key: TerminalKey) -> Action? {
    notice = ""
    let names = names
    // Where nobody picked one it is the first, and stays the same when rows change places.
    pick(pickedIndex, of: names)
    switch key {
    case .up: pick(pickedIndex - 1, of: names)
    case .down: pick(pickedIndex + 1, of: names)
    case .enter, .right: isOpen = !names.isEmpty
    case .left: isOpen = false
    case .character(let byte):
      switch byte {
      case UInt8(ascii: "q"):
        if !isOpen { return .end }
        isOpen = false
      case UInt8(ascii: " "):
        // A change of one shard's time is one of all: the first one proposes it.
        let run = runs.first { run in
          names.indices.contains(pickedIndex)
            && ([run.name] + run.shards.map(\.name)).contains(names[pickedIndex])
        }
        return run.map { .pause($0.shards.first?.name ?? $0.name) }
      case UInt8(ascii: "s"):
        let all = Order.allCases
        order = all[((all.firstIndex(of: order) ?? 0) + 1) % all.count]
        notice = "sorted by \(order.rawValue)"
      default: notice = "the keys are: " + Self.help
      }
    }
    return nil
  }

  private mutating func pick(_ index: Int, of names: [String]) {
    if !names.isEmpty { picked = names[min(max(index, 0), names.count - 1)] }
  }

  /// The lines of the screen.
  ///
  /// - Parameters:
  ///   - columns: Characters of a line.
  ///   - rows: Lines.
  /// - Returns: `rows` lines, of up to `columns` characters.
  package mutating func lines(columns: Int, rows: Int) -> [Line] {
    let subscribers = report.runs.reduce(0) { $0 + $1.subscribers.count }
    let head =
      "orrery top: \(counted(report.runs.count, "run")), \(counted(subscribers, "subscriber"))"
    var lines = [Line(head + report.unreadable.map { "; \($0)" }.joined())]
    let foot = Line(notice.isEmpty ? Self.help : notice)
    let room = max(rows - 3, 0)
    let names = names
    let name = names.indices.contains(pickedIndex) ? names[pickedIndex] : nil
    let run = runs.lazy.compactMap { run in ([run] + run.shards).first { $0.name == name } }.first
    if isOpen, let run {
      lines.append(Line(TopDetails.title(of: run), isBold: true))
      lines += TopDetails.lines(of: run, columns: columns).prefix(room).map { Line($0) }
    } else {
      isOpen = false
      let table = TopTable(runs, columns: columns)
      lines.append(Line(table.heading, isBold: true))
      let all = table.lines.map { Line($0.text, isPicked: $0.name != nil && $0.name == name) }
      scroll(to: all.firstIndex(where: \.isPicked) ?? 0, room: room, count: all.count)
      lines += all.isEmpty ? [Line("no runs")] : Array(all[top...].prefix(room))
    }
    while lines.count < rows - 1 { lines.append(Line("")) }
    return (Array(lines.prefix(max(rows - 1, 0))) + [foot]).suffix(rows).map { line in
      Line(String(line.text.prefix(columns)), isBold: line.isBold, isPicked: line.isPicked)
    }
  }

  /// Lets the table begin where the picked line is seen.
  private mutating func scroll(to picked: Int, room: Int, count: Int) {
    if picked < top { top = picked }
    if picked >= top + room { top = picked - room + 1 }
    top = min(max(top, 0), max(count - room, 0))
  }
}
