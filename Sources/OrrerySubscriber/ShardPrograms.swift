// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase
import OrreryCommandLine
import OrreryDocument
import OrreryFrame
import OrrerySupervisor
import OrreryWire

/// A program for each shard of a run, each as if it followed that shard alone.
///
/// They write their reports on this program's standard output, and end when it does.
package struct ShardPrograms {
  private let program: String
  private let arguments: RunArguments

  /// Time between two polls of whether they have ended.
  private static let pollNs: UInt64 = 20_000_000

  /// Programs of which none is started yet.
  ///
  /// - Parameters:
  ///   - program: The program's name: it stands beside this one.
  ///   - arguments: They say which run; the rest is passed on.
  package init(program: String, _ arguments: RunArguments) {
    (self.program, self.arguments) = (program, arguments)
  }

  /// Starts the programs, passes stop signals on, and waits for their ends.
  ///
  /// - Parameter outputs: Arguments for the outputs of a shard's program, by the mark of its files.
  /// - Returns: The highest of their exit codes.
  /// - Throws: `Failure` if the run has no shards, or a program cannot be started.
  package func run(_ outputs: (_ mark: String) -> [String]) throws(Failure) -> Int32 {
    guard let path = Sibling.path(program) else {
      throw Failure(.unavailable, "the program \(program) does not stand beside orrery")
    }
    var children: [ChildProcess] = []
    for (shard, arguments) in try shards() {
      let mark = ".\(shard.index)of\(shard.count)"
      var own = arguments
      own.frameTimes = own.frameTimes.map { RunFollower.marked($0, with: mark) }
      do throws(SystemCallError) {
        children.append(
          try ChildProcess(
            path, own.words + outputs(mark), name: program,
            environment: ["ORRERY_PARENT": "\(getpid())"], output: .shared, errors: .shared))
      } catch {
        for child in children { child.signal(SIGTERM) }
        for child in children { child.wait() }
        throw Failure(error)
      }
    }
    var passedSignals = 0
    while children.contains(where: { $0.status == nil }) {
      if StopSignals.count > passedSignals {
        passedSignals += 1
        for child in children { child.signal(SIGTERM) }
      }
      Clock.sleep(untilMonotonicNs: Clock.monotonicNs() + Self.pollNs)
    }
    return children.map { $0.wait().code }.max() ?? 0
  }

  /// The shards by their indexes, each with the arguments of its program.
  private func shards() throws(Failure) -> [(shard: Shard, arguments: RunArguments)] {
    let deadlineNs = Clock.monotonicNs() + UInt64(arguments.wait * 1e9)
    let location = try arguments.location()
    do {
      switch location {
      case .run(let name):
        let directories = try RunDirectory.shards(
          of: name, deadlineNs: deadlineNs, isCancelled: { StopSignals.count > 0 })
        guard directories.count > 1 else {
          guard directories[0].holder == nil else { throw notSharded(location) }
          throw WireError.noRun(name: name, waitedSeconds: arguments.wait)
        }
        return directories.enumerated().map { index, directory in
          (Shard(index, of: directories.count), inMemory(directory))
        }
      case .rendezvous(let name, let directory, let keys, _):
        let found = try SimLocation.shards(
          of: name, in: directory, keys: keys, waitSeconds: arguments.wait,
          isCancelled: { StopSignals.count > 0 })
        return found.enumerated().map { index, shard in
          let own =
            switch shard {
            case .local(let directory): inMemory(directory)
            case .remote(let address): byMessage(address)
            }
          return (Shard(index, of: found.count), own)
        }
      case .remote(let address, _): return [try named(address)]
      case .remoteShards(let addresses, _):
        return try addresses.map(named).sorted { $0.shard.index < $1.shard.index }
      }
    } catch WireError.noRun where StopSignals.count > 0 {
      throw Failure(.done, "stopped before \(location) appeared")
    } catch {
      throw Failure(error)
    }
  }

  private func inMemory(_ directory: RunDirectory) -> RunArguments {
    var own = ofShard
    (own.run, own.keys, own.lz4) = (directory.name, nil, false)
    return own
  }

  private func byMessage(_ address: WireAddress) -> RunArguments {
    var own = ofShard
    (own.connect, own.waiting) = ([address.endpoint], nil)
    return own
  }

  /// The arguments of a shard's program, but for the shard.
  private var ofShard: RunArguments {
    var own = arguments
    (own.run, own.connect, own.rendezvous) = (nil, [], nil)
    // Lines that are rewritten would overwrite each other.
    if own.progress == .auto { own.progress = .none }
    return own
  }

  /// Asks a sim which shard it runs.
  private func named(
    _ address: WireAddress
  ) throws(WireError) -> (shard: Shard, arguments: RunArguments) {
    let stats = try ControlClient(address).ask(.stats, timeoutSeconds: arguments.wait).fields
    guard let run = stats["run"]?.string, let parsed = Shard.parse(run: run) else {
      throw .notAShard(endpoint: address.endpoint)
    }
    return (parsed.shard, byMessage(address))
  }

  private func notSharded(_ location: RunLocation) -> Failure {
    Failure(.usage, "\(location) is one sim's; --per-shard needs a run of several shards")
  }
}
