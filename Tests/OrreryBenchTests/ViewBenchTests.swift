// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryBench
import Testing

/// Goal: all queues do the same work, and pop events in the same order.
///
/// Method: events by hand against their sorted times; each pattern played by every queue, second after second.
@Suite struct QueueTaskTests {
  private func popped<Queue: TimedQueue>(
    _: Queue.Type, _ times: [Double], limits: [Double]
  ) -> [[UInt32]] {
    var queue = Queue()
    for (index, time) in times.enumerated() { queue.push(UInt32(index), at: time) }
    return limits.map { limit in
      var payloads: [UInt32] = []
      while let event = queue.pop(notAfter: limit) {
        #expect(event.time == times[Int(event.payload)])
        payloads.append(event.payload)
      }
      return payloads
    }
  }

  @Test func eventsArePoppedByTimeThenByPush() {
    let times = [0.5, 0.25, 2, 0.5, 0, 1, 0.25, 1]
    let (limits, expected): ([Double], [[UInt32]]) = (
      [0.25, 0.75, 1, 1.5, 3], [[4, 1, 6], [0, 3], [5, 7], [], [2]]
    )
    #expect(popped(EventQueue<UInt32>.self, times, limits: limits) == expected)
    #expect(popped(BinaryHeap.self, times, limits: limits) == expected)
    #expect(popped(SortedList.self, times, limits: limits) == expected)
  }

  @Test func listTakesEventsBetweenPops() {
    var list = SortedList()
    for (payload, time) in [(0, 0.5), (1, 0.75), (2, 0.25), (3, 1)] as [(UInt32, Double)] {
      list.push(payload, at: time)
    }
    #expect(list.pop(notAfter: 0.4)?.payload == 2)
    list.push(4, at: 0.6)
    #expect(list.pop(notAfter: 0.7)?.payload == 0)
    #expect(list.pop(notAfter: 0.7)?.payload == 4)
    #expect(list.pop(notAfter: 0.7) == nil)
    #expect(list.pop(notAfter: 2)?.payload == 1)
    #expect(list.pop(notAfter: 2)?.payload == 3)
    #expect(list.pop(notAfter: 2) == nil)
  }

  @Test(arguments: QueueTask.Pattern.allCases, [1, 2, 100, 5000])
  func everyQueuePopsInTheSameOrder(pattern: QueueTask.Pattern, count: Int) {
    let task = QueueTask(pattern, count: count)
    let ours = QueueTask.Player<EventQueue<UInt32>>(task)
    let heap = QueueTask.Player<BinaryHeap>(task)
    let list = pattern == .steady ? nil : QueueTask.Player<SortedList>(task)
    for second in 0..<3 {
      let order = ours.playSecond()
      #expect(heap.playSecond() == order, "second \(second)")
      if let list { #expect(list.playSecond() == order, "second \(second)") }
    }
  }

  @Test func ordersDifferWithThePattern() {
    let orders = QueueTask.Pattern.allCases.map {
      QueueTask.Player<BinaryHeap>(QueueTask($0, count: 100)).playSecond()
    }
    // The order in which they were pushed, and that of the times.
    #expect(orders[0] == (0..<100).reduce(0) { $0 &* 31 &+ UInt64($1) })
    #expect(orders[1] != orders[0])
    #expect(orders[2] == orders[1], "the first second has the same times")
  }

  @Test func rowsAreOfAllQueuesThatFitThePattern() {
    for pattern in QueueTask.Pattern.allCases {
      let rows = QueueTask(pattern, count: 10).rows
      #expect(rows.map(\.subject) == [.ours, .peer] + (pattern == .steady ? [] : [.peer]))
      let peers = ["binary heap"] + (pattern == .steady ? [] : ["sorted array"])
      #expect(rows.map(\.name) == ["event queue"] + peers.map { _ in "" })
      #expect(rows.map(\.family) == [""] + peers)
      #expect(rows.allSatisfy { $0.count == 10 && $0.traffic == nil })
    }
  }
}

/// Goal: a scene of views does what its rows say, and each row divides its time by its own work.
@Suite struct ViewSceneTests {
  @Test func everyViewBeginsAndEndsOnceInACycle() throws {
    // Two cycles are played at first; each has one transaction with a completion.
    #expect(try ViewScene(count: 100, records: .completions).eventCount == 2)
    // And a leg, a logical completion and a removal of each view.
    #expect(try ViewScene(count: 100, records: .all).eventCount == 2 * (3 * 100 + 1))
  }

