// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase
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
    for (shard, location) in try shards() {
      let mark = ".\(shard.index)of\(shard.count)"
      do throws(SystemCallError) {
        children.append(
          try ChildProcess(
            path, location + passedOn(mark) + outputs(mark), name: program,
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

  /// Arguments that all programs get.
  private func passedOn(_ mark: String) -> [String] {
    // Lines that are rewritten would overwrite each other.
    let progress = arguments.progress == .auto ? ProgressMode.none : arguments.progress
    var words = ["--wait", "\(arguments.wait)", "--progress", progress.rawValue]
    if arguments.from > 0 { words += ["--from", "\(arguments.from)"] }
    if let reading = arguments.reading { words += ["--reading", "\(reading)"] }
    if let path = arguments.frameTimes {
      words += ["--frame-times", RunFollower.marked(path, with: mark)]
    }
    if arguments.follow { words.append("--follow") }
    if arguments.json { words.append("--json") }
    return words
  }

  /// The shards by their indexes, each with the arguments that say where it is.
  private func shards() throws(Failure) -> [(shard: Shard, location: [String])] {
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
        let found = try ShardLocation.shards(
          of: name, in: directory, keys: keys, waitSeconds: arguments.wait,
          isCancelled: { StopSignals.count > 0 })
        return found.enumerated().map { index, shard in
          let words =
            switch shard {
            case .local(let directory): inMemory(directory)
            case .remote(let address): byMessage(address)
            }
          return (Shard(index, of: found.count), words)
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

  private func inMemory(_ directory: RunDirectory) -> [String] {
    ["--run", directory.name] + (arguments.waiting.map { ["--waiting", "\($0)"] } ?? [])
  }

  private func byMessage(_ address: WireAddress) -> [String] {
    ["--connect", address.endpoint] + (arguments.keys.map { ["--keys", $0] } ?? [])
      + (arguments.lz4 ? ["--lz4"] : [])
  }

  /// Asks a sim which shard it runs.
  private func named(
    _ address: WireAddress
  ) throws(WireError) -> (shard: Shard, location: [String]) {
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
