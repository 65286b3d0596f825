// SPDX-License-Identifier: Apache-2.0

import CFrameLayout
import CLinux
import Glibc
import OrreryBase

/// The join server's thread.
extension JoinServer {
  func serve() {
    var watch = Watch(directory)
    var handshakes = Handshakes()
    var nextAcceptNs: UInt64 = 0
    while !isStopping.load(ordering: .sequentiallyConsistent) {
      if hasEnded.load(ordering: .sequentiallyConsistent), nextAcceptNs < .max {
        nextAcceptNs = .max
        endJoining(&handshakes)
      }
      let sockets = subscribers.read { $0.sockets } + handshakes.sockets
      var now = Clock.monotonicNs()
      let accepts = now >= nextAcceptNs
      var polled = [
        pollfd(fd: accepts ? listener.number : -1, events: Int16(POLLIN), revents: 0),
        pollfd(fd: wake.number, events: Int16(POLLIN), revents: 0),
      ]
      polled += sockets.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      let untilNs = min(
        now + min(stallLimitNs / 4, Self.housekeepingNs), handshakes.nextSilentNs ?? .max,
        accepts ? .max : nextAcceptNs)
      let milliseconds = Int32((untilNs - min(now, untilNs) + 999_999) / 1_000_000)
      if poll(&polled, nfds_t(polled.count), milliseconds) > 0 {
        if polled[1].revents != 0 { wake.drain() }
        for (index, socket) in sockets.enumerated() where polled[index + 2].revents != 0 {
          serve(socket, &handshakes)
        }
        if polled[0].revents != 0, !acceptOne(&handshakes) {
          nextAcceptNs = Clock.monotonicNs() + Self.acceptPauseNs
        }
      }
      now = Clock.monotonicNs()
      // Only after all messages have been read: after a stop of this process, all subscribers look
      // late.
      expire(&handshakes, nowNs: now)
      if watch.hasVanished(nowNs: now) {
        log.warning("\(directory.joinPath) was removed: nobody can join any more")
      }
    }
    endJoining(&handshakes)
    finish()
  }

  /// Longest sleep of the thread; a stalled subscriber is noticed with this precision or better.
  private static let housekeepingNs: UInt64 = 1_000_000_000

  /// Pause after connections could not be accepted for lack of descriptors or memory.
  private static let acceptPauseNs: UInt64 = 100_000_000

  /// Refuses the connections that have not joined, and those to come.
  private func endJoining(_ handshakes: inout Handshakes) {
    for socket in handshakes.sockets { refuse(socket, status: JOIN_REFUSED_ENDED) }
    handshakes = Handshakes()
    // The socket may stay open for a while: a program that connects from now on must not wait for a
    // reply.
    shutdown(listener.number, CInt(SHUT_RDWR))
    while true {
      let socket = linux_accept(listener.number)
      guard socket >= 0 else { break }
      refuse(socket, status: JOIN_REFUSED_ENDED)
    }
  }

  /// Closes the connections of all subscribers.
  private func finish() {
    let sockets = subscribers.change { members in
      let sockets = members.sockets
      for socket in sockets { members.remove(.socket(socket), why: .stayed) }
      return sockets
    }
    for socket in sockets { close(socket) }
  }

  /// Drops the connections that have been silent for too long and, in lockstep, stalled subscribers.
  private func expire(_ handshakes: inout Handshakes, nowNs: UInt64) {
    for socket in handshakes.removeSilent(nowNs: nowNs) {
      refuse(socket, status: JOIN_REFUSED_SILENT)
    }
    guard writer.delivery == .lockstep else { return }
    for socket in subscribers.read({ $0.stalled(nowNs: nowNs, limitNs: stallLimitNs) }) {
      drop(socket, why: .stalled)
    }
  }
}

// MARK: - Joining

extension JoinServer {
  /// - Returns: False if connections cannot be accepted for now.
  private func acceptOne(_ handshakes: inout Handshakes) -> Bool {
    let socket = linux_accept(listener.number)
    guard socket >= 0 else {
      guard errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS else {
        return true
      }
      if let evicted = handshakes.evict() {
        refuse(evicted, status: JOIN_REFUSED_SILENT)
      }
      return false
    }
    guard Self.isOurs(socket) else {
      close(socket)
      return true
    }
    if !subscribers.read({ $0.hasRoom }) {
      refuse(socket, status: JOIN_REFUSED_FULL)
    } else if let evicted = handshakes.accept(socket, nowNs: Clock.monotonicNs()) {
      refuse(evicted, status: JOIN_REFUSED_SILENT)
    }
    return true
  }

