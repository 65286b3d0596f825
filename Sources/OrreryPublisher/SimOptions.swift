// SPDX-License-Identifier: Apache-2.0

import OrreryFrame
import OrrerySim
import OrreryWire

/// How a world is run and published.
package struct SimOptions: Sendable {
  /// Name of the run.
  package var run: String
  /// False: ticks follow each other as fast as they can.
  package var isPaced = true
  /// Ticks to run; nil until stopped.
  package var tickCount: UInt64?
  package var delivery = Delivery.live
  /// Slots of the ring; nil chooses by the size of a frame.
  package var slotCount: UInt64?
  /// Ticks that may be computed before their turn, 0 … 7; nil chooses by the slots.
  package var lookAhead: UInt64?
  /// What columns hold.
  package var output = ColumnFormat.Kind.float32
  package var stores = Stores.auto
  /// What is told of what happens to views.
  package var events = RecordedEvents.completions
  /// Subscribers that must have joined before the first tick.
  package var waitFor: UInt64 = 0
  /// How long to wait for them.
  package var waitSeconds: Double = 60
  /// How long lockstep delivery waits for a subscriber that does not get on.
  package var stallLimitSeconds: Double = 10
  /// Where the ring lives.
  package var carrier = Carrier.memory
  /// Where other machines connect; nil: nowhere.
  package var listen: WireEndpoint?
  /// Keys for `listen`; needed unless it is the loopback address.
  package var keys: CurveKeys?
  package var threadCount = 1
  package var instructionSet = InstructionSet.best

  /// How values are stored into the ring.
  package enum Stores: String, CaseIterable, Sendable {
    /// Past the caches if the ring is too large for them.
    case auto
    case cached
    /// Past the caches: a line that is written whole need not be read before.
    case streaming
  }

  package init(run: String) { self.run = run }

  /// The most ticks that can be computed before their turn: eight make a tile.
  package static let lookAheadMax: UInt64 = 7

  /// Slots where nothing else was asked for: a second of 60 Hz frames while that is less than 256 MiB,
  /// and never fewer than eight.
  ///
  /// More slots forgive a slower reader and push more of the ring out of the last-level cache.
  package static func defaultSlotCount(frameBytes: UInt64) -> UInt64 {
    min(max(256 << 20 / max(frameBytes, 1), 8), 64)
  }

  /// Ticks ahead for a ring: at most a quarter of its slots where nothing else was asked for, because
  /// slots that are written early hold no frame for slow readers; never the newest frame's.
  package func lookAhead(slotCount: UInt64) -> UInt64 {
    min(lookAhead ?? slotCount / 4, Self.lookAheadMax, slotCount - 2)
  }

  /// Where and how other machines are served.
  package var wire: WireOptions {
    var wire = WireOptions()
    wire.listen = listen
    wire.keys = keys
    wire.stallLimitSeconds = stallLimitSeconds
    return wire
  }

  /// Places beyond the slots: as many frames can be on their way to other machines.
  package func spareCount(frameBytes: UInt64) -> UInt64 {
    guard listen != nil else { return 0 }
    return min(max(Self.spareBytes / max(frameBytes, 1), 4), 1024)
  }

  /// Eight windows of a subscriber on another machine.
  private static let spareBytes: UInt64 = 32 << 20

  /// Whether stores are to go past the caches, with a ring and a last cache (nil: not known) of these sizes.
  package func streams(ringBytes: UInt64, cacheBytes: UInt64?) -> Bool {
    switch stores {
    case .auto: ringBytes > min(cacheBytes ?? .max, Self.cachedRingBytesMax)
    case .cached: false
    case .streaming: true
    }
  }

  /// A core does not get all of a large cache that it shares with many.
  ///
  /// Where the machine says 480 MiB, a million entities of `stress` in tiles of eight ticks were stored a tenth faster through the caches
  /// into a ring of 45 MiB, a tenth slower into one of 91 MiB and half as fast into one of 366 MiB.
  private static let cachedRingBytesMax: UInt64 = 64 << 20
}
