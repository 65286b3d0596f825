// SPDX-License-Identifier: Apache-2.0

import CZeroMQ
import OrreryBase
import OrreryFrame

/// Why a run could not be published, joined or controlled.
package enum WireError: Error, Equatable, CustomStringConvertible {
  /// A ZeroMQ call failed with this error number, which may be ZeroMQ's own.
  case zeroMQ(call: String, endpoint: String, errno: CInt)
  /// The ring could not be made, joined or read.
  case frame(FrameError)
  /// No sim of that name answered in time.
  case noRun(name: String, waitedSeconds: Double)
  /// The address cannot be used.
  case badEndpoint(String, reason: String)
  /// The address is not a loopback address, and no keys were given.
  case needsKeys(endpoint: String)
  /// The keys cannot be used.
  case keys(KeyError)
  /// No sim answered at the address in time.
  case noAnswer(endpoint: String, waitedSeconds: Double)
  /// The sim does not accept this client's key.
  case notAllowed(endpoint: String)
  /// The sim refused a request.
  case refused(reason: String)
  /// The sim broke the protocol.
  case badMessage(String)

  package var description: String {
    switch self {
    case .zeroMQ(let call, let endpoint, let number):
      return "\(endpoint): \(call): \(String(cString: zmq_strerror(number)))"
    case .frame(let error):
      return error.description
    case .noRun(let name, let waited):
      return "no run named '\(name)' appeared within \(waited) s;"
        + " start one with: orrery run SCENE, or sim SCENE --run \(name)"
    case .badEndpoint(let text, let reason):
      return "'\(text)': \(reason)"
    case .needsKeys(let endpoint):
      return "\(endpoint) is not on this machine's loopback: --keys is required there;"
        + " make keys with: orrery keygen DIR"
    case .keys(let error):
      return error.description
    case .noAnswer(let endpoint, let waited):
      return "\(endpoint): no sim answered within \(waited) s"
    case .notAllowed(let endpoint):
      return "\(endpoint): the sim refused this client's key"
    case .refused(let reason):
      return "the sim refused: \(reason)"
    case .badMessage(let what):
      return "the sim broke the protocol: \(what)"
    }
  }
}

extension Failure {
  /// The failure of a program whose run cannot be published, joined or controlled.
  package init(_ error: WireError) {
    switch error {
    case .frame(let error): self.init(error)
    case .zeroMQ, .noRun, .noAnswer, .refused: self.init(.unavailable, error)
    case .badEndpoint: self.init(.usage, error)
    case .needsKeys, .notAllowed: self.init(.notPermitted, error)
    case .keys(let error): self.init(error)
    case .badMessage: self.init(.mismatch, error)
    }
  }
}
