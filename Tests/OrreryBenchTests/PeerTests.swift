// SPDX-License-Identifier: Apache-2.0

import OrreryBench
import OrrerySim
import Synchronization
import Testing

/// Peers that compute something else, drift or are slow are told from those that count.
///
/// Method: variants and rows by hand, on both sides of each limit.
@Suite struct PeerJudgementTests {
  private func variant(
    _ family: String = "family", _ name: String = "", kind: KernelKind = .orbit,
    traffic: Traffic? = nil, countMax: Int = .max, hasCenter: Bool = false
  ) -> PeerVariant {
    PeerVariant(
      family: family, name: name, kind: kind, traffic: traffic, operations: 3,
      hasCenter: hasCenter, countMax: countMax
    ) { ClassPeerStandIn($0) }
  }

  /// Does nothing.
  private final class ClassPeerStandIn: PeerWork {
    init(_ task: KernelTask) {}
    func tick(_ columns: UnsafePointer<UnsafeMutablePointer<Float>?>) {}
    func values(_ columns: UnsafePointer<UnsafeMutablePointer<Float>?>) {}
  }

  @Test func aTenthOfAPointOffIsRightAndMoreIsNot() {
    let right = PeerCheck.judge(variant(), asksHour: false, pointsOff: 0.1) { 0 }
    #expect(right.variant != nil)
    #expect(right.check.isRight)
    #expect(right.check.pointsOff == 0.1)
    #expect(right.check.peer == "family")
    #expect(right.check.kind == "orbit")
    let wrong = PeerCheck.judge(variant("family", "name"), asksHour: true, pointsOff: 0.101) {
      Issue.record("what is wrong is not asked for an hour")
      return 0
    }
    #expect(wrong.variant == nil)
    #expect(!wrong.check.isRight)
    #expect(wrong.check.peer == "family, name")
    #expect(wrong.check.pointsOffAfterAnHour == nil)
  }

  @Test func whatIsOffAfterAnHourDrifts() {
    let lasting = PeerCheck.judge(variant(), asksHour: true, pointsOff: 0) { 0.1 }
    #expect(lasting.variant?.drifts == false)
    #expect(lasting.check.pointsOffAfterAnHour == 0.1)
    let drifting = PeerCheck.judge(variant(), asksHour: true, pointsOff: 0) { 0.101 }
    #expect(drifting.variant?.drifts == true)
    #expect(drifting.check.isRight)
  }

  @Test func objectsAndQuickRunsAreNotAskedForAnHour() {
    let objects = PeerCheck.judge(variant(countMax: 1_000_000), asksHour: true, pointsOff: 0) { 9 }
    #expect(objects.check.pointsOffAfterAnHour == nil)
    #expect(objects.variant?.drifts == false)
    let quick = PeerCheck.judge(variant(), asksHour: false, pointsOff: 0) { 9 }
    #expect(quick.check.pointsOffAfterAnHour == nil)
  }

  private func rows(
    _ count: Int, _ times: [(family: String, ns: Double)]
  ) -> [RowReport] {
    var report = HandMade.kernelReport()
    report.add(
      .orbit, times.map { HandMade.kernel(.peer, family: $0.family, count: count, ns: [$0.ns]) }
    ) { _ in nil }
    return report.rows
  }

  @Test func manyEntitiesAreLeftToPeersThatTookAtMostTwiceTheBest() {
    let rows = rows(1000, [("best", 2), ("twice", 4), ("slow", 5)])
    let slow = SlowPeers(rows, .orbit, count: 2_000_001)
    #expect(!slow.contains(variant("best")))
    #expect(!slow.contains(variant("twice")))
    #expect(slow.contains(variant("slow")))
    #expect(!slow.contains(variant("slow", "another way")))
    #expect(!slow.contains(variant("unknown")))
    #expect(!SlowPeers(rows, .orbit, count: 2_000_000).contains(variant("slow")))
    #expect(!SlowPeers(rows, .tween, count: 2_000_001).contains(variant("slow")))
  }

  @Test func theNumberOfEntitiesBeforeDecides() {
    let all =
      rows(10, [("first", 9), ("best", 1)]) + rows(1000, [("first", 1), ("second", 3)])
      + rows(3_000_000, [("first", 9), ("second", 1)])
    let slow = SlowPeers(all, .orbit, count: 3_000_000)
    #expect(slow.contains(variant("second")))
    #expect(!slow.contains(variant("first")))
    #expect(SlowPeers(all, .orbit, count: 4_000_000).contains(variant("first")))
    #expect(!SlowPeers([], .orbit, count: 4_000_000).contains(variant("first")))
  }