  private static func isOurs(_ socket: CInt) -> Bool {
    var user = uid_t()
    return linux_peer_user(socket, &user) == 0 && (user == geteuid() || user == 0)
  }

  private func admit(_ socket: CInt, _ request: join_request) -> Bool {
    guard request.magic == JOIN_MAGIC else { return false }
    guard request.layout_version == UInt32(FRAME_LAYOUT_VERSION) else {
      reply(to: socket, status: JOIN_REFUSED_VERSION, sequence: 0)
      return false
    }
    guard !hasEnded.load(ordering: .sequentiallyConsistent) else {
      reply(to: socket, status: JOIN_REFUSED_ENDED, sequence: 0)
      return false
    }
    let sequence = writer.sequence
    let report = SubscriberReport(
      preparing: Self.name(of: request), processID: request.process_id, newest: sequence)
    let isAdmitted = subscribers.change { members in
      members.admit(.socket(socket), report, nowNs: Clock.monotonicNs())
    }
    guard isAdmitted else {
      reply(to: socket, status: JOIN_REFUSED_FULL, sequence: 0)
      return false
    }
    // Whoever need not prepare is ready at once.
    guard request.reading == UInt32(READ_NOTHING) else { return begin(socket, request) }
    guestCame()
    return reply(to: socket, status: JOIN_ACCEPTED, sequence: sequence)
  }

  /// Counts a subscriber that has prepared, from the next frame on; false if it breaks the protocol.
  private func begin(_ socket: CInt, _ request: join_request) -> Bool {
    guard request.magic == JOIN_MAGIC,
      request.layout_version == UInt32(FRAME_LAYOUT_VERSION),
      let waiting = Waiting(rawValue: request.waiting),
      let reading = Reading(rawValue: request.reading), request.from <= FrameReader.sequenceMax
    else { return false }
    let id = SubscriberID.socket(socket)
    // Counted before the reply, under the lock that protects progress in lockstep delivery: from
    // here on, no frame after `sequence` can be overwritten unread.
    let (report, sequence, audience) = subscribers.change { members in
      let report = members.report(on: id)
      // Where no frame will follow, the ring's last ones are still there for it.
      let hasEnded = hasEnded.load(ordering: .sequentiallyConsistent)
      let newest = hasEnded ? report?.joinedAfter ?? 0 : writer.sequence
      let sequence = reading.begins(after: newest)
      if report?.isPreparing == true {
        members.begin(
          id, waiting: waiting, reading: reading,
          joinedAfter: request.from == 0 ? sequence : request.from - 1,
          nowNs: Clock.monotonicNs())
      }
      return (report, sequence, members.audience)
    }
    guard let report, report.isPreparing else { return false }
    audienceChanged(audience)
    log.info("\(report.name) (pid \(report.processID), \(waiting)) joined after frame \(sequence)")
    return reply(to: socket, status: JOIN_ACCEPTED, sequence: sequence)
  }

  /// The subscriber's name, made safe for terminals and logs.
  private static func name(of request: join_request) -> String {
    let text = withUnsafeBytes(of: request.name) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    var name = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      let isPlain =
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: false
        default: true
        }
      name.append(isPlain ? scalar : "\u{fffd}")
    }
    return String(name)
  }
}

// MARK: - Listening

