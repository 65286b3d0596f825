// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrreryMessages
import OrreryRecording

/// Arguments: what of a run's frames is recorded.
struct RecordingArguments: ParsableArguments {
  @Option(
    help: """
      full: the frames' values. digest: 16 bytes a frame, its hash and time; the scene and its changes give the values \
      again. flight: the last seconds, in memory until they are asked for.
      """)
  var mode = RecordingMode.full

  @Option(
    parsing: .unconditional,
    help: "Record only frames whose number is a multiple of N, 1 to 1000000000.")
  var every: UInt64 = 1

  @Option(
    parsing: .upToNextOption,
    help: """
      Record only these entities, and those that they stand in: numbers, ranges and names, as orrery sample --entity \
      has them.
      """)
  var entities: [String] = []

  @Option(help: "Record only these columns: x, y, opacity, scale, rotation and blur, with commas.")
  var columns: FieldList?

  @Option(
    parsing: .unconditional,
    help: """
      Round floats to 16 bits: multiples of 1/16 point for positions and 1/1024 for other columns, coarser where values \
      are too large for that. The only number is 16.
      """)
  var quantise: Int?

  @Flag(
    help: "Record what changed since the last frame, and a whole frame each second. Loses nothing.")
  var delta = false

  func validate() throws {
    guard (1...1_000_000_000).contains(every) else {
      throw ValidationError("--every \(every): use 1 to 1000000000")
    }
    if let quantise, quantise != 16 { throw ValidationError("--quantise \(quantise): use 16") }
    guard mode == .digest else { return }
    let others = [
      ("--every", every > 1), ("--entities", !entities.isEmpty), ("--columns", columns != nil),
      ("--quantise", quantise != nil), ("--delta", delta),
    ]
    if let other = others.first(where: \.1)?.0 {
      throw ValidationError(
        "--mode digest and \(other) exclude each other: a hash is of a whole frame")
    }
  }

  /// What is recorded.
  var options: RecordingOptions {
    var options = RecordingOptions()
    options.mode = mode == .digest ? .digest : .full
    options.every = every
    options.entities = entities
    options.fields = columns?.fields ?? []
    options.quantises = quantise != nil
    options.delta = delta
    return options
  }

  /// The options as arguments, to pass on to another program.
  var words: [String] {
    var words = ["--mode", mode.rawValue, "--every", "\(every)"]
    if !entities.isEmpty { words += ["--entities"] + entities }
    if let columns { words += ["--columns", columns.argument] }
    if let quantise { words += ["--quantise", "\(quantise)"] }
    if delta { words.append("--delta") }
    return words
  }
}

/// What a logger makes of a run.
enum RecordingMode: String, CaseIterable, ExpressibleByArgument {
  case full
  case digest
  case flight
}

/// Fields of frames, separated by commas.
struct FieldList: ExpressibleByArgument {
  private static let names: [(name: String, field: Orrery_Field)] = [
    ("x", .x), ("y", .y), ("opacity", .opacity), ("scale", .scale), ("rotation", .rotation),
    ("blur", .blur),
  ]

  /// The fields.
  let fields: Set<Orrery_Field>

  /// As it was written.
  let argument: String

  /// Reads names; nil if one is unknown.
  init?(argument: String) {
    let words = argument.split(separator: ",", omittingEmptySubsequences: false)
    let found = words.compactMap { word in Self.names.first { $0.name == word }?.field }
    guard found.count == words.count else { return nil }
    (fields, self.argument) = (Set(found), argument)
  }
}
