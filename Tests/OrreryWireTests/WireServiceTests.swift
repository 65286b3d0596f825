// SPDX-License-Identifier: Apache-2.0

import CZeroMQ
import Glibc
import OrreryBase
import OrreryDocument
import OrreryFrame
import OrreryWire
import TestSupport
import Testing

/// Goal: what clients may ask for is bounded as docs/reference/wire.md says, who leaves is in the report with the
/// reason, and a run in lockstep waits for those who are sent frames and for nobody else.
///
/// Method: clients that say what a test likes, by the run's directory.
@Suite struct WireServiceTests {
  private static let ok = DocumentValue.bool(true)

  /// Joins; the answer's fields.
  private static func join(
    _ dealer: RawDealer, _ fields: [String: DocumentValue] = [:], name: String = "raw"
  ) throws -> [String: DocumentValue] {
    try dealer.ask(.join, fields.merging(["name": .string(name)]) { $1 })
  }

  private static func fields(_ reply: [[UInt8]]) throws -> [String: DocumentValue] {
    try #require(reply.count >= 2)
    return try reply[1].withUnsafeBytes { try [String: DocumentValue](json: $0) }
  }

  // MARK: - Limits

  /// Those who said something and went are kept for a while: as long as they wait for an answer here.
  @Test func thousandClientsAreKnownAtATime() throws {
    let run = try ServedRun()
    let context = try #require(zmq_ctx_new())
    defer { zmq_ctx_term(context) }
    // The handler answers none of these.
    let request = ControlRequest(verb: .pause, id: 1).json
    for round in 1...16 {
      var sockets: [UnsafeMutableRawPointer] = []
      defer { for socket in sockets { zmq_close(socket) } }
      for _ in 0..<64 {
        let socket = try #require(zmq_socket(context, ZMQ_DEALER))
        sockets.append(socket)
        var linger: CInt = 0
        zmq_setsockopt(socket, ZMQ_LINGER, &linger, MemoryLayout<CInt>.size)
        try #require(zmq_connect(socket, run.local.endpoint) == 0)
        try #require(zmq_send(socket, request, request.count, 0) >= 0)
      }
      try waitUntil("\(round * 64) clients") {
        run.handler.requests.read { $0.count } == round * 64
      }
    }
    let dealer = try RawDealer(run.local)
    dealer.send(ControlRequest(verb: .pause, id: 1))
    try waitUntil("a request that is passed over") { run.server.counts.ignoredRequests == 1 }
    #expect(run.handler.requests.read { $0.count } == 1_024)
  }