extension JoinServer {
  /// Reads one message from a subscriber; a subscriber that breaks the protocol is dropped.
  private func serve(_ socket: CInt, _ handshakes: inout Handshakes) {
    var bytes = [UInt8](repeating: 0, count: MemoryLayout<join_request>.size + 1)
    var attached: CInt = -1
    let count = bytes.withUnsafeMutableBytes { buffer -> Int in
      guard let base = buffer.baseAddress else { return -1 }
      return linux_receive(socket, base, buffer.count, &attached)
    }
    if attached >= 0 { close(attached) }
    if count < 0, errno == EAGAIN || errno == EINTR { return }
    switch (count, handshakes.remove(socket)) {
    case (MemoryLayout<join_request>.size, true):
      let request = bytes.withUnsafeBytes { $0.load(as: join_request.self) }
      if !admit(socket, request) { drop(socket) }
    case (MemoryLayout<join_request>.size, false):
      let request = bytes.withUnsafeBytes { $0.load(as: join_request.self) }
      if !begin(socket, request) { drop(socket, why: .brokeProtocol) }
    case (MemoryLayout<progress_report>.size, false):
      let progress = bytes.withUnsafeBytes { $0.load(as: progress_report.self) }
      let isPossible = subscribers.change { members in
        members.record(
          progress, of: .socket(socket), nowNs: Clock.monotonicNs(),
          isAvailable: writer.isPublished)
      }
      if !isPossible { drop(socket, why: .brokeProtocol) }
    case (1..., false):
      drop(socket, why: .brokeProtocol)
    default:
      drop(socket)
    }
  }
}

// MARK: - Answering

extension JoinServer {
  @discardableResult
  private func reply(to socket: CInt, status: CInt, sequence: UInt64) -> Bool {
    var reply = join_reply()
    reply.magic = JOIN_MAGIC
    reply.layout_version = UInt32(FRAME_LAYOUT_VERSION)
    reply.status = UInt32(status)
    reply.generation = writer.generation
    reply.segment_bytes = writer.segmentBytes
    reply.sequence = sequence
    reply.layout_hash = writer.layout.layoutHash
    reply.delivery = writer.delivery.rawValue
    reply.carrier = writer.carrier.code
    let attached = status == JOIN_ACCEPTED ? writer.descriptor.number : -1
    let size = MemoryLayout<join_reply>.size
    return linux_send(socket, &reply, size, attached) == size
  }

  /// Sends a connection that has not joined the reason why it cannot, and closes it.
  private func refuse(_ socket: CInt, status: CInt) {
    reply(to: socket, status: status, sequence: 0)
    close(socket)
  }

  /// Closes a connection, after a notice if a subscriber is dropped for a reason.
  private func drop(_ socket: CInt, why: Departure = .died) {
    // Before the removal, which lets a waiting sim go on: the subscriber learns of it first.
    if why != .died, let report = subscribers.read({ $0.report(on: .socket(socket)) }) {
      warn(socket, why, after: report.progress)
    }
    let (report, audience) = subscribers.change { members in
      (members.remove(.socket(socket), why: why), members.audience)
    }
    if let report, let departure = report.departure {
      audienceChanged(audience)
      log.info(
        "\(report.name) \(departure) after frame \(report.progress), missed \(report.missed)")
    }
    close(socket)
  }

  private func warn(_ socket: CInt, _ why: Departure, after sequence: UInt64) {
    var notice = join_notice()
    notice.magic = JOIN_MAGIC
    notice.reason = UInt32(why == .stalled ? NOTICE_STALLED : NOTICE_BROKE_PROTOCOL)
    notice.sequence = sequence
    _ = linux_send(socket, &notice, MemoryLayout<join_notice>.size, -1)
  }
}

/// Notices when the join socket's path is removed under a running sim, as cleaners of temporary
/// directories do.
private struct Watch {
  private let path: String
  private let inode: ino_t
  private var nextNs: UInt64 = 0
  private var isOver = false

  /// Time between two checks.
  private static let intervalNs: UInt64 = 1_000_000_000

  init(_ directory: RunDirectory) {
    path = directory.joinPath
    inode = Self.inode(of: path) ?? 0
  }

  /// Whether this check finds the path missing or replaced; true at most once.
  mutating func hasVanished(nowNs: UInt64) -> Bool {
    guard !isOver, nowNs >= nextNs else { return false }
    nextNs = nowNs + Self.intervalNs
    isOver = Self.inode(of: path) != inode
    return isOver
  }

  private static func inode(of path: String) -> ino_t? {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_ino : nil
  }
}

extension FrameWriter {
  /// Whether a reader can have read a frame: a reader may see it whole an instant before `sequence`
  /// includes it.
  fileprivate func isPublished(_ number: UInt64) -> Bool { number <= sequence || isWhole(number) }
}
