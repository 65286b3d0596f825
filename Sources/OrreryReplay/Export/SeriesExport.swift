// SPDX-License-Identifier: Apache-2.0

import Foundation
import Orrery
import OrreryBase
import OrreryFrame
import OrreryMessages
import OrreryPlot
import OrreryTrace
import OrreryTraceTools

/// Collects some entities' values over time for a plot.
///
/// The time is divided into equal parts, more than a picture has pixels; of each part the first, the lowest, the highest
/// and the last value are kept. So memory does not grow with the trace, and no peak is lost.
package enum SeriesExport {
  /// Parts of the time.
  private static let partCount: UInt64 = 2000

  /// Changes, completions, ends and seeks that are marked, at most.
  private static let marksMax = 1000

  /// Collects.
  ///
  /// - Parameters:
  ///   - archive: The trace.
  ///   - entities: Numbers, at most `SeriesPlot.linesMax`.
  ///   - fields: Numbers of fields, at most `SeriesPlot.partsMax`; nil: those that one of the entities has.
  ///   - ticks: Ticks of the first and of the last frame.
  /// - Returns: The plot.
  /// - Throws: `Failure` if the trace is damaged, or if there is nothing to plot.
  package static func plot(
    _ archive: FrameArchive, entities: [Int], fields: [UInt32]?, ticks: ClosedRange<UInt64>
  ) throws(Failure) -> SeriesPlot {
    guard let rate = archive.rate, let span = archive.span, let all = try archive.ticks() else {
      throw Failure(
        archive.archive.statusOfNothing, "\(archive.path): no frames, or no valid rate")
    }
    let readers = archive.template.layout.columns.map(ColumnReader.init)
    let own = readers.filter { reader in entities.contains { reader.entities.contains($0) } }
    let shown = (fields ?? Set(own.map(\.description.field)).sorted()).prefix(SeriesPlot.partsMax)
    guard !shown.isEmpty else {
      throw Failure(.usage, "\(archive.path): the trace has no column of these entities")
    }
    let first = max(ticks.lowerBound, all.lowerBound)
    let last = min(ticks.upperBound, all.upperBound)
    guard first <= last else { throw archive.noFrameInTimes }
    var lines = shown.flatMap { field in
      entities.map { entity in
        Collected(
          column: own.first { $0.description.field == field && $0.entities.contains(entity) },
          entity: entity, standard: FieldName.standard(field))
      }
    }
    var next = try archive.frame(showing: first)
    var before: (tick: UInt64, sequence: UInt64)?
    var seeks: [SeriesPlot.Mark] = []
    while let frame = next {
      // A frame further on has a tick further on: if not, the run was sent to another time.
      let left = before.flatMap { old in
        frame.tick &- old.tick != frame.sequence &- old.sequence ? old.tick : nil
      }
      if (first...last).contains(frame.tick) {
        let part = UInt64(
          (UInt128(frame.tick - first) * UInt128(partCount)) / UInt128(last - first + 1))
        let bytes = try archive.bytes(of: frame)
        guard let base = bytes.baseAddress else { break }
        for index in lines.indices {
          lines[index].add(part, frame.tick, base, isJump: left != nil)
        }
      } else if frame.sequence >= span.last.sequence {
        break
      }
      if let left, seeks.count < marksMax {
        seeks += seek(rate, from: left, to: frame.tick, shown: first...last)
      }
      before = (frame.tick, frame.sequence)
      next = try archive.frame(from: frame.sequence + 1)
    }
    let names = EntityNames(archive.scene)
    let parts = shown.enumerated().map { index, field in
      SeriesPlot.Part(
        name: FieldName.text(field),
        lines: entities.indices.map { number in
          let line = lines[index * entities.count + number]
          return SeriesPlot.Line(
            name: names.name(of: line.entity) ?? "entity \(line.entity)",
            points: line.points.map {
              SeriesPlot.Point(time: rate.seconds(tick: $0.tick), value: Double($0.value))
            })
        })
    }
    let times = rate.seconds(tick: first)...rate.seconds(tick: last)
    return SeriesPlot(
      title: archive.scene.scene,
      subtitle:
        "run \(archive.scene.run) · ticks \(first) to \(last) · \(rate.ticksPerSecond) ticks a second",
      parts: parts,
      marks: (try marks(archive, times) + seeks).sorted { $0.time < $1.time }, times: times)
  }

  /// The marks of a seek: where the run left, and where it arrived, as far as they are shown.
  private static func seek(
    _ rate: TickRate, from: UInt64, to: UInt64, shown: ClosedRange<UInt64>
  ) -> [SeriesPlot.Mark] {
    let texts = [
      (from, "seek to \(decimal(rate.seconds(tick: to), places: 2)) s"),
      (to, "seek from \(decimal(rate.seconds(tick: from), places: 2)) s"),
    ]
    return texts.filter { shown.contains($0.0) }.map { tick, text in
      SeriesPlot.Mark(time: rate.seconds(tick: tick), text: text)
    }
  }

  /// What the scene did in a range of scene times: changes, completions and ends.
  private static func marks(
    _ archive: FrameArchive, _ times: ClosedRange<Double>
  ) throws(Failure) -> [SeriesPlot.Mark] {
    var marks: [SeriesPlot.Mark] = []
    let messages = archive.archive.messages(of: .events)
    do {
      while marks.count < marksMax, let message = try messages.next() {
        let events = try Orrery_Events(serializedBytes: Array(message.bytes))
        // Of several shards, the first one's: it has all views.
        guard events.generation == archive.scene.generation else { continue }
        for event in events.events where times.contains(event.time) {
          switch event.kind {
          case .completed: marks.append(SeriesPlot.Mark(time: event.time, text: event.completion))
          case .command: marks.append(SeriesPlot.Mark(time: event.time, text: word(event.command)))
          case .removed:
            marks.append(SeriesPlot.Mark(time: event.time, text: "\(event.view) ended"))
          default: break
          }
        }
      }
    } catch {
      throw Failure(reading: "events", of: archive.path, error)
    }
    return marks
  }

  /// `toggle` or `set`, of a command's text.
  private static func word(_ command: String) -> String {
    command.contains("\"do\":\"toggle\"")
      ? "toggle" : command.contains("\"do\":\"set\"") ? "set" : "change"
  }

  /// One entity's values in one field.
  private struct Collected {
    let column: ColumnReader?
    let entity: Int
    let standard: Float
    private(set) var points: [(tick: UInt64, value: Float)] = []

    /// Of the part of the time that is under way: the lowest and the highest value, and the last.
    private var part: UInt64?
    private var partFirst: UInt64 = 0
    private var low: (tick: UInt64, value: Float) = (0, 0)
    private var high: (tick: UInt64, value: Float) = (0, 0)

    init(column: ColumnReader?, entity: Int, standard: Float) {
      (self.column, self.entity, self.standard) = (column, entity, standard)
    }

    mutating func add(
      _ part: UInt64, _ tick: UInt64, _ frame: UnsafeRawPointer, isJump: Bool = false
    ) {
      let value = column?.value(entity, in: frame) ?? standard
      let point = (tick: tick, value: value)
      if let last = points.last, isJump || tick <= last.tick {
        // The line begins again: nothing is known of the time between.
        points.append((last.tick, .nan))
        self.part = nil
      }
      guard part == self.part, !value.isNaN, let last = points.last, !last.value.isNaN else {
        (self.part, partFirst) = (part, tick)
        (low, high) = (point, point)
        points.append(point)
        return
      }
      if value < low.value { low = point }
      if value > high.value { high = point }
      // The part's first point stays; behind it stand its lowest, its highest and its last one.
      while let end = points.last, end.tick > partFirst { points.removeLast() }
      let inner = [low, high].filter { $0.tick > partFirst && $0.tick < tick }
      points += inner.sorted { $0.tick < $1.tick } + [point]
    }
  }
}