  @Test func joiningCostsAHundred() throws {
    let run = try ServedRun()
    let dealer = try RawDealer(run.local)
    let request = ControlRequest(verb: .join, id: 1, fields: ["frames": .string("none")])
    for _ in 0..<200 { dealer.send(request) }
    var joinedCount = 0
    var said: [String: DocumentValue] = ["ok": Self.ok]
    while said["ok"] == Self.ok, joinedCount < 200 {
      said = try Self.fields(dealer.receive("reply"))
      joinedCount += said["ok"] == Self.ok ? 1 : 0
    }
    // A thousand at once, and what comes back with time: five seconds of it for all of them.
    #expect((9..<200).contains(joinedCount))
    #expect(
      said == ["id": .integer(1), "ok": .bool(false), "reason": .string("too many requests")])
  }

  /// Spaces after an object are nothing but bytes.
  private static func progress(_ sequence: UInt64, bytes: Int) -> [UInt8] {
    let json = Array(#"{"do":"progress","id":1,"sequence":\#(sequence)}"#.utf8)
    return json + [UInt8](repeating: UInt8(ascii: " "), count: bytes - json.count)
  }

  @Test func reportsOfProgressAreFreeUpTo128Bytes() throws {
    let run = try ServedRun(slots: 512)
    let dealer = try RawDealer(run.local)
    defer { dealer.leave() }
    #expect(try Self.join(dealer)["ok"] == Self.ok)
    run.publish(200)
    for _ in 0..<200 { _ = try dealer.receive(nil) }
    // All that it may ask for, and then reports.
    for _ in 0..<20 { dealer.send([[UInt8](repeating: UInt8(ascii: "x"), count: 6_336)]) }
    for sequence in UInt64(1)...200 { dealer.send([Self.progress(sequence, bytes: 128)]) }
    try waitUntil("the last report") { run.subscribers.reports.first?.progress == 200 }
    // A byte more, and they cost three each.
    for _ in 0..<10_000 { dealer.send([Self.progress(200, bytes: 129)]) }
    try waitUntil("a report that is passed over") { run.server.counts.ignoredRequests > 500 }
  }

  @Test func refusedRequestsAreCounted() throws {
    let run = try ServedRun()
    let dealer = try RawDealer(run.local)
    defer { dealer.leave() }
    #expect(try dealer.ask(.progress)["ok"] == .bool(false))
    #expect(try Self.join(dealer, ["frames": .string("some")])["ok"] == .bool(false))
    dealer.send(json: "{}")
    let reply = try Self.fields(dealer.receive("reply"))
    #expect(reply["reason"] == .string("'id' must be a whole number"))
    #expect(try dealer.ask(.stats)["ok"] == Self.ok)
    // Who joins has the account brought up to date.
    #expect(try Self.join(dealer)["ok"] == Self.ok)
    try waitUntil("three refusals") { run.server.counts.refusedRequests == 3 }
    #expect(run.server.counts.ignoredRequests == 0)
    #expect(run.server.counts.refusedConnections == 0)
  }

  /// Its time is in seconds: one that owes a report for two is not dropped.
  @Test func stallLimitIsInSeconds() throws {
    let run = try ServedRun(delivery: .lockstep, stallLimitSeconds: 100)
    let dealer = try RawDealer(run.local)
    defer { dealer.leave() }
    #expect(try Self.join(dealer)["ok"] == Self.ok)
    run.publish(1)
    for _ in 0..<3 { #expect(try dealer.receive("alive").count == 2) }
    #expect(run.subscribers.reports.first?.departure == nil)
  }

  // MARK: - The report

  @Test func whoLeavesIsInTheReportWithTheReason() throws {
    let run = try ServedRun()
    let dealer = try RawDealer(run.local)
    run.publish(2)
    #expect(try Self.join(dealer, name: "first")["ok"] == Self.ok)
    let fields: [String: DocumentValue] = ["frames": .string("latest"), "from": .integer(2)]
    #expect(try Self.join(dealer, fields, name: "second")["ok"] == Self.ok)
    try waitUntil("both in the report") { run.subscribers.reports.count == 2 }
    #expect(run.subscribers.joinedCount == 2)
    let (first, second) = (run.subscribers.reports[0], run.subscribers.reports[1])
    #expect(first.name == "first")
    #expect(first.reading == .every)
    #expect(first.joinedAfter == 2)
    #expect(first.progress == 2)
    #expect(first.sent == 0)
    #expect(first.skipped == 0)
    #expect(first.missed == 0)
    #expect(first.departure == .rejoined)
    #expect(second.name == "second")
    #expect(second.reading == .newest)
    #expect(second.joinedAfter == 1)
    #expect(second.departure == nil)
    // It says goodbye, and another one does not.
    #expect(try dealer.ask(.leave)["ok"] == Self.ok)
    try waitUntil("its leave") { run.subscribers.reports[1].departure == .left }
    #expect(!run.server.hasRemoteSubscribers)
    do {
      let third = try RawDealer(run.local)
      #expect(try Self.join(third, name: "third")["ok"] == Self.ok)
      #expect(run.server.hasRemoteSubscribers)
    }
    try waitUntil("the third one's absence to be noticed") {
      run.publish()
      let reports = run.subscribers.reports
      return reports.count == 3 && reports[2].departure != nil
    }
    #expect(run.subscribers.reports[2].departure == .lost)
    #expect(!run.server.hasRemoteSubscribers)
    try waitUntil("all frames to be let go") { run.writer.pinnedPlaceCount == 0 }
  }

  /// Whoever joins for the layout alone follows the run in some other way.
  @Test func onlyWhoJoinsForFramesIsCounted() throws {
    let run = try ServedRun()
    let dealer = try RawDealer(run.local)
    defer { dealer.leave() }
    #expect(try Self.join(dealer, ["frames": .string("none")])["ok"] == Self.ok)
    try waitUntil("the report") { run.subscribers.reports.count == 1 }
    #expect(run.subscribers.joinedCount == 0)
    let report = try #require(run.subscribers.reports.first)
    #expect(report.reading == nil)
    #expect(try Self.join(dealer)["ok"] == Self.ok)
    try waitUntil("the count") { run.subscribers.joinedCount == 1 }
  }

  @Test func nameIsShortened() throws {
    let run = try ServedRun()
    let dealer = try RawDealer(run.local)
    defer { dealer.leave() }
    #expect(
      try Self.join(dealer, name: String(repeating: "n", count: 31) + "m")["ok"] == Self.ok)
    try waitUntil("the report") { run.subscribers.reports.count == 1 }
    #expect(run.subscribers.reports.first?.name == String(repeating: "n", count: 31))
    #expect(try dealer.ask(.join)["ok"] == Self.ok)
    try waitUntil("the second report") { run.subscribers.reports.count == 2 }
    #expect(run.subscribers.reports.last?.name == "remote")
  }

  @Test func reportIsBounded() throws {
    let run = try ServedRun()
    let none: [String: DocumentValue] = ["frames": .string("none")]
    // Nine joins can be paid at once; 29 clients leave the run 261 times.
    for client in 0..<29 {
      let dealer = try RawDealer(run.local)
      for _ in 0..<9 {
        try #require(try Self.join(dealer, none, name: "client \(client)")["ok"] == Self.ok)
      }
      try #require(try dealer.ask(.leave)["ok"] == Self.ok)
    }
    run.end()
    let reports = run.subscribers.reports
    #expect(reports.count == 256)
    let haveAllLeft = reports.allSatisfy { $0.departure != nil }
    #expect(haveAllLeft)
    // The last are kept: of the first client's nine, four.
    #expect(reports.first?.name == "client 0")
    #expect(reports.last?.name == "client 28")
    #expect(reports[3].departure == .left)
    let leftCount = reports.count { $0.departure == .left }
    #expect(leftCount == 29)
  }

  // MARK: - Lockstep

  @Test func lockstepWaitsForThoseWhoAreSentFrames() throws {
    let run = try ServedRun(delivery: .lockstep)
    let (idle, reader) = (try RawDealer(run.local), try RawDealer(run.local))
    defer { idle.leave() }
    #expect(try Self.join(idle, ["frames": .string("none")])["ok"] == Self.ok)
    try run.waitForProgress(5)
    // One that is refused holds nothing up either.
    #expect(try Self.join(reader, ["from": .integer(9)])["ok"] == .bool(false))
    try run.waitForProgress(5)
    // In lockstep every frame is sent, whatever was asked for.
    #expect(try Self.join(reader, ["frames": .string("latest")])["ok"] == Self.ok)
    run.publish(3)
    let waiting = try TestThread("progress 2") { [subscribers = run.subscribers] in
      #expect(subscribers.waitForProgress(2))
    }
    for sequence in UInt8(1)...3 {
      let frame = try dealerFrame(reader)
      #expect(Array(frame.prefix(2)) == [0x09, sequence])
    }
    reader.send(ControlRequest(verb: .progress, id: 1, fields: ["sequence": .integer(1)]))
    Clock.sleep(untilMonotonicNs: Clock.monotonicNs() + 20_000_000)
    #expect(!waiting.isOver)
    reader.send(ControlRequest(verb: .progress, id: 1, fields: ["sequence": .integer(2)]))
    try waiting.join()
    try waitUntil("the report") {
      run.subscribers.reports.contains { $0.reading == .every && $0.progress == 2 }
    }
    // Who leaves is not waited for.
    let rest = try TestThread("progress 3") { [subscribers = run.subscribers] in
      #expect(subscribers.waitForProgress(3))
    }
    reader.leave()
    try rest.join()
  }

  private func dealerFrame(_ dealer: RawDealer) throws -> [UInt8] {
    try #require(try dealer.receive(nil).first)
  }

  @Test func waitEndsWhereItIsInterruptedAndNowhereElse() throws {
    let run = try ServedRun(delivery: .lockstep)
    let dealer = try RawDealer(run.local)
    defer { dealer.leave() }
    #expect(try Self.join(dealer)["ok"] == Self.ok)
    run.publish(1)
    let isInterrupted = Flag()
    let waiting = try TestThread("the end of a wait that is interrupted") {
      [subscribers = run.subscribers] in
      let isDone = subscribers.waitForProgress(1, orUntil: { isInterrupted.isSet })
      #expect(!isDone)
    }
    // To be woken is no interruption.
    for _ in 0..<20 {
      run.subscribers.interruptWaiting()
      Clock.sleep(untilMonotonicNs: Clock.monotonicNs() + 1_000_000)
    }
    #expect(!waiting.isOver)
    isInterrupted.set()
    run.subscribers.interruptWaiting()
    try waiting.join()
    // What is done needs no wait, interrupted or not.
    dealer.send(ControlRequest(verb: .progress, id: 1, fields: ["sequence": .integer(1)]))
    let isDone = try within("progress 1") { [subscribers = run.subscribers] in
      subscribers.waitForProgress(1)
    }
    #expect(isDone)
    #expect(run.subscribers.waitForProgress(1, orUntil: { true }))
  }

  // MARK: - The end

  @Test func endIsToldAfterTheLastFrameAndWaitedForUntilItIsRead() throws {
    let run = try ServedRun()
    let dealers = try (0..<3).map { _ in try RawDealer(run.local) }
    for (dealer, frames) in zip(dealers, ["every", "latest", "none"]) {
      #expect(try Self.join(dealer, ["frames": .string(frames)], name: frames)["ok"] == Self.ok)
    }
    run.publish(3)
    let ending = try TestThread("the run's end") { run.end() }
    var heard: [UInt8] = []
    while heard.count < 3 { heard.append(try dealerFrame(dealers[0])[1]) }
    #expect(heard == [1, 2, 3])
    for dealer in dealers {
      let end = try dealer.receive("end")
      #expect(end == [Array("end".utf8), Array(#"{"sequence":3}"#.utf8)])
      dealer.leave()
    }
    // A client that is gone before its goodbye was sent has hung up.
    try withExtendedLifetime(dealers) { try ending.join() }
    let reports = run.subscribers.reports
    #expect(reports.count == 3)
    for report in reports {
      #expect(report.departure == .left, "\(report.name)")
      #expect(report.sent + report.skipped == 3, "\(report.name)")
    }
    #expect(reports.first(where: { $0.name == "every" })?.sent == 3)
    #expect(reports.first(where: { $0.name == "none" })?.sent == 0)
  }

  @Test func whoStaysIsNotWaitedForForEver() throws {
    let run = try ServedRun()
    let dealer = try RawDealer(run.local)
    #expect(try Self.join(dealer)["ok"] == Self.ok)
    run.publish(2)
    try within("the run's end") { run.end() }
    #expect(run.subscribers.reports.map(\.departure) == [.stayed])
    #expect(try dealer.receive("end")[1] == Array(#"{"sequence":2}"#.utf8))
  }

  // MARK: - Where it is served

  @Test func runIsServedInItsDirectoryAlone() throws {
    let run = try ServedRun(listen: nil)
    #expect(run.server.endpoint == nil)
    let dealer = try RawDealer(run.local)
    defer { dealer.leave() }
    #expect(!run.server.hasRemoteSubscribers)
    #expect(try Self.join(dealer)["ok"] == Self.ok)
    #expect(run.server.hasRemoteSubscribers)
    run.publish(1)
    #expect(try dealerFrame(dealer)[1] == 1)
  }

  /// Who unpacks a frame knows from its first bytes how much room it needs.
  @Test func packedFrameTellsItsLength() throws {
    let run = try ServedRun(values: 4_096)
    let dealer = try RawDealer(run.local)
    defer { dealer.leave() }
    #expect(try Self.join(dealer, ["compression": .string("lz4")])["ok"] == Self.ok)
    run.publish()
    let frame = try dealerFrame(dealer)
    try #require(frame.count > 14)
    // The flag that the length follows, and the length.
    #expect(frame[4] & 0x08 != 0)
    let length = (0..<8).reduce(UInt64(0)) { $0 | UInt64(frame[6 + $1]) << UInt64(8 * $1) }
    #expect(length == run.writer.layout.frameBytes)
    #expect(run.writer.pinnedPlaceCount == 0)
  }
}

