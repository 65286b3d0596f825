// SPDX-License-Identifier: Apache-2.0

import OrreryDocument

/// Collects the faults of a scene.
package final class FaultList {
  /// A fault, and the path to the value that has it.
  package struct Entry: Equatable {
    /// Path to the value.
    package let path: DocumentPath
    /// Fault of the value.
    package let fault: SceneFault
  }

  /// The first `keptMax` faults, in the order of discovery.
  package private(set) var entries: [Entry] = []

  /// Number of faults, kept or not.
  package private(set) var total = 0

  /// Faults that are kept: more than any error shows.
  ///
  /// In a file that a person wrote they include the first ones of the file.
  package static let keptMax = 1_000

  package init() {}

  /// Whether no fault was found.
  package var isEmpty: Bool { total == 0 }

  /// Adds a fault.
  package func add(_ path: DocumentPath, _ fault: SceneFault) {
    total += 1
    guard entries.count < Self.keptMax else { return }
    entries.append(Entry(path: path, fault: fault))
  }

  /// The same faults, but a reason why texts cannot be measured only at its first text: a missing font or
  /// file is one thing to mend, however many texts use it.
  package var withoutRepeatedReasons: FaultList {
    let list = FaultList()
    var known: Set<String> = []
    for entry in entries {
      switch entry.fault {
      case .notMeasured(let why) where !known.insert(why).inserted,
        .unavailable(let why) where !known.insert(why).inserted:
        continue
      default: list.add(entry.path, entry.fault)
      }
    }
    return list
  }

  /// Whether an entry that could not be read may have a name that others use.
  var mayHideNames: Bool {
    entries.contains { entry in
      if case .unknownKey(let nearest?, _) = entry.fault { return Self.naming.contains(nearest) }
      let keys = entry.path.elements.compactMap { if case .key(let key) = $0 { key } else { nil } }
      return keys.contains(SceneRepeats.key) || keys.last.map(Self.naming.contains) ?? false
    }
  }

  /// The keys without which an entry, or the names in it, are not read.
  private static let naming: Set = [
    "content", "kind", "name", "rows", "command", "completion", SceneRepeats.key,
  ]

  /// The same faults, but for views and completions that nothing in the scene has.
  var withoutUnknownNames: FaultList {
    let list = FaultList()
    for entry in entries {
      if case .unknownName(_, "view", _, _) = entry.fault { continue }
      if case .unknownName(_, "completion", _, _) = entry.fault { continue }
      list.add(entry.path, entry.fault)
    }
    return list
  }

  /// Adds the faults that another check of the same scene found.
  ///
  /// A missing action or keyframe is left out if this list has a fault in the list that should hold it: the
  /// second fault follows from the first.
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

  /// The keys of a command's actions.
  private static let actions = ["set", "show", "hide", "toggle", "destroy"]
}
