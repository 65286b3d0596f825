// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase
import OrreryFrame

/// Where the shards of a run meet: a directory that all of them see, on one machine or shared by many.
///
///     DIR/NAME.2of4.shard     a note of each shard; touched every second while it lives
///     DIR/NAME.2of4.lock      locked while it lives: see `ShardLock`
///     DIR/NAME.start          written by shard 0 once all are there: when tick 0 is
///
/// After that all go by the time, and meet again only to change something: see `ShardAgreement`. A shard that is
/// started again finds the others' notes and the start, and goes on at the tick of that moment. Files are written beside their place and
/// renamed, so that nobody reads half of one.
///
/// A killed shard leaves its note. Whether the shard of a note is alive is known by its lock if this kernel
/// has it. A shard of another machine is alive once it has touched its note since this one came, and until it
/// has not for five seconds. That is judged by the file server's clock alone: a note's time of change is
/// compared with that of a note just touched.
package final class Rendezvous: @unchecked Sendable {
  /// Name of the run that the shards make.
  package let name: String
  /// Which of them this is.
  package let shard: Shard

  /// When tick 0 was, by wall time, if the other shards run already; nil if the run has yet to begin.
  package let runningSinceWallNs: UInt64?

  let directory: String
  /// What this shard says of itself; written by one thread at a time.
  private let note: Monitor<ShardNote>
  /// Nil on a file system without locks.
  private var lock: ShardLock?
  /// When this shard came, by the file server's clock.
  private let cameNs: Int64
  private let isEnding = Monitor(false)
  private var thread: BackgroundThread?

  /// A note that has not been touched for this long is a dead shard's.
  static let freshNs: Int64 = 5_000_000_000
  /// A start has twenty bytes for each shard.
  static let startBytesMax = 32 * Shard.countMax
  /// Time between two touches.
  private static let touchNs: UInt64 = 1_000_000_000
  /// Time between two polls for the other shards.
  private static let pollNs: UInt64 = 5_000_000

  /// Enters a run.
  ///
  /// - Parameters:
  ///   - directory: Must be this user's, and writable by no other; nil: a directory for the runs of this
  ///     machine, which is made.
  ///   - name: The run's name.
  ///   - shard: Which shard this process runs. On this machine its run's lock is held.
  ///   - scene: Hash of the scene and all that its frames depend on.
  ///   - address: Where this shard serves other machines.
  /// - Throws: `RendezvousError`.
  package init(
    directory: String?, name: String, shard: Shard, scene: UInt64, address: String?
  ) throws(RendezvousError) {
    let path = directory ?? Self.localDirectory()
    if directory == nil {
      do throws(RunDirectoryError) {
        for path in [RunDirectory.base(), path] { _ = try RunDirectory.makePrivate(path) }
      } catch {
        throw .directory(error)
      }
    }
    try Self.check(path)
    (self.directory, self.name, self.shard) = (path, name, shard)
    let own = Self.path(path, name, shard)
    let lock = try Self.takeLock(path, name, shard)
    self.lock = lock
    let note = ShardNote(
      generation: .random(in: .min ... .max), scene: scene, host: Self.hostName(),
      processID: getpid(), address: address, kernel: lock == nil ? nil : Self.kernel)
    self.note = Monitor(note)
    if let before = Self.read(own, ShardNote.init), before.host != note.host,
      before.kernel == nil || before.kernel != note.kernel, let changed = Self.changedNs(own)
    {
      // Only the file server's clock tells how old that is.
      let probe = own + ".probe"
      try Self.write("", to: probe)
      defer { unlink(probe) }
      if let now = Self.changedNs(probe), now - changed < Self.freshNs {
        throw .taken(shard: shard, name: name, host: before.host, processID: before.processID)
      }
    }
    try Self.write(note.text, to: own)
    let cameNs = Self.changedNs(own) ?? 0
    self.cameNs = cameNs
    do throws(RendezvousError) {
      runningSinceWallNs = try Self.runningSince(path, name, shard, cameNs: cameNs, scene: scene)
    } catch {
      unlink(own)
      throw error
    }
    do throws(SystemCallError) {
      // The thread is joined in `deinit`; a counted reference would keep this as long as it runs.
      thread = try BackgroundThread { [unowned(unsafe) self] in
        while isEnding.wait(atMostNs: Self.touchNs, { $0 ? true : nil }) == nil {
          _ = utimensat(AT_FDCWD, own, nil, 0)
        }
      }
    } catch {
      unlink(own)
      throw .system(error)
    }
  }

  /// Leaves: the last shard that lives also removes the start, the changes, and what dead ones left.
  deinit {
    isEnding.change { $0 = true }
    thread?.join()
    let own = Self.path(directory, name, shard)
    _ = utimensat(AT_FDCWD, own, nil, 0)
    let nowNs = Self.changedNs(own) ?? 0
    unlink(own)
    lock = nil
    _ = Self.removeDead(directory, name, nowNs: nowNs)
  }

  /// Waits for the other shards, and agrees with them when tick 0 is.
  ///
  /// - Parameters:
  ///   - waitSeconds: How long to wait.
  ///   - delaySeconds: Time from the moment at which shard 0 has seen all others to tick 0: longer than a
  ///     file takes to be seen.
  ///   - isCancelled: Called between two looks; true ends the wait.
  /// - Returns: The wall time of tick 0, in nanoseconds since 1970.
  /// - Throws: `RendezvousError`.
  package func agree(
    waitSeconds: Double, delaySeconds: Double, isCancelled: () -> Bool = { false }
  ) throws(RendezvousError) -> UInt64 {
    let wallNs: UInt64
    if let runningSinceWallNs {
      wallNs = runningSinceWallNs
    } else {
      wallNs = try meet(
        until: Clock.monotonicNs() + UInt64(waitSeconds * 1e9), waitSeconds, delaySeconds,
        isCancelled)
    }
    try changeNote { $0.startWallNs = wallNs }
    return wallNs
  }

  /// When tick 0 is, by wall time; nil before the shards have agreed.
  var startWallNs: UInt64? { runningSinceWallNs ?? note.read { $0.startWallNs } }

  /// Changes what this shard says of itself.
  func changeNote(_ change: (inout ShardNote) -> Void) throws(RendezvousError) {
    let text = note.change { note in
      change(&note)
      return note.text
    }
    try Self.write(text, to: Self.path(directory, name, shard))
  }

  /// The other shards' notes that were touched within the last seconds, by index; `known` is not read again.
  ///
  /// A note that may be a dead shard's is one of them.
  func freshNotes(known: [Int: ShardNote]) throws(RendezvousError) -> [Int: ShardNote] {
    try Self.freshNotes(directory, name, shard, cameNs: .min, known: known)
  }

  /// The notes of the other shards that are alive, by index; `known` is not read again.
  private func livingNotes(
    known: [Int: ShardNote] = [:]
  ) throws(RendezvousError) -> [Int: ShardNote] {
    try Self.freshNotes(directory, name, shard, cameNs: cameNs, known: known)
  }

  private func meet(
    until deadline: UInt64, _ waitSeconds: Double, _ delaySeconds: Double,
    _ isCancelled: () -> Bool
  ) throws(RendezvousError) -> UInt64 {
    let own = note.read { $0 }
    var others = try livingNotes()
    while true {
      try requireScene(of: own, others)
      if shard.index != 0, let start = readStart(), start.generations.count == shard.count,
        start.generations[shard.index] == own.generation
      {
        return start.wallNs
      }
      if shard.index == 0, others.count == shard.count - 1 {
        // One that was there at first may have died meanwhile.
        others = try livingNotes()
        if others.count == shard.count - 1 { return try begin(own, others, delaySeconds) }
      }
      if isCancelled() { throw .cancelled }
      let nowNs = Clock.monotonicNs()
      guard nowNs < deadline else {
        others = try livingNotes()
        throw .missing(
          name: name,
          missing: (0..<shard.count).filter { others[$0] == nil && $0 != shard.index },
          count: shard.count, waitedSeconds: waitSeconds)
      }
      Clock.sleep(untilMonotonicNs: nowNs + Self.pollNs)
      // Only shard 0 looks for the others again and again; of a thousand shards each reads one file.
      if shard.index == 0 {
        others = try livingNotes(known: others)
      }
    }
  }

  /// Writes the start for all shards.
  private func begin(
    _ own: ShardNote, _ others: [Int: ShardNote], _ delaySeconds: Double
  ) throws(RendezvousError) -> UInt64 {
    try requireScene(of: own, others)
    let start = ShardStart(
      wallNs: Clock.wallNs() + UInt64(delaySeconds * 1e9),
      generations: (0..<shard.count).map { others[$0]?.generation ?? own.generation })
    try Self.write(start.text, to: Self.startPath(directory, name))
    return start.wallNs
  }

  /// Refuses to run with shards of another scene.
  private func requireScene(
    of own: ShardNote, _ others: [Int: ShardNote]
  ) throws(RendezvousError) {
    if let other = others.first(where: { $0.value.scene != own.scene }) {
      throw .sceneDiffers(shard: shard, other: other.key, name: name)
    }
  }

  private func readStart() -> ShardStart? {
    Self.read(Self.startPath(directory, name), bytesMax: Self.startBytesMax, ShardStart.init)
  }

  /// When tick 0 was, if other shards run already.
  ///
  /// A shard elsewhere that seems to run may have been killed with all others: it is waited for until it
  /// touches its note, or has not for too long.
  private static func runningSince(
    _ directory: String, _ name: String, _ shard: Shard, cameNs: Int64, scene: UInt64
  ) throws(RendezvousError) -> UInt64? {
    while true {
      let living = try freshNotes(directory, name, shard, cameNs: cameNs)
      if let running = living.first(where: { $0.value.startWallNs != nil }) {
        guard running.value.scene == scene else {
          throw .sceneDiffers(shard: shard, other: running.key, name: name)
        }
        return running.value.startWallNs
      }
      let fresh = try freshNotes(directory, name, shard, cameNs: .min)
      guard fresh.contains(where: { $0.value.startWallNs != nil }), StopSignals.count == 0 else {
        return nil
      }
      Clock.sleep(untilMonotonicNs: Clock.monotonicNs() + 10 * pollNs)
    }
  }

  /// The notes of other shards that were touched within the last seconds, by index.
  ///
  /// - Parameters:
  ///   - directory: Where the shards meet.
  ///   - name: The run's name.
  ///   - shard: The shard that asks.
  ///   - cameNs: A shard of another machine has to have touched its note since.
  ///   - known: Notes that need not be read again.
  /// - Returns: `known` and the others.
  /// - Throws: `RendezvousError.system` when the directory cannot be read.
  private static func freshNotes(
    _ directory: String, _ name: String, _ shard: Shard, cameNs: Int64,
    known: [Int: ShardNote] = [:]
  ) throws(RendezvousError) -> [Int: ShardNote] {
    let own = path(directory, name, shard)
    _ = utimensat(AT_FDCWD, own, nil, 0)
    guard let nowNs = changedNs(own) else { return known }
    var fresh = known
    for other in try shards(in: directory, of: name)
    where other.count == shard.count && other.index != shard.index && known[other.index] == nil {
      let path = path(directory, name, other)
      guard let changed = changedNs(path), nowNs - changed < freshNs,
        let note = read(path, ShardNote.init)
      else { continue }
      let isAlive = isHeld(note, directory, name, other) ?? (changed >= cameNs)
      if isAlive { fresh[other.index] = note }
    }
    return fresh
  }
}

