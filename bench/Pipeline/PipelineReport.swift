// SPDX-License-Identifier: Apache-2.0

import OrreryBase

/// What `bench pipeline` measured, as its goals and its tables need it.
package struct PipelineReport {
  /// The rows, in their order.
  package var rows: [Row] = []

  /// A report without figures.
  package init() {}

  /// One run: a sim and its subscribers.
  package struct Row {
    /// The scene's name.
    package let scene: String
    /// Its animated entities.
    package let entities: UInt64
    /// Bytes of a frame.
    package let frameBytes: UInt64
    /// Frames that the ring holds.
    package let slots: UInt64
    /// Ticks due in a second.
    package let ticksPerSecond: Double
    /// Threads that compute a tick.
    package let threads: Int
    /// The subscribers.
    package let subscribers: PipelineSubscribers
    /// Ticks that began after the next was due.
    package let lateTicks: UInt64
    /// Times that the schedule was moved, because the sim was several ticks late.
    package let scheduleShifts: UInt64
    /// The sim, and then the subscribers.
    package let programs: [Program]

    /// A row.
    ///
    /// - Parameters:
    ///   - sim: The sim's report.
    ///   - subscribers: The subscribers.
    ///   - programs: The figures of the sim and of each subscriber.
    package init(_ sim: SimReport, _ subscribers: PipelineSubscribers, programs: [Program]) {
      (scene, entities, frameBytes) = (sim.scene, sim.entities, sim.frameBytes)
      (slots, ticksPerSecond, threads) = (sim.slots, sim.ticksPerSecond, sim.threads)
      (lateTicks, scheduleShifts) = (sim.pace.lateTicks, sim.pace.scheduleShifts)
      (self.subscribers, self.programs) = (subscribers, programs)
    }

    /// The figures of a program; nil if the row does not have it.
    package func program(_ name: String) -> Program? { programs.first { $0.program == name } }
  }

  /// The processor time and memory of a program, from its start to its end.
  package struct Cost {
    /// Processor time in the program's own code, and in that of its encoder.
    package let userSeconds: Double
    /// Processor time in the kernel.
    package let systemSeconds: Double
    /// Resident memory at its largest: of the ring, the part that the program has touched.
    package let residentMaxBytes: UInt64

    package init(userSeconds: Double, systemSeconds: Double, residentMaxBytes: UInt64) {
      (self.userSeconds, self.systemSeconds) = (userSeconds, systemSeconds)
      self.residentMaxBytes = residentMaxBytes
    }
  }

  /// The time from a tick's due time until its frame reached a stage.
  package struct Stage {
    /// begun, computed, published, found, read, drawn or recorded.
    package let name: String
    /// The time, over all frames that reached the stage and had a due time.
    package let sinceDue: DurationReport
  }

  /// The frames of one program.
  package struct Program {
    /// sim, reader, renderer or logger.
    package let program: String
    /// Frames that it published, or used whole.
    package let frames: Int
    /// Frames that were published and that it did not use whole; nil of the sim.
    package let missed: Int?
    /// These frames in a second of the run: `PublishedFrames.perSecond`.
    package let perSecond: Double
    /// Bytes of these frames in a second.
    package let bytesPerSecond: Double
    /// The stages through which it took frames, in order.
    package let stages: [Stage]
    /// The time that it needed for a frame.
    ///
    /// Of the sim: from a frame's turn until it was computed. Of a subscriber: from finding it until
    /// it was done.
    package let work: DurationReport
    /// What it took of the machine.
    package let cost: Cost
  }

  /// The goals, all of the scene `stress`; one whose row is missing stays unmeasured.
  package var goals: [BenchGoal] {
    func row(_ entities: UInt64, _ subscribers: PipelineSubscribers) -> Row? {
      rows.first {
        $0.scene == PipelineScene.stress.rawValue && $0.entities == entities
          && $0.subscribers == subscribers
      }
    }
    var goals = [
      BenchGoal(
        "1,000,000, renderer and logger: logger missed", atMost: 0,
        row(1_000_000, .rendererAndLogger)?.program("logger")?.missed.map(Double.init))
    ]
    let pictures = [(1_000_000, 30), (4_000_000, 10), (10_000_000, 4)] as [(UInt64, Double)]
    goals += pictures.map { entities, wanted in
      BenchGoal(
        "\(TextTable.grouped(Int(entities))), renderer alone: pictures a second", atLeast: wanted,
        row(entities, .renderer)?.program("renderer")?.perSecond)
    }
    goals.append(
      BenchGoal(
        "10,000,000, sim alone: p50 of a tick's work, ms", atMost: 4,
        row(10_000_000, .none)?.program("sim").map { Double($0.work.p50Ns) / 1e6 }))
    return goals
  }
}

// MARK: - Rows of tables

extension PipelineReport.Row {
  /// A table of the stages, from a tick's due time on, and one of the programs.
  package var studyRows: [StudyRow] {
    let count = TextTable.grouped(Int(entities))
    let run = "\(scene), \(count) entit\(entities == 1 ? "y" : "ies"), \(subscribers.title)"
    func row(
      _ place: StudyRow.Place, _ unit: String, _ value: Double, better: StudyRow.Better = .smaller
    ) -> StudyRow {
      StudyRow(place, unit: unit, better: better, [value], entities: Int(entities))
    }
    let stages = programs.flatMap { program in
      program.stages.filter { $0.name != "begun" && $0.sinceDue.count > 0 }.flatMap { stage in
        [
          ("p50", stage.sinceDue.p50Ns), ("p99", stage.sinceDue.p99Ns),
          ("p99.9", stage.sinceDue.p999Ns), ("max", stage.sinceDue.maxNs),
        ].map { name, ns in
          row(.init(run, "\(program.program), \(stage.name)", name), "ms", Double(ns) / 1e6)
        }
      }
    }
    let costs = programs.flatMap { program in
      func figure(
        _ name: String, _ unit: String, _ value: Double?, _ better: StudyRow.Better = .smaller
      ) -> [StudyRow] {
        value.map {
          [row(.init(run + ", programs", program.program, name), unit, $0, better: better)]
        }
          ?? []
      }
      return figure("Hz", "Hz", program.perSecond, .larger)
        + figure("missed", "frames", program.missed.map(Double.init))
        + figure("late", "ticks", program.program == "sim" ? Double(lateTicks) : nil)
        + figure("MB/s", "MB/s", program.bytesPerSecond / 1e6, .larger)
        + figure("CPU s", "s", program.cost.userSeconds + program.cost.systemSeconds)
        + figure("MiB", "MiB", Double(program.cost.residentMaxBytes >> 20))
    }
    return stages + costs
  }
}
