// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import OrreryMessages
import OrreryTrace
import SwiftProtobuf
import TestSupport
import Testing

/// Goal: a Foxglove client of `orrery live` sees what a trace of the same run has, and steers the run.
///
/// Method: a sim with a logger and `live` beside it, and a client written from the protocol's specification.
@Suite struct FoxgloveProcessTests {
  /// A picture without its time of day, and its scene time.
  private struct Picture: Equatable {
    let simTimeNs: Int64
    let bytes: [UInt8]
  }

  private static func ns(_ time: Google_Protobuf_Timestamp) -> Int64 {
    time.seconds * 1_000_000_000 + Int64(time.nanos)
  }

  private static func points(_ bytes: [UInt8], zeroNs: Int64) throws -> Picture {
    var cloud = try Foxglove_PointCloud(serializedBytes: bytes)
    let simTimeNs = ns(cloud.timestamp) - zeroNs
    #expect(cloud.data.count >= 20 && cloud.pointStride == 20)
    cloud.clearTimestamp()
    return Picture(simTimeNs: simTimeNs, bytes: try cloud.serializedBytes())
  }

  private static func views(_ bytes: [UInt8], zeroNs: Int64) throws -> Picture {
    var update = try Foxglove_SceneUpdate(serializedBytes: bytes)
    let simTimeNs = ns(try #require(update.entities.first).timestamp) - zeroNs
    #expect(update.entities.contains { !$0.texts.isEmpty && !$0.id.isEmpty })
    for index in update.entities.indices { update.entities[index].clearTimestamp() }
    return Picture(simTimeNs: simTimeNs, bytes: try update.serializedBytes())
  }

  @Test func aClientSeesWhatTheTraceHasAndSteersTheRun() throws {
    let place = try Place()
    let live = try Program("live", ["seen", "--wait", "300"], in: place)
    live.wait(for: "the address") { live.text.contains("\n") || !live.isRunning }
    let address = try #require(
      live.text.firstMatch(of: /^http:\/\/127\.0\.0\.1:(\d+)\/(\?token=[0-9a-f]{32})\n/))
    let opened = try #require(
      FoxgloveCaller.open(port: Int(address.1) ?? 0, query: String(address.2)))
    #expect(opened.answer.status == 101, "\(opened.answer)")
    let caller = opened.caller
    caller.subscribe(1, 2, 3, 4, 5)
    let logger = try Program(
      "logger", ["--run", "seen", "--out", "a.mcap", "--wait", "300"], in: place)
    let sim = try Program(
      "sim", ["planets", "--run", "seen", "--wait-for", "2", "--duration", "100000"], in: place)

    try caller.wait(for: "pictures and times") {
      caller.content(of: 1).count >= 20 && caller.content(of: 2).count >= 20
        && !caller.content(of: 4).isEmpty && !caller.states.isEmpty && !caller.timesNs.isEmpty
    }
    caller.play(false, id: "pause")
    try caller.wait(for: "the pause") { caller.states.last?.requestID == "pause" }
    #expect(caller.states.last?.status == 1)
    let transform = try Foxglove_FrameTransform(
      serializedBytes: try #require(caller.content(of: 3).first).content)
    let zeroNs = UInt64(Self.ns(transform.timestamp))
    caller.play(false, seekNs: zeroNs + 100_000_000_000, id: "seek")
    try caller.wait(for: "the seek") { caller.states.last?.requestID == "seek" }
    #expect(caller.states.last?.didSeek == true)
    try caller.wait(for: "the frame of the seek") {
      caller.content(of: 1).last?.logTimeNs == zeroNs + 100_000_000_000
        && caller.content(of: 2).last?.logTimeNs == zeroNs + 100_000_000_000
    }
    #expect(caller.timesNs.last == zeroNs + 100_000_000_000)
    // Who comes while the run is paused sees it, too.
    let late = try #require(
      FoxgloveCaller.open(port: Int(address.1) ?? 0, query: String(address.2))
    ).caller
    late.subscribe(2)
    try late.wait(for: "the frame of the pause") { !late.content(of: 2).isEmpty }
    #expect(late.content(of: 2).last?.content == caller.content(of: 2).last?.content)
    caller.play(true, speed: 2, id: "on")
    try caller.wait(for: "twice the speed") { caller.states.last?.requestID == "on" }
    #expect(caller.states.last?.status == 0 && caller.states.last?.speed == 2)
    let count = caller.content(of: 1).count
    try caller.wait(for: "more") { caller.content(of: 1).count >= count + 10 }
    // Who comes after all others have left, too, and learns of the end.
    caller.play(false, speed: 2, id: "again")
    try caller.wait(for: "the second pause") { caller.states.last?.requestID == "again" }
    for other in [caller, late] {
      other.client.send(opcode: 8, [])
      #expect(other.client.isClosed())
    }
    let last = try #require(
      FoxgloveCaller.open(port: Int(address.1) ?? 0, query: String(address.2))
    ).caller
    last.subscribe(1, 2)
    try last.wait(for: "the frame of the second pause") {
      !last.content(of: 1).isEmpty && !last.content(of: 2).isEmpty
    }
    sim.signal(SIGTERM)
    try last.wait(for: "the end") { last.states.last?.status == 3 }
    #expect(sim.wait() == 0 && logger.wait() == 0 && live.wait() == 0)

    let reader = try TraceReader(path: place.files + "/a.mcap")
    var recorded: [String: [[UInt8]]] = [:]
    while let message = try reader.nextMessage() {
      recorded[message.topic, default: []].append(Array(message.bytes))
    }
    let summary = try #require(reader.metadata.last { $0.name == "orrery.summary" }).values
    let traceZeroNs = try #require(Int64(summary["scene_time_zero_ns"] ?? ""))
    for (channel, topic, picture) in [
      (1, "/orrery/points", Self.points), (2, "/orrery/views", Self.views),
    ] as [(UInt64, String, ([UInt8], Int64) throws -> Picture)] {
      let inTrace = Dictionary(
        try (recorded[topic] ?? []).map { try picture($0, traceZeroNs) }.map { ($0.simTimeNs, $0) }
      ) { first, _ in first }
      let seen = try caller.content(of: channel).map { try picture($0.content, Int64(zeroNs)) }
      let both = seen.filter { inTrace[$0.simTimeNs] != nil }
      #expect(both.count >= 5, "\(topic): \(seen.count) seen, \(inTrace.count) recorded")
      for picture in both { #expect(inTrace[picture.simTimeNs] == picture, "\(topic)") }
      // The points of planets move now and then; without a click its views stand still.
      #expect(Set(both.map(\.bytes)).count >= (channel == 1 ? 2 : 1), "\(topic) moves")
    }
    let timings = Set(recorded["/orrery/timings"] ?? [])
    let seenTimings = caller.content(of: 4).map(\.content)
    #expect(!seenTimings.isEmpty && seenTimings.allSatisfy(timings.contains))
  }
}
