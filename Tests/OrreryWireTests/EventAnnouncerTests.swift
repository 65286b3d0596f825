// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryFrame
import OrreryWire
import Synchronization
import TestSupport
import Testing

/// Goal: events reach who takes them, in order and whole; who takes none costs the others a second in ten and nothing
/// else.
///
/// Method: numbered messages, and a subscriber that does not read. Nothing else of the run is there.
@Suite struct EventAnnouncerTests {
  private struct Stage {
    let base: TemporaryBase
    let lock: RunLock
    let announcer: EventAnnouncer
    let receiver: EventReceiver

    init() throws {
      base = try TemporaryBase()
      lock = try RunLock(RunDirectory(name: "test", base: base.path))
      announcer = try EventAnnouncer(directory: lock.directory)
      receiver = try EventReceiver(directory: lock.directory)
    }

    /// Returns when the receiver gets what is sent.
    func connect() throws {
      try waitUntil("the receiver to be heard of") {
        announcer.takeSubscriptions()
        announcer.send([])
        return receiver.next(timeoutNs: 1_000_000) { _ in }
      }
    }
  }

  private static func message(_ number: UInt64, bytes: Int) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian) { Array($0) }
      + [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: bytes - 8)
  }

  /// The number of the next message that has one; nil if none comes.
  private static func nextNumber(_ receiver: EventReceiver, bytes: Int) throws -> UInt64? {
    while true {
      var number: UInt64?
      var isRight = true
      let isThere = receiver.next(timeoutNs: patienceNs) { message in
        guard message.count >= 8 else { return }
        number = UInt64(littleEndian: message.loadUnaligned(as: UInt64.self))
        isRight = message.count == bytes
      }
      guard isThere else { return nil }
      try #require(isRight, "message \(number ?? 0) has another length")
      if let number { return number }
    }
  }

  /// Sends far more than queues hold; the receiver begins when the sender has been held up.
  private static func flood(_ stage: Stage, from first: UInt64) throws {
    let (count, bytes) = (1_200, 32 << 10)
    let numbers = first..<(first + UInt64(count))
    let sent = Board()
    let announcer = stage.announcer
    let sending = try TestThread("\(count) messages to be sent") {
      for number in numbers {
        announcer.send(Self.message(number, bytes: bytes))
        sent.count.wrappingAdd(1, ordering: .releasing)
      }
    }
    var (seen, looks) = (-1, 0)
    try waitUntil("the sender to be held up") {
      let now = sent.count.load(ordering: .acquiring)
      looks = now == seen ? looks + 1 : 0
      seen = now
      return (looks > 20 && now > 0) || now == count
    }
    for number in numbers {
      try #require(try nextNumber(stage.receiver, bytes: bytes) == number)
    }
    try sending.join()
  }

  private final class Board: Sendable {
    let count = Atomic(0)
  }

  /// Nothing is missed once the sim has said that it knows a receiver, however many came before.
  @Test func receiverThatIsKnownGetsAllThatIsSent() throws {
    let stage = try Stage()
    #expect(!stage.receiver.waitUntilKnown(timeoutNs: 20_000_000), "nobody has looked for it yet")
    var receivers = [stage.receiver]
    for number in 1...40 as ClosedRange<UInt64> {
      let receiver = try EventReceiver(directory: stage.lock.directory)
      receivers.append(receiver)
      let isOver = Atomic(false)
      let sending = try TestThread("the receiver to be known") {
        while !isOver.load(ordering: .acquiring) { stage.announcer.takeSubscriptions() }
        stage.announcer.send(Self.message(number, bytes: 8))
      }
      let isKnown = receiver.waitUntilKnown(timeoutNs: patienceNs)
      isOver.store(true, ordering: .releasing)
      try sending.join()
      try #require(isKnown)
      for each in receivers {
        #expect(try Self.nextNumber(each, bytes: 8) == number)
      }
    }
  }

  /// Not a millisecond less.
  @Test func messageIsWaitedForAsLongAsWasAsked() throws {
    let stage = try Stage()
    try stage.connect()
    // The last of what was sent so far: nothing is under way any more.
    stage.announcer.send(Self.message(7, bytes: 8))
    #expect(try Self.nextNumber(stage.receiver, bytes: 8) == 7)
    for timeoutNs in [0, 1, 1_000_000, 7_000_000, 20_000_000, 20_000_000] as [UInt64] {
      let beganNs = Clock.monotonicNs()
      let isThere = stage.receiver.next(timeoutNs: timeoutNs) { _ in }
      let waitedNs = Clock.monotonicNs() - beganNs
      #expect(!isThere)
      #expect(waitedNs >= timeoutNs)
    }
  }

  /// A message is not dropped because its receiver is a little late.
  @Test func senderWaitsForWhoGoesOnTaking() throws {
    let stage = try Stage()
    try stage.connect()
    try Self.flood(stage, from: 1)
  }

  @Test func whoTakesNothingCostsTheOthersASecond() throws {
    let stage = try Stage()
    let bytes = 64 << 10
    var stuck: RawSubscriber? = try RawSubscriber(
      "ipc://" + stage.lock.directory.eventsPath, topics: [Array("events".utf8)], highWaterMark: 1)
    try waitUntil("the stuck one to be heard of") {
      stage.announcer.send([])
      return stuck?.receive(waitMs: 1) != nil
    }
    try stage.connect()
    let beganNs = Clock.monotonicNs()
    let (announcer, receiver) = (stage.announcer, stage.receiver)
    let count: UInt64 = 300
    try within("\(count) messages to be sent and received") {
      for number in 1...count {
        announcer.send(Self.message(number, bytes: bytes))
        try #require(try Self.nextNumber(receiver, bytes: bytes) == number)
      }
    }
    // All of its patience is gone, for ten seconds from when the queue was full.
    #expect(announcer.waitedNs == 1_000_000_000)
    let tenNs: UInt64 = 10_000_000_000
    let isInTen = (beganNs + tenNs...Clock.monotonicNs() + tenNs).contains(announcer.patientFromNs)
    #expect(isInTen)
    // The stuck one gets what its queues held: 128 messages, less what was sent before.
    var stuckCount = 0
    while let message = stuck?.receive(waitMs: 200) { stuckCount += message.count > bytes ? 1 : 0 }
    #expect((64..<Int(count)).contains(stuckCount))
    stuck = nil

    // As if the ten seconds were over: there is patience again, and no message is dropped before.
    announcer.patientFromNs = 0
    try Self.flood(stage, from: count + 1)
    #expect(announcer.waitedNs < 1_000_000_000)
  }

  @Test func bodyIsWhatFollowsTheTopic() throws {
    let stage = try Stage()
    for timeoutNs in [0, 1, 1_000_000] as [UInt64] {
      let isThere = stage.receiver.next(timeoutNs: timeoutNs) { _ in }
      #expect(!isThere)
    }
    try stage.connect()
    for body in [[1], [2, 3], [UInt8](repeating: 4, count: 256 << 10 - 9)] as [[UInt8]] {
      stage.announcer.send(body + [9])
      stage.announcer.send(body)
      var bodies: [[UInt8]] = []
      try waitUntil("both messages") {
        // What was sent until the receiver was heard of has no body.
        _ = stage.receiver.next(timeoutNs: 1_000_000) { bytes in
          if !bodies.isEmpty || !bytes.isEmpty { bodies.append(Array(bytes)) }
        }
        return bodies.count == 2
      }
      let isRight = bodies == [body + [9], body]
      #expect(isRight, "\(bodies.map(\.count))")
    }
  }

  @Test func failureOfTheUserIsHandedOn() throws {
    let stage = try Stage()
    try stage.connect()
    #expect(throws: Failure.self) {
      stage.announcer.send([1])
      // What was sent until the receiver was heard of has no body.
      while try stage.receiver.next(
        timeoutNs: patienceNs,
        use: { (_) throws(Failure) -> Void in throw Failure(.badData, "not a message") })
      {}
    }
  }
}

