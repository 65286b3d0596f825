// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase

/// The files by which shards agree on changes.
///
///     DIR/NAME.changes               the log: start of the run, then a line for each change
///     DIR/NAME.START.7.decision      whether change 7 is made: linked into place, so that one shard decides
///
/// The first shard writes the log and the others read it. A shard says in its note up to which change it
/// knows the log.
extension Rendezvous {
  /// The changes of this run so far, by rising numbers; none if the log is another run's, or not there.
  func changes() -> [ShardChange] {
    guard let startWallNs,
      let text = Self.read(changesPath, bytesMax: Self.logBytesMax, { $0 })
    else { return [] }
    var lines = text.split(separator: "\n").makeIterator()
    guard lines.next() == "\(startWallNs)" else { return [] }
    var changes: [ShardChange] = []
    while let line = lines.next() {
      // Whole or not at all: a log that cannot be read to its end is not this program's.
      guard let change = ShardChange(String(line)) else { return [] }
      changes.append(change)
    }
    return changes
  }

  /// The changes of a run that this shard comes into while it runs.
  ///
  /// - Parameter nowWallNs: A change whose frame was due before is past: if it was not decided, it is refused.
  /// - Returns: The changes; none if the run has just begun.
  /// - Throws: `RendezvousError.system`.
  package func history(nowWallNs: UInt64) throws(RendezvousError) -> ShardHistory {
    var history = ShardHistory(log: changes())
    for (index, change) in history.log.enumerated() {
      var change = change
      if change.isMade == nil, change.wallNs <= nowWallNs {
        let decision = try decide(change.number, refusal: "shard \(shard) was started again")
        change.isMade = decision.refusal == nil
        history.log[index] = change
      }
      if change.isMade == false { continue }
      if change.wallNs <= nowWallNs {
        history.past.append(change)
      } else {
        history.later.append(change)
      }
    }
    return history
  }

  /// What has to differ if the log differs; nil if there is none.
  var changesStamp: FileStamp? { FileStamp(changesPath) }

  /// Writes the log: the first shard does.
  ///
  /// - Throws: `RendezvousError.system`; `tooLong` if the log would be longer than all shards read.
  func write(_ changes: [ShardChange]) throws(RendezvousError) {
    let lines = ["\(startWallNs ?? 0)"] + changes.map(\.text)
    let text = lines.joined(separator: "\n")
    guard text.utf8.count < Self.logBytesMax else {
      throw .logTooLong(bytesMax: Self.logBytesMax)
    }
    try Self.write(text, to: changesPath)
  }

  /// Says in this shard's note that it knows the log up to a change.
  func acknowledge(_ number: UInt64) throws(RendezvousError) {
    try changeNote { $0.known = number }
  }

  /// The shards that were alive within the last seconds and do not know the log up to a change.
  ///
  /// - Parameters:
  ///   - number: The change.
  ///   - acknowledged: Shards that are known to know it; those that are found to are added.
  /// - Returns: The indexes of those that do not, rising.
  /// - Throws: `RendezvousError.system` when the directory cannot be read.
  func shardsBefore(
    _ number: UInt64, acknowledged: inout [Int: ShardNote]
  ) throws(RendezvousError) -> [Int] {
    let fresh = try freshNotes(known: acknowledged)
    acknowledged = fresh.filter { $0.value.known >= number }
    return fresh.keys.filter { acknowledged[$0] == nil }.sorted()
  }

  /// Decides a change, unless that was done.
  ///
  /// - Parameters:
  ///   - number: The change.
  ///   - refusal: Why it is not made; nil to make it.
  /// - Returns: The decision, this or an earlier one: all shards get the same.
  /// - Throws: `RendezvousError.system`.
  func decide(_ number: UInt64, refusal: String?) throws(RendezvousError) -> ShardDecision {
    let decision = ShardDecision(refusal: refusal)
    let path = decisionPath(number)
    do throws(SystemCallError) {
      // Two threads of a shard may decide at once: each has a file of its own.
      try SmallFile.writePrivate(
        decision.text, to: path, by: "\(path).\(UInt64.random(in: .min ... .max))",
        replaces: false)
      return decision
    } catch {
      guard error.errno == EEXIST else { throw .system(error) }
      guard let earlier = Self.read(path, ShardDecision.init) else {
        throw .system(SystemCallError(call: "read", path: path, errno: EIO))
      }
      return earlier
    }
  }

  /// The decision of a change, if there is one already.
  func decision(_ number: UInt64) -> ShardDecision? {
    Self.read(decisionPath(number), ShardDecision.init)
  }

  /// Removes the decision of a change that all shards have made or passed over.
  func forgetDecision(_ number: UInt64) { unlink(decisionPath(number)) }

  /// A log has at most so many bytes.
  private static let logBytesMax = 1 << 20

  private var changesPath: String { directory + "/" + name + ".changes" }

  private func decisionPath(_ number: UInt64) -> String {
    "\(directory)/\(name).\(startWallNs ?? 0).\(number).decision"
  }
}

/// The changes of a run, as one of its shards finds them.
package struct ShardHistory: Equatable, Sendable {
  /// All, by rising numbers.
  package var log: [ShardChange] = []
  /// Those that are in force.
  package var past: [ShardChange] = []
  /// Those whose frame has yet to come, decided or not.
  package var later: [ShardChange] = []

  package init(log: [ShardChange] = []) { self.log = log }
}

/// What differs between two contents of a file that is replaced as a whole.
struct FileStamp: Equatable {
  private let inode: UInt64
  private let changedNs: Int64
  private let bytes: Int64

  /// Of a file; nil if it is not there.
  ///
  /// It is opened: a network file system answers `stat` from its memory, which may be old.
  init?(_ path: String) {
    let number = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard number >= 0 else { return nil }
    let file = FileDescriptor(owning: number)
    var status = stat()
    guard fstat(file.number, &status) == 0 else { return nil }
    inode = UInt64(status.st_ino)
    changedNs = Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
    bytes = Int64(status.st_size)
  }
}
