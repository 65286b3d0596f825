// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase

/// The file behind a `TraceWriter`: a record is written whole, or not at all.
///
///     0 ........ offset ................ area ........................ end
///     records    room: one private record  pad | DataEnd | summary | footer
///
/// While it is written the file ends in a summary of what was in it at the last checkpoint, at the end
/// of room that is already the file's: a reader that begins at the end finds what is there, whenever the
/// process ends. Where there is no room for that, disk space is reserved before a record is written,
/// together with room for the summary that would end the file after it. So when the disk is full, the
/// record is refused before a byte of it is written, and the summary still fits.
///
/// A file that it replaces stays as it is until something of the new one is in the file: it is written
/// beside the earlier one, and then takes its path.
///
/// Past the page cache, only whole blocks are written. The bytes after the last one, the tail, go
/// with the next records, or with a checkpoint or the end.
struct TraceOutput: ~Copyable {
  /// Where records end: in the file, or on their way to it.
  struct Position {
    /// Bytes before it.
    var offset: UInt64 = 0

    /// Checksum of the bytes before it.
    var checksum = Checksum()

    /// Past the page cache: the bytes since the last whole block.
    var tail: [UInt8] = []
  }

  let path: String

  /// Which file it is, under whatever name.
  let identity: FileIdentity

  /// Where the file was made: its path, or beside the file that it replaces.
  let madePath: String

  /// The file that it replaces, locked against other writers, until this one has taken the path.
  private var earlier: FileDescriptor?

  /// End of the last record that was appended.
  private(set) var position = Position()

  private let descriptor: FileDescriptor
  private let calls: TraceSystemCalls
  private let freeSpace: TraceFreeSpace
  private var reservedEnd: UInt64 = 0
  private var canReserve = true

  /// Writes of blocks past the page cache; nil: through it.
  private(set) var blocks: BlockWriter?

  /// Room that is the file's: `area` is where its summary begins.
  private var room: (area: UInt64, end: UInt64)?
  private var canHaveRoom = true

  /// Least and most bytes of new room past the page cache; through it there is little use of room.
  private static let (roomBytesMin, roomBytesMax): (UInt64, UInt64) = (64 << 20, 1 << 30)
  private static let cachedRoomBytes: UInt64 = 4 << 20

  /// Least bytes for a summary at the end.
  private static let areaBytesMin: UInt64 = 16 << 10

  /// Room kept before the summary for the head of the private record, in whole blocks.
  private static let roomHeadBytes = UInt64(2 * AlignedBytes.blockBytes)

  /// Creates the file; beside the one at the path, if that may be overwritten.
  ///
  /// - Throws: `system` if it exists and must not be overwritten, is a symbolic link, or cannot be
  ///   opened; `notRegularFile`; `beingWritten` if another writer has it open.
  init(
    path: String, overwrite: Bool, freeSpace: TraceFreeSpace, calls: TraceSystemCalls
  ) throws(TraceError) {
    let earlier = try Self.openEarlier(path, if: overwrite)
    let mode = Self.permissions(of: earlier)
    let madePath = mode == nil ? path : PartialFile.path(for: path)
    let descriptor = try Self.create(madePath, named: path, mode: mode, calls: calls)
    PartialFile.begin(madePath)
    do throws(SystemCallError) {
      identity = try FileIdentity(of: descriptor, path: path)
    } catch {
      throw .system(error)
    }
    let number = descriptor.number
    self.descriptor = descriptor
    (self.path, self.madePath) = (path, madePath)
    self.earlier = earlier
    self.calls = calls
    self.freeSpace = freeSpace
    if calls.bypassCache(number, true) >= 0 {
      if let queue = calls.makeQueue(number, BlockWriter.depth) {
        blocks = BlockWriter(queue)
      } else {
        _ = calls.bypassCache(number, false)
      }
    }
  }

