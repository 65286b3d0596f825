// SPDX-License-Identifier: Apache-2.0

/// The costs of a trace in one way of recording: to make it, keep it, check it and search it.
package struct RecordUse {
  /// How it was recorded.
  package enum Mode: String, CaseIterable, Sendable {
    /// Every frame, as it is.
    case full
    /// What changed, rounded to 16 bits.
    case delta
    /// Hashes alone.
    case digest

    /// The logger's options.
    var options: [String] {
      switch self {
      case .full: ["--points", "0", "--views", "0"]
      case .delta: ["--quantise", "16", "--delta", "--points", "0", "--views", "0"]
      case .digest: ["--mode", "digest"]
      }
    }
  }

  /// How it was recorded.
  package let mode: Mode
  /// Entities of the scene.
  package let entities: Int
  /// Recorded frames.
  package let frames: Int
  /// Bytes of these frames as published.
  package let inputBytes: Double
  /// Bytes of the file.
  package let fileBytes: Double
  /// Processor time of the logger, in seconds.
  package let recordSeconds: Double
  /// Processor time in which the sim computes the same ticks without a subscriber, in seconds.
  package let simSeconds: Double
  /// Processor time of `orrery trace verify`, in seconds: for whole frames of the container, for a digest
  /// with every frame computed again; nil where it is not measured.
  package let verifySeconds: Double?
  /// Wall time of `orrery trace info`, the program's start included, in seconds.
  package let infoSeconds: Double
  /// Times to find a frame and read its values, in nanoseconds: ticks drawn by chance, in rising order.
  package let seekNs: [UInt64]
  /// Largest private memory of the logger and of the programs that read, in bytes.
  package let residentMaxBytes: Int

  /// The figures of one trace.
  package init(
    mode: Mode, entities: Int, frames: Int, inputBytes: Double, fileBytes: Double,
    recordSeconds: Double, simSeconds: Double, verifySeconds: Double?, infoSeconds: Double,
    seekNs: [UInt64], residentMaxBytes: Int
  ) {
    (self.mode, self.entities, self.frames) = (mode, entities, frames)
    (self.inputBytes, self.fileBytes) = (inputBytes, fileBytes)
    (self.recordSeconds, self.simSeconds) = (recordSeconds, simSeconds)
    (self.verifySeconds, self.infoSeconds) = (verifySeconds, infoSeconds)
    (self.seekNs, self.residentMaxBytes) = (seekNs, residentMaxBytes)
  }

  /// Bytes of frames that the logger took in a second of its processor time.
  package var inputBytesPerSecond: Double { inputBytes / recordSeconds }

  /// Bytes kept of two floats, a position.
  package var bytesPerPosition: Double { fileBytes / inputBytes * 8 }

  /// Bytes of frames that `verify` checked in a second of its processor time.
  package var verifiedBytesPerSecond: Double? { verifySeconds.map { inputBytes / $0 } }

  /// The time that a tick's recording takes, by the time that the tick takes.
  package var partOfTick: Double { recordSeconds / simSeconds }

  /// MiB that an hour at 60 Hz takes.
  package var mebibytesPerHour: Double { fileBytes / Double(frames) * 216_000 / 0x1p20 }
}
