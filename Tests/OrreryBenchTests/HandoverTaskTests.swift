// SPDX-License-Identifier: Apache-2.0

import OrreryBench
import Testing

/// Tasks pass through a word of the command line, and say how they hand frames over.
@Suite struct HandoverTaskTests {
  @Test func tasksPassThroughTheirWord() throws {
    var task = HandoverTask(.rate, frameBytes: 4096)
    (task.waiting, task.slotCount, task.readerCount) = (.futex, 12, 3)
    (task.subscribes, task.copies, task.isFree) = (true, false, true)
    let read = try #require(HandoverTask(text: task.text))
    #expect(read.measure == .rate)
    #expect(read.waiting == .futex)
    #expect(read.frameBytes == 4096)
    #expect(read.slotCount == 12)
    #expect(read.readerCount == 3)
    #expect(read.subscribes)
    #expect(!read.copies)
    #expect(read.isFree)
    #expect(task.text == read.text, "keys in one order")
  }

  private func task(bytes: Int = 64, slots: UInt64 = 64, readers: Int = 1) -> HandoverTask? {
    var task = HandoverTask(.latency, frameBytes: bytes)
    (task.slotCount, task.readerCount) = (slots, readers)
    return HandoverTask(text: task.text)
  }

  @Test func limitsAreThoseOfRingsAndBoards() {
    #expect(task(bytes: 63) != nil)
    #expect(task(bytes: 62) == nil)
    #expect(task(bytes: 1 << 30) != nil)
    #expect(task(bytes: 1 << 30 + 1) == nil)
    #expect(task(slots: 2) != nil)
    #expect(task(slots: 1) == nil)
    #expect(task(slots: 65_536) != nil)
    #expect(task(slots: 65_537) == nil)
    #expect(task(readers: 0) != nil)
    #expect(task(readers: -1) == nil)
    #expect(task(readers: 8) != nil)
    #expect(task(readers: 9) == nil)
    #expect(HandoverTask(text: "{}") == nil)
    #expect(HandoverTask(text: "latency") == nil)
  }

  private func task(_ measure: HandoverTask.Measure, _ waiting: HandoverTask.Wait) -> HandoverTask {
    var task = HandoverTask(measure, frameBytes: 64)
    task.waiting = waiting
    return task
  }

  @Test func onlyTwoThreadsKeepToAProcessorEach() {
    #expect(task(.latency, .spin).isPinned)
    #expect(task(.latency, .futex).isPinned)
    #expect(!task(.latency, .announcement).isPinned, "the announcer is a third")
    #expect(task(.rate, .spin).isPinned)
    #expect(!task(.cost, .spin).isPinned)
    #expect(!task(.remote, .spin).isPinned)
  }

  @Test func readersTellEightTimesARound() {
    var task = task(.rate, .spin)
    for (slots, told) in [(64, 8), (16, 2), (15, 1), (2, 1)] as [(UInt64, UInt64)] {
      task.slotCount = slots
      #expect(task.framesPerReport == told, "\(slots) slots")
    }
  }

  @Test func waysAreThoseOfTheTask() {
    #expect(task(.latency, .spin).way == .spin)
    #expect(task(.latency, .futex).way == .futex)
    #expect(task(.cost, .announcement).way == .announcement)
    #expect(task(.remote, .spin).way == .wire)
    var rate = task(.rate, .spin)
    #expect(rate.way == .handedWindow)
    rate.copies = true
    #expect(rate.way == .copiedWindow)
    rate.isFree = true
    #expect(rate.way == .copiedFree)
    rate.copies = false
    #expect(rate.way == .handedFree)
    #expect(HandoverWay.allCases.filter(\.isFree) == [.handedFree, .copiedFree])
  }

  /// What a task does not say is said by its defaults, and its word has all of it.
  @Test func taskHasTheseDefaults() {
    let text = HandoverTask(.cost, frameBytes: 256).text
    #expect(
      text == #"{"copies":false,"frameBytes":256,"isFree":false,"measure":"cost","readerCount":1,"#
        + #""slotCount":64,"subscribes":false,"waiting":"spin"}"#)
  }

  @Test func everyMeasureAndWaitHasItsWay() {
    let waits: [HandoverTask.Wait] = [.spin, .futex, .announcement]
    #expect(waits.map { task(.latency, $0).way } == [.spin, .futex, .announcement])
    #expect(waits.map { task(.cost, $0).way } == [.spin, .futex, .announcement])
    #expect(waits.map { task(.remote, $0).way } == [.wire, .wire, .wire])
    #expect(
      waits.map { task(.rate, $0).way } == [.handedWindow, .handedWindow, .handedWindow])
  }

  @Test func eachWayHasItsLabel() {
    #expect(
      HandoverWay.allCases.map { "\($0.rawValue): \($0.label)" } == [
        "spin: spin", "line: a cache line", "swapped: a cache line, the other way", "futex: futex",
        "eventfd: eventfd", "pipe: pipe", "socket: Unix socket", "announcement: announcement",
        "waitset: waitset", "listener: listener", "request: REQ and REP", "pair: PAIR",
        "push: PUSH and PULL", "push in place: PUSH and PULL, in place",
        "handed window: handed over", "handed free: handed over", "copied window: copied",
        "copied free: copied", "wire: wire",
      ])
  }

  @Test func labelsTellWaysApart() {
    let ways = HandoverWay.allCases.filter { !$0.isFree }
    #expect(Set(ways.map(\.label)).count == ways.count, "\(ways.map(\.label))")
    #expect(HandoverWay.futex.label == "futex")
    #expect(HandoverWay.waitset.label == "waitset")
    #expect(HandoverWay.socket.label == "Unix socket")
    #expect(HandoverWay.copiedFree.label == "copied")
    #expect(HandoverWay.handedFree.label == "handed over")
  }
}
