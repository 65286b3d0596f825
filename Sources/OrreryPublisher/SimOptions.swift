// SPDX-License-Identifier: Apache-2.0

import OrreryFrame
import OrrerySim
import OrreryWire

/// How a world is run and published.
package struct SimOptions: Sendable {
  /// Name of the run.
  package var run: String
  /// Whether ticks follow the clock; if not, they run as fast as possible.
  package var isPaced = true
  /// Ticks to run; nil runs until stopped.
  package var tickCount: UInt64?
  /// Whether the sim waits for subscribers.
  package var delivery = Delivery.live
  /// Slots of the ring; nil chooses by the frame size, the rate and the memory.
  package var slotCount: UInt64?
  /// Bytes that the ring may take if `slotCount` is nil; nil: an eighth of the free memory.
  package var ringMemory: UInt64?
  /// Ticks that may be computed ahead, 0 … 7; nil chooses by the slot count.
  package var lookAhead: UInt64?
  /// Format of the columns' values.
  package var output = ColumnFormat.Kind.float32
  /// Kind of store that fills the ring.
  package var stores = Stores.auto
  /// Which values the frames' state hash covers.
  package var hashMode = HashMode.full
  /// Where this sim meets the other shards of its scene; nil if it runs the whole scene.
  package var meeting: Meeting?
  /// Which events of views are recorded.
  package var events = RecordedEvents.completions
  /// Subscribers that must have joined before the first tick.
  package var waitFor: UInt64 = 0
  /// How long to wait for those subscribers.
  package var waitSeconds: Double = 60
  /// How long lockstep delivery waits for a stalled subscriber.
  package var stallLimitSeconds: Double = 10
  /// Kind of shared memory that holds the ring.
  package var carrier = Carrier.memory
  /// Address where other machines connect; nil if they cannot.
  package var listen: WireEndpoint?
  /// Keys for `listen`; required unless it is a loopback address.
  package var keys: CurveKeys?
  /// Threads that compute ticks, at most.
  package var threadCount = 1
  /// Instruction set of the kernels.
  package var instructionSet = InstructionSet.best
  /// Ratio of scene time to real time at the start, within `TickClock.speeds`.
  package var speed = 1.0
  /// Whether the run waits for `resume`, `step` or `seek` before its first frame.
  package var isPausedFirst = false
  /// Whether a played trace begins again after its last frame.
  package var loops = false
  /// Whether a played trace pauses at its last frame; if not, the run ends there unless it is paused.
  package var holds = false

  /// How values are stored into the ring.
  package enum Stores: String, CaseIterable, Sendable {
    /// Streaming if the ring is too large for the caches.
    case auto
    case cached
    /// Past the caches: a cache line that is written completely need not be read first.
    case streaming
  }

  /// Where and how the shards of a run meet.
  package struct Meeting: Sendable {
    /// Name of the run that the shards make.
    package var name: String
    /// The directory that all of them see; nil: this machine's.
    package var directory: String?
    /// Seconds from the moment when all shards are there to tick 0.
    package var delaySeconds = 0.25

    package init(name: String, directory: String? = nil) {
      (self.name, self.directory) = (name, directory)
    }
  }

  package init(run: String) { self.run = run }

  /// Ticks that can be computed ahead, at most: with the current one, eight make a tile.
  package static let lookAheadMax: UInt64 = 7

  /// Ticks to compute ahead.
  ///
  /// The default is at most a quarter of the slots, because slots that are written early hold no
  /// frame for slow readers. The newest frame's slot is never among them.
  package func lookAhead(slotCount: UInt64) -> UInt64 {
    min(lookAhead ?? slotCount / 4, Self.lookAheadMax, slotCount - 2)
  }

  /// Options of the server for other machines.
  package var wire: WireOptions {
    var wire = WireOptions()
    wire.listen = listen
    wire.keys = keys
    wire.stallLimitSeconds = stallLimitSeconds
    return wire
  }

  /// Spare places beyond the slots: the number of frames that can be on their way to other machines.
  package func spareCount(frameBytes: UInt64) -> UInt64 {
    guard listen != nil else { return 0 }
    return min(max(Self.spareBytes / max(frameBytes, 1), 4), 1024)
  }

  /// Eight times the window of a subscriber on another machine.
  private static let spareBytes: UInt64 = 32 << 20

  /// Whether stores bypass the caches.
  ///
  /// - Parameters:
  ///   - ringBytes: Size of the ring.
  ///   - cacheBytes: Size of the last-level cache; nil if it is not known.
  /// - Returns: True for streaming stores.
  package func streams(ringBytes: UInt64, cacheBytes: UInt64?) -> Bool {
    switch stores {
    case .auto: ringBytes > min(cacheBytes ?? .max, Self.cachedRingBytesMax)
    case .cached: false
    case .streaming: true
    }
  }

  /// Largest ring that is written through the caches: one core does not get all of a large cache
  /// that many cores share.
  ///
  /// On a machine that reports 480 MiB, a million entities of `stress` in tiles of eight ticks were
  /// stored a tenth faster through the caches into a ring of 45 MiB, a tenth slower into one of
  /// 91 MiB, and half as fast into one of 366 MiB.
  private static let cachedRingBytesMax: UInt64 = 64 << 20
}
