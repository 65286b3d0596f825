// SPDX-License-Identifier: Apache-2.0

import Orrery
import TestSupport
import Testing

extension Int: EventPayload {}

/// Goal: events come in the order of time and number, whatever is pushed and popped in between.
///
/// Method: the same pushes and pops on a queue and on a sorted array, with times of many magnitudes
/// and many equal ones, from seeds that a failure prints.
@Suite struct EventQueueTests {
  /// Times that spread over a tick, over many magnitudes, and over few values; the last are often
  /// equal and often before the limit.
  enum Times: CaseIterable {
    case tick, magnitudes, few, all

    func time(after start: Double, _ random: inout SeededRandom) -> Double {
      switch self {
      case .tick: start + random.number(in: 0...0.05)
      case .magnitudes:
        Double(bitPattern: random.next() % (Double.greatestFiniteMagnitude.bitPattern + 1))
      case .few: Double(random.next() % 8) / 4
      case .all:
        switch random.next() % 5 {
        case 0: 0
        case 1: start
        case 2: .infinity
        case 3: Times.magnitudes.time(after: start, &random)
        default: Times.tick.time(after: start, &random)
        }
      }
    }
  }

  /// What a queue must do, in the plainest way.
  struct SortedArray {
    var events: [(time: Double, number: UInt64, payload: Int)] = []

    mutating func push(_ payload: Int, at time: Double, number: UInt64) {
      let index = events.firstIndex { time < $0.time || time == $0.time && number < $0.number }
      events.insert((time, number, payload), at: index ?? events.endIndex)
    }

    mutating func pop(notAfter limit: Double) -> (time: Double, number: UInt64, payload: Int)? {
      events.first.map { $0.time <= limit } == true ? events.removeFirst() : nil
    }
  }

  @Test(arguments: Times.allCases, [UInt64(1), 2, 3, 4])
  func queueIsASortedArray(times: Times, seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var queue = EventQueue<Int>()
    var oracle = SortedArray()
    var (now, number) = (0.0, UInt64(0))
    for step in 0..<300 {
      for _ in 0..<(random.next() % 60) {
        let time = times.time(after: now, &random)
        queue.push(step, at: time)
        oracle.push(step, at: time, number: number)
        number += 1
      }
      #expect(queue.count == oracle.events.count)
      now = step.isMultiple(of: 50) ? times.time(after: now, &random) : now + 0.01
      for _ in 0..<(step.isMultiple(of: 3) ? 5 : Int.max) {
        let (event, expected) = (queue.pop(notAfter: now), oracle.pop(notAfter: now))
        guard
          event?.time == expected?.time, event?.number == expected?.number,
          event?.payload == expected?.payload
        else {
          Issue.record("step \(step): not \(String(describing: expected))")
          return
        }
        if event == nil { break }
      }
    }
  }

  @Test(arguments: [1, 24, 25, 1_000, 30_000], [UInt64(5), 6])
  func manyEventsOfOneTickComeInOrder(count: Int, seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var queue = EventQueue<Int>()
    let times = (0..<count).map { _ in 86_400 + (random.number(in: 0...16) * 64).rounded() / 1_000 }
    for (index, time) in times.enumerated() { queue.push(index, at: time) }
    let expected = times.indices.sorted { (times[$0], $0) < (times[$1], $1) }
    var popped: [Int] = []
    while let event = queue.pop(notAfter: 86_417) { popped.append(event.payload) }
    #expect(popped == expected)
    #expect(queue.isEmpty)
  }

  @Test func numbersOfTheCallerOrderEqualTimes() {
    for count in [3, 100] {
      var queue = EventQueue<Int>()
      for index in 0..<count { queue.push(index, at: 2, number: UInt64(count - index)) }
      queue.push(-1, at: 2)
      let popped = (0...count).map { _ in queue.pop(notAfter: 2)?.payload }
      #expect(popped == (0..<count).reversed() + [-1])
    }
  }

  /// Among several times, too: few events and many of each, in batches that are sorted by words.
  @Test(arguments: [9, 10, 40]) func numbersOfTheCallerOrderEachTime(count: Int) {
    var queue = EventQueue<Int>()
    let times = [2, 2.5, 3.0]
    for part in [2, 0, 1] {
      for index in 0..<count {
        queue.push(part * count + index, at: times[part], number: UInt64(count - index))
      }
    }
    let popped = (0..<3 * count).compactMap { _ in queue.pop(notAfter: 3)?.payload }
    let numbers = Array((0..<count).reversed())
    let expected: [Int] = times.indices.flatMap { part in numbers.map { part * count + $0 } }
    #expect(popped == expected)
  }

  /// The words of a batch this large, with times this far apart, lack the last bit of each time.
  @Test func neighbouringTimesOfLargeBatchesComeInOrder() {
    var queue = EventQueue<Int>()
    let ends = [Double(bitPattern: 0x3fff << 48), Double(bitPattern: 0x3f00 << 48)]
    let middle = (0..<200).map { 1 + Double($0) / 256 }
    let times: [Double] = ends + middle.flatMap { [$0.nextUp, $0] }
    for (index, time) in times.enumerated() { queue.push(index, at: time) }
    let popped = times.indices.compactMap { _ in queue.pop(notAfter: 2)?.time }
    #expect(popped == times.sorted())
  }

