// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryScene

/// Offsets of a ticker, which starts at the first date.
///
///     {"ticker":{"content":120,"container":360,"speed":50},"dates":[0,1.9]}
///     {"ticker":{"variant":"delta","content":40,"container":100},"dates":[0,1.9,2.1]}
///     {"ticker":{"variant":"naive","container":100},"updates":[1,99,100]}
///
/// The variants `delta` and `naive` are tickers as they are often written.
struct TickerRequest: EvalRequest {
  static let keys = ["ticker", "dates", "updates"]

  private enum Variant {
    case loop(TickerMotion, dates: [Double])
    /// The container is measured before the update of an index.
    case delta(content: Double, container: Double, appears: Int, dates: [Double])
    case naive(container: Double, updates: [Int])
  }

  private let variant: Variant

  init(_ reader: RequestReader) throws(EvalError) {
    let ticker = try reader.object(
      "ticker", known: ["content", "container", "speed", "gap", "variant", "appears"])
    let variant = try ticker.word(
      "variant", else: "loop", [("loop", 0), ("delta", 1), ("naive", 2)])
    let container = try ticker.number("container", in: 0...1e9, "points")
    switch variant {
    case 0:
      try ticker.allowOnly(["variant", "content", "container", "speed", "gap"])
      try reader.allowOnly(["ticker", "dates"])
      let dates = try reader.numbers("dates")
      let motion = TickerMotion(
        content: try ticker.number("content", in: 0...1e9, "points"), container: container,
        speed: try ticker.number("speed", else: 50, in: 0...1e9, "points per second"),
        gap: try ticker.number("gap", else: 0, in: 0...1e9, "points"), from: dates.first ?? 0)
      self.variant = .loop(motion, dates: dates)
    case 1:
      try ticker.allowOnly(["variant", "content", "container", "appears"])
      try reader.allowOnly(["ticker", "dates"])
      self.variant = .delta(
        content: try ticker.number("content", else: 0, in: 0...1e9, "points"),
        container: container,
        appears: try ticker.count("appears", else: 0, in: 0...EvalLimits.listCountMax),
        dates: try reader.numbers("dates"))
    default:
      try ticker.allowOnly(["variant", "container"])
      try reader.allowOnly(["ticker", "updates"])
      self.variant = .naive(
        container: container, updates: try reader.wholeNumbers("updates"))
    }
  }

  /// `copies` are two lists: the offsets of each copy.
  func answer(_ kernels: (any KernelEvaluating)?) -> EvalAnswer {
    switch variant {
    case .loop(let ticker, let dates):
      let first = dates.first ?? 0
      let fromKernel =
        ticker.period > 0
        ? kernels?.marquee(
          period: ticker.period, speed: ticker.speed, direction: .left,
          at: dates.map { $0 - first }) : nil
      let offsets = fromKernel.map { $0.map { 0 - $0 } } ?? dates.map { ticker.offset(at: $0) }
      return EvalAnswer(
        [
          "offsets": .numbers(offsets),
          "copies": .array([
            .numbers(offsets.map { 0 - $0 }), .numbers(offsets.map { ticker.period - $0 }),
          ]),
        ], isFromKernel: fromKernel != nil)
    case .delta(let content, let container, let appears, let dates):
      var ticker = DeltaTickerAsWritten()
      ticker.contentWidth = content
      var (offsets, first, second): ([Double], [Double], [Double]) = ([], [], [])
      for (index, date) in dates.enumerated() {
        if index == appears { ticker.appear(width: container) }
        ticker.update(date)
        offsets.append(ticker.offset)
        first.append(ticker.copies[0] + 0)
        second.append(ticker.copies[1])
      }
      return EvalAnswer([
        "offsets": .numbers(offsets), "copies": .array([.numbers(first), .numbers(second)]),
        "gap": .number(ticker.gap),
      ])
    case .naive(let container, let updates):
      return EvalAnswer([
        "offsets": .numbers(
          updates.map { NaiveTickerAsWritten.offset(updates: $0, width: container) })
      ])
    }
  }
}