  /// The file at a path, if one is there and is to be replaced.
  private static func openEarlier(
    _ path: String, if overwrite: Bool
  ) throws(TraceError) -> FileDescriptor? {
    guard overwrite else { return nil }
    do throws(TraceError) {
      return try open(path, 0, named: path)
    } catch .system(let error) where error.errno == ENOENT {
      return nil
    }
  }

  /// Permissions of a file, its owner's alone if the system does not say; nil without a file.
  private static func permissions(of file: borrowing FileDescriptor?) -> mode_t? {
    switch file {
    case nil: return nil
    case .some(let file):
      var status = stat()
      return fstat(file.number, &status) == 0 ? status.st_mode & 0o777 : 0o600
    }
  }

  /// Makes a file; `mode` are the permissions of the one that it replaces.
  private static func create(
    _ file: String, named path: String, mode: mode_t?, calls: TraceSystemCalls
  ) throws(TraceError) -> FileDescriptor {
    // A process of this number may have left it.
    if mode != nil { unlink(file) }
    let descriptor = try open(file, O_CREAT | O_EXCL, named: path)
    if let mode { fchmod(descriptor.number, mode) }
    try traceCall("ftruncate", path) { calls.truncate(descriptor.number, 0) }
    return descriptor
  }

  /// Opens a plain file and locks it.
  private static func open(
    _ file: String, _ flags: CInt, named path: String
  ) throws(TraceError) -> FileDescriptor {
    // O_NONBLOCK: a FIFO at this path is refused without a wait for its other end.
    let all = flags | O_WRONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
    let descriptor = FileDescriptor(
      owning: try traceCall("open", path) { Glibc.open(file, all, 0o644) })
    guard descriptor.isPlain else { throw .notRegularFile(path: path) }
    guard takeLock(descriptor) else { throw .beingWritten(path: path) }
    return descriptor
  }

  /// Gives the file its path, in place of an earlier file.
  ///
  /// - Throws: The failed system call; the earlier file is there still.
  mutating func takePath() throws(SystemCallError) {
    if earlier == nil { return }
    try systemCall("rename", path) { [madePath, path] in rename(madePath, path) }
    earlier = nil
    PartialFile.end(madePath)
    PartialFile.begin(path)
  }

  /// The file is complete and has its path: nothing removes it any more.
  mutating func end() throws(SystemCallError) {
    try takePath()
    PartialFile.end(path)
  }

  /// Removes the file, if it has not taken the path of an earlier one yet.
  func leaveToEarlier() {
    if earlier != nil { unlink(madePath) }
  }