// MARK: - Looking

extension Rendezvous {
  /// The notes of a run's shards, fresh or not, by rising indexes, but for those of which this kernel knows
  /// that they are dead.
  ///
  /// - Throws: `RendezvousError.system` when the directory cannot be read.
  package static func notes(
    in directory: String, of name: String
  ) throws(RendezvousError) -> [(shard: Shard, note: ShardNote)] {
    try shards(in: directory, of: name).compactMap { shard in
      guard let note = read(path(directory, name, shard), ShardNote.init),
        isHeld(note, directory, name, shard) != false
      else { return nil }
      return (shard, note)
    }
  }

  /// Whether the shard of a note is alive, by its lock; nil if this kernel does not have it.
  static func isHeld(
    _ note: ShardNote, _ directory: String, _ name: String, _ shard: Shard
  ) -> Bool? {
    note.kernel != nil && note.kernel == kernel
      ? ShardLock.isHeld(lockPath(directory, name, shard)) : nil
  }

  /// The random number that this kernel drew when it booted; nil if /proc does not tell.
  private static let kernel = SmallFile.read("/proc/sys/kernel/random/boot_id")
    .map { String($0.prefix { !$0.isWhitespace }) }

  /// Takes the lock of a shard.
  ///
  /// - Returns: The lock; nil on a file system without locks.
  private static func takeLock(
    _ directory: String, _ name: String, _ shard: Shard
  ) throws(RendezvousError) -> ShardLock? {
    let path = lockPath(directory, name, shard)
    do throws(SystemCallError) {
      switch try ShardLock.take(path) {
      case .taken(let lock): return lock
      case .unsupported: return nil
      case .held: break
      }
    } catch {
      throw [ELOOP, EISDIR, ENXIO, EINVAL].contains(error.errno)
        ? .directory(.notALock(path: path)) : .system(error)
    }
    let holder = read(Self.path(directory, name, shard), ShardNote.init)
    throw .taken(
      shard: shard, name: name, host: holder?.host ?? hostName(),
      processID: holder?.processID ?? 0)
  }

