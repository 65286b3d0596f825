// SPDX-License-Identifier: Apache-2.0

/// A request's verb: what a client asks of a running sim.
package enum ControlVerb: String, CaseIterable, Sendable {
  // Answered by `WireServer`.
  case join
  case leave
  case progress
  // Answered by the sim's `ControlHandler`.
  case pause
  case resume
  case step
  case seek
  case speed
  case set
  case toggle
  case keep
  case stats
  case snapshot
  case quit

  /// Whether programs alone ask for it, as subscribers do for frames; people ask for the others.
  package var isOfSubscribers: Bool {
    switch self {
    case .join, .leave, .progress: true
    default: false
    }
  }

  /// A field of a request, besides `do` and `id`.
  package struct Field: Equatable, Sendable {
    /// Its name.
    package let name: String

    /// How people write it.
    package let form: Form
  }

  /// How people write a field in the words of `orrery control`.
  package enum Form: Equatable, Sendable {
    /// Not at all: programs send it.
    case unwritten
    /// As an option of the same name.
    case option
    /// As a whole number from 0, behind the verb.
    case count
    /// As a number behind the verb.
    case number
    /// As names behind the verb, at least one.
    case names
    /// As views behind the verb, each with its settings.
    case views
  }

  /// The fields that a request may have.
  package var fields: [Field] {
    switch self {
    case .join: ["frames", "compression", "events", "from", "name"].map { Field($0, .unwritten) }
    case .progress: ["sequence", "missed"].map { Field($0, .unwritten) }
    case .step: [Field("ticks", .count)]
    case .seek: [Field("tick", .count), Field("seconds", .option)]
    case .speed: [Field("factor", .number)]
    case .set: [Field("views", .views)] + Self.change
    case .toggle: [Field("names", .names)] + Self.change
    case .leave, .pause, .resume, .keep, .stats, .snapshot, .quit: []
    }
  }

  /// How views change.
  private static let change = ["seconds", "animation", "completion", "criteria"].map {
    Field($0, .option)
  }

  /// The field of a name; nil if a request has none.
  package func field(_ name: String) -> Field? { fields.first { $0.name == name } }

  /// The field that people write behind the verb; nil if there is none.
  package var argument: Field? { fields.first { ![.unwritten, .option].contains($0.form) } }
}

extension ControlVerb.Field {
  fileprivate init(_ name: String, _ form: ControlVerb.Form) {
    (self.name, self.form) = (name, form)
  }
}
