// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryFrame

/// What a subscriber did with each frame, and with one that took longer than a tick also how large it was.
struct SubscriberTimeline {
  private let timeline: ProgramTimeline
  private let phases: (use: TimelinePhase, keep: TimelinePhase)
  private let frameBytes: UInt64

  /// Of the run: entities of a frame, and nanoseconds of a tick; 0: not known.
  private var (entities, tickNs): (UInt64, UInt64) = (0, 0)

  /// When the frame before was done, and what had been written and missed by then.
  private var doneNs: UInt64 = 0
  private var (fileBytes, missed): (UInt64, UInt64) = (0, 0)

  /// When the use of a frame began, of a copy when it had been made, when it ended, and when its result was kept.
  struct Times {
    var beganNs: UInt64 = 0
    var copiedNs: UInt64 = 0
    var usedNs: UInt64 = 0
    var keptNs: UInt64 = 0
  }

  /// Records into a timeline.
  ///
  /// - Parameters:
  ///   - timeline: The program's.
  ///   - source: The run's frames.
  ///   - phases: What the program does with one.
  init(
    _ timeline: ProgramTimeline, _ source: any FrameSource,
    phases: (use: TimelinePhase, keep: TimelinePhase)
  ) {
    (self.timeline, self.phases) = (timeline, phases)
    frameBytes = source.layout.frameBytes
    // The first fields of the scene's static part: what is large comes after them.
    var fields = FieldReader(source.staticPart)
    var (numerator, denominator) = (UInt64(0), UInt64(0))
    while let tag = fields.nextTag, tag.number < 13, let field = try? fields.next() {
      switch field.number {
      case 6: numerator = field.value.word ?? 0
      case 7: denominator = field.value.word ?? 0
      case 12: entities = field.value.word ?? 0
      default: break
      }
    }
    if numerator > 0 {
      tickNs = UInt64(
        clamping: UInt128(denominator) * 1_000_000_000 / UInt128(numerator))
    }
  }

  /// Records the use of a frame.
  ///
  /// - Parameters:
  ///   - frame: Its number.
  ///   - times: When.
  ///   - ageNs: From its publication to the start of its use; nil if that is not known.
  ///   - losses: Frames received and missed so far.
  ///   - fileBytes: Bytes of the file that is written; nil: there is none.
  ///   - isWhole: Whether it was whole to the end.
  mutating func record(
    _ frame: UInt64, _ times: Times, ageNs: UInt64?, _ losses: Losses, fileBytes: UInt64?,
    isWhole: Bool
  ) {
    timeline.begin()
    let earliestNs = max(doneNs, times.beganNs - min(ageNs ?? 0, times.beganNs))
    timeline.add(.find, from: min(earliestNs, times.beganNs), to: times.beganNs)
    if tickNs > 0, times.keptNs > times.beganNs + tickNs {
      timeline.note(.entities, entities)
      timeline.note(.frameBytes, frameBytes)
      timeline.note(.ageNs, ageNs ?? 0)
      timeline.note(.missed, losses.missedCount - missed)
      timeline.note(.fileBytes, (fileBytes ?? 0) - min(self.fileBytes, fileBytes ?? 0))
      timeline.add(.overBudget, from: times.beganNs, to: times.keptNs)
    }
    if times.copiedNs > 0 { timeline.add(.read, from: times.beganNs, to: times.copiedNs) }
    timeline.note(.overwritten, isWhole ? 0 : 1)
    let usedNs = phases.use == phases.keep ? times.keptNs : times.usedNs
    timeline.add(
      phases.use, from: max(times.copiedNs, times.beganNs), to: usedNs, frame: frame)
    timeline.add(phases.keep, from: usedNs, to: times.keptNs)
    timeline.commit()
    (doneNs, missed) = (times.keptNs, losses.missedCount)
    self.fileBytes = fileBytes ?? 0
  }
}
