// SPDX-License-Identifier: Apache-2.0

import OrreryReplay
import OrreryTrace

/// What `play`, `cat`, `filter` and `diff` do with a trace, for tests with damaged ones.
enum TraceUses {
  /// Uses a trace in every way; what that gives does not matter.
  ///
  /// - Parameter path: The trace; it need not be one.
  /// - Returns: Frames that could be read, of the first sixteen.
  @discardableResult static func all(_ path: String) -> Int {
    guard let archive = try? FrameArchive(paths: [path]) else { return 0 }
    var (count, sequence) = (0, UInt64(0))
    // A changed number may be any; frames are few.
    for _ in 0..<16 {
      guard let frame = try? archive.frame(from: sequence) else { break }
      if (try? archive.bytes(of: frame)) != nil { count += 1 }
      guard frame.sequence < .max else { break }
      sequence = frame.sequence + 1
    }
    for tick in [0, 1, 2, 3, 4, 20, .max] as [UInt64] {
      if let frame = try? archive.frame(showing: tick) { _ = try? archive.bytes(of: frame) }
    }
    var part = WantedTimes()
    (part.from, part.to) = (.tick(2), .tick(3))
    for times in [WantedTimes(), part] {
      if let frames = try? PlayedFrames(archive, times) {
        _ = try? frames.index(ofTick: 3)
        _ = try? frames.next(from: 1)
      }
      if let file = try? TraceArchiveFile(path: path), let trace = try? TraceArchive([file]) {
        follow(trace, times)
      }
    }
    if var difference = try? RunDifference(archive, archive, tolerance: 0) {
      var count = 0
      _ = try? difference.run { _ in
        count += 1
        return count > 16
      }
    }
    return count
  }

  private static func follow(_ trace: TraceArchive, _ times: WantedTimes) {
    guard let timeline = try? SceneTimeline(trace, times, isForReplay: true) else { return }
    let messages = trace.messages()
    while let message = try? messages.next() {
      _ = timeline.part(of: message)
      _ = timeline.preamble(of: message)
      _ = timeline.sceneTime(of: message)
    }
  }
}