  /// The shards of a run that have a note, or another file, by rising indexes.
  static func shards(
    in directory: String, of name: String, suffix: String = noteSuffix
  ) throws(RendezvousError) -> [Shard] {
    do throws(SystemCallError) {
      let names = try DirectoryListing.names(in: directory, countMax: 2 * Shard.countMax) {
        $0.hasPrefix(name + ".") && $0.hasSuffix(suffix)
      }
      let parsed = names.compactMap { Shard.parse(run: String($0.dropLast(suffix.count))) }
      return parsed.filter { $0.name == name }.map(\.shard)
        .sorted { ($0.count, $0.index) < ($1.count, $1.index) }
    } catch {
      throw .system(error)
    }
  }

  /// The directory where the shards of this machine's runs meet if no other is named.
  package static func localDirectory(base: String = RunDirectory.base()) -> String {
    base + "/.shards"
  }

  static let noteSuffix = ".shard"
  static let lockSuffix = ".lock"
  static let startSuffix = ".start"

  static func lockPath(_ directory: String, _ name: String, _ shard: Shard) -> String {
    directory + "/" + shard.run(of: name) + lockSuffix
  }

  static func path(_ directory: String, _ name: String, _ shard: Shard) -> String {
    directory + "/" + shard.run(of: name) + noteSuffix
  }

