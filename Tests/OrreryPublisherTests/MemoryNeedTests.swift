// SPDX-License-Identifier: Apache-2.0

import Foundation
import Orrery
import OrreryBase
import OrreryMessages
import OrreryPublisher
import OrreryScene
import OrrerySim
import TestSupport
import Testing

/// Goal: what a run is said to need is what it comes to hold, for every kind of batch.
///
/// Method: worlds of one kind, each built in a process of its own that looks how much it has grown; and the parts
/// of the sum by themselves.
@Suite struct MemoryNeedTests {
  /// Batches of one kind, by its name.
  static func batch(_ kind: String, count: Int) -> BatchPlan {
    switch kind {
    case "orbit":
      .orbit(Specs(count: count) { OrbitSpec(radius: Double($0 % 400), period: 10, phase: 0) })
    case "marquee":
      .marquee(
        Specs(count: count) {
          MarqueeSpec(period: 438, speed: 20 + Double($0 % 70), direction: .left, phase: 0.5)
        })
    case "tween":
      .tween(Specs(count: count) { TweenSpec(from: 0, to: Double($0 % 700), period: 4) }, .x)
    case "spring":
      .spring(
        Specs(count: count) {
          SpringSpec(
            from: 0, to: Double($0 % 700), spring: Spring(duration: 0.5, bounce: 0.2), period: 5,
            phase: 0)
        }, .x)
    case "timer":
      .timer(
        Specs(count: count) { _ in
          TimerSpec(start: -1_550, step: 3, resetAt: 330, interval: 0.01)
        })
    case "flow":
      .flow(
        Specs(count: count) { _ in
          FlowSpec(period: 438, speed: 20, direction: .left, start: 0)
        }, .x)
    case "clock":
      .clock(
        Specs(count: count) { _ in
          ClockSpec(
            schedule: .periodic(from: 0, by: 1), start: Date(timeIntervalSince1970: 0),
            zero: Date(timeIntervalSince1970: 0), unit: 1, base: 10, digitHeight: 10)
        })
    default:
      .views(
        ViewsPlan(
          views: (0..<count).map { ViewPlan(name: "\($0)", initial: [0, 0, 1, 1, 0, 0]) },
          completions: []))
    }
  }

  private static func plan(_ batch: BatchPlan) -> ScenePlan {
    var layout = Orrery_SceneLayout()
    layout.batches = [Orrery_Batch()]
    return ScenePlan(name: "need", seed: 1, rate: 60, batches: [batch], layout: layout)
  }

  private static func need(_ batch: BatchPlan, _ options: SimOptions) throws -> MemoryNeed {
    try MemoryNeed(plan(batch), options: options)
  }

  /// Bytes of an entity of each kind, and of its values in a frame.
  static let kinds: [(kind: String, world: UInt64, floats: UInt64, fixed: UInt64)] = [
    ("orbit", 24, 8, 4), ("marquee", 16, 4, 2), ("tween", 20, 4, 2), ("spring", 72, 4, 2),
    ("timer", 56, 4, 4), ("views", 600, 24, 24), ("flow", 24, 4, 2), ("clock", 48, 4, 4),
  ]

  @Test(arguments: kinds.indices)
  func needGrowsWithEachEntity(index: Int) throws {
    let (kind, world, floats, fixed) = Self.kinds[index]
    var options = SimOptions(test: "unused", ticks: 0)
    options.slotCount = 2
    for (output, valueBytes) in [(ColumnFormat.Kind.float32, floats), (.fixed16, fixed)] {
      options.output = output
      let small = try Self.need(Self.batch(kind, count: 0), options)
      let large = try Self.need(Self.batch(kind, count: 8_192), options)
      #expect(small.world == 0)
      #expect(large.world == 8_192 * world)
      // A ring of two slots; places begin at pages.
      let frames = large.ring - small.ring
      #expect(frames >= 2 * 8_192 * valueBytes, "\(kind), \(output)")
      #expect(frames <= 2 * (8_192 * valueBytes + 4_096), "\(kind), \(output)")
      #expect(large.transient == 8_192 * valueBytes * (output == .float32 ? 1 : 2))
      #expect(large.bytes == large.world + large.ring + large.transient + 2_500_000)
    }
  }

