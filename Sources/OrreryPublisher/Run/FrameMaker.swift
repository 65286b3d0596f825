// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryFrame
import OrreryMessages
import OrreryScene
import OrrerySim

/// What fills a run's frames: a world that computes them, or a trace that holds them.
///
/// The loop of `Simulation` decides when a frame is due and which one is next, claims its place and publishes it; a
/// maker writes the values. Frames are found by an index. A world's frame of index n shows tick n; a trace has the
/// frames that were recorded, and the tick of each. Recorded frames stay as they are and have no events of their own:
/// what the protocol does without an implementation is right for them.
///
/// One thread uses a maker.
package protocol FrameMaker: AnyObject {
  /// The columns of every frame.
  var frameColumns: [ColumnDescription] { get }

  /// Entities in a frame.
  var entityCount: Int { get }

  /// What computes the values: an instruction set's name.
  var isa: String { get }

  /// Threads that may share a frame's work.
  var threadCount: Int { get }

  /// How many threads shared it, on average.
  var threadsMean: Double { get }

  /// Whether the frames were recorded: then no command changes them, and each is made once.
  var isRecorded: Bool { get }

  /// The fields of each batch, in the order of the columns; empty if the layout has them already.
  var batchFields: [[Orrery_Field]] { get }

  /// Indexes of all frames.
  var frames: Range<UInt64> { get }

  /// The first index, from the given one on, that has a frame.
  ///
  /// - Parameter index: In `frames`, or its end.
  /// - Returns: The index, or the first one after it that has a frame, or the end.
  /// - Throws: `Failure` if the trace cannot be read.
  func next(from index: UInt64) throws(Failure) -> UInt64

  /// The tick that a frame shows.
  ///
  /// - Parameter index: In `frames`, or its end.
  /// - Returns: The tick; at the end the one after the last.
  func tick(at index: UInt64) -> UInt64

  /// The index of the frame to show for a tick.
  ///
  /// - Parameter tick: Ticks since the scene began.
  /// - Returns: The index of the frame that shows it, or else of the next one; the last one if there is none.
  /// - Throws: `Failure` if the trace cannot be read.
  func index(ofTick tick: UInt64) throws(Failure) -> UInt64

  /// Keeps where the values of each frame go; called before the first frame.
  ///
  /// - Parameters:
  ///   - count: Number of places.
  ///   - streams: Whether the places together are larger than the last-level cache.
  ///   - column: The address of each column in a place.
  func keepPlaces(
    _ count: Int, streams: Bool,
    column: @escaping (_ place: Int, _ column: Int) -> UnsafeMutableRawPointer)

  /// Touches the memory that a frame needs, so that the first one does not take longer than the others.
  func prepare()

  /// Writes a frame's values into its place.
  ///
  /// - Parameters:
  ///   - index: In `frames`.
  ///   - place: The frame's place.
  ///   - places: For a world: also the places of the next frames, which it may compute ahead.
  /// - Returns: The frame's state hash.
  /// - Throws: `Failure` if the trace cannot be read.
  func make(_ index: UInt64, place: Int, places: DestinationRun) throws(Failure) -> UInt64

  /// Changes views.
  ///
  /// - Parameters:
  ///   - transaction: The changes; views are indexes in their batch.
  ///   - seconds: When, since the scene began.
  ///   - batch: Index of a batch of views.
  /// - Returns: False if it is not possible; then nothing is changed.
  func apply(_ transaction: TransactionPlan, atSeconds seconds: Double, batch: Int) -> Bool

  /// Records events from a tick on once more when their ticks are computed again.
  func replayEvents(from tick: UInt64)

  /// Takes the events of a batch's views since the last call; nil if there are none.
  func takeEventChunks(batch: Int) -> EventChunks?

  /// Events that were lost because they were not taken in time.
  var lostEventCount: UInt64 { get }

  /// What happened to views up to the frame that was made last.
  var viewCounts: DirectorCounts { get }

  /// Whether it is noted when the events of views were handled, and when that was in the frame that was made last; 0:
  /// there are none.
  var timesEvents: Bool { get set }
  var eventsHandledNs: UInt64 { get }
}

/// Recorded frames.
extension FrameMaker {
  /// They are recorded.
  package var isRecorded: Bool { true }

  /// None: the recorded layout has them.
  package var batchFields: [[Orrery_Field]] { [] }

  /// Does nothing: no frame is computed.
  package func prepare() {}

  /// Changes nothing.
  package func apply(
    _ transaction: TransactionPlan, atSeconds seconds: Double, batch: Int
  ) -> Bool { false }

  /// Does nothing: there are no events.
  package func replayEvents(from tick: UInt64) {}

  /// None.
  package func takeEventChunks(batch: Int) -> EventChunks? { nil }

  /// None.
  package var lostEventCount: UInt64 { 0 }

  /// Nothing happened.
  package var viewCounts: DirectorCounts { DirectorCounts() }

  /// There are no events.
  package var timesEvents: Bool {
    get { false }
    set {}
  }

  /// There are none.
  package var eventsHandledNs: UInt64 { 0 }
}

extension World: FrameMaker {
  /// The world's columns.
  package var frameColumns: [ColumnDescription] { columns.map(ColumnDescription.init) }

  /// The kernels' instruction set.
  package var isa: String { instructionSet.rawValue }

  /// A world computes its frames.
  package var isRecorded: Bool { false }

  /// The batches' fields.
  package var batchFields: [[Orrery_Field]] { batches.map { $0.fields.map { Orrery_Field($0) } } }

  /// Every tick.
  package var frames: Range<UInt64> { 0..<UInt64.max }

  /// The next frame that there is; see `FrameMaker`.
  package func next(from index: UInt64) -> UInt64 { index }

  /// The tick of a frame; see `FrameMaker`.
  package func tick(at index: UInt64) -> UInt64 { index }

  /// The frame of a tick; see `FrameMaker`.
  package func index(ofTick tick: UInt64) -> UInt64 { tick }

  /// Keeps where values go; see `FrameMaker`.
  package func keepPlaces(
    _ count: Int, streams: Bool,
    column: @escaping (_ place: Int, _ column: Int) -> UnsafeMutableRawPointer
  ) { keepDestinations(count, streams: streams, column: column) }

  /// Touches the batches' memory, and the phases of all blocks.
  package func prepare() { _ = Values(of: self, tick: 0) }

  /// Fills a frame; see `FrameMaker`.
  package func make(_ index: UInt64, place: Int, places: DestinationRun) -> UInt64 {
    evaluate(tick: index, destinations: places)
  }
}

extension ColumnDescription {
  /// A world's column as a frame describes it.
  package init(_ column: World.ColumnInfo) {
    self.init(
      batch: UInt32(column.batch), field: column.field.fieldNumber,
      firstEntity: UInt32(column.firstEntity), valueCount: UInt32(column.count),
      format: Format(column.format))
  }
}

extension ColumnDescription.Format {
  /// A world's format as a frame describes it.
  fileprivate init(_ format: ColumnFormat) {
    switch format {
    case .float32: self = .float32
    case .fixed16(let unit): self = .fixed16(unit: unit)
    }
  }
}
