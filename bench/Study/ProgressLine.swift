// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrreryBase

/// What is measured, and how long that will take, on standard error.
package final class ProgressLine {
  private var writer: ProgressWriter

  /// A line that has shown nothing yet.
  ///
  /// - Parameters:
  ///   - style: How to show it.
  ///   - clock: Nanoseconds that never go back.
  ///   - columns: Width of the terminal in characters.
  ///   - write: Takes the text to show.
  package init(
    _ style: ProgressWriter.Style = ProgressMode.auto.style(),
    clock: @escaping () -> UInt64 = Clock.monotonicNs,
    columns: @escaping () -> Int = { ProgressWriter.terminalColumns },
    write: @escaping (String) -> Void = Standard.error
  ) {
    writer = ProgressWriter(style, clock: clock, columns: columns, write: write)
  }

  /// Shows a step, unless the last one is too recent.
  package func show(_ step: MeasuringStep) {
    writer.show(text: { _ in step.text }, json: { step.json })
  }

  /// Ends the line: what follows begins on a new one.
  package func close() { writer.close() }
}

/// A step of a measurement that takes minutes.
package struct MeasuringStep: Encodable, Sendable {
  /// What is measured, in a few words.
  package let text: String

  /// Seconds until the end, if all goes on like this; nil: nobody knows.
  package let remainingSeconds: Double?

  /// A step.
  package init(_ words: String, remainingSeconds: Double? = nil) {
    let left = remainingSeconds.map { Self.left($0) }
    text = [words, left].compactMap { $0 }.joined(separator: ", ")
    self.remainingSeconds = remainingSeconds
  }

  /// `8 s left`, `2 min left`.
  private static func left(_ seconds: Double) -> String {
    seconds < 90
      ? "\(decimal(seconds.rounded(.up), places: 0)) s left"
      : "\(decimal(seconds / 60, places: 0)) min left"
  }

  /// The step as one line of JSON.
  var json: String { ReportLine.encode(self, schema: "orrery.bench-progress.v1") }
}

/// Whether and how the progress of a measurement is shown.
struct ProgressOption: ParsableArguments {
  @Option(
    help: """
      auto, plain, json or none. auto: a line that is rewritten on a terminal, nothing elsewhere. plain: a \
      line every second. json: lines of JSON.
      """, transform: ProgressMode.init(argument:))
  var progress = ProgressMode.auto

  /// The line.
  var line: ProgressLine { ProgressLine(progress.style()) }
}
