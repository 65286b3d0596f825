// SPDX-License-Identifier: Apache-2.0

/// Collects what is wrong with a scene on the way through it.
package final class FaultList {
  /// A fault and the way to the value that has it.
  package struct Entry: Equatable {
    package let path: ScenePath
    package let fault: SceneFault
  }

  /// The first `keptMax` faults, in the order in which they were found.
  package private(set) var entries: [Entry] = []

  /// All faults.
  package private(set) var total = 0

  /// Faults kept: more than any error shows, so that those that come first in the file are among
  /// them in every file that a person wrote.
  package static let keptMax = 1_000

  package init() {}

  package var isEmpty: Bool { total == 0 }

  /// Adds a fault.
  package func add(_ path: ScenePath, _ fault: SceneFault) {
    total += 1
    guard entries.count < Self.keptMax else { return }
    entries.append(Entry(path: path, fault: fault))
  }

  /// The same faults, but each reason why texts could not be measured only where it was met first:
  /// a font that is not installed is one thing to mend, however many texts use it.
  package var reasonsOnce: FaultList {
    let list = FaultList()
    var told: Set<String> = []
    for entry in entries {
      if case .notMeasured(let why) = entry.fault, !told.insert(why).inserted { continue }
      list.add(entry.path, entry.fault)
    }
    return list
  }

  /// Adds the faults that another look at the same scene found.
  ///
  /// Where this list says that a list of actions or keyframes is wrong, one that is missing in it
  /// only follows from that.
  package func add(_ other: FaultList) {
    let wrong = Set(entries.flatMap(\.path.prefixes))
    for entry in other.entries {
      if case .missing = entry.fault {
        let isList = entry.path.lastKey == "track" || entry.path.elements.contains(.key("set"))
        let lists = isList ? [entry.path] : Self.actions.map(entry.path.key)
        if lists.contains(where: wrong.contains) { continue }
      }
      add(entry.path, entry.fault)
    }
    total += other.total - other.entries.count
  }

  /// The keys of what a command does.
  private static let actions = ["set", "show", "hide", "toggle", "destroy"]
}