  static func startPath(_ directory: String, _ name: String) -> String {
    directory + "/" + name + startSuffix
  }

  private static func hostName() -> String {
    var name = utsname()
    guard uname(&name) == 0 else { return "?" }
    return withUnsafeBytes(of: &name.nodename) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}

// MARK: - Files

extension Rendezvous {
  static func check(_ path: String) throws(RendezvousError) {
    var status = stat()
    guard stat(path, &status) == 0 else {
      throw .system(SystemCallError(call: "stat", path: path, errno: errno))
    }
    guard status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid(),
      status.st_mode & 0o022 == 0
    else { throw .unsafe(path: path, owner: status.st_uid, mode: status.st_mode) }
  }

  /// Reads a file of this user; nil if it is none, or not what it should be.
  static func read<Content>(
    _ path: String, bytesMax: Int = 64 << 10, _ make: (String) -> Content?
  ) -> Content? {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_uid == geteuid()
    else { return nil }
    return SmallFile.read(path, bytesMax: bytesMax).flatMap(make)
  }

  /// When a file was changed, in nanoseconds since 1970 by the file server's clock; nil if it is not there.
  static func changedNs(_ path: String) -> Int64? {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    return Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
  }

  /// Writes a file completely or not at all.
  static func write(_ text: String, to path: String) throws(RendezvousError) {
    do throws(SystemCallError) {
      try SmallFile.writePrivate(text, to: path, by: PartialFile.path(for: path))
    } catch {
      throw .system(error)
    }
  }
}