  @Test func roundAddsToAllRows() throws {
    let scene = try ViewScene(count: 50_000, records: .all)
    let before = scene.eventCount
    scene.measure()
    #expect(scene.eventCount - before == 2 * (3 * 50_000 + 1), "100,000 views in a round")
    for row in [scene.begin, scene.underWay, scene.end] {
      #expect(row.rounds.count == 1)
      #expect(row.rounds.min > 0)
      #expect(row.count == 50_000)
      #expect(row.subject == .ours)
    }
    #expect(scene.begin.name == "begin, events recorded")
    #expect(scene.end.name == "end, events recorded")
    #expect(scene.underWay.hashes)
    #expect(scene.underWay.traffic?.bytes == 176)
    #expect(try ViewScene(count: 1, records: .none).begin.name == "begin")
  }
}

/// Goal: the engine's rows are of what they say.
@Suite struct EngineSceneTests {
  @Test func everyPropertyTurnsRoundAndComesToRest() {
    let scene = EngineScene(count: 1000)
    #expect(scene.playOnce() == 0)
    // Of each: the end of a leg, a logical completion of either change, and a removal.
    #expect(scene.eventCount == 4000)
    scene.measure()
    for (row, name) in zip(
      [scene.begin, scene.retarget, scene.read, scene.end],
      ["begin", "retarget", "read a value", "end"])
    {
      #expect(row.name == name && row.count == 1000 && row.rounds.count == 1 && row.rounds.min > 0)
    }
  }
}

/// Goal: the event queue is judged by its fastest peer.
@Suite struct ViewGoalTests {
  private func rows(ours: Double, heap: Double, list: Double) -> [RowReport] {
    [("spread", 10_000), ("steady", 1_000_000), ("burst", 10_000)].flatMap { kind, count in
      RowReport.group(
        kind,
        [
          HandMade.kernel(.ours, "event queue", count: count, traffic: nil, ns: [ours]),
          HandMade.kernel(.peer, family: "binary heap", count: count, traffic: nil, ns: [heap]),
          HandMade.kernel(.peer, family: "sorted array", count: count, traffic: nil, ns: [list]),
        ]
      ) { _ in nil }
    }
  }

  @Test func queueIsHeldAgainstTheFastestPeer() {
    let goals = ViewRun.goals(rows(ours: 20, heap: 40, list: 30))
    #expect(
      goals.map(\.name) == [
        "event queue, spread, 10,000", "event queue, spread, 100,000",
        "event queue, spread, 1,000,000", "event queue, steady, 10,000",
        "event queue, steady, 100,000", "event queue, steady, 1,000,000",
      ])
    #expect(goals.map(\.measured) == [1.5, nil, nil, nil, nil, 1.5])
    #expect(goals[0].verdict == "holds")
    #expect(ViewRun.goals(rows(ours: 40, heap: 20, list: 30))[0].verdict == "missed")
  }

  @Test func tablesNameWhatIsCounted() {
    let rows = RowReport.rows(Array(rows(ours: 2, heap: 4, list: 3).prefix(3)), of: "events")
    #expect(rows.allSatisfy { $0.place?.table == "spread, 10,000 events" })
    #expect(
      rows.map(\.place?.line) == ["sorted array", "binary heap", "Orrery avx2, event queue"])
    #expect(rows.map(\.ratio) == [1, 0.75, 1.5])
  }
}

/// Goal: the peers of changes do what their rows say.
///
/// Method: springs that turn round again and again, against the library's springs in `Double`.
@Suite(.enabled(if: Tool.compiler() != nil)) struct ChangePeerTests {
  private static let count = 100

  private func values(_ kind: String, calls: Int) throws -> [String: [Float]] {
    let build = try PeerBuild(sets: [.baseline], ofViews: true)
    return try withExtendedLifetime(build) {
      let built = try #require(build.libraries.first { $0.job.source == "changes.cpp" })
      let memory = UnsafeMutablePointer<Float>.allocate(capacity: 2 * Self.count)
      defer { memory.deallocate() }
      var values: [String: [Float]] = [:]
      for peer in PeerLibrary.work(kind, of: built, count: Self.count) {
        memory.initialize(repeating: .nan, count: 2 * Self.count)
        withUnsafePointer(to: UnsafeMutablePointer(memory)) { columns in
          for _ in 0..<calls { peer.work.tick(columns) }
          peer.work.values(columns)
        }
        values[peer.name] = (0..<Self.count).map { memory[$0] }
      }
      return values
    }
  }

  @Test(arguments: [1, 2, 7]) func springsAreWhereTheLibraryHasThem(calls: Int) throws {
    let values = try values("retarget", calls: calls)
    #expect(values.keys.sorted() == ["closed form", "objects", "stepped"])
    let spring = Spring(response: 0.5, dampingRatio: 0.8)
    for entity in 0..<Self.count {
      // The decay times the distance: the sine has no part in the first motion.
      var (value, velocity, target) = (-100.0, 100 * 0.8 * 2 * .pi / 0.5, 0.0)
      for call in 1...calls {
        let start = value
        value = start + spring.value(target: target - start, initialVelocity: velocity, time: 0.2)
        velocity = spring.velocity(target: target - start, initialVelocity: velocity, time: 0.2)
        target = call % 2 == 1 ? 0 : 100 + Double(entity % 97)
      }
      for name in ["objects", "closed form"] {
        let error = Double(values[name]?[entity] ?? .nan) - value
        #expect(abs(error) < 0.001, "\(name), spring \(entity), \(calls) calls")
      }
    }
  }

  @Test func columnHasEachAnimationThatEnded() throws {
    let values = try values("complete", calls: 2)
    #expect(values.keys.sorted() == ["column", "objects"])
    #expect(values["column"] == (0..<Self.count).map(Float.init))
    // Each of two calls adds the entity's number, made odd.
    #expect(values["objects"]?[0] == Float(2 * (0..<Self.count).reduce(0) { $0 + ($1 | 1) }))
  }

  @Test func rowsAreNamedByWhatTheyDo() throws {
    let scene = try RetargetScene(
      count: 200, .spring(duration: 0.5), isUniform: false, name: "spring, each its own way")
    scene.measure()
    #expect(scene.retarget.rounds.count == 1)
    #expect(ChangePeer.rows("retarget", of: nil, count: 10).isEmpty)
  }
}
