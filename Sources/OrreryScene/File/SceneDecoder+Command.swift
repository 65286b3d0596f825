// SPDX-License-Identifier: Apache-2.0

import OrrerySceneBuilder

extension SceneDecoder {
  /// The keys of a live command, which has no time of its own.
  static let liveCommandKeys = Command.table.names.filter { !momentKeys.contains($0) }

  private static let momentKeys = ["at", "every", "after", "delay"]

  func command(_ reader: TableReader) -> Command { command(moment(reader), reader) }

  /// A command at a given moment.
  func command(_ moment: Command.Moment, _ reader: TableReader) -> Command {
    var command = Command(moment, actions: actions(reader))
    if reader.has("criteria"), !reader.has("completion") {
      faults.add(reader.path.key("criteria"), .onlyWith(key: "completion"))
    }
    Command.table.read(reader, into: &command)
    return command
  }

  private func moment(_ reader: TableReader) -> Command.Moment {
    if reader.has("at"), reader.has("after") {
      faults.add(reader.path, .conflicting(["at", "after"]))
    }
    for (key, owner) in [("every", "after"), ("delay", "at")] where reader.has(key) {
      if reader.has(owner) { faults.add(reader.path.key(key), .conflicting([key, owner])) }
    }
    if let completion = reader.string("after") {
      return .after(completion, delay: reader.number("delay") ?? 0)
    }
    if !reader.has("at"), !reader.has("every"), !reader.has("after") {
      faults.add(reader.path.key("at"), .missing(expected: "at, every or after"))
    }
    let every = reader.number("every")
    return .at(reader.number("at") ?? every ?? 0, every: every)
  }

  private func actions(_ reader: TableReader) -> [CommandAction] {
    var actions: [CommandAction] = []
    let views = reader.inner("set", known: nil)
    for name in views?.keys ?? [] {
      let properties = ViewProperty.allCases.map(\.rawValue)
      guard let values = views?.inner(name, known: properties) else { continue }
      actions.append(.change(name, changes(values)))
    }
    let makers: [(String, (String) -> CommandAction)] = [
      ("show", CommandAction.show), ("hide", CommandAction.hide),
      ("toggle", CommandAction.toggle), ("destroy", CommandAction.destroy),
    ]
    for (key, make) in makers {
      actions += (reader.names(key) ?? []).compactMap { $0 }.map(make)
    }
    return actions
  }
}
