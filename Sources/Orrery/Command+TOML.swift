// SPDX-License-Identifier: Apache-2.0

/// Contents of a `[[command]]` table of a scene file.
extension TOMLLines {
  /// Writes the time and the actions of a command.
  mutating func add(_ command: Command) {
    switch command.moment {
    case .at(let time, let every):
      add("at", time, TOMLText.number)
      add("every", ifSet: every, TOMLText.number)
    case .after(let completion, let delay):
      add("after", completion, TOMLText.string)
      addNumber("delay", delay, unless: 0)
    }
    if !command.settings.isEmpty {
      let views = command.settings.map { setting in
        (key: TOMLText.key(setting.view), value: Optional(TOMLText.changes(setting.changes)))
      }
      add("set", views, TOMLText.table)
    }
    addNames("show", command.show)
    addNames("hide", command.hide)
    addNames("toggle", command.toggle)
    addNames("destroy", command.destroy)
    add("animation", ifSet: command.animation, TOMLText.animation)
    add("completion", ifSet: command.completion, TOMLText.string)
    add("criteria", command.criteria, unless: .logicallyComplete, TOMLText.criteria)
  }

  /// Writes one name as a string, several as a list.
  private mutating func addNames(_ key: String, _ names: [String]) {
    if names.isEmpty { return }
    if names.count == 1, let name = names.first {
      add(key, name, TOMLText.string)
    } else {
      addList(key, names.map(TOMLText.string))
    }
  }
}

extension TOMLText {
  /// Properties and their values.
  static func changes(_ changes: [ViewChange]) -> String {
    table(changes.map { ($0.property.rawValue, number($0.value)) })
  }

  /// A key, in quotation marks if it needs them.
  static func key(_ name: String) -> String {
    let isBare = name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
        true
      default: false
      }
    }
    return isBare && !name.isEmpty ? name : string(name)
  }
}
