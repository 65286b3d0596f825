// SPDX-License-Identifier: Apache-2.0

import CDelta
import Glibc

/// Packs what changed in a column of floats since the last frame.
///
/// Each block has the predictor that served it best when all were tried last: at every 16th frame, at every second one
/// where it is predicted badly, and when it needs many more bits than before. Per 128 values: one pass over the values
/// and up to five frames (8 to 24 bytes read, 4 written, a value), the packing in the first-level cache.
final class FloatPacker {
  private let history: FloatHistory
  private let isa: delta_isa

  /// What each block was packed with last, once five frames were known.
  private struct Choice {
    var predictor = Predictor.first
    var width: UInt8 = 0
  }
  private let choices: UnsafeMutablePointer<Choice>

  /// Frames that were packed.
  private var turn = 0

  /// A block tries all predictors once in so many frames: each trial costs as much as packing a few frames.
  private static let turns = 16

  /// It does so more often if it needs more bits than values that are predicted well, whose rounding alone is stored.
  ///
  /// Something turns or jumps there, and what suits it changes. At every second frame `lottie-like` takes a tenth less
  /// and `feed` a fifth.
  private static let (turnsOfWide, wide) = (2, 8)

  /// It does so at once if it needs so many bits more.
  private static let jump = 3

  /// Bytes that another predictor must save.
  private static let gainMin = 2

  private typealias Scratch = UnsafeMutablePointer<UInt32>

  init(count: Int, isa: delta_isa) {
    history = FloatHistory(count: count)
    self.isa = isa
    choices = .allocate(capacity: max(history.blockCount, 1))
    choices.initialize(repeating: Choice(), count: history.blockCount)
  }

  deinit { choices.deallocate() }

  /// The most bytes that a column takes.
  ///
  /// A few more may be written and taken back: see `delta_store_exceptions_32`.
  static func bytesMax(count: Int) -> Int {
    let blocks = (count + ColumnHistory.blockValues - 1) / ColumnHistory.blockValues
    return blocks * PredictedBlock.headBytesMax + count * 4 + 8
  }

  /// Begins the history with a keyframe's values.
  func begin(_ values: UnsafeRawPointer) { history.set(values) }

  /// Packs a column, and keeps its values in the history.
  ///
  /// - Parameters:
  ///   - values: As many as the column has.
  ///   - output: Room for `bytesMax`.
  /// - Returns: Bytes written.
  func pack(_ values: UnsafeRawPointer, to output: UnsafeMutableRawPointer) -> Int {
    var end = output
    let blockValues = ColumnHistory.blockValues
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 3 * blockValues) { scratch in
      withUnsafeTemporaryAllocation(
        of: UnsafePointer<UInt32>.self, capacity: FloatHistory.depth
      ) { frames in
        guard let residuals = scratch.baseAddress, let frames = frames.baseAddress else { return }
        for block in 0..<history.blockCount {
          let count = history.valueCount(of: block)
          var from = values + 4 * block * blockValues
          if count < blockValues {
            let padded = residuals + 2 * blockValues
            padded.update(repeating: 0, count: blockValues)
            memcpy(padded, from, 4 * count)
            from = UnsafeRawPointer(padded)
          }
          history.find(block, frames)
          end = pack(block, count: count, from, frames, residuals, to: end)
          memcpy(history.oldest(block), from, 4 * blockValues)
        }
      }
    }
    history.advance()
    turn += 1
    return end - output
  }

  /// Packs a block.
  ///
  /// - Parameters:
  ///   - block: Its index.
  ///   - count: Its values.
  ///   - values: These, with zeros behind them.
  ///   - frames: The frames before.
  ///   - residuals: Room for twice 128.
  ///   - output: Room for the block.
  /// - Returns: The block's end.
  private func pack(
    _ block: Int, count: Int, _ values: UnsafeRawPointer, _ frames: FloatHistory.Frames,
    _ residuals: Scratch, to output: UnsafeMutableRawPointer
  ) -> UnsafeMutableRawPointer {
    let isSettled = history.known == FloatHistory.depth
    let choice = choices[block]
    var predictor = choice.predictor
    var (best, spare) = (residuals, residuals + ColumnHistory.blockValues)
    func find(by predictor: UInt8, _ residuals: Scratch, near: Int, isRival: Bool)
      -> PredictedBlock.Packing?
    {
      let usable = Predictor.usable(predictor, known: history.known)
      let used = delta_from_predicted(isa, UInt32(usable), values, frames, residuals)
      return PredictedBlock.Packing(
        residuals, used: used, count: count, near: near, isRival: isRival, isa: isa)
    }
    guard
      var packing = find(by: predictor, best, near: Int(choice.width), isRival: false)
    else { preconditionFailure("only a rival is given up") }
    if isSettled {
      let turns = choice.width > Self.wide ? Self.turnsOfWide : Self.turns
      if (turn + block) % turns == 0 || packing.width >= Int(choice.width) + Self.jump {
        for other in Predictor.all where other != choice.predictor {
          if let found = find(by: other, spare, near: packing.width, isRival: true),
            found.byteCount + Self.gainMin <= packing.byteCount
          {
            (predictor, packing) = (other, found)
            swap(&best, &spare)
          }
        }
      }
      choices[block] = Choice(predictor: predictor, width: UInt8(packing.width))
    }
    return PredictedBlock.write(
      best, packing, count: count, predictor: predictor, isNamed: name(predictor, of: block),
      isa: isa, to: output)
  }

  /// Notes which predictor the reader knows of a block.
  ///
  /// - Returns: Whether the block must name it.
  private func name(_ predictor: UInt8, of block: Int) -> Bool {
    defer { history.predictors[block] = predictor }
    return history.predictors[block] != predictor
  }
}
