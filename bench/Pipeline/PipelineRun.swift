// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase

/// Runs of `bench pipeline`, one after the other.
final class PipelineRun {
  private let folder: ProgramFolder
  private let seconds: Double
  private var runCount = 0

  /// - Parameters:
  ///   - folder: The folder for all files.
  ///   - seconds: The length of each run.
  init(folder: ProgramFolder, seconds: Double) { (self.folder, self.seconds) = (folder, seconds) }

  /// Time for a program to find its run or its subscribers, and then to finish its files, in seconds.
  private static let patience = 600.0

  /// Time between two polls of the memory of the programs.
  private static let pollNs: UInt64 = 100_000_000

  /// Starts a sim with its subscribers, waits for their end, and reads their files.
  ///
  /// - Parameters:
  ///   - scene: The scene.
  ///   - entities: Number of entities; nil: the scene's own.
  ///   - subscribers: The subscribers.
  /// - Returns: The row of the report.
  /// - Throws: `Failure` if a program fails, hangs, or leaves no times.
  func measure(
    _ scene: PipelineScene, entities: Int?, _ subscribers: PipelineSubscribers
  ) throws(Failure) -> PipelineReport.Row {
    runCount += 1
    let outputs = folder.url.appendingPathComponent("run-\(runCount)")
    do {
      try FileManager.default.createDirectory(at: outputs, withIntermediateDirectories: false)
    } catch {
      throw Failure(.unavailable, "\(outputs.path): \(error)")
    }
    defer { try? FileManager.default.removeItem(at: outputs) }
    let programs = try start(scene, entities: entities, subscribers, in: outputs)
    let haveEnded = Clock.wait(seconds: seconds + 2 * Self.patience, everyNs: Self.pollNs) {
      for program in programs { program.look() }
      return programs.allSatisfy { !$0.program.isRunning }
    }
    guard haveEnded else {
      let names = programs.filter { $0.program.isRunning }.map(\.name).joined(separator: ", ")
      throw Failure(.unavailable, "\(scene), \(subscribers.title): \(names) hangs")
    }
    for program in programs { try program.checkSuccess(scene, subscribers) }
    guard let sim = programs.first, let report: SimReport = sim.program.report("orrery.sim") else {
      throw Failure(.unavailable, "\(scene), \(subscribers.title): the sim gave no report")
    }
    let frames = PublishedFrames(
      try sim.frameTimes(), frameBytes: report.frameBytes, ticksPerSecond: report.ticksPerSecond)
    var figures = [
      PipelineReport.Program(sim: frames, cost: try sim.cost(scene, subscribers))
    ]
    for program in programs.dropFirst() {
      figures.append(
        PipelineReport.Program(
          program.name, try program.frameTimes(), of: frames,
          cost: try program.cost(scene, subscribers)))
    }
    return PipelineReport.Row(report, subscribers, programs: figures)
  }

  /// Starts all programs, the sim first; it waits for the subscribers.
  private func start(
    _ scene: PipelineScene, entities: Int?, _ subscribers: PipelineSubscribers, in outputs: URL
  ) throws(Failure) -> [MeasuredProgram] {
    let run = "run-\(runCount)"
    let names = subscribers.programs
    var sim = [
      scene.rawValue, "--run", run, "--duration", "\(seconds)", "--threads", "1", "--json",
      "--wait-for", "\(names.count)", "--wait", "\(Self.patience)",
    ]
    if let entities { sim += ["--entities", "\(entities)"] }
    var programs = [try MeasuredProgram("sim", sim, in: folder.url, outputs: outputs)]
    for name in names {
      var arguments = ["--run", run]
      var path = name
      switch name {
      case "reader":
        path = "bench"
        arguments.insert("reader-part", at: 0)
      case "logger":
        arguments += ["--json", "--wait", "\(Self.patience)"]
        arguments += ["--out", outputs.appendingPathComponent("trace.mcap").path]
      default:
        let video = outputs.appendingPathComponent("video.mp4").path
        arguments += ["--json", "--wait", "\(Self.patience)", "--size", "1280x720"]
        arguments += subscribers == .renderer ? ["--draw-every"] : ["--video", video]
      }
      programs.append(
        try MeasuredProgram(name, path: path, arguments, in: folder.url, outputs: outputs))
    }
    return programs
  }
}

/// A program of a run, the file of its frames' times, and its memory.
private final class MeasuredProgram {
  let name: String
  let program: StartedProgram
  private let file: String

  /// Its resident memory at its largest, in bytes.
  private var residentMaxBytes: UInt64 = 0

  /// Starts a program that writes the times of its frames.
  init(
    _ name: String, path: String? = nil, _ arguments: [String], in folder: URL, outputs: URL
  ) throws(Failure) {
    self.name = name
    file = outputs.appendingPathComponent(name + ".csv").path
    program = try StartedProgram(
      path ?? name, arguments + ["--frame-times", file], in: folder)
  }

  /// Reads its memory, which cannot be read once it has ended.
  ///
  /// `ru_maxrss` of `wait4` is no substitute: it begins with the memory of the process that started it.
  func look() {
    guard program.isRunning, let status = SmallFile.read("/proc/\(program.processID)/status") else {
      return
    }
    residentMaxBytes = Memory.bytes(of: "VmHWM", in: status) ?? residentMaxBytes
  }

  /// - Throws: `Failure` with its last words if it ended with another exit code than 0.
  func checkSuccess(
    _ scene: PipelineScene, _ subscribers: PipelineSubscribers
  ) throws(Failure) {
    guard program.exitCode != 0 else { return }
    let words = program.lines.last.map { ": \($0)" } ?? ""
    throw Failure(
      .unavailable,
      "\(scene), \(subscribers.title): \(name) ended with code \(program.exitCode ?? -1)\(words)")
  }

  /// The times that it wrote.
  func frameTimes<Times: FrameTimes>() throws(Failure) -> [Times] {
    guard let text = try? String(contentsOfFile: file, encoding: .utf8) else {
      throw Failure(.inputOutput, "\(file): cannot be read")
    }
    return try FrameTimesText.parse(text, file: file)
  }

  /// What it took of the machine.
  func cost(
    _ scene: PipelineScene, _ subscribers: PipelineSubscribers
  ) throws(Failure) -> PipelineReport.Cost {
    guard let time = program.processorTime else {
      throw Failure(
        .unavailable, "\(scene), \(subscribers.title): \(name): its processor time is unknown")
    }
    return PipelineReport.Cost(
      userSeconds: time.userSeconds, systemSeconds: time.systemSeconds,
      residentMaxBytes: residentMaxBytes)
  }
}
