// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase

/// What a power cut may take of a trace; see docs/reference/trace.md.
package enum TraceSync: String, Sendable, CaseIterable {
  /// The system decides when bytes reach the disk.
  case never

  /// Each chunk is on the disk before the next one is written.
  case chunk

  /// Everything older than a second is on the disk.
  case second
}

/// Room on the file system that a trace leaves to others.
package enum TraceFreeSpace: Equatable, Sendable {
  /// The larger of 1 GiB and 5 % of the file system.
  case standard

  /// So many bytes.
  case bytes(UInt64)

  /// Free bytes below which nothing more is written.
  ///
  /// - Parameter size: Bytes of the file system.
  /// - Returns: The limit, in bytes.
  package func limit(ofFileSystem size: UInt64) -> UInt64 {
    switch self {
    case .standard: max(1 << 30, size / 20)
    case .bytes(let count): count
    }
  }

  /// What was tried where there is less free space than the limit, in words.
  package func text(available: UInt64, ofFileSystem size: UInt64) -> String {
    "keep \(Self.text(limit(ofFileSystem: size))) free (--min-free-space) where"
      + " \(Self.text(available)) are"
  }

  /// Bytes in the largest unit of which there is one, with one decimal, rounded down.
  private static func text(_ bytes: UInt64) -> String {
    let units = [("GiB", 30), ("MiB", 20), ("KiB", 10)]
    guard let (unit, shift) = units.first(where: { bytes >> $0.1 > 0 }) else {
      return "\(bytes) bytes"
    }
    let tenths = ((bytes & ((1 << shift) - 1)) * 10) >> shift
    return "\(bytes >> shift).\(tenths) \(unit)"
  }
}

/// How a trace is stored.
package struct TraceOptions: Sendable {
  /// Compression of the chunks.
  ///
  /// A chunk that would not get smaller is stored as it is.
  package var compression = TraceCompression.none

  /// Zstandard's level, 1 to 19.
  package var zstdLevel: Int32 = 1

  /// Size at which a chunk is closed, 1 byte to 64 MiB.
  ///
  /// A larger message makes a chunk of its own.
  package var chunkBytes = 4 << 20

  /// Memory for chunks that are filled, compressed or on their way to the file, in bytes.
  ///
  /// There are always two chunks, even if these take more.
  package var memoryBytes = 256 << 20

  /// What a power cut may take.
  package var sync = TraceSync.never

  /// Room that is left to others.
  package var freeSpace = TraceFreeSpace.bytes(0)

  /// Size at which the next file is begun, in bytes; nil: never.
  package var fileBytesMax: UInt64?

  /// Age at which the next file is begun, in nanoseconds; nil: never.
  package var fileAgeNsMax: UInt64?

  /// Threads that compress beside the one that writes; nil: one for each other processor, at most three.
  package var compressorCount: Int?

  /// The defaults.
  package init() {}

  /// Whether a trace may become several files.
  package var splits: Bool { fileBytesMax != nil || fileAgeNsMax != nil }

  /// The path of a file of a set: `run.mcap` becomes `run.0001.mcap`, `run.0002.mcap` and so on.
  ///
  /// - Parameters:
  ///   - path: The path as it was asked for.
  ///   - number: The number of the file, from 1.
  /// - Returns: The path with the number before its suffix.
  package static func path(_ path: String, part number: Int) -> String {
    PathHalves(path).joined(by: "." + String(number).alignedRight(4, filler: "0"))
  }

  /// The files that a recording to this path would replace: itself, or those of a set, by their numbers.
  package func existing(_ path: String) -> [String] {
    guard splits else { return access(path, F_OK) == 0 ? [path] : [] }
    let halves = PathHalves(path)
    let (stem, suffix) = (halves.stem, halves.ending)
    let name = stem.lastIndex(of: "/").map { stem[stem.index(after: $0)...] } ?? stem[...]
    let folder = stem.dropLast(name.count)
    let names = try? DirectoryListing.names(in: folder.isEmpty ? "." : String(folder))
    return (names ?? []).compactMap { found -> Int? in
      guard found.hasPrefix(name + "."), found.hasSuffix(suffix) else { return nil }
      let number = Int(found.dropFirst(name.count + 1).dropLast(suffix.count)) ?? 0
      return number > 0 && folder + found == Self.path(path, part: number) ? number : nil
    }.sorted().map { Self.path(path, part: $0) }
  }
}
