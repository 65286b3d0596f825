// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryFrame
import OrreryMessages
import OrreryPublisher
import OrreryScene
import OrrerySim

/// A run's world, made again from a trace, which computes its frames.
///
/// Changes are applied in the order in which they were made, as far as a frame has them. A frame that was published
/// before
/// a change and shows a tick after it needs a world without it: the world is then built again. One thread uses it.
package final class ReplayWorld {
  /// The scene's static part: the recorded one, with what a digest leaves out.
  package let scene: Orrery_SceneLayout

  /// Layout of the frames.
  package let template: FrameTemplate

  /// Ticks per second, and all else that the run was planned from.
  package let plan: ScenePlan

  /// Changes of the run.
  package var changeCount: Int { changes.changes.count }

  /// Events that did not come to the logger: if a change was among them, the frames after it are not those of the run.
  package var missedEventCount: UInt64 { changes.missedCount }

  private let replay: ReplayScene
  private let changes: RunChanges
  private let path: String
  /// The world itself, with the changes of the frame that was computed last.
  private(set) var world: World

  /// Changes that the world has: the first ones.
  private var appliedCount = 0

  /// Memory of the frames that are computed one after another.
  private var memory: ReplayFrames?

  /// Where the last frame is, and its tick.
  private var last: (place: Int, tick: UInt64)?

  /// What the world writes to, if that is not `memory`: a ring.
  private var places: ((_ place: Int, _ column: Int) -> UnsafeMutableRawPointer, Int, Bool)?

  /// Frames in `memory`: with a full tile of ticks ahead, the others are behind.
  private static let memoryFrames = 16

  /// Plans the scene and builds the world.
  ///
  /// - Parameters:
  ///   - layout: The scene's static part, as recorded.
  ///   - changes: What was changed.
  ///   - path: The trace, for messages.
  /// - Throws: `Failure`: the scene cannot be planned, or gives other columns than the run had.
  init(_ layout: Orrery_SceneLayout, changes: RunChanges, path: String) throws(Failure) {
    replay = try ReplayScene(layout, path: path)
    plan = replay.plan
    self.changes = changes
    self.path = path
    world = try Self.build(replay)
    let frames: FrameLayout
    do throws(FrameError) {
      frames = try FrameLayout(columns: world.frameColumns)
    } catch {
      throw Failure(.badData, "\(path): \(error)")
    }
    let recorded =
      layout.hasRecording && layout.recording.runLayoutHash != 0
      ? layout.recording.runLayoutHash : layout.layoutHash
    guard frames.layoutHash == recorded else {
      throw Failure(
        .unmet,
        "\(path): its scene gives frames with other columns than the run had; fonts or this version may differ"
      )
    }
    template = FrameTemplate(frames, generation: layout.generation)
    var scene = layout
    if scene.batches.count != plan.layout.batches.count || scene.recording.isStripped {
      scene.batches = plan.layout.batches
      scene.sprites = plan.layout.sprites
      scene.fixtures = plan.layout.fixtures
      scene.images = plan.layout.images
      scene.names = plan.layout.names
      for (index, batch) in world.batches.enumerated() where index < scene.batches.count {
        scene.batches[index].fields = batch.fields.map { Orrery_Field($0) }
      }
    }
    scene.layoutHash = frames.layoutHash
    scene.entityCount = UInt64(world.entityCount)
    scene.clearRecording()
    self.scene = scene
  }

  private static func build(_ replay: ReplayScene) throws(Failure) -> World {
    try Failure.of {
      try World(
        replay.plan, instructionSet: .best, threadCount: Processors.count, choosesThreads: true,
        output: replay.output, hashMode: replay.hashMode)
    }
  }

  /// Computes a frame's values.
  ///
  /// - Parameters:
  ///   - frame: A frame of the run.
  ///   - target: A frame of `template`, or nil: the values stay in this object's memory until the next call.
  /// - Returns: The hash of the values.
  /// - Throws: `Failure` if a change cannot be made.
  package func evaluate(
    _ frame: RecordedFrame, into target: UnsafeMutableRawPointer? = nil
  ) throws(Failure) -> UInt64 {
    try prepare(frame)
    let memory = ownMemory()
    let isNext = last.map { $0.tick + 1 == frame.tick } ?? false
    let place = last.map { isNext ? ($0.place + 1) % memory.count : $0.place } ?? 0
    let ahead = isNext ? min(7, memory.count - 2) : 0
    let hash = world.evaluate(
      tick: frame.tick, destinations: DestinationRun(place, ahead: ahead, of: memory.count))
    last = (place, frame.tick)
    if let target {
      for (index, column) in template.layout.columns.enumerated() {
        (target + Int(column.valuesOffset)).copyMemory(
          from: memory.values(place, column: index), byteCount: Int(column.valuesBytes))
      }
    }
    return hash
  }

  /// The values of a column of the frame that was computed last without a target of others.
  package func values(column: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      start: ownMemory().values(last?.place ?? 0, column: column),
      count: Int(template.layout.columns[column].valuesBytes))
  }

  private func ownMemory() -> ReplayFrames {
    if let memory, places == nil { return memory }
    let memory = memory ?? ReplayFrames(template, wanted: Self.memoryFrames)
    self.memory = memory
    places = nil
    last = nil
    keep(count: memory.count, streams: false) { memory.values($0, column: $1) }
    return memory
  }

  /// Makes the world as it was when a frame was published.
  private func prepare(_ frame: RecordedFrame) throws(Failure) {
    let all = changes.changes
    var wanted = appliedCount
    while wanted < all.count, all[wanted].sequence <= frame.sequence { wanted += 1 }
    while wanted > 0, all[wanted - 1].sequence > frame.sequence { wanted -= 1 }
    if wanted < appliedCount, all[wanted..<appliedCount].contains(where: { $0.tick <= frame.tick })
    {
      world = try Self.build(replay)
      appliedCount = 0
      last = nil
      if let (column, count, streams) = places {
        keep(count: count, streams: streams, column: column)
      } else if let memory {
        keep(count: memory.count, streams: false) { memory.values($0, column: $1) }
      }
    }
    while appliedCount < wanted {
      let change = all[appliedCount]
      guard let batch = plan.viewsBatch,
        world.apply(change.transaction, atSeconds: change.seconds, batch: batch)
      else {
        throw Failure(
          .badData,
          "\(path): a change at tick \(change.tick) changes what the scene has no column for")
      }
      appliedCount += 1
    }
  }

  private func keep(
    count: Int, streams: Bool,
    column: (_ place: Int, _ column: Int) -> UnsafeMutableRawPointer
  ) { world.keepDestinations(count, streams: streams, column: column) }
}

// MARK: - In a ring

extension ReplayWorld {
  /// Has frames computed where a ring has its places, from now on.
  func keepPlaces(
    _ count: Int, streams: Bool,
    column: @escaping (_ place: Int, _ column: Int) -> UnsafeMutableRawPointer
  ) {
    places = (column, count, streams)
    keep(count: count, streams: streams, column: column)
  }

  /// Computes a frame in its place, and later ones in theirs.
  func evaluate(_ frame: RecordedFrame, places run: DestinationRun) throws(Failure) -> UInt64 {
    try prepare(frame)
    return world.evaluate(tick: frame.tick, destinations: run)
  }
}