  @Test func ourRowsAreNoPeers() {
    var report = HandMade.kernelReport()
    report.add(
      .orbit,
      [
        HandMade.kernel(.ours, ns: [1]), HandMade.kernel(.peer, family: "peer", ns: [9]),
      ]
    ) { _ in nil }
    #expect(!SlowPeers(report.rows, .orbit, count: 4_000_000).contains(variant("peer")))
  }

  @Test func mixtureTakesTheFirstVariantOfEachKind() throws {
    let all = KernelKind.simple.flatMap { kind in
      [
        variant(
          "library", "plain \(kind)", kind: kind, traffic: Traffic(reads: 5, updates: 0, writes: 10)
        ),
        variant("library", "other \(kind)", kind: kind),
      ]
    }
    let mixtures = PeerVariant.mixtures(of: all)
    try #require(mixtures.count == 1)
    #expect(mixtures[0].family == "library")
    #expect(mixtures[0].name.isEmpty)
    #expect(mixtures[0].kind == .mixed)
    #expect(mixtures[0].operations == 0)
    #expect(mixtures[0].traffic == Traffic(reads: 5, updates: 0, writes: 10))
    #expect(!mixtures[0].hasCenter)
    #expect(!mixtures[0].drifts)
    #expect(PeerVariant.mixtures(of: Array(all.dropLast(2))).isEmpty, "a kind is missing")
    #expect(PeerVariant.mixtures(of: []).isEmpty)
  }

  @Test func storesPastTheCachesMakeASecondMixture() throws {
    var all = KernelKind.simple.map { variant("library", "plain", kind: $0) }
    all.append(variant("library", "plain, streamed", kind: .tween, countMax: 5))
    var drifting = variant(
      "library", "streamed", kind: .flow, traffic: Traffic(reads: 1, updates: 1, writes: 1))
    drifting.drifts = true
    all.append(drifting)
    let mixtures = PeerVariant.mixtures(of: all)
    try #require(mixtures.count == 2)
    #expect(mixtures.map(\.name) == ["", "streamed"])
    #expect(mixtures.map(\.drifts) == [false, true])
    #expect(mixtures.map(\.traffic) == [nil, nil], "where one is unknown all are")
  }

  @Test func mixtureTakesOrbitsWithoutTheirCentresWhereItCan() throws {
    let orbits = [variant("a", "centre", hasCenter: true), variant("a", "none")]
    let rest = KernelKind.simple.dropFirst().map { variant("a", "", kind: $0, countMax: 9) }
    let mixture = try #require(PeerVariant.mixtures(of: orbits + rest).first)
    #expect(!mixture.hasCenter)
    #expect(mixture.countMax == .max, "that of the first")
    let only = try #require(PeerVariant.mixtures(of: [orbits[0]] + rest).first)
    #expect(only.hasCenter)
  }

  /// Writes its number into every column that it is given, of as many as its kind has.
  private final class Numbered: PeerWork {
    let number: Float
    let columnCount: Int
    init(_ number: Float, _ columnCount: Int) {
      (self.number, self.columnCount) = (number, columnCount)
    }
    func tick(_ columns: UnsafePointer<UnsafeMutablePointer<Float>?>) {
      for index in 0..<columnCount { columns[index]?[0] = number }
    }
    func values(_ columns: UnsafePointer<UnsafeMutablePointer<Float>?>) {
      for index in 0..<columnCount { columns[index]?[1] = number }
    }
  }

  @Test func partsOfAMixtureHaveColumnsOneAfterTheOther() throws {
    let task = try KernelTask(.mixed, count: 10)
    let variants = KernelKind.simple.enumerated().map { index, kind in
      PeerVariant(
        family: "numbered", name: "", kind: kind, traffic: nil, operations: 0, hasCenter: false
      ) { _ in Numbered(Float(index + 1), kind.fieldCount) }
    }
    let memory = FrameMemory(bytes: [Int](repeating: 8, count: 6), destinations: 1)
    let columns = memory.floats(destination: 0)
    let mixed = MixedWork(variants, task)
    columns.withUnsafeBufferPointer { pointer in
      guard let base = pointer.baseAddress else { return }
      mixed.tick(base)
      mixed.values(base)
    }
    #expect(columns.map { $0?[0] } == [1, 1, 2, 3, 4, 5])
    #expect(columns.map { $0?[1] } == [1, 1, 2, 3, 4, 5])
  }
}

