// SPDX-License-Identifier: Apache-2.0

import OrreryBench
import Testing

/// A roofline shows the best row of each kind and series, under the roofs of its machine.
///
/// Method: rows by hand of which one is right for each dot.
@Suite struct RooflineDataTests {
  private func report() -> KernelReport {
    var report = HandMade.kernelReport()
    let bytes = Traffic(reads: 4, updates: 0, writes: 4)
    let drifting = HandMade.kernel(.peer, family: "drifting", traffic: bytes, ns: [0.5])
    drifting.drifts = true
    let hashed = HandMade.kernel(.ours, "hashed", traffic: bytes, ns: [0.25])
    hashed.hashes = true
    report.add(
      .orbit,
      [
        drifting, HandMade.kernel(.peer, family: "best", traffic: bytes, ns: [4]),
        HandMade.kernel(.peer, family: "other", traffic: bytes, ns: [5]),
        HandMade.kernel(.ours, isa: "baseline", traffic: bytes, ns: [1]), hashed,
        HandMade.kernel(.ours, "streamed", traffic: bytes, ns: [3]),
        HandMade.kernel(.ours, traffic: Traffic(reads: 8, updates: 4, writes: 16), ns: [2]),
        HandMade.kernel(.ours, threads: 2, traffic: bytes, ns: [0.5]),
        HandMade.kernel(.ours, tile: 8, traffic: bytes, ns: [1.5]),
        HandMade.kernel(
          .ours, tile: 8, isFixed: true, traffic: Traffic(reads: 1, updates: 0, writes: 1),
          ns: [1.25]),
      ]
    ) { _ in nil }
    report.add(
      .flow,
      [
        HandMade.kernel(.ours, traffic: bytes, ns: [1]),
        HandMade.kernel(.peer, traffic: nil, ns: [1]),
      ]
    ) { _ in nil }
    report.add(.tween, [HandMade.kernel(.ours, count: 9, traffic: bytes, ns: [1])]) { _ in nil }
    return report
  }

  @Test func dotsAreTheBestRowsOfTheirSeries() {
    let dots = RooflineData(report(), count: 1000).dots
    #expect(
      dots.map { "\($0.kind) \($0.series) \($0.bytes) \($0.rate)" } == [
        "orbit peer 8.0 0.25", "orbit tick 32.0 0.5", "orbit tile 8.0 \(1 / 1.5)",
        "orbit fixed 2.0 0.8", "flow tick 8.0 1.0",
      ])
    #expect(RooflineData(report(), count: 9).dots.map(\.kind) == ["tween"])
    #expect(RooflineData(report(), count: 8).dots.isEmpty)
  }

  @Test func axesLeaveRoomAroundAllDots() {
    let data = RooflineData(report(), count: 1000)
    // 2 / 1.3 lies between 1 and 2, 32 * 1.3 between 32 and 64.
    #expect(data.xs == 1...64)
    #expect(abs(data.ys.lowerBound - 0.25 / 1.8) < 1e-12)
    #expect(abs(data.ys.upperBound - 1.8) < 1e-12)
    #expect(data.x(1) == 0)
    #expect(abs(data.x(8) - 0.5) < 1e-12)
    #expect(abs(data.x(64) - 1) < 1e-12)
    #expect(abs(data.y(data.ys.lowerBound)) < 1e-12)
    #expect(abs(data.y(data.ys.upperBound) - 1) < 1e-12)
    #expect(data.y(1) > data.y(0.5), "up is faster")
    let empty = RooflineData(HandMade.kernelReport(), count: 1)
    #expect(empty.xs == 2...64)
    #expect(empty.ys == 1 / 1.8...1.8)
  }

  @Test func roofsAreTheBestCopiesOfOneThread() {
    var report = HandMade.kernelReport()
    for (stream, threads, bytes, rate) in [
      ("copy", 1, 32 << 10, 10e9), ("copy", 1, 32 << 10, 20e9), ("copy", 2, 32 << 10, 90e9),
      ("read", 1, 32 << 10, 90e9), ("copy", 1, 512 << 10, 8e9), ("copy", 1, 1 << 20, 7e9),
      ("copy", 1, 256 << 20, 5e9), ("read", 1, 512 << 20, 4e9),
    ] {
      report.bandwidths.append(
        .init(
          isa: "avx2", stream: stream, isNonTemporal: false, threads: threads,
          workingSetBytes: bytes, bytesPerSecond: rate))
    }
    let roofs = RooflineData(report, count: 1).roofs
    #expect(
      roofs.map(\.name) == [
        "L1 copy (32 KiB): 20 GB/s", "L2 copy (512 KiB): 8 GB/s", "memory copy (256 MiB): 5 GB/s",
      ])
    #expect(roofs.map(\.bytesPerNs) == [20, 8, 5])
    #expect(RooflineData(HandMade.kernelReport(), count: 1).roofs.isEmpty)
    report.bandwidths.removeFirst(4)
    #expect(RooflineData(report, count: 1).roofs.count == 2, "what was not measured has no roof")
  }

  @Test func ofEqualRowsTheFirstHasTheDot() {
    var report = HandMade.kernelReport()
    report.add(
      .spring,
      [8.0, 16].map {
        HandMade.kernel(.ours, traffic: Traffic(reads: $0, updates: 0, writes: 0), ns: [2])
      }
    ) { _ in nil }
    #expect(RooflineData(report, count: 1000).dots.map(\.bytes) == [8])
  }

  @Test func roofIsNamedInTheUnitThatFits() {
    var report = HandMade.kernelReport()
    for (bytes, rate) in [(32 << 10, 1e9), (1 << 20, 2.5e9)] {
      report.bandwidths.append(
        .init(
          isa: "avx2", stream: "copy", isNonTemporal: true, threads: 1, workingSetBytes: bytes,
          bytesPerSecond: rate))
    }
    #expect(
      RooflineData(report, count: 1).roofs.map(\.name) == [
        "L1 copy (32 KiB): 1 GB/s", "memory copy (1 MiB): 3 GB/s",
      ])
  }

  @Test func seriesAreToldApart() {
    #expect(Set(RooflineData.Series.allCases.map(\.color)).count == 4)
    #expect(
      RooflineData.Series.allCases.map(\.text) == [
        "best peer", "Orrery, tick by tick", "Orrery, tiles of 8 ticks",
        "Orrery, tiles of 8 ticks, 16 bits",
      ])
  }
}