  /// The sentence of ARCHITECTURE.md on the bytes of each kind has the numbers of the code.
  @Test func architectureHasTheBytesOfEachKind() throws {
    let text = try Repository.text("ARCHITECTURE.md").split(whereSeparator: \.isWhitespace)
      .joined(separator: " ")
    let start = try #require(text.range(of: "bytes of world for each entity: "))
    let sentence = text[start.upperBound...].prefix { $0 != "." }
    var written: [String: UInt64] = [:]
    for match in sentence.matches(of: /([a-z]+) (\d+)/) {
      written[String(match.1)] = UInt64(match.2)
    }
    var counted: [String: UInt64] = [:]
    for (kind, _, _, _) in Self.kinds {
      let type = BatchKind(Self.batch(kind, count: 0)).type
      counted[kind == "views" ? "view" : kind] = type.entityBytes
    }
    #expect(written == counted)
  }

  @Test func scenePartIsInTheRingAndOnceBesideIt() throws {
    var plan = Self.plan(Self.batch("orbit", count: 4))
    let options = SimOptions(test: "unused", ticks: 0)
    let bare = try MemoryNeed(plan, options: options)
    plan.layout.batches[0].originX = [Float](repeating: 0, count: 4_096)
    plan.layout.batches[0].originY = [Float](repeating: 0, count: 4_096)
    plan.layout.batches[0].sprites = [UInt32](repeating: 0, count: 4_096)
    plan.layout.images = [Data(count: 8_192)]
    plan.layout.source = String(repeating: "x", count: 4_096)
    let need = try MemoryNeed(plan, options: options)
    let bytes: UInt64 = 9 * 4_096 + 8_192 + 4_096
    #expect(need.ring - bare.ring == bytes)
    #expect(need.transient == bytes)
    #expect(need.world == bare.world)
  }

  @Test func ringHasRoomForFramesThatAreSent() throws {
    var options = SimOptions(test: "unused", ticks: 0)
    options.slotCount = 2
    let quiet = try Self.need(Self.batch("orbit", count: 1 << 20), options)
    options.listen = try .init("tcp://127.0.0.1:0")
    let listening = try Self.need(Self.batch("orbit", count: 1 << 20), options)
    // Frames of 8 MiB: four windows hold 32 MiB.
    #expect(listening.ring - quiet.ring >= 4 * 8 << 20)
    #expect(listening.ring - quiet.ring < 5 * 8 << 20)
  }

  /// Two columns of each batch fit into a page, or do not; the rest is pages of a ring without frames.
  @Test(arguments: [(0, 9_472), (1, 13_568), (64, 13_568), (65, 17_664)] as [(Int, UInt64)])
  func ringHasATableOfColumns(batches: Int, ringBytes: UInt64) throws {
    var options = SimOptions(test: "unused", ticks: 0)
    options.slotCount = 2
    let plan = ScenePlan(
      name: "need", seed: 1, rate: 60,
      batches: (0..<batches).map { _ in Self.batch("orbit", count: 0) },
      layout: Orrery_SceneLayout())
    #expect(try MemoryNeed(plan, options: options).ring == ringBytes)
  }

