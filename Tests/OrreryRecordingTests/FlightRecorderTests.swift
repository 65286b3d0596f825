// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryRecording
import OrreryTrace
import OrreryWire
import TestSupport
import Testing

/// Goal: a flight recorder writes a whole file for each request, and may be asked for as many as it likes to write.
///
/// Method: a recorder on a real ring, whose requests the test counts; the files are read.
@Suite struct FlightRecorderTests {
  /// The memory of the thread that wrote a file is given back before the next one is written.
  ///
  /// In a process of its own, whose memory is that of the recorder.
  @Test(.disabled(if: isSanitized, "a sanitizer has its own threads and memory"))
  func filesLeaveNoMemoryBehind() async {
    await #expect(processExitsWith: .success) {
      let base = try TemporaryBase()
      let frames = try Ring()
      let ring = FlightRing(keptNs: 1_000_000_000, bytesMax: 64 << 20)
      var (requestCount, fileCount) = (0, 0)
      let flight = FlightRecorder(
        try Recorder(ring, path: base.path, source: frames.reader, events: nil), ring: ring,
        options: FlightOptions(
          keepNs: endlessNs, requestCount: { requestCount },
          open: { () throws(Failure) in
            fileCount += 1
            let path = "\(base.path)/\(fileCount).mcap"
            return (path, try Recorder.open(path: path, options: TraceOptions(), overwrite: false))
          }))
      frames.publish()
      let frame = try #require(frames.frame(1))
      #expect(try flight.use(frame, source: frames.reader))
      try flight.keep(sequence: 1)

      // A file is begun once the one before it is done.
      func write(_ count: Int) throws {
        for wanted in fileCount + 1...fileCount + count {
          requestCount += 1
          try waitUntil("file \(wanted)") {
            (try? flight.idle()) != nil && fileCount == wanted
          }
        }
      }
      func addressBytes() throws -> UInt64 {
        let text = try #require(SmallFile.read("/proc/self/status"))
        return try #require(OrreryBase.Memory.bytes(of: "VmSize", in: text))
      }
      try write(4)
      let before = try addressBytes()
      try write(60)
      let after = try addressBytes()
      // The stacks of sixty threads are 480 MiB.
      #expect(after < before + 300 << 20, "\(before) grew to \(after)")

      let paths = try flight.finish(Losses(joinedAfter: 0), simEnded: true)
      #expect(paths == (1...64).map { "\(base.path)/\($0).mcap" })
      for path in paths {
        let reader = try TraceReader(path: path)
        var topics: [String] = []
        while let message = try reader.nextMessage() { topics.append(message.topic) }
        #expect(topics.contains("/orrery/frames") && reader.ending == .whole)
        #expect(reader.metadata.last?.values["kept_for"] == "signal")
      }
    }
  }
}
