// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryDocument
import OrrerySceneBuilder

/// When an animation of a web page plays, as `getTiming` says it; times in seconds.
struct WebTiming {
  /// Of an iteration.
  private let duration: Double
  let delay: Double
  /// How often it plays; infinite: for ever.
  private let iterations: Double
  /// Where in its iterations it begins.
  private let first: Double
  private let direction: Direction
  private let fill: Fill
  /// Of each whole iteration.
  let easing: UnitCurve

  private enum Direction: String, CaseIterable {
    case normal, reverse, alternate
    case alternateReverse = "alternate-reverse"
  }

  private enum Fill: String, CaseIterable {
    case none, forwards, backwards, both, auto
  }

  /// What `getTiming` and `Element.animate` know; those that a scene does not need are among them.
  private static let keys = [
    "duration", "delay", "endDelay", "iterations", "iterationStart", "direction", "fill", "easing",
    "composite", "iterationComposite", "pseudoElement", "id", "playbackRate", "timeline",
    "rangeStart", "rangeEnd",
  ]

  /// Reads the times of an animation: its `timing`, its `options`, or its own keys.
  init(_ animation: DocumentTable, at path: DocumentPath) throws(ImportError) {
    var (table, path) = (animation, path)
    for key in ["timing", "options"] {
      guard let value = animation[key] else { continue }
      path = path.key(key)
      if let milliseconds = value.number {
        table = ["duration": .number(milliseconds)]
      } else if let inner = value.table {
        table = inner
        if let key = inner.keys(except: Self.keys).first {
          throw ImportError(path: path.key(key), reason: "no timing has this")
        }
      } else {
        throw ImportError(path: path, reason: "neither milliseconds nor an object")
      }
      break
    }
    func number(
      _ key: String, _ range: ClosedRange<Double>, else missing: Double
    ) throws(ImportError) -> Double {
      try ImportedText.number(table, key, at: path, range, else: missing)
    }
    if table["duration"]?.string == "auto" {
      duration = 0
    } else {
      duration = try number("duration", 0...1e9, else: 0) / 1000
    }
    delay = try number("delay", -1e9...1e9, else: 0) / 1000
    first = try number("iterationStart", 0...1e6, else: 0)
    if let value = table["iterations"], value == .null || value.string == "Infinity" {
      iterations = .infinity
    } else {
      iterations = try number("iterations", 0...1e6, else: 1)
    }
    direction = try Self.word(table, "direction", at: path) ?? .normal
    fill = try Self.word(table, "fill", at: path) ?? .none
    easing = try WebKeyframes.easing(table["easing"], at: path.key("easing"))
    guard duration == 0 || SceneLimits.duration.range.contains(duration) else {
      throw ImportError(
        path: path.key("duration"), reason: "a millisecond at least and 1000000 seconds at most")
    }
    guard duration > 0 || iterations.isFinite else {
      throw ImportError(path: path.key("duration"), reason: "no time for an endless animation")
    }
  }

  private static func word<Word: RawRepresentable<String> & CaseIterable>(
    _ table: DocumentTable, _ key: String, at path: DocumentPath
  ) throws(ImportError) -> Word? {
    guard let value = table[key] else { return nil }
    guard let word = value.string.flatMap(Word.init(rawValue:)) else {
      throw ImportError(
        path: path.key(key),
        reason: "none of " + Word.allCases.map(\.rawValue).joined(separator: ", "))
    }
    return word
  }

  var isEndless: Bool { iterations == .infinity }

  /// Of the track: until it begins again, or until nothing changes any more.
  var length: Double {
    isEndless ? duration * (isAlternating ? 2 : 1) : max(delay + duration * iterations, 0)
  }

  private var isAlternating: Bool { direction == .alternate || direction == .alternateReverse }

  private func isReversed(_ iteration: Int) -> Bool {
    switch direction {
    case .normal: false
    case .reverse: true
    case .alternate: !iteration.isMultiple(of: 2)
    case .alternateReverse: iteration.isMultiple(of: 2)
    }
  }