/// Objects move as Orrery does: they are the peers that need no compiler.
///
/// Method: 200 ticks of each kind beside Orrery's values, as every run of `bench kernels` begins.
@Suite struct ObjectPeerTests {
  @Test(arguments: KernelKind.single) func objectsComputeWhatOrreryDoes(kind: KernelKind) throws {
    let expected = try PeerCheck.Expected(kind, after: .init(ticks: 200, count: 499))
    for library in PeerVariant.objects {
      let variant = try #require(library.first { $0.kind == kind })
      let distance = PeerCheck.distance(variant, from: expected)
      #expect(distance <= KernelTask.tolerance, "\(variant.family)")
      #expect(variant.countMax == 1_000_000)
      #expect(variant.traffic == nil)
      #expect(variant.hasCenter == (kind == .orbit))
    }
  }

  @Test(arguments: KernelKind.single) func anotherTickIsNoticed(kind: KernelKind) throws {
    let expected = try PeerCheck.Expected(kind, after: .init(ticks: 200, count: 99))
    let variant = try #require(PeerVariant.objects[0].first { $0.kind == kind })
    let late = PeerVariant(
      family: "late", name: "", kind: kind, traffic: nil, operations: 0,
      hasCenter: variant.hasCenter
    ) { task in
      let work = variant.make(task)
      let memory = FrameMemory(
        bytes: [Int](repeating: task.count * 4, count: task.kind.fieldCount), destinations: 1)
      memory.floats(destination: 0).withUnsafeBufferPointer { columns in
        if let columns = columns.baseAddress { work.tick(columns) }
      }
      return work
    }
    #expect(PeerCheck.distance(late, from: expected) > KernelTask.tolerance)
  }

  /// Both columns of an orbit are looked at.
  @Test(arguments: [0, 1]) func oneWrongColumnIsNoticed(column: Int) throws {
    /// Moves as objects do, but for one column, which is a point off.
    final class Off: PeerWork {
      let work: any PeerWork
      let column: Int

      init(_ work: any PeerWork, _ column: Int) { (self.work, self.column) = (work, column) }

      func tick(_ columns: UnsafePointer<UnsafeMutablePointer<Float>?>) { work.tick(columns) }

      func values(_ columns: UnsafePointer<UnsafeMutablePointer<Float>?>) {
        work.values(columns)
        columns[column]?[3] += 1
      }
    }
    let expected = try PeerCheck.Expected(.orbit, after: .init(ticks: 10, count: 9))
    let variant = try #require(PeerVariant.objects[0].first { $0.kind == .orbit })
    let off = PeerVariant(
      family: "off", name: "", kind: .orbit, traffic: nil, operations: 0, hasCenter: true
    ) { task in Off(variant.make(task), column) }
    #expect(abs(PeerCheck.distance(off, from: expected) - 1) < 0.01)
    #expect(PeerCheck.distance(variant, from: expected) < 0.01)
  }

  /// A tick more or less would be less than the tolerance where motions are slow.
  @Test func ticksOfACheckAreCounted() throws {
    /// Does nothing but count, for the last value that it gives out.
    final class Counting: PeerWork {
      var ticks = 0

      func tick(_ columns: UnsafePointer<UnsafeMutablePointer<Float>?>) { ticks += 1 }

      func values(_ columns: UnsafePointer<UnsafeMutablePointer<Float>?>) {
        columns[0]?[0] = Float(ticks * 1000)
      }
    }
    let expected = try PeerCheck.Expected(.tween, after: .init(ticks: 7, count: 1))
    let counting = PeerVariant(
      family: "counting", name: "", kind: .tween, traffic: nil, operations: 0, hasCenter: false
    ) { _ in Counting() }
    let ours = expected.ours.floats(destination: 0)[0]?[0] ?? .nan
    #expect(PeerCheck.distance(counting, from: expected) == Double(7000) - Double(ours))
    #expect(expected.length.ticks == 7)
    #expect(expected.columns == expected.task.columns)
  }

  @Test func checksAreLongEnough() {
    #expect(PeerCheck.Length.seconds.ticks == 200)
    #expect(PeerCheck.Length.hour.ticks == 60 * 3600)
    #expect(PeerCheck.Length.seconds.count == 4999)
    #expect(PeerCheck.Length.hour.count == 159)
    #expect(PeerCheck.Length.seconds.count % 16 != 0, "no whole number of vectors")
    #expect(PeerCheck.Length.hour.count % 16 != 0, "no whole number of vectors")
    #expect(KernelTask.tolerance == 0.1)
  }
}
