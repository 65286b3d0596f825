// SPDX-License-Identifier: Apache-2.0

import CZeroMQ
import OrreryBase
import OrreryFrame

/// Why a run could not be published or joined.
package enum WireError: Error, Equatable, CustomStringConvertible {
  /// A ZeroMQ call failed with this number of its own.
  case zeroMQ(call: String, endpoint: String, errno: CInt)
  /// The ring could not be had.
  case frame(FrameError)
  /// No sim of that name answered in time.
  case noRun(name: String, waitedSeconds: Double)

  package var description: String {
    switch self {
    case .zeroMQ(let call, let endpoint, let number):
      return "\(endpoint): \(call): \(String(cString: zmq_strerror(number)))"
    case .frame(let error):
      return error.description
    case .noRun(let name, let waited):
      return "no run named '\(name)' appeared within \(waited) s;"
        + " start one with: orrery run SCENE, or sim SCENE --run \(name)"
    }
  }
}

extension Failure {
  /// A run that cannot be published or joined.
  package init(_ error: WireError) {
    switch error {
    case .frame(let error): self.init(error)
    case .zeroMQ, .noRun: self.init(.unavailable, error)
    }
  }
}
