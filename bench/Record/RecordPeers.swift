// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase

/// The Python packages that write traces or compress columns, and fio.
struct RecordPeers {
  /// Packages that write traces, of those that were found.
  let libraries: [String]
  /// Packages that compress columns.
  let compressors: [String]
  /// Missing programs, with the reason.
  let missing: [String]

  private let python: String?
  private let fio: String?
  private let script: String
  private let columnScript: String

  /// What the script prints.
  private struct Answer: Decodable {
    let frames: Int
    let seconds: Double
    let stored: Int
  }

  private struct FioAnswer: Decodable {
    struct Job: Decodable {
      struct Write: Decodable { let bw_bytes: Double }
      let write: Write
    }
    let jobs: [Job]
  }

  /// Finds the installed peers.
  ///
  /// - Parameter folder: Where the peers' sources are written.
  /// - Throws: If they cannot be.
  init(folder: URL) throws {
    try PeerSources.write(to: folder)
    script = folder.appendingPathComponent("record_peers.py").path
    columnScript = folder.appendingPathComponent("column_peers.py").path
    let paths = [".venv-bench/bin/python", ".venv/bin/python", Tool.find("python3")]
    let writers = [("mcap", "mcap.writer"), ("foxglove-sdk", "foxglove.mcap")]
    let modules =
      writers + [
        ("pcodec", "numpy, pcodec"), ("blosc2", "numpy, blosc2"),
        ("vortex", "numpy, pyarrow, vortex"), ("zstd", "numpy, zstandard"),
      ]
    let candidates = paths.compactMap { $0 }.map { path in
      (path, modules.filter { Tool.output(path, ["-c", "import \($0.1)"]) != nil }.map(\.0))
    }
    let best = candidates.max { $0.1.count < $1.1.count }
    python = best?.0
    let found = best?.1 ?? []
    let names = writers.map(\.0)
    libraries = found.filter { names.contains($0) }
    compressors = found.filter { !names.contains($0) }
    fio = Tool.find("fio")
    missing =
      modules.map(\.0).filter { !found.contains($0) }.map {
        "\($0): no Python that imports it; tools/install --bench puts it into .venv-bench"
      } + (fio == nil ? ["fio: not on PATH; apt-get install fio"] : [])
  }

  /// One round of a library.
  func round(
    _ library: String, compression: String, frames: String, frameBytes: Int, seconds: Double,
    out: String
  ) -> RecordRows.Round? {
    guard let python else { return nil }
    let words = [
      script, library, compression, frames, "\(frameBytes)", "\(seconds)", out,
    ]
    guard let text = Tool.output(python, words),
      let answer = JSONLine.read(text.utf8, as: Answer.self)
    else { return nil }
    let bytes = Double(answer.frames * frameBytes)
    return RecordRows.Round(
      bytesPerSecond: bytes / answer.seconds, stored: Double(answer.stored) / bytes)
  }

  /// Lets a library compress columns.
  ///
  /// - Parameters:
  ///   - library: One of `compressors`.
  ///   - columns: What was recorded.
  ///   - path: Their values.
  ///   - seconds: Time for each order of the values.
  /// - Returns: What it makes of them; nil if it fails.
  func compress(
    _ library: String, _ columns: RecordedColumns, in path: String, seconds: Double
  ) -> RecordedColumns.Figures? {
    guard let python else { return nil }
    let counts = columns.counts.map(String.init).joined(separator: ",")
    let words = [columnScript, library, path, "\(columns.frameCount)", counts, "\(seconds)"]
    return Tool.output(python, words).flatMap {
      JSONLine.read($0.utf8, as: RecordedColumns.Figures.self)
    }
  }

  /// The disk's rate, in bytes per second: 1 MiB, past the page cache, io_uring, eight at a time.
  func disk(folder: String, seconds: Double) -> Double? {
    guard let fio else { return nil }
    let file = folder + "/orrery-fio-\(getpid())"
    defer { unlink(file) }
    let text = Tool.output(
      fio,
      [
        "--name=trace", "--filename=\(file)", "--size=4G", "--bs=1M", "--rw=write", "--direct=1",
        "--ioengine=io_uring", "--iodepth=8", "--time_based", "--runtime=\(max(1, Int(seconds)))",
        "--output-format=json",
      ])
    guard let text, let start = text.firstIndex(of: "{"),
      let answer = JSONLine.read(text[start...].utf8, as: FioAnswer.self)
    else { return nil }
    return answer.jobs.first?.write.bw_bytes
  }
}
