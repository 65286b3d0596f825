// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrreryCommandLine
import OrreryTrace

/// Arguments: how a trace is stored.
package struct ContainerArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "none, lz4 or zstd, or zstd:LEVEL with 1 to 19. Positions in floating point hardly compress.",
      valueName: "compression"))
  package var compression = CompressionArgument(compression: .none)

  @Option(help: "Size at which a chunk is closed, up to 64MiB. A larger message has its own.")
  package var chunkSize = ByteCount(4 << 20, argument: "4MiB")

  @Option(help: "Memory for chunks until they are on the disk; two fit in any case.")
  package var memory = ByteCount(256 << 20, argument: "256MiB")

  @Option(
    help: """
      What a power cut may take: never what the system has not written yet, chunk nothing but the open chunk, second \
      what is younger than a second.
      """)
  package var sync = TraceSync.never

  @Option(help: "Begin the next file at this size: FILE.0001.mcap and so on, each whole.")
  package var maxSize: ByteCount?

  @Option(help: "Begin the next file after this many seconds.")
  package var maxDuration: Double?

  @Option(
    help: """
      Free space to leave on the file system, up to 4096TiB, 0 for none; a recording that reaches it ends there, with \
      exit code 74. Without this option 1GiB, or 5% if that is more.
      """)
  package var minFreeSpace: FreeSpaceArgument?

  package init() {}

  /// Refuses values out of range.
  package func validate() throws {
    guard (1...64 << 20).contains(chunkSize.bytes) else {
      throw ValidationError("--chunk-size \(chunkSize.argument): use 1 to 64MiB")
    }
    guard memory.bytes >= 16 << 20, memory.bytes <= 1 << 46 else {
      throw ValidationError("--memory \(memory.argument): use 16MiB or more")
    }
    if let maxSize, maxSize.bytes < 1 << 20 {
      throw ValidationError("--max-size \(maxSize.argument): use 1MiB or more")
    }
    if let maxDuration, !(maxDuration >= 0.1 && maxDuration <= 1e9) {
      throw ValidationError("--max-duration \(maxDuration): use 0.1 to 1e9 seconds")
    }
  }

  /// The options of a writer.
  package var options: TraceOptions {
    var options = TraceOptions()
    options.compression = compression.compression
    options.zstdLevel = compression.level
    options.chunkBytes = Int(chunkSize.bytes)
    options.memoryBytes = Int(memory.bytes)
    options.sync = sync
    options.freeSpace = minFreeSpace.map { .bytes($0.bytes) } ?? .standard
    options.fileBytesMax = maxSize?.bytes
    options.fileAgeNsMax = maxDuration.map { UInt64($0 * 1e9) }
    return options
  }

  /// The first file of a trace, or the only one.
  package func firstPath(_ path: String) -> String {
    options.splits ? TraceOptions.path(path, part: 1) : path
  }
}

/// A compression and its level, as typed: `lz4` or `zstd:3`.
package struct CompressionArgument: ExpressibleByArgument, CustomStringConvertible {
  /// The compression.
  package var compression: TraceCompression

  /// Its level, of zstd.
  package var level: Int32 = 1

  init(compression: TraceCompression) { self.compression = compression }

  /// Reads a name, or `zstd:LEVEL`; nil for another word.
  package init?(argument: String) {
    let parts = argument.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let name = parts.first, let compression = TraceCompression(rawValue: String(name)) else {
      return nil
    }
    self.compression = compression
    guard parts.count == 2 else { return }
    guard compression == .zstd, let level = Int32(parts[1]), (1...19).contains(level) else {
      return nil
    }
    self.level = level
  }

  /// The word, as typed.
  package var description: String {
    level == 1 ? compression.rawValue : "\(compression.rawValue):\(level)"
  }

  package static var allValueStrings: [String] { ["none", "lz4", "zstd", "zstd:LEVEL"] }
}

/// An amount of free space, as typed: a size, or 0.
package struct FreeSpaceArgument: ExpressibleByArgument, CustomStringConvertible {
  /// The amount in bytes.
  package let bytes: UInt64

  /// The word, as typed.
  package let description: String

  /// Reads a size or 0; nil for another word.
  package init?(argument: String) {
    description = argument
    if argument == "0" {
      bytes = 0
    } else if let count = ByteCount(argument: argument) {
      bytes = count.bytes
    } else {
      return nil
    }
  }
}

extension TraceSync: ExpressibleByArgument {}
