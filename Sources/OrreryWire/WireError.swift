// SPDX-License-Identifier: Apache-2.0

import CZeroMQ
import OrreryBase
import OrreryFrame

/// Why a run could not be published, joined or controlled.
package enum WireError: ExitStatusError, Equatable, CustomStringConvertible {
  /// A ZeroMQ call failed with this error number, which may be ZeroMQ's own.
  case zeroMQ(call: String, endpoint: String, errno: CInt)
  /// The ring could not be made, joined or read.
  case frame(FrameError)
  /// The run's directory cannot be used.
  case directory(RunDirectoryError)
  /// No sim of that name answered in time.
  case noRun(name: String, waitedSeconds: Double)
  /// The run's sim ended without ending the run; the text is what it wrote of itself.
  case runDied(name: String, owner: String)
  /// A signal or a debugger has stopped the run's sim.
  case runStopped(name: String, processID: Int32)
  /// The run ended while its answer was awaited.
  case runEnded(name: String)
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
  /// One side uses keys and the other does not; `hasKeys`: whether this side does.
  case keysDiffer(endpoint: String, hasKeys: Bool)
  /// The sim's key is not the one that this client was given.
  case serverKeyDiffers(endpoint: String)
  /// The sim refused a request.
  case refused(reason: String)
  /// The sim broke the protocol.
  case badMessage(String)
  /// A frame cannot be copied.
  case noMemory(frameBytes: UInt64)
  /// Some shards of a run did not come, or are not among the addresses.
  case missingShards(name: String, count: Int, missing: [Int])
  /// Two addresses are of the same shard.
  case sameShard(name: String, shard: Int)
  /// The run at the address is none of several shards.
  case notAShard(endpoint: String)
  /// A shard on another machine has not said where it listens.
  case shardNotServed(run: String, host: String)

  package var description: String {
    switch self {
    case .zeroMQ(let call, let endpoint, let number):
      return "\(endpoint): \(call): \(String(cString: zmq_strerror(number)))"
    case .frame(let error):
      return error.description
    case .directory(let error):
      return error.description
    case .noRun(let name, let waited):
      return "no run named '\(name)'" + (waited > 0 ? " appeared within \(waited) s" : "")
        + "; start one with: orrery run SCENE, or orrery sim SCENE --run \(name)"
    case .runDied(let name, let owner):
      return "run '\(name)' died: its sim (\(owner)) is gone"
    case .runStopped(let name, let processID):
      return "run '\(name)' is stopped, by a signal or a debugger (process \(processID), state T);"
        + " kill -CONT \(processID) lets it go on"
    case .runEnded(let name):
      return "run '\(name)' ended before it answered"
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
    case .keysDiffer(let endpoint, false):
      return "\(endpoint): the sim accepts only clients with keys: --keys DIR is required"
    case .keysDiffer(let endpoint, true):
      return "\(endpoint): the sim uses no keys: leave --keys out, or give --keys to the sim, too"
    case .serverKeyDiffers(let endpoint):
      return "\(endpoint): the sim's key is not the one in server.pub;"
        + " copy the file again from the sim's keys"
    case .refused(let reason):
      return "the sim refused: \(reason)"
    case .badMessage(let what):
      return "the sim broke the protocol: \(what)"
    case .noMemory(let bytes):
      return "no memory for a frame of \(bytes) bytes" + MemoryLimit.note
    case .missingShards(let name, let count, let missing):
      let named = missing.prefix(Self.namedMax).map(String.init).joined(separator: ", ")
      let more = missing.count > Self.namedMax ? " and \(missing.count - Self.namedMax) more" : ""
      return "run '\(name)' has \(count) shards; missing: \(named)\(more)"
    case .sameShard(let name, let shard):
      return "two addresses are of shard \(shard) of run '\(name)'"
    case .notAShard(let endpoint):
      return "\(endpoint): the run there is no shard; only shards of one run are followed together"
    case .shardNotServed(let run, let host):
      return "run '\(run)' on '\(host)' does not say where it listens; give its sim --listen"
        + " tcp://ADDRESS:PORT with an address and a port that other machines can use"
    }
  }
}

extension WireError {
  /// Shards that a message names, at most.
  private static let namedMax = 8

  package var exitStatus: ExitStatus {
    switch self {
    case .frame(let error): error.exitStatus
    case .directory(let error): error.exitStatus
    case .zeroMQ(let call, let endpoint, let errno):
      SystemCallError(call: call, path: endpoint, errno: errno).exitStatus
    case .noRun, .runDied, .runStopped, .runEnded, .noAnswer, .refused, .missingShards,
      .shardNotServed:
      .unavailable
    case .badEndpoint, .sameShard, .notAShard: .usage
    case .needsKeys, .notAllowed, .keysDiffer, .serverKeyDiffers: .notPermitted
    case .keys(let error): error.exitStatus
    case .badMessage: .mismatch
    case .noMemory: .resource
    }
  }
}
