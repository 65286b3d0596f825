// SPDX-License-Identifier: Apache-2.0

import Orrery

/// Velocities of a value that is moved by hand.
///
///     {"tracker":[[0,0],[0.1,5],[0.2,20]]}
///
/// Samples are pairs of a time and a value.
struct TrackerRequest: EvalRequest {
  static let keys = ["tracker"]

  private let samples: [[Double]]

  init(_ reader: RequestReader) throws(EvalError) {
    samples = try reader.rows("tracker", of: ["time", "value"])
  }

  /// The velocity after each sample.
  func answer(_ kernels: (any KernelEvaluating)?) -> EvalAnswer {
    var tracker = VelocityTracker<Double>()
    let velocities = samples.map { sample in
      tracker.addSample(sample[1], time: sample[0])
      return tracker.velocity
    }
    return EvalAnswer(["velocities": .numbers(velocities)])
  }
}