// MARK: - Patience

extension WireServiceTests {
  /// In a process of its own, whose processor time is that of these runs: a thread that spins would take all of it.
  @Test func threadsThatHaveNothingToDoSleep() async {
    await #expect(processExitsWith: .success) {
      let base = try TemporaryBase()
      let keys = base.path + "/keys"
      _ = try CurveKeys.generate(directory: keys, client: "client", overwrites: false)
      let served = try ServedRun(keys: .server(directory: keys))
      let far = try served.join(keys: .client(directory: keys))
      let near = try RawDealer(served.local)
      let answer = try near.ask(.join)
      precondition(answer["ok"] == .bool(true), "\(answer)")
      let live = try LiveRun(announces: true)
      let follower = Follower(try live.join(waiting: .announcement))
      served.publish(2)
      live.publish(2)
      for sequence in UInt64(1)...2 {
        precondition(far.nextEvent() == .frame(sequence: sequence))
        precondition(follower.next(timeoutNs: patienceNs) == .frame(sequence: sequence))
        _ = try near.receive(nil)
      }
      let usedNs = processorNs(whileAsleepForNs: 500_000_000)
      precondition(usedNs < 150_000_000, "\(usedNs) ns in half a second")
      near.leave()
      withExtendedLifetime((base, far, follower)) {}
    }
  }

  /// Requests that arrive are no flood, however many bytes they are.
  @Test func whoSendsMuchThatArrivesStays() throws {
    let run = try ServedRun()
    let dealer = try RawDealer(run.address())
    defer { dealer.leave() }
    #expect(try Self.join(dealer, ["frames": .string("none")])["ok"] == Self.ok)
    // Fifteen million bytes; most of it is more than it may ask.
    let request = Self.progress(0, bytes: 60_000)
    for _ in 0..<250 { dealer.send([request]) }
    try waitUntil("all of them to be read") { run.server.counts.ignoredRequests >= 200 }
    #expect(run.server.counts.refusedConnections == 0)
    #expect(run.subscribers.reports.first?.departure == nil)
  }

  /// Whoever tries once does not ask whether it should go on.
  @Test func whoWaitsForNothingTriesOnce() throws {
    var askedCount = 0
    let base = try TemporaryBase()
    let directory = try RunDirectory(name: "nobody", base: base.path)
    #expect(throws: WireError.noRun(name: "nobody", waitedSeconds: 0)) {
      _ = try Subscription.connect(to: directory, waitSeconds: 0) {
        askedCount += 1
        return false
      }
    }
    let address = WireAddress.run(directory)
    #expect(throws: WireError.noAnswer(endpoint: address.endpoint, waitedSeconds: 0)) {
      _ = try RemoteSubscription.connect(to: address, waitSeconds: 0) {
        askedCount += 1
        return false
      }
    }
    let sim = try FalseSim([])
    defer { sim.stop() }
    let connection = try RemoteSubscription.connect(to: sim.address, waitSeconds: 20)
    let options = RemoteOptions(name: "test")
    #expect(throws: WireError.noAnswer(endpoint: sim.address.endpoint, waitedSeconds: 0)) {
      _ = try RemoteSubscription(connection, sim.address, options, waitSeconds: 0) {
        askedCount += 1
        return false
      }
    }
    #expect(askedCount == 0)
    // Whoever would wait for an hour is asked, and does not.
    #expect(throws: WireError.noAnswer(endpoint: address.endpoint, waitedSeconds: 3_600)) {
      _ = try RemoteSubscription.connect(to: address, waitSeconds: 3_600) {
        askedCount += 1
        return askedCount == 3
      }
    }
    #expect(askedCount == 3)
    #expect(throws: WireError.noAnswer(endpoint: sim.address.endpoint, waitedSeconds: 3_600)) {
      _ = try RemoteSubscription(connection, sim.address, options, waitSeconds: 3_600) {
        askedCount += 1
        return askedCount == 6
      }
    }
    #expect(askedCount == 6)
    withExtendedLifetime(base) {}
  }
}