  @Test func lateEventComesBeforeAllLaterOnes() {
    var queue = EventQueue<Int>()
    for index in 1...100 { queue.push(index, at: Double(index)) }
    #expect(queue.pop(notAfter: 50)?.payload == 1)
    #expect(queue.pop(notAfter: 50)?.payload == 2)
    queue.push(0, at: 0.5)
    #expect(queue.pop(notAfter: 50)?.payload == 0)
    #expect(queue.pop(notAfter: 50)?.payload == 3)
  }

  @Test func limitIsIncludedAndNothingAfterIt() {
    var queue = EventQueue<Int>()
    queue.push(1, at: 0)
    queue.push(2, at: 0.3)
    queue.push(3, at: .infinity)
    #expect(queue.pop(notAfter: -1) == nil)
    #expect(queue.pop(notAfter: .nan) == nil)
    #expect(queue.pop(notAfter: 0.3.nextDown)?.payload == 1)
    #expect(queue.pop(notAfter: 0.3.nextDown) == nil)
    #expect(queue.pop(notAfter: 0.3)?.payload == 2)
    #expect(queue.pop(notAfter: .greatestFiniteMagnitude) == nil)
    #expect(queue.pop(notAfter: .infinity)?.payload == 3)
  }

  @Test func emptiedQueueStartsAgain() {
    var queue = EventQueue<Int>()
    for index in 0..<200 { queue.push(index, at: Double(index)) }
    #expect(queue.pop(notAfter: 1_000)?.payload == 0)
    queue.removeAll()
    #expect(queue.count == 0)
    #expect(queue.pop(notAfter: .infinity) == nil)
    queue.push(7, at: 0.1)
    let event = queue.pop(notAfter: 0.1)
    #expect(event?.payload == 7)
    #expect(event?.number == 200)
  }

  /// Payloads that make runs: of every second number.
  struct Step: EventPayload {
    let index: Int32

    static var runStep: UInt64 { 2 }
    func moved(by places: Int32) -> Step { Step(index: index &+ places) }
  }

  /// Runs of both directions, side by side, one within the other, cut by stale events, and beside single events.
  @Test(arguments: [Times.tick, .few, .all], Array(UInt64(1)...8))
  func runsComeAsTheirEventsWould(times: Times, seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var queue = EventQueue<Step>()
    var oracle = SortedArray()
    var (now, next) = (0.0, UInt64(0))
    for step in 0..<200 {
      for _ in 0..<(random.next() % 6) {
        let time = times.time(after: now, &random)
        let (first, length, start) = (next, random.next() % 40, Int32(step))
        let stride = [2, 2, 2 * (1 + random.next() % 3), 1 << 17][Int(random.next() % 4)]
        next += stride * length + 2
        let isDown = random.next().isMultiple(of: 2)
        // Odd numbers lie between the even ones: before, after or while those are pushed, or not at all.
        let way = random.next() % 4
        func push(_ place: UInt64, isOdd: Bool) {
          let moved = isDown != isOdd ? -Int32(place) : Int32(place)
          let number = first + stride * place + (isOdd ? 1 : 0)
          queue.push(Step(index: start &+ moved), at: time, number: number)
          oracle.push(Int(start &+ moved), at: time, number: number)
        }
        if way == 0 { for place in 0..<length { push(place, isOdd: true) } }
        for place in 0..<length {
          push(place, isOdd: false)
          if way == 1 { push(place, isOdd: true) }
        }
        if way == 2 { for place in 0..<length where place % 5 > 0 { push(place, isOdd: true) } }
      }
      if step % 17 == 0 {
        queue.removeAll { $0.number % 7 == 0 }
        oracle.events.removeAll { $0.number % 7 == 0 }
      }
      #expect(queue.count == oracle.events.count)
      now += 0.01
      for _ in 0..<(step.isMultiple(of: 3) ? 5 : Int.max) {
        let (event, expected) = (queue.pop(notAfter: now), oracle.pop(notAfter: now))
        guard
          event?.time == expected?.time, event?.number == expected?.number,
          (event?.payload.index).map(Int.init) == expected?.payload
        else {
          Issue.record("seed \(seed), step \(step): not \(String(describing: expected))")
          return
        }
        if event == nil { break }
      }
    }
  }

