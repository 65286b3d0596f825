// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrreryCommandLine
import OrreryMessages
import OrreryRecording

/// Arguments: what of a run's frames is recorded.
package struct RecordingArguments: ParsableArguments {
  @Option(
    help: """
      full: the frames' values. digest: 16 bytes a frame, its hash and time; the scene and its changes give the values \
      again. flight: the last seconds, in memory until they are asked for.
      """)
  package var mode = RecordingMode.full

  @Option(
    parsing: .unconditional,
    help: "Record only frames whose number is a multiple of N, \(OptionRanges.every).")
  package var every: UInt64 = 1

  @Option(
    parsing: .unconditional,
    help: """
      Round floats to 16 bits: multiples of 1/16 point for positions and 1/1024 for other columns, coarser where values \
      are too large for that. The only number is 16.
      """)
  package var quantise: Int?

  @Flag(
    help: "Record what changed since the last frame, and a whole frame each second. Loses nothing.")
  package var delta = false

  package init() {}

  /// Refuses values out of range, and rounding or a choice of frames in a digest.
  package func validate() throws {
    try OptionRanges.every.check("--every", every)
    if let quantise, quantise != 16 { throw ValidationError("--quantise \(quantise): use 16") }
    try check([("--every", every > 1), ("--quantise", quantise != nil), ("--delta", delta)])
  }

  /// Refuses options that a digest cannot have.
  ///
  /// - Parameter others: Names of options, and whether each is given.
  /// - Throws: `ValidationError` that names one.
  package func check(_ others: [(option: String, isGiven: Bool)]) throws {
    guard mode == .digest, let other = others.first(where: \.isGiven)?.option else { return }
    throw ValidationError(
      "--mode digest and \(other) exclude each other: a hash is of a whole frame")
  }

  /// What is recorded, of all entities and columns or some.
  package func options(_ part: RecordedPart) -> RecordingOptions {
    var options = RecordingOptions()
    options.mode = mode == .digest ? .digest : .full
    options.every = every
    options.entities = part.entities
    options.fields = part.columns?.fields ?? []
    options.quantises = quantise != nil
    options.delta = delta
    return options
  }
}

/// The entities and columns that are recorded; none: all of them.
///
/// The options that name them differ: `orrery run` has `--columns` for its sim.
package struct RecordedPart {
  /// Numbers, ranges and names of entities.
  package let entities: [String]

  /// The columns.
  package let columns: FieldList?

  package init(entities: [String], columns: FieldList?) {
    (self.entities, self.columns) = (entities, columns)
  }

  /// Help for the option that names entities.
  package static let entitiesHelp: ArgumentHelp = """
    Record only these entities, and those that they stand in: numbers, ranges and names, as orrery sample --entity \
    has them.
    """

  /// Help for the option that names columns.
  package static let columnsHelp: ArgumentHelp =
    "Record only these columns: x, y, opacity, scale, rotation and blur, with commas."

  /// The options as arguments of a logger.
  package var words: [String] {
    (entities.isEmpty ? [] : ["--entity"] + entities)
      + (columns.map { ["--columns", $0.argument] } ?? [])
  }
}

/// What a logger makes of a run.
package enum RecordingMode: String, CaseIterable, ExpressibleByArgument {
  case full
  case digest
  case flight
}

/// Fields of frames, separated by commas.
package struct FieldList {
  /// Their numbers, in the order in which they were written.
  package let numbers: [UInt32]

  /// The fields.
  package var fields: Set<Orrery_Field> {
    Set(numbers.compactMap { Orrery_Field(rawValue: Int($0)) })
  }

  /// As an option has them.
  package var argument: String { numbers.map(FieldName.text).joined(separator: ",") }

  /// Reads an option's value.
  ///
  /// - Throws: `ValidationError` for a name that is no field's or comes twice.
  package static func parse(_ text: String) throws -> FieldList {
    var numbers: [UInt32] = []
    for word in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let number = FieldName.number(word) else {
        throw ValidationError(
          "no column has the name '\(word)'; there are \(FieldName.all.joined(separator: ", "))")
      }
      guard !numbers.contains(number) else { throw ValidationError("\(word) stands twice") }
      numbers.append(number)
    }
    return FieldList(numbers: numbers)
  }
}
