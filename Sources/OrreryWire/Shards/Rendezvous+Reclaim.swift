// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase
import OrreryFrame

/// What the shards of a dead run left behind, now removed.
package struct ShardLeftovers: Equatable, Sendable {
  /// Name of the run.
  package let name: String
  /// Paths that were removed.
  package let removed: [String]
}

extension Rendezvous {
  /// Removes what the shards of dead runs left where the shards of this machine meet.
  ///
  /// - Parameter directory: Where they meet.
  /// - Returns: What was removed, by run; nothing of a run of which a shard is alive.
  @discardableResult
  package static func reclaim(in directory: String = localDirectory()) -> [ShardLeftovers] {
    guard (try? check(directory)) != nil,
      let files = try? DirectoryListing.names(in: directory)
    else { return [] }
    return Set(files.compactMap(runName)).sorted().compactMap { name in
      let removed = removeDead(directory, name, nowNs: Int64(Clock.wallNs()))
      return removed.isEmpty ? nil : ShardLeftovers(name: name, removed: removed)
    }
  }

  /// Removes the files of a run if none of its shards is alive.
  ///
  /// The shards' locks are held meanwhile, the first one's in any case: so no shard comes, and none makes a
  /// start.
  ///
  /// - Parameters:
  ///   - directory: Where the shards meet.
  ///   - name: The run's name.
  ///   - nowNs: The file server's clock.
  /// - Returns: The paths of the files.
  static func removeDead(_ directory: String, _ name: String, nowNs: Int64) -> [String] {
    guard let noted = try? notes(in: directory, of: name).map(\.shard),
      !noted.contains(where: { isFresh(path(directory, name, $0), nowNs: nowNs) }),
      let files = try? DirectoryListing.names(in: directory, where: { runName(ofFile: $0) == name })
    else { return [] }
    var shards = files.compactMap { file -> Shard? in
      guard let suffix = [noteSuffix, lockSuffix].first(where: { file.hasSuffix($0) })
      else { return nil }
      return Shard.parse(run: String(file.dropLast(suffix.count)))?.shard
    }
    let start = read(startPath(directory, name), bytesMax: startBytesMax, ShardStart.init)
    for count in Set(shards.map(\.count) + [start?.generations.count ?? 0])
    where (2...Shard.countMax).contains(count) { shards.append(Shard(0, of: count)) }
    var locks: [String: ShardLock] = [:]
    for path in Set(shards.map { lockPath(directory, name, $0) }).sorted() {
      switch try? ShardLock.take(path, patienceNs: removalPatienceNs) {
      case .taken(let lock): locks[path] = lock
      case .unsupported: break
      case .held, nil: return []
      }
    }
    let paths = files.sorted().map { directory + "/" + $0 }
    // The locks remove their own files.
    return withExtendedLifetime(locks) { paths.filter { locks[$0] != nil || unlink($0) == 0 } }
  }

  /// Another shard that leaves, or a process that cleans up, has a lock for as long as it takes to remove some files.
  private static let removalPatienceNs: UInt64 = 100_000_000

  private static func isFresh(_ path: String, nowNs: Int64) -> Bool {
    changedNs(path).map { nowNs - $0 < freshNs } ?? false
  }

  /// The run that a file belongs to; nil if it is no file of shards.
  ///
  /// A process that was killed while it wrote a file has left it under a name of its own.
  static func runName(ofFile file: String) -> String? {
    var parts = file.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    if let index = parts.firstIndex(of: "partial"), index > 1, Int32(parts[index - 1]) != nil {
      parts.removeSubrange((index - 1)...index)
    }
    if parts.last == "probe" { parts.removeLast() }
    if parts.count > 4, parts[parts.count - 2] == "decision", UInt64(parts[parts.count - 1]) != nil
    {
      parts.removeLast()
    }
    let kind = parts.popLast()
    switch kind {
    case "shard", "lock": return Shard.parse(run: parts.joined(separator: "."))?.name
    case "start", "changes": break
    case "decision":
      // What is between is a start and a number.
      guard parts.count > 2, parts.suffix(2).allSatisfy({ UInt64($0) != nil }) else { return nil }
      parts.removeLast(2)
    default: return nil
    }
    let name = parts.joined(separator: ".")
    return RunDirectory.isName(name) ? name : nil
  }
}
