// SPDX-License-Identifier: Apache-2.0

import OrreryDocument
import OrreryWire

/// What a page says: one JSON object in a text message.
package enum PageMessage: Equatable, Sendable {
  /// It has drawn this frame of this run.
  case drawn(sequence: UInt64, run: UInt32)
  /// It asks for the server's clock; the number comes back.
  case clock(Double)
  /// It wants values as they were published, or no more.
  case exact(Bool)
  /// It asks the sim for something.
  case request(ControlRequest)
  /// What it has measured.
  case figures(PageFigures)

  /// Verbs that a page may ask for.
  package static let verbs: Set<ControlVerb> = [
    .pause, .resume, .step, .seek, .speed, .set, .toggle,
  ]

  /// Reads a message.
  ///
  /// - Parameter json: Bytes that nobody vouches for.
  /// - Throws: `ControlRefusal`: they are no message of a page.
  package init(json: [UInt8]) throws(ControlRefusal) {
    let fields = try [String: DocumentValue](json: json)
    if let sequence = fields["drawn"]?.countValue, let run = fields["run"]?.countValue,
      let number = UInt32(exactly: run)
    {
      self = .drawn(sequence: sequence, run: number)
    } else if let time = fields["clock"]?.number, time.isFinite {
      self = .clock(time)
    } else if let isExact = fields["exact"]?.bool {
      self = .exact(isExact)
    } else if let figures = fields["figures"]?.table.flatMap(PageFigures.init) {
      self = .figures(figures)
    } else {
      let request = try ControlRequest(json: json)
      guard Self.verbs.contains(request.verb) else {
        throw ControlRefusal("a page cannot ask for '\(request.verb)'", id: request.id)
      }
      self = .request(request)
    }
  }
}

/// What a page has measured itself, over the last seconds.
package struct PageFigures: Equatable, Sendable {
  /// Frames drawn in a second.
  package let framesPerSecond: Double
  /// Milliseconds from publishing a frame to the end of its drawing; nil: the clocks are not comparable.
  package let madeToDrawn: (p50: Double, p99: Double)?
  /// Milliseconds of drawing a frame.
  package let drawMs: Double

  init?(_ table: DocumentTable) {
    let read = { (key: String) in table[key]?.number.flatMap { $0.isFinite ? $0 : nil } }
    guard let fps = read("fps"), let draw = read("draw_ms") else { return nil }
    (framesPerSecond, drawMs) = (fps, draw)
    madeToDrawn = read("made_to_drawn_p50").flatMap { p50 in
      read("made_to_drawn_p99").map { (p50, $0) }
    }
  }

  /// Whether all are equal.
  package static func == (left: PageFigures, right: PageFigures) -> Bool {
    left.fields == right.fields
  }

  /// As they came.
  package var fields: DocumentTable {
    var fields: [String: DocumentValue] = [
      "fps": .number(framesPerSecond), "draw_ms": .number(drawMs),
    ]
    if let madeToDrawn {
      fields["made_to_drawn_p50"] = .number(madeToDrawn.p50)
      fields["made_to_drawn_p99"] = .number(madeToDrawn.p99)
    }
    return DocumentTable(fields)
  }
}
