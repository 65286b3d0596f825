// SPDX-License-Identifier: Apache-2.0

/// A function over [0, 1] as points that lie close enough for straight lines between them.
///
/// A function that jumps is several pieces; at a jump one piece ends and the next one begins.
struct MotionSamples {
  /// One point of a piece.
  struct Sample {
    /// In [0, 1].
    let position: Double
    /// Decimal digits of the position in percent; nil: lines cannot meet here.
    let digits: Int?
    let value: Double
    /// How far the function may leave the line to a neighbour.
    var sag = 0.0
  }

  /// The pieces; each has at least two samples, and lines can meet at its ends.
  let pieces: [[Sample]]

  /// Samples of all pieces.
  static let countMax = 1_000_000

  /// Jumps.
  private static let jumpsMax = 2_000

  /// Samples a function.
  ///
  /// - Parameters:
  ///   - tolerance: A cell whose middle leaves the line by more than a sixteenth of this is divided.
  ///   - steps: Positions k/steps are those where lines can meet; nil: at decimal fractions, first of
  ///     one in 2,000.
  ///   - function: Finite values.
  /// - Throws: `ExportError` if the function has too many turns or jumps, or is not finite.
  init(
    tolerance: Double, steps: Int?, _ function: @escaping (Double) -> Double
  ) throws(ExportError) {
    var sampler = Sampler(tolerance: tolerance, steps: steps, function: function)
    try sampler.run()
    pieces = sampler.pieces + [sampler.piece]
  }

  /// Divides cells by tens, with positions as whole numbers, so that no digit is lost.
  private struct Sampler {
    let tolerance: Double
    let steps: Int?
    let function: (Double) -> Double
    var pieces: [[Sample]] = []
    var piece: [Sample] = []
    private var count = 0

    /// Units in [0, 1]: 10¹⁴, or steps · 10ⁿ.
    private let units: Int
    private let cells: Int

    init(tolerance: Double, steps: Int?, function: @escaping (Double) -> Double) {
      (self.tolerance, self.steps, self.function) = (tolerance, steps, function)
      // 2,000: five times as many take ten times as long, and save no point of a spring with a bounce of 0.3.
      var cells = steps ?? 2_000
      while cells < 2_000 { cells *= 10 }
      var units = cells
      while units < 10_000_000_000_000 { units *= 10 }
      (self.cells, self.units) = (cells, units)
    }

    mutating func run() throws(ExportError) {
      let width = units / cells
      piece = [Sample(position: 0, digits: digits(0), value: try value(0))]
      for cell in 0..<cells { try divide(from: cell * width, width) }
    }

    private func position(_ unit: Int) -> Double { Double(unit) / Double(units) }

    private func value(_ unit: Int) throws(ExportError) -> Double {
      let value = function(position(unit))
      guard value.isFinite else { throw .notFinite(position(unit)) }
      return value
    }

    /// Digits of the position in percent; of steps 1 if it is one.
    private func digits(_ unit: Int) -> Int? {
      if let steps { return unit % (units / steps) == 0 ? 1 : nil }
      var (rest, digits) = (units / 100, 0)
      while rest > 1, unit % rest != 0 {
        rest /= 10
        digits += 1
      }
      return digits
    }

    /// Adds the samples of a cell, except for its first one.
    private mutating func divide(from start: Int, _ width: Int) throws(ExportError) {
      let (first, last) = (try value(start), try value(start + width))
      let isAtomic = width == 1
      var sag = 0.0
      if isAtomic {
        // A smaller jump, such as that of a spring to its target, is within the tolerance of one line.
        if abs(last - first) > tolerance {
          return try jump(at: start + width, from: first, to: last)
        }
      } else {
        let middles = [0.5, 0.25, 0.75].map {
          function(position(start) + $0 * Double(width) / Double(units))
        }
        let lines = [0.5, 0.25, 0.75].map { first + (last - first) * $0 }
        sag = zip(middles, lines).map { abs($0 - $1) }.max() ?? 0
        if !(sag <= tolerance / 16), !sag.isNaN {
          let part = width % 10 == 0 ? width / 10 : 1
          for index in 0..<(width / part) { try divide(from: start + index * part, part) }
          return
        }
      }
      add(start + width, last, sag)
      guard count <= MotionSamples.countMax else { throw .tooManyTurns }
    }

    private mutating func add(_ unit: Int, _ value: Double, _ sag: Double) {
      count += 1
      piece[piece.count - 1].sag = max(piece[piece.count - 1].sag, sag)
      piece.append(Sample(position: position(unit), digits: digits(unit), value: value, sag: sag))
    }

    /// Ends the piece with the value before the jump, and begins one with the value after it.
    private mutating func jump(
      at unit: Int, from first: Double, to last: Double
    ) throws(ExportError) {
      guard pieces.count < MotionSamples.jumpsMax else { throw .tooManyTurns }
      let end = Sample(position: position(unit), digits: 14, value: first)
      piece.append(end)
      pieces.append(piece)
      piece = [Sample(position: end.position, digits: 14, value: last)]
    }
  }
}