/// Goal: events that came with frames are kept in order, as many as there is room for.
@Suite struct EventInboxTests {
  private static func next(_ inbox: EventInbox) -> [UInt8]? {
    var message: [UInt8]?
    let isThere = inbox.next(timeoutNs: 0) { message = Array($0) }
    return isThere ? message : nil
  }

  @Test func messagesComeOutInOrder() {
    let inbox = EventInbox()
    #expect(Self.next(inbox) == nil)
    for message in [[1], [], [2, 3]] as [[UInt8]] { message.withUnsafeBytes { inbox.put($0) } }
    #expect(Self.next(inbox) == [1])
    #expect(Self.next(inbox) == [])
    #expect(Self.next(inbox) == [2, 3])
    #expect(Self.next(inbox) == nil)
  }

  @Test func whatThereIsNoRoomForIsDropped() {
    let inbox = EventInbox()
    for number in 0..<1_030 as Range<UInt16> { withUnsafeBytes(of: number) { inbox.put($0) } }
    var count = 0
    while Self.next(inbox) != nil { count += 1 }
    #expect(count == 1_024)
    // Then there is room again.
    withUnsafeBytes(of: UInt8(7)) { inbox.put($0) }
    #expect(Self.next(inbox) == [7])
  }

  @Test func failureOfTheUserIsHandedOnAndItsMessageIsTaken() {
    let inbox = EventInbox()
    withUnsafeBytes(of: UInt8(7)) { inbox.put($0) }
    let failure = #expect(throws: Failure.self) {
      _ = try inbox.next(timeoutNs: 0) { (_) throws(Failure) -> Void in
        throw Failure(.badData, "not a message")
      }
    }
    #expect(failure?.description == "not a message")
    #expect(Self.next(inbox) == nil)
  }
}
