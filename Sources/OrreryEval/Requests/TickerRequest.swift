// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryScene

/// Offsets of a ticker, which starts at the first date.
///
///     {"ticker":{"content":120,"container":360,"speed":50},"dates":[0,1.9]}
struct TickerRequest: EvalRequest {
  static let keys = ["ticker", "dates"]

  private let content: Double
  private let container: Double
  private let speed: Double
  private let gap: Double
  private let dates: [Double]

  init(_ reader: RequestReader) throws(EvalError) {
    let ticker = try reader.object("ticker", known: ["content", "container", "speed", "gap"])
    content = try ticker.number("content", in: 0...1e9, "points")
    container = try ticker.number("container", in: 0...1e9, "points")
    speed = try ticker.number("speed", else: 50, in: 0...1e9, "points per second")
    gap = try ticker.number("gap", else: 0, in: 0...1e9, "points")
    dates = try reader.numbers("dates")
  }

  /// `copies` are two lists: the offsets of each copy.
  func answer(_ kernels: (any KernelEvaluating)?) -> EvalAnswer {
    let first = dates.first ?? 0
    let ticker = TickerMotion(
      content: content, container: container, speed: speed, gap: gap, from: first)
    let fromKernel =
      ticker.period > 0
      ? kernels?.marquee(
        period: ticker.period, speed: speed, direction: .left, at: dates.map { $0 - first }) : nil
    let offsets = fromKernel.map { $0.map { 0 - $0 } } ?? dates.map { ticker.offset(at: $0) }
    return EvalAnswer(
      [
        "offsets": .numbers(offsets),
        "copies": .array([
          .numbers(offsets.map { 0 - $0 }), .numbers(offsets.map { ticker.period - $0 }),
        ]),
      ], isFromKernel: fromKernel != nil)
  }
}
