// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase

/// A run of whole programs, as in real use: a sim, its subscribers, and the times of all frames.
package struct ProgramRun: Sendable {
  /// A program beside the sim.
  package enum Subscriber: String, CaseIterable, Codable, Sendable {
    /// It reads every byte of each frame and does nothing else.
    case reader
    /// It records a trace.
    case logger
    /// It draws pictures, and encodes none.
    case renderer
  }

  /// Arguments of the sim: the scene and how it is computed, without the run's name and length.
  package var sim: [String]
  /// Programs beside it.
  package var subscribers: [Subscriber] = []
  /// Length in seconds of the scene.
  package var seconds: Double
  /// Whether ticks wait for their time.
  package var isPaced = true
  /// The size of the renderer's pictures.
  package var size = "1280x720"

  /// A run.
  package init(sim: [String], subscribers: [Subscriber] = [], seconds: Double, isPaced: Bool = true)
  {
    (self.sim, self.subscribers, self.seconds) = (sim, subscribers, seconds)
    self.isPaced = isPaced
  }

  /// What a run came to.
  package struct Outcome {
    /// The sim's report.
    package let sim: SimReport
    /// Times of the frames that it published.
    package let published: [SimFrameTimes]
    /// What each subscriber did.
    package let parts: [Part]
    /// Processor time of the sim in seconds; nil if unknown.
    package let processorSeconds: Double?
    /// The part of all processors' time that other programs had meanwhile; nil if unknown.
    package let others: Double?
  }

  /// A subscriber of a run.
  package struct Part {
    /// Which one.
    package let subscriber: Subscriber
    /// Times of the frames that it used.
    package let times: [SubscriberFrameTimes]
    /// Published frames from its first on that it did not use.
    package let missed: Int
    /// Its processor time in seconds; nil if unknown.
    package let processorSeconds: Double?

    /// A subscriber's figures.
    package init(
      _ subscriber: Subscriber, times: [SubscriberFrameTimes], missed: Int,
      processorSeconds: Double?
    ) {
      (self.subscriber, self.times, self.missed) = (subscriber, times, missed)
      self.processorSeconds = processorSeconds
    }
  }

  /// Seconds for a program to find its run, and then to finish its files.
  private static let patience = 120.0

  /// Starts the programs, waits for their end, and reads their files.
  ///
  /// - Parameter folder: For all files; this run's are removed.
  /// - Returns: Nil if a signal asked this program to end meanwhile; the programs have ended then.
  /// - Throws: `Failure` if one of them fails or hangs, with its last words.
  func measure(in folder: ProgramFolder) throws(Failure) -> Outcome? {
    let outputs = folder.url.appendingPathComponent(UUID().uuidString)
    do {
      try FileManager.default.createDirectory(at: outputs, withIntermediateDirectories: false)
    } catch {
      throw Failure(.unavailable, "\(outputs.path): \(error)")
    }
    defer { try? FileManager.default.removeItem(at: outputs) }
    let (clock, own) = (ProcessorClock.now(), ProcessorClock.ownSeconds())
    var programs: [(name: String, file: String, program: StartedProgram)] = []
    for (name, path, arguments) in commands(outputs) {
      let file = outputs.appendingPathComponent(name + ".csv").path
      programs.append(
        (name, file, try StartedProgram(path, arguments + ["--frame-times", file], in: folder.url)))
    }
    let limit = (isPaced ? seconds : 20 * seconds) + 2 * Self.patience
    let haveEnded = Clock.wait(seconds: limit, everyNs: 5_000_000) {
      StopSignals.count > 0 || programs.allSatisfy { !$0.program.isRunning }
        || programs.contains { ($0.program.exitCode ?? 0) != 0 }
    }
    guard StopSignals.count == 0 else {
      for program in programs { program.program.end(SIGTERM) }
      return nil
    }
    for (name, _, program) in programs {
      if let code = program.exitCode, code != 0 {
        let words = program.lines.last.map { ": \($0)" } ?? ""
        let status: ExitStatus = code == ExitStatus.resource.rawValue ? .resource : .unavailable
        throw Failure(status, "\(name) ended with code \(code)\(words)")
      }
      guard haveEnded else {
        throw Failure(.unavailable, "\(name) did not end \(Int(limit)) s after it was started")
      }
    }
    // Before the files are read: the programs have ended.
    let others = clock.flatMap { clock in
      ProcessorClock.now().map {
        let used = programs.compactMap { $0.program.processorTime?.seconds }.reduce(0, +)
        return $0.others(since: clock, own: used + ProcessorClock.ownSeconds() - own)
      }
    }
    guard let report: SimReport = programs[0].program.report("orrery.sim") else {
      throw Failure(.unavailable, "the sim gave no report")
    }
    let published: [SimFrameTimes] = try Self.times(programs[0].file)
    var parts: [Part] = []
    for (subscriber, started) in zip(subscribers, programs.dropFirst()) {
      let times: [SubscriberFrameTimes] = try Self.times(started.file)
      let used = Set(times.map(\.sequence))
      let missed = published.count { !used.contains($0.sequence) }
      parts.append(
        Part(
          subscriber, times: times, missed: missed,
          processorSeconds: started.program.processorTime?.seconds))
    }
    return Outcome(
      sim: report, published: published, parts: parts,
      processorSeconds: programs[0].program.processorTime?.seconds, others: others)
  }

  private static func times<Times: FrameTimes>(_ file: String) throws(Failure) -> [Times] {
    guard let text = try? String(contentsOfFile: file, encoding: .utf8) else {
      throw Failure(.inputOutput, "\(file): cannot be read")
    }
    return try FrameTimesText.parse(text, file: file)
  }

  /// The programs of a run, the sim first: name, program and arguments.
  private func commands(_ outputs: URL) -> [(String, String, [String])] {
    let run = outputs.lastPathComponent
    var all = [
      (
        "sim", "sim",
        sim + [
          "--run", run, "--duration", "\(seconds)", "--json", "--wait-for",
          "\(subscribers.count)", "--wait", "\(Self.patience)",
        ] + (isPaced ? [] : ["--unpaced"])
      )
    ]
    for subscriber in subscribers {
      let common = ["--run", run]
      let waiting = ["--json", "--wait", "\(Self.patience)"]
      switch subscriber {
      case .reader: all.append(("reader", "bench", ["reader-part"] + common))
      case .logger:
        let trace = outputs.appendingPathComponent("trace.mcap").path
        all.append(("logger", "logger", common + waiting + ["--out", trace]))
      case .renderer:
        all.append(("renderer", "renderer", common + waiting + ["--size", size, "--draw-every"]))
      }
    }
    return all
  }
}