  /// Megabytes are rounded to a tenth.
  @Test(
    arguments: [
      (0, "0.0"), (49_999, "0.0"), (50_000, "0.1"), (149_999, "0.1"), (150_000, "0.2"),
      (949_999, "0.9"), (950_000, "1.0"), (10_949_999, "10.9"), (10_950_000, "11.0"),
      (12_340_000, "12.3"),
    ] as [(UInt64, String)])
  func megabytesAreRoundedToTenths(available: UInt64, text: String) throws {
    let need = try Self.need(Self.batch("orbit", count: 1), SimOptions(test: "unused", ticks: 0))
    let failure = #expect(throws: Failure.self) { try need.check(available: available) }
    #expect(failure?.description.contains("; \(text) MB are available;") == true)
  }

  @Test func runThatDoesNotFitIsRefusedWithItsNumbers() throws {
    let need = try Self.need(
      Self.batch("orbit", count: 1 << 20), SimOptions(test: "unused", ticks: 0))
    let reserve: UInt64 = 16 << 20
    try need.check(available: need.bytes + reserve)
    let failure = #expect(throws: Failure.self) {
      try need.check(available: need.bytes + reserve - 1)
    }
    #expect(failure?.status == .resource)
    func megabytes(_ bytes: UInt64) -> String { decimal(Double(bytes) / 1e6, places: 1) }
    let available = need.bytes + reserve - 1
    #expect(
      failure?.description
        == "this scene needs \(megabytes(need.bytes)) MB of memory"
        + " (world \(megabytes(need.world)), ring \(megabytes(need.ring))), and libraries 16.8;"
        + " \(megabytes(available)) MB are available; use fewer --entities or --slots,"
        + " or free 0.1 MB of this machine's memory")
  }

  /// Advice is what can help: where not even a scene without entities fits, it is the limit alone.
  @Test(
    arguments: [
      (.machine, "free 0.1 MB of this machine's memory"),
      (.group, "give its control group (container) 0.1 MB more"),
      (.addressSpace, "raise ulimit -v by 0.1 MB"),
    ] as [(Memory.Limit, String)])
  func adviceCanHelp(limit: Memory.Limit, advice: String) throws {
    for (count, helps) in [(1 << 20, true), (1, false)] {
      let need = try Self.need(
        Self.batch("orbit", count: count), SimOptions(test: "unused", ticks: 0))
      let reserve: UInt64 = 16 << 20
      let available = helps ? need.bytes + reserve - 1 : 2_500_000 + reserve
      let failure = #expect(throws: Failure.self) {
        try need.check(available: available, limit: limit)
      }
      let text = failure?.description ?? ""
      #expect(text.contains("use fewer --entities or --slots, or ") == helps, "\(text)")
      #expect(text.hasSuffix(helps ? advice : String(advice.split(separator: "0.1")[1])), "\(text)")
    }
  }

  /// The world alone: twice the estimate and a third of it are far from what a slip of ten makes.
  @Test(.disabled(if: isSanitized, "a sanitizer keeps memory of its own"))
  func worldOfViewsHoldsWhatWasEstimated() async {
    await #expect(processExitsWith: .success) {
      let count = 40_000
      var views = ViewsPlan(
        views: (0..<count).map { ViewPlan(name: "\($0)", initial: [0, 0, 1, 1, 0, 0]) },
        completions: [])
      let changes = (0..<count).flatMap { view in
        [.x, .y].map { ActionPlan.set(view: view, $0, Double(view + 1)) }
      }
      views.commands = [
        CommandPlan(time: 0, transaction: TransactionPlan(changes, animation: .linear(duration: 9)))
      ]
      let plan = Self.plan(.views(views))
      let estimated = try MemoryNeed(plan, options: SimOptions(test: "unused", ticks: 0)).world
      let before = try #require(Memory.residentBytes())
      let world = try World(plan, instructionSet: .baseline, threadCount: 1)
      _ = Values(of: world, tick: 60)
      let held = try #require(Memory.residentBytes()) - before
      #expect(held < 2 * estimated, "\(held) bytes held, \(estimated) estimated")
      #expect(held > estimated / 3, "\(held) bytes held, \(estimated) estimated")
      withExtendedLifetime((plan, world)) {}
    }
  }
}
