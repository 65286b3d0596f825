// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import OrreryReplay

/// Records one scene in each way, and uses the traces: one round, of programs as users start them.
struct RecordUses {
  /// The folder for traces, on a disk.
  let place: String
  /// The programs' own folder.
  let folder: URL
  /// Entities of the scene.
  let entities: Int
  /// Bytes that the trace of whole frames shall have.
  let traceBytes: Int

  /// Places that are sought in each trace.
  private static let seekCount = 200
  /// Approximate bytes of an entity in a frame of the scene: they decide how many frames fill the trace.
  private static let entityBytes = 6
  /// Times that `info` is asked; the median counts.
  private static let infoCount = 5

  /// A trace that was made, and what that took.
  private struct Recording {
    let path: String
    let frames: Int
    let seconds: Double
    let residentMaxBytes: Int
  }

  /// Measures one way.
  ///
  /// - Throws: `Failure` if a program fails.
  func measure(_ mode: RecordUse.Mode) throws(Failure) -> RecordUse {
    let ticks = ticks(mode)
    let alone = try run("sim", simWords(ticks, ["--unpaced", "--run", "use-alone"]))
    let recording = try record(mode, ticks: ticks)
    defer { unlink(recording.path) }
    let size = try fileBytes(recording.path)
    var residentMax = recording.residentMaxBytes
    var verifySeconds: Double?
    if mode != .delta {
      // Frames in full are compared with their checksums; computing them again would time the sim.
      let options = mode == .full ? ["--container"] : []
      let verify = try run("orrery", ["trace", "verify", recording.path] + options)
      verifySeconds = verify.seconds
      residentMax = max(residentMax, verify.residentMaxBytes)
    }
    var infos = Rounds()
    for _ in 0..<Self.infoCount {
      let info = try run("orrery", ["trace", "info", recording.path])
      infos.add(info.wallSeconds)
      residentMax = max(residentMax, info.residentMaxBytes)
    }
    let (frameBytes, seekNs) = try seek(recording)
    return RecordUse(
      mode: mode, entities: entities, frames: recording.frames,
      inputBytes: Double(frameBytes) * Double(recording.frames), fileBytes: Double(size),
      recordSeconds: recording.seconds, simSeconds: alone.seconds, verifySeconds: verifySeconds,
      infoSeconds: infos.median, seekNs: seekNs, residentMaxBytes: residentMax)
  }

  /// The number of frames that give the wanted bytes; for deltas at most ten seconds of frames.
  ///
  /// A digest of few frames would time little but the start of programs, so it has more: at most two minutes
  /// of frames.
  private func ticks(_ mode: RecordUse.Mode) -> Int {
    let wanted = traceBytes / (entities * Self.entityBytes) + 1
    return switch mode {
    case .full: wanted
    case .delta: min(wanted, 600)
    case .digest: min(10 * wanted, 7_200)
    }
  }

  private func simWords(_ ticks: Int, _ words: [String]) -> [String] {
    ["stress", "--entities", "\(entities)", "--ticks", "\(ticks)", "--threads", "1", "--json"]
      + words
  }

  /// Records every frame: the sim waits for the logger.
  private func record(_ mode: RecordUse.Mode, ticks: Int) throws(Failure) -> Recording {
    let name = "use-\(mode.rawValue)"
    let path = place + "/orrery-\(name)-\(getpid()).mcap"
    let sim = try StartedProgram(
      "sim",
      simWords(
        ticks, ["--run", name, "--wait-for", "1", "--unpaced", "--lockstep"]),
      in: folder)
    let logger = try run(
      "logger", ["--run", name, "--out", path, "--force", "--json"] + mode.options)
    guard sim.wait(seconds: 60) else { throw Failure(.unavailable, "the sim hangs") }
    guard let account: SubscriberReportMessage = logger.program.report("orrery.subscriber"),
      account.missed == 0, account.received > 0
    else { throw Failure(.unavailable, "the logger did not record every frame") }
    return Recording(
      path: path, frames: Int(account.received), seconds: logger.seconds,
      residentMaxBytes: logger.residentMaxBytes)
  }

  /// A program that has ended.
  private struct Ended {
    let program: StartedProgram
    /// Processor time.
    let seconds: Double
    let wallSeconds: Double
    let residentMaxBytes: Int
  }

  private func run(_ name: String, _ words: [String]) throws(Failure) -> Ended {
    let startNs = Clock.monotonicNs()
    let program = try StartedProgram(name, words, in: folder)
    var (residentMax, looks) = (0, 0)
    while !program.wait(seconds: 0.02), looks < 30_000 {
      looks += 1
      residentMax = max(residentMax, program.resources()?.ownBytes ?? 0)
    }
    let wallSeconds = Double(Clock.monotonicNs() - startNs) / 1e9
    guard let time = program.processorTime, program.exitCode == 0 else {
      let text = program.lines.suffix(3).joined(separator: " ")
      throw Failure(.unavailable, "\(name) \(words.joined(separator: " ")): \(text)")
    }
    return Ended(
      program: program, seconds: time.seconds, wallSeconds: wallSeconds,
      residentMaxBytes: residentMax)
  }

  private func fileBytes(_ path: String) throws(Failure) -> Int {
    do {
      let values = try URL(fileURLWithPath: path).resourceValues(forKeys: [.fileSizeKey])
      return values.fileSize ?? 0
    } catch {
      throw Failure(.inputOutput, "\(path): \(error)")
    }
  }

  /// Finds ticks that are drawn by chance, and reads their frames.
  ///
  /// - Returns: Bytes of a frame; times in rising order.
  private func seek(_ recording: Recording) throws(Failure) -> (Int, [UInt64]) {
    let archive = try FrameArchive(paths: [recording.path])
    let byteCount = Int(archive.template.layout.frameBytes)
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: byteCount, alignment: 64)
    defer { memory.deallocate() }
    guard let (first, last) = archive.span, let start = memory.baseAddress else {
      throw Failure(.unavailable, "\(recording.path): no frames")
    }
    // The search is to be timed, not the first use of the memory.
    memory.initializeMemory(as: UInt8.self, repeating: 0)
    archive.template.write(to: start)
    var times: [UInt64] = []
    var number: UInt64 = 1
    for _ in 0..<Self.seekCount {
      number = number &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let tick = first.tick + (number >> 33) % (last.tick - first.tick + 1)
      let startNs = Clock.monotonicNs()
      guard let frame = try archive.frame(showing: tick) else {
        throw Failure(.unavailable, "\(recording.path): no frame of tick \(tick)")
      }
      _ = try archive.write(frame, to: start)
      times.append(Clock.monotonicNs() - startNs)
    }
    return (byteCount, times.sorted())
  }
}
