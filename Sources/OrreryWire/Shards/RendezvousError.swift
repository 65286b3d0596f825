// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryFrame

/// Why the shards of a run could not meet.
package enum RendezvousError: ExitStatusError, Equatable, CustomStringConvertible {
  /// A system call failed.
  case system(SystemCallError)
  /// The directory of this machine's runs cannot be used.
  case directory(RunDirectoryError)
  /// The directory belongs to another user, or other users can write to it.
  case unsafe(path: String, owner: UInt32, mode: UInt32)
  /// Another process has this shard, or had it some seconds ago.
  case taken(shard: Shard, name: String, host: String, processID: Int32)
  /// Another shard of the run has another scene, or other options of which its frames depend.
  case sceneDiffers(shard: Shard, other: Int, name: String)
  /// Some shards did not come.
  case missing(name: String, missing: [Int], count: Int, waitedSeconds: Double)
  /// The run has been changed too often.
  case logTooLong(bytesMax: Int)
  /// A stop signal came first.
  case cancelled

  package var description: String {
    switch self {
    case .system(let error):
      return error.description
    case .directory(let error):
      return error.description
    case .unsafe(let path, let owner, let mode):
      return "\(path): must be a directory of this user that no other can write to,"
        + " found owner \(owner), mode \(String(mode, radix: 8))"
    case .taken(let shard, let name, let host, let processID):
      return "shard \(shard) of run '\(name)' is process \(processID) on \(host),"
        + " which was alive within the last seconds"
    case .sceneDiffers(let shard, let other, let name):
      return "shard \(shard) of run '\(name)' has another scene, seed, rate, count of entities"
        + " or hash than shard \(other)"
    case .missing(let name, let missing, let count, let waited):
      let first = missing.prefix(Self.namedMax).map(String.init).joined(separator: ", ")
      let more = missing.count > Self.namedMax ? " and \(missing.count - Self.namedMax) more" : ""
      return "\(count - missing.count) of \(count) shards of run '\(name)' came within \(waited) s;"
        + " missing: \(first)\(more)"
    case .logTooLong(let bytesMax):
      return "the log of changes would be longer than \(bytesMax) bytes"
    case .cancelled:
      return "stopped before the shards had met"
    }
  }

  /// Shards that a message names, at most.
  private static let namedMax = 8

  package var exitStatus: ExitStatus {
    switch self {
    case .directory(let error): error.exitStatus
    case .unsafe: .notPermitted
    case .taken: .nameTaken
    case .sceneDiffers: .usage
    case .system(let cause): cause.exitStatus
    case .missing, .logTooLong: .unavailable
    case .cancelled: .done
    }
  }
}
