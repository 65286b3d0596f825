// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrreryBase
import OrreryCommandLine
import OrreryRecordingArguments

/// The files that `orrery run` leaves, and what its pictures show.
package struct RunFileArguments: ParsableArguments {
  @Option(help: "Directory for the video, the picture and the trace.")
  package var out = "."

  @Option(help: "Leave only these, separated by commas: video, picture, trace. Default: all three.")
  package var only: FileKinds?

  @Flag(help: "Leave a picture and a trace, and no video.")
  package var noVideo = false

  @Option(help: "Size of pictures in pixels, 1x1 to 16384x16384. Default: the scene's.")
  package var size: PictureSize?

  @Option(
    parsing: .unconditional,
    help: """
      Scene time in seconds of the picture, \(OptionRanges.sceneTime). Default: the last one. If the run ends before it, \
      there is no picture, and the exit code is 1.
      """)
  package var at: Double?

  @Option(help: "Write every picture drawn to this directory, too, as SEQUENCE.png.")
  package var frames: String?

  package init() {}

  /// Refuses options of files that are left out.
  package func validate() throws {
    guard !out.isEmpty else { throw ValidationError("--out: a directory's name is needed") }
    try CommandLineProgram.checkOutputs([("--out", out), ("--frames", frames)])
    try OptionRanges.sceneTime.check("--at", at)
    if noVideo, only != nil { throw ValidationError("--no-video and --only exclude each other") }
    if at != nil, !kinds.contains(.picture) {
      throw ValidationError("--at needs the picture, which --only leaves out")
    }
    if size != nil, !draws {
      throw ValidationError("--size needs a picture or the video, which --only leaves out")
    }
  }

  /// The files to leave.
  package var kinds: FileKinds { only ?? (noVideo ? [.picture, .trace] : .all) }

  /// Whether anything is drawn.
  package var draws: Bool { kinds.contains(.video) || kinds.contains(.picture) || frames != nil }

  /// What the renderer is to draw.
  ///
  /// - Parameter base: Path of all files, without an ending.
  /// - Returns: Its words, and the files that it makes.
  func pictures(_ base: String) -> (words: [String], outputs: [String]) {
    var (words, outputs): ([String], [String]) = ([], [])
    for (kind, option, file) in [
      (FileKinds.video, "--video", base + ".mp4"), (.picture, "--png", base + ".png"),
    ] where kinds.contains(kind) {
      words += [option, file]
      outputs.append(file)
    }
    words.append("--force")
    if let size { words += ["--size", "\(size)"] }
    if let at { words += ["--at", "\(at)"] }
    if let frames { words += ["--frames", frames] }
    return (words, outputs)
  }
}

/// Kinds of files that a run leaves.
package struct FileKinds: OptionSet, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  /// What the renderer encodes.
  package static let video = FileKinds(rawValue: 1)
  /// What the renderer draws at one time.
  package static let picture = FileKinds(rawValue: 2)
  /// What the logger records.
  package static let trace = FileKinds(rawValue: 4)

  /// All three.
  package static let all: FileKinds = [.video, .picture, .trace]

  private static let names = [("video", video), ("picture", picture), ("trace", trace)]
}

extension FileKinds: ExpressibleByArgument, CustomStringConvertible {
  /// Reads names, separated by commas; nil if one is unknown.
  package init?(argument: String) {
    self = []
    for word in argument.split(separator: ",", omittingEmptySubsequences: false) {
      guard let kind = Self.names.first(where: { $0.0 == word }) else { return nil }
      insert(kind.1)
    }
  }

  /// The names, as they are typed.
  package var description: String {
    Self.names.filter { contains($0.1) }.map(\.0).joined(separator: ",")
  }
}

/// Which entities and columns `orrery run` records: its sim has options of the plain names.
package struct RecordedPartArguments: ParsableArguments {
  @Option(
    parsing: .upToNextOption,
    help: RecordedPart.entitiesHelp)
  package var recordEntity: [String] = []

  @Option(help: RecordedPart.columnsHelp, transform: FieldList.parse)
  package var recordColumns: FieldList?

  package init() {}

  /// The part.
  package var part: RecordedPart {
    RecordedPart(entities: recordEntity, columns: recordColumns)
  }
}
