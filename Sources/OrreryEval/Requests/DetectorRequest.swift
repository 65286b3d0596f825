// SPDX-License-Identifier: Apache-2.0

import Orrery

/// When a detector of completion fires.
///
///     {"detector":"timeout","timeout":0.1,"writes":[0,0.02]}
///     {"detector":"compare","ignore":10,"writes":[0,0.1]}
///
/// Writes of `timeout` are in seconds; writes of `compare` are values.
struct DetectorRequest: EvalRequest {
  static let keys = ["detector", "timeout", "ignore", "target", "writes"]

  private enum Detector {
    case timeout(Double)
    case compare(ignore: Int, target: Double?)
  }

  private let detector: Detector
  private let writes: [Double]

  init(_ reader: RequestReader) throws(EvalError) {
    let isTimeout = try reader.word("detector", [("timeout", true), ("compare", false)])
    writes = try reader.numbers("writes")
    guard isTimeout else {
      try reader.allowOnly(["detector", "ignore", "target", "writes"])
      detector = .compare(
        ignore: try reader.count("ignore", else: 10, in: 0...1_000_000_000),
        target: reader.has("target") ? try reader.number("target") : nil)
      return
    }
    try reader.allowOnly(["detector", "timeout", "writes"])
    for index in writes.indices.dropFirst() where writes[index] < writes[index - 1] {
      throw .outOfRange(
        reader.path.key("writes").index(index), writes[index], "times that do not fall")
    }
    detector = .timeout(try reader.positive("timeout", else: 0.1))
  }

  /// The fires of `timeout` are seconds; those of `compare` are indexes of writes, from 0.
  func answer(_ kernels: (any KernelEvaluating)?) -> EvalAnswer {
    switch detector {
    case .timeout(let timeout):
      EvalAnswer(["fires": .numbers(WriteTimeoutDetector.fires(writes: writes, timeout: timeout))])
    case .compare(let ignore, let target):
      EvalAnswer([
        "fires": .numbers(
          FirstWriteComparisonDetector.fires(writes: writes, target: target, ignoring: ignore)
            .map(Double.init))
      ])
    }
  }
}