  /// The motion of one property in seconds of the scene; of an endless animation, through `length`.
  ///
  /// - Parameters:
  ///   - keys: From offset 0 to offset 1.
  ///   - property: Each key has a value of it.
  /// - Returns: Nil if it has more than `piecesMax` pieces.
  func motion(_ keys: [WebKeyframes.Key], _ property: ViewProperty) -> ImportedMotion? {
    typealias Piece = ImportedMotion.Piece
    guard let share = Self.pieces(keys, property) else { return nil }
    let span = isEndless ? 0..<length : delay..<(delay + duration * iterations)
    // Where iteration 0 would begin.
    let origin =
      isEndless
      ? delay - (delay / length).rounded(.up) * length - first * duration
      : delay - first * duration
    var pieces: [Piece] = []
    if !span.isEmpty {
      let begin = Int(((span.lowerBound - origin) / duration).rounded(.down))
      let end = Int(((span.upperBound - origin) / duration).rounded(.up))
      guard (end - begin) * share.count <= Self.piecesMax else { return nil }
      for iteration in begin..<end {
        let start = origin + Double(iteration) * duration
        for piece in isReversed(iteration) ? share.reversed().map(\.mirrored) : share {
          var placed = piece
          (placed.start, placed.end) = (
            start + piece.start * duration, start + piece.end * duration
          )
          placed.cut(to: span)
          if placed.end > placed.start { pieces.append(placed) }
        }
      }
    }
    guard !isEndless else { return ImportedMotion(pieces) }
    func value(_ iteration: Int, _ part: Double, isBeforeJump: Bool) -> Double {
      let progress = isReversed(iteration) ? 1 - part : part
      return Self.value(keys, property, progress, isBeforeJump: isBeforeJump)
    }
    let start = value(
      Int(first), first - first.rounded(.down), isBeforeJump: !isReversed(Int(first)))
    let through = first + iterations
    let last = max(Int(through.rounded(.up)) - 1, 0)
    let base = property.defaultValue
    let before = fill == .backwards || fill == .both ? start : base
    let after =
      fill == .forwards || fill == .both
      ? (iterations > 0
        ? value(last, through - Double(last), isBeforeJump: isReversed(last)) : start) : base
    pieces.insert(Piece(start: -.infinity, end: span.lowerBound, course: .hold(before)), at: 0)
    pieces.append(Piece(start: span.upperBound, end: .infinity, course: .hold(after)))
    return ImportedMotion(pieces)
  }

  /// The value at a progress outside of the animation's time.
  ///
  /// - Parameters:
  ///   - keys: From offset 0 to offset 1.
  ///   - property: Each key has a value of it.
  ///   - progress: Of an iteration, from 0 to 1.
  ///   - isBeforeJump: Whether a step that begins just there is not taken: so it is before the start of one that plays
  ///     forward, and after the end of one that plays backward.
  /// - Returns: The value.
  private static func value(
    _ keys: [WebKeyframes.Key], _ property: ViewProperty, _ progress: Double, isBeforeJump: Bool
  ) -> Double {
    func shown(_ index: Int) -> Double { keys[index].value[property] ?? property.defaultValue }
    guard progress < 1, let index = keys.lastIndex(where: { $0.offset <= progress }),
      index + 1 < keys.count
    else { return shown(keys.count - 1) }
    let (key, next) = (keys[index], keys[index + 1])
    let part = (progress - key.offset) / (next.offset - key.offset)
    let output =
      isBeforeJump && "\(key.easing)".hasPrefix("steps")
      ? (part > 0 ? key.easing.value(at: part.nextDown) : 0) : key.easing.value(at: part)
    return shown(index) + (shown(index + 1) - shown(index)) * output
  }

  /// Far more than a track may have keyframes.
  private static let piecesMax = 100_000

  /// One iteration, with offsets for times: every curve becomes cubics, straight lines and values that stay.
  private static func pieces(
    _ keys: [WebKeyframes.Key], _ property: ViewProperty
  ) -> [ImportedMotion.Piece]? {
    typealias Piece = ImportedMotion.Piece
    var pieces: [Piece] = []
    for (key, next) in zip(keys, keys.dropFirst()) where next.offset > key.offset {
      let (from, to) = (
        key.value[property] ?? property.defaultValue, next.value[property] ?? property.defaultValue
      )
      let length = next.offset - key.offset
      func add(
        _ start: Double, _ end: Double, _ first: Double, _ last: Double, _ curve: CubicEasing
      ) {
        let (a, b) = (from + (to - from) * first, from + (to - from) * last)
        pieces.append(
          Piece(
            start: key.offset + length * start, end: key.offset + length * end,
            course: abs(a - b) < 1e-12 ? .hold(a) : .eased(from: a, to: b, curve)))
      }
      if let (one, other) = key.easing.controlPoints {
        add(0, 1, 0, 1, CubicEasing(x1: one.x, y1: one.y, x2: other.x, y2: other.y))
      } else {
        let inputs = [0] + key.easing.corners + [1]
        guard inputs.count <= piecesMax else { return nil }
        for (start, end) in zip(inputs, inputs.dropFirst()) {
          // The curve is straight between two corners, and may jump at both.
          let (near, far) = (
            key.easing.value(at: start + (end - start) / 4),
            key.easing.value(at: start + (end - start) * 3 / 4)
          )
          add(start, end, near - (far - near) / 2, far + (far - near) / 2, .linear)
        }
      }
    }
    return pieces
  }
}

extension ImportedMotion.Piece {
  /// A piece of an iteration as it plays from its end to its start.
  fileprivate var mirrored: ImportedMotion.Piece {
    var piece = self
    (piece.start, piece.end) = (1 - end, 1 - start)
    if case .eased(let from, let to, let easing) = course {
      piece.course = .eased(from: to, to: from, easing.reversed)
    }
    return piece
  }
}