  /// Events that are taken together, while others come that are before, within or after the rest of them.
  @Test(arguments: Array(UInt64(1)...16))
  func eventsTakenTogetherComeAsEachWould(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var queue = EventQueue<Step>()
    var oracle = SortedArray()
    func push(_ number: UInt64, at time: Double) {
      queue.push(Step(index: Int32(number / 2)), at: time, number: number)
      oracle.push(Int(number / 2), at: time, number: number)
    }
    var now = 0.0
    for step in 0..<60 {
      for _ in 0..<3 {
        // Events of one number have one payload: they may come in any order.
        let kind = random.next() % 3
        let (stride, count) = (3 * (kind + 1), Int(random.next() % 30 + 1))
        let (first, payload) = (2 * kind, random.next() % 700)
        let time = now + Double(random.next() % 4) / 100
        // Some of them are before what is due already.
        queue.push(
          Step(index: Int32(payload)), runCount: count, at: time,
          number: first + 2 * stride * payload, stride: UInt16(stride))
        for place in payload..<payload + UInt64(count) {
          oracle.push(Int(place), at: time, number: first + 2 * stride * place)
        }
      }
      now += 0.01
      while let run = queue.popRun(notAfter: now) {
        let seen = queue.pushedDueCount
        var taken = 0
        repeat {
          let (event, expected) = (run.member(taken), oracle.pop(notAfter: now))
          guard
            event.time == expected?.time, event.number == expected?.number,
            Int(event.payload.index) == expected?.payload
          else {
            Issue.record("seed \(seed), step \(step): not \(String(describing: expected))")
            return
          }
          taken += 1
          switch random.next() % 24 {
          case 0: push(event.number | 1, at: event.time)
          case 1: push((event.number + 8) | 1, at: event.time)
          case 2: push((8000 + random.next() % 100) | 1, at: event.time)
          case 3: push((random.next() % 100) | 1, at: event.time + 0.01)
          default: break
          }
        } while taken < run.count && queue.pushedDueCount == seen
        guard taken < run.count else { continue }
        var rest = run
        rest.removeFirst(taken)
        queue.putBack(rest)
        #expect(queue.count == oracle.events.count)
      }
      #expect(oracle.pop(notAfter: now) == nil, "seed \(seed), step \(step)")
    }
  }

  /// A run has room for 32,768 events: more are several, before and after what is due.
  @Test(arguments: [0.5, 2]) func manyEventsComeInTheirOrder(time: Double) {
    for isDown in [false, true] {
      var queue = EventQueue<Step>()
      queue.push(Step(index: -1), at: 1, number: 0)
      #expect(queue.pop(notAfter: 1)?.number == 0)
      queue.push(
        Step(index: 200_000), runCount: 100_000, goesDown: isDown, at: time, number: 10, stride: 5)
      #expect(queue.count == 100_000)
      var isRight = true
      for place in 0..<100_000 {
        let event = queue.pop(notAfter: 2)
        isRight =
          isRight && event?.number == 10 + UInt64(10 * place)
          && event?.payload.index == Int32(200_000 + (isDown ? -place : place))
      }
      #expect(isRight && queue.isEmpty, "goes down: \(isDown)")
    }
  }

  /// Behind a run, and up to the last; none within a run.
  @Test func upcomingEventsAreThoseThatCome() {
    var queue = EventQueue<Step>()
    var payloads: [Int32] = [7, 8, 9, 50, 40, 60, 20]
    for (index, payload) in payloads.enumerated() {
      queue.push(Step(index: payload), at: 1, number: UInt64(2 * index))
    }
    while !payloads.isEmpty {
      #expect(queue.pop(notAfter: 1)?.payload.index == payloads.removeFirst())
      let coming = payloads.starts(with: [8, 9]) ? [] : payloads
      for (distance, count) in [(0, 1), (0, 3), (1, 2), (2, 9), (5, 4)] {
        var visited: [Int32] = []
        queue.visitUpcoming(distance, count) { visited.append($0.payload.index) }
        #expect(visited == Array(coming.dropFirst(distance).prefix(count)), "\(payloads)")
      }
    }
  }

  @Test(arguments: [-1.0, -.infinity, .nan].map(\.bitPattern))
  func timeBeforeZeroTraps(bits: UInt64) async {
    await #expect(processExitsWith: .failure) { [bits] in
      var queue = EventQueue<Int>()
      queue.push(0, at: Double(bitPattern: bits))
    }
  }

  /// Removed events do not come any more, and all others do, in their order.
  @Test(arguments: Times.allCases, [UInt64(1), 2, 3])
  func removedEventsDoNotCome(times: Times, seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var queue = EventQueue<Int>()
    var oracle = SortedArray()
    for step in 0..<200 {
      for number in 0..<UInt64(20) {
        let time = times.time(after: Double(step) / 60, &random)
        queue.push(step, at: time, number: UInt64(step) * 20 + number)
        oracle.push(step, at: time, number: UInt64(step) * 20 + number)
      }
      if step % 7 == 0 {
        queue.removeAll { $0.number % 3 == 0 }
        oracle.events.removeAll { $0.number % 3 == 0 }
        #expect(queue.count == oracle.events.count, "seed \(seed)")
      }
      while let event = oracle.pop(notAfter: Double(step) / 60) {
        let found = queue.pop(notAfter: Double(step) / 60)
        #expect(found?.number == event.number, "seed \(seed), step \(step)")
      }
      #expect(queue.pop(notAfter: Double(step) / 60) == nil)
    }
  }
}