  /// Locks the file against other writers; false if one has it open.
  ///
  /// A process that this one starts has all descriptors until it runs its program, and with them the lock of a
  /// writer that has just finished: that is waited out.
  private static func takeLock(_ descriptor: borrowing FileDescriptor) -> Bool {
    for attempt in 0...lockRetriesMax {
      // Other errors mean a file system without locks, where another writer cannot be noticed.
      guard flock(descriptor.number, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK else {
        return true
      }
      if attempt < lockRetriesMax { usleep(lockRetryMicroseconds) }
    }
    return false
  }

  /// A quarter of a second in all.
  private static let lockRetriesMax = 50
  private static let lockRetryMicroseconds: UInt32 = 5_000

  /// Where the file is now; nil if it has no name any more.
  var location: String? { identity.location(of: descriptor) }

  /// Removes the file, unless another has taken its name.
  func remove() {
    for name in [path, madePath] {
      if !identity.isLost(at: name) { unlink(name) }
      PartialFile.end(name)
    }
  }

  // MARK: - Records

  /// Whether records fit into the room that is the file's, and a summary after them.
  ///
  /// - Parameters:
  ///   - byteCount: Bytes of the records.
  ///   - summaryBytes: Room needed after them for the end of the file.
  /// - Returns: False also if the file has no room of its own.
  func hasRoom(for byteCount: Int, summaryBytes: Int) -> Bool {
    guard let room else { return false }
    return position.offset + UInt64(byteCount) + Self.roomHeadBytes <= room.area
      && UInt64(summaryBytes) <= room.end - room.area
  }

  /// Makes sure that records fit, and a summary after them.
  ///
  /// Unless `hasRoom`, nothing may be under way.
  ///
  /// - Parameters:
  ///   - byteCount: Bytes of the records.
  ///   - summaryBytes: Room needed after them for the end of the file.
  ///   - ending: The end of a file of a given size, with what is in it now.
  /// - Throws: The failed system call; nothing was written.
  mutating func makeRoom(
    for byteCount: Int, summaryBytes: Int, ending: (_ end: UInt64) -> RecordBytes
  ) throws(SystemCallError) {
    try checkFreeSpace(byteCount + summaryBytes)
    let hasRoom = hasRoom(for: byteCount, summaryBytes: summaryBytes)
    // The room begins behind the header: a file that has any bytes begins as a trace does.
    if !hasRoom, position.offset > 0, room != nil || blocks != nil,
      try !extend(by: byteCount, summaryBytes: summaryBytes, ending: ending)
    {
      try leaveRoom()
    }
    // Room past the page cache is reserved as a whole.
    if blocks == nil { try reserve(byteCount + summaryBytes) }
  }

  /// Appends whole records, after `makeRoom`.
  ///
  /// - Parameters:
  ///   - bytes: The records.
  ///   - lead: Bytes before them in memory that may be overwritten, if with them the memory begins where a
  ///     block begins in the file; otherwise nil, and the records are copied to where it does.
  ///   - memory: What keeps the bytes where they are while they are written.
  ///   - checksum: Checksum of the whole file with them.
  /// - Throws: The failed system call of a file that is written through the page cache; `position` is
  ///   then unchanged, and bytes after it in the file are to be overwritten.
  mutating func append(
    _ bytes: UnsafeRawBufferPointer, lead: UnsafeMutableRawBufferPointer?,
    holding memory: AnyObject?, checksum: Checksum
  ) throws(SystemCallError) {
    if let blocks {
      let start = tailStart
      let source = appendBlocks(bytes, lead: lead, holding: memory)
      blocks.begin(source.bytes, at: Int(start), holding: source.memory)
    } else {
      let end = position.offset + UInt64(bytes.count)
      if room != nil { try writeRoomHead(at: end) }
      try write(bytes, at: position.offset)
    }
    position.offset += UInt64(bytes.count)
    position.checksum = checksum
  }

  /// Appends whole records past the page cache so that one that reads from the start sees all of them or
  /// none: their first block is written when the others are in the file.
  ///
  /// Nothing may be under way. Parameters and errors are those of `append`.
  mutating func appendAtOnce(
    _ bytes: UnsafeRawBufferPointer, lead: UnsafeMutableRawBufferPointer?,
    holding memory: AnyObject?, checksum: Checksum
  ) throws(SystemCallError) {
    guard let blocks, room != nil, position.tail.count + bytes.count > AlignedBytes.blockBytes
    else { return try append(bytes, lead: lead, holding: memory, checksum: checksum) }
    let start = tailStart
    let source = appendBlocks(bytes, lead: lead, holding: memory)
    position.offset += UInt64(bytes.count)
    position.checksum = checksum
    let (first, rest) = (
      UnsafeRawBufferPointer(rebasing: source.bytes[..<AlignedBytes.blockBytes]),
      UnsafeRawBufferPointer(rebasing: source.bytes[AlignedBytes.blockBytes...])
    )
    blocks.begin(rest, at: Int(start) + AlignedBytes.blockBytes, holding: source.memory)
    blocks.drain()
    if let failure = blocks.failure {
      throw SystemCallError(call: "write", path: path, errno: failure.errno)
    }
    try writeTail()
    try write(first, at: start)
  }

  /// Moves the tail on, and returns the whole blocks before it with what keeps them where they are.
  private mutating func appendBlocks(
    _ bytes: UnsafeRawBufferPointer, lead: UnsafeMutableRawBufferPointer?,
    holding memory: AnyObject?
  ) -> (bytes: UnsafeRawBufferPointer, memory: AnyObject?) {
    let count = position.tail.count + bytes.count
    let whole = AlignedBytes.roundedDown(count)
    let source: UnsafeRawBufferPointer
    let holder: AnyObject?
    if let lead, lead.count == position.tail.count, let base = lead.baseAddress {
      lead.copyBytes(from: position.tail)
      source = UnsafeRawBufferPointer(start: base, count: count)
      holder = memory
    } else {
      let copy = AlignedBytes(byteCount: count)
      copy.bytes.copyBytes(from: position.tail)
      UnsafeMutableRawBufferPointer(rebasing: copy.bytes[position.tail.count...])
        .copyMemory(from: bytes)
      source = UnsafeRawBufferPointer(rebasing: copy.bytes[..<count])
      holder = copy
    }
    position.tail = Array(source[whole...])
    return (UnsafeRawBufferPointer(rebasing: source[..<whole]), holder)
  }

  // MARK: - Checkpoints and the end

  /// Puts all records into the file, and a summary of them at its end if there is room for it.
  ///
  /// Nothing may be under way.
  ///
  /// - Parameters:
  ///   - summaryBytes: Room for the end of the file, a bound.
  ///   - ending: The end of a file of a given size.
  /// - Throws: The failed system call.
  mutating func checkpoint(
    summaryBytes: Int, ending: (_ end: UInt64) -> RecordBytes
  ) throws(SystemCallError) {
    guard let room, UInt64(summaryBytes) <= room.end - room.area else {
      if canHaveRoom { _ = try extend(by: 0, summaryBytes: summaryBytes, ending: ending) }
      return
    }
    try writeTail()
    try writeArea(room.area, end: room.end, ending(room.end))
  }

  /// Puts the bytes after the last whole block into the file; nothing may be under way.
  mutating func writeTail() throws(SystemCallError) {
    if blocks == nil { return }
    guard room != nil else { return try writeBlocks(position.tail, at: tailStart) }
    try writeRoomHead(at: position.offset)
  }

  /// Waits until what was written is on the disk.
  func sync() throws(SystemCallError) {
    let number = descriptor.number
    try systemCall("fdatasync", path) { [calls] in calls.sync(number) }
  }

  /// Writes the end of the file after `position`, in reserved room, and frees the rest of that room.
  ///
  /// Nothing may be under way.
  mutating func finish(_ bytes: UnsafeRawBufferPointer) throws(SystemCallError) {
    try checkFileSize(bytes.count)
    leaveBlocks()
    let all = position.tail + Array(bytes)
    try all.span.bytes.withUnsafeBytes { (bytes) throws(SystemCallError) in
      try write(bytes, at: tailStart)
    }
    position.offset += UInt64(bytes.count)
    position.tail = []
    let (number, count) = (descriptor.number, Int(position.offset))
    let hadRoom = room != nil
    room = nil
    if hadRoom {
      // What follows is an earlier summary.
      try systemCall("ftruncate", path) { [calls] in calls.truncate(number, count) }
    } else {
      _ = calls.truncate(number, count)
    }
  }

  /// Goes back to an earlier end of records, of which all bytes before its last block are in the file.
  mutating func goBack(to earlier: Position) { position = earlier }

  /// Removes everything after the last whole record: part of a failed record, and reserved room.
  ///
  /// A failure to do that is harmless: a reader stops at the partial record.
  ///
  /// - Returns: False if the bytes after the last whole block cannot be written.
  mutating func cutAfterLastRecord() -> Bool {
    leaveBlocks()
    room = nil
    do throws(SystemCallError) {
      try writeTailThroughCache()
    } catch {
      return false
    }
    _ = calls.truncate(descriptor.number, Int(position.offset))
    return true
  }

  // MARK: - Room

  /// Makes the file longer, with a summary of what is in it at its new end.
  ///
  /// - Returns: False if there is no space for that.
  private mutating func extend(
    by byteCount: Int, summaryBytes: Int, ending: (_ end: UInt64) -> RecordBytes
  ) throws(SystemCallError) -> Bool {
    guard canHaveRoom else { return false }
    let (offset, oldEnd) = (position.offset, room?.end ?? position.offset)
    let areaBytes = AlignedBytes.roundedUp(max(Self.areaBytesMin, 2 * UInt64(summaryBytes)))
    let wanted =
      blocks == nil
      ? Self.cachedRoomBytes : min(max(offset / 4, Self.roomBytesMin), Self.roomBytesMax)
    let needed = UInt64(byteCount) + 2 * Self.roomHeadBytes
    let area = AlignedBytes.roundedUp(max(offset + needed + wanted, oldEnd))
    let end = area + areaBytes
    guard end <= calls.fileSizeLimit(), end < 1 << 62, leaves(free: end - oldEnd) else {
      canHaveRoom = false
      return false
    }
    blocks?.drain()
    let earlier = room
    do throws(SystemCallError) {
      if blocks != nil {
        try reserve(from: oldEnd, through: end)
      } else if canReserve {
        let number = descriptor.number
        try systemCall("fallocate", path) { [calls] in
          calls.reserve(number, Int(area), Int(areaBytes))
        }
      }
      room = (area, end)
      // Without earlier room the area must not be there first, behind zeros that are no records.
      if earlier == nil { try writeRoomHead(at: position.offset) }
      try writeArea(area, end: end, ending(end))
      if earlier != nil { try writeRoomHead(at: position.offset) }
      return true
    } catch {
      room = earlier
      switch error.errno {
      // The file system has less room than this, or cannot bypass its cache.
      case ENOSPC, EDQUOT, EFBIG, EINVAL, EOPNOTSUPP, ENOSYS, EPERM:
        canHaveRoom = false
        // Part of a summary may be there.
        let (number, size) = (descriptor.number, Int(room?.end ?? tailStart))
        try systemCall("ftruncate", path) { [calls] in calls.truncate(number, size) }
        reservedEnd = min(reservedEnd, UInt64(size))
        return false
      default: throw error
      }
    }
  }

  /// Goes on without room: through the page cache, and with space for one record at a time.
  private mutating func leaveRoom() throws(SystemCallError) {
    leaveBlocks()
    (canHaveRoom, room) = (false, nil)
    try writeTailThroughCache()
    let (number, count) = (descriptor.number, Int(position.offset))
    try systemCall("ftruncate", path) { [calls] in calls.truncate(number, count) }
    reservedEnd = position.offset
  }

  /// Goes through the page cache from now on; the tail is not written yet.
  private mutating func leaveBlocks() {
    guard let blocks else { return }
    blocks.drain()
    self.blocks = nil
    _ = calls.bypassCache(descriptor.number, false)
  }

  private mutating func writeTailThroughCache() throws(SystemCallError) {
    guard !position.tail.isEmpty else { return }
    let tail = position.tail
    try tail.span.bytes.withUnsafeBytes { (bytes) throws(SystemCallError) in
      try write(bytes, at: tailStart)
    }
    position.tail = []
  }

  /// Writes the summary at the end of the room, in one call.
  private func writeArea(
    _ area: UInt64, end: UInt64, _ ending: RecordBytes
  ) throws(SystemCallError) {
    let memory = AlignedBytes(byteCount: Int(end - area))
    precondition(
      ending.count + RecordHead.byteCount <= memory.bytes.count, "\(ending.count) bytes")
    let padding = memory.bytes.count - ending.count
    Self.roomHead(byteCount: UInt64(padding)).withUnsafeBytes { head in
      memory.bytes.copyMemory(from: head)
    }
    ending.withUnsafeBytes { bytes in
      UnsafeMutableRawBufferPointer(rebasing: memory.bytes[padding...]).copyMemory(from: bytes)
    }
    try write(UnsafeRawBufferPointer(memory.bytes), at: area)
  }

  /// Writes the head of the private record that fills the room from `offset` on; past the page cache,
  /// with the tail before it.
  private func writeRoomHead(at offset: UInt64) throws(SystemCallError) {
    guard let room else { return }
    let head = Self.roomHead(byteCount: room.area - offset)
    guard blocks != nil else {
      return try head.withUnsafeBytes { (bytes) throws(SystemCallError) in
        try write(bytes, at: offset)
      }
    }
    try writeBlocks(position.tail + head.bytes, at: tailStart)
  }

  private var tailStart: UInt64 { position.offset - UInt64(position.tail.count) }

  /// Writes bytes and zeros up to the end of a block.
  private func writeBlocks(_ bytes: [UInt8], at offset: UInt64) throws(SystemCallError) {
    guard !bytes.isEmpty else { return }
    let memory = AlignedBytes(byteCount: bytes.count)
    memory.bytes.copyBytes(from: bytes)
    try write(UnsafeRawBufferPointer(memory.bytes), at: offset)
  }

  /// The head of a private record of `byteCount` bytes with it.
  private static func roomHead(byteCount: UInt64) -> RecordBytes {
    let contentBytes = byteCount - UInt64(RecordHead.byteCount)
    var bytes = RecordBytes()
    RecordHead(opcode: TraceFormat.roomOpcode, contentBytes: contentBytes).write(to: &bytes)
    return bytes
  }

  // MARK: - Space

  private mutating func reserve(_ byteCount: Int) throws(SystemCallError) {
    try checkFileSize(byteCount)
    try reserve(from: position.offset, through: position.offset + UInt64(byteCount))
  }

  private mutating func reserve(
    from start: UInt64, through end: UInt64
  ) throws(SystemCallError) {
    guard canReserve, end > reservedEnd else { return }
    let number = descriptor.number
    do throws(SystemCallError) {
      try systemCall("fallocate", path) { [calls] in
        calls.reserve(number, Int(start), Int(end - start))
      }
      reservedEnd = end
    } catch {
      switch error.errno {
      case EOPNOTSUPP, ENOSYS, EINVAL, EPERM: canReserve = false
      default: throw error
      }
    }
  }

  /// Whether the file system has its free space when so many more bytes are taken.
  private func leaves(free byteCount: UInt64) -> Bool {
    guard freeSpace != .bytes(0), let (available, size) = calls.freeSpace(descriptor.number) else {
      return true
    }
    let (needed, isTooMuch) = freeSpace.limit(ofFileSystem: size)
      .addingReportingOverflow(byteCount)
    return !isTooMuch && available >= needed
  }

  /// Refuses to write what the file system has no free space for.
  private func checkFreeSpace(_ byteCount: Int) throws(SystemCallError) {
    // What lies in the file's own room is taken already.
    let isTaken = room.map { position.offset + UInt64(byteCount) <= $0.end } ?? false
    guard !leaves(free: blocks != nil && isTaken ? 0 : UInt64(byteCount)) else { return }
    let (available, size) = calls.freeSpace(descriptor.number) ?? (0, 0)
    throw SystemCallError(
      call: freeSpace.text(available: available, ofFileSystem: size), path: path, errno: ENOSPC)
  }

  /// Checks the limit, because writing past it would raise SIGXFSZ, which ends an unprepared
  /// process.
  private func checkFileSize(_ byteCount: Int) throws(SystemCallError) {
    let limit = calls.fileSizeLimit()
    guard position.offset + UInt64(byteCount) <= limit else {
      throw SystemCallError(call: "write", path: path, errno: EFBIG)
    }
  }

  private func write(
    _ bytes: UnsafeRawBufferPointer, at offset: UInt64
  ) throws(SystemCallError) {
    var done = 0
    while done < bytes.count {
      // Past the page cache, what was written of a block is written again with its rest.
      let start = blocks == nil ? done : AlignedBytes.roundedDown(done)
      let rest = UnsafeRawBufferPointer(rebasing: bytes[start...])
      let (number, position) = (descriptor.number, Int(offset) + start)
      let written = try systemCall("write", path) { [calls] in
        calls.write(number, rest, position)
      }
      guard start + written > done else {
        throw SystemCallError(call: "write", path: path, errno: EIO)
      }
      done = start + written
    }
  }
}
