// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// How long one frame took in the sim.
package struct FrameTiming: Equatable, Sendable {
  /// From publishing the frame before to the start of this frame's tick, pauses included.
  package let waitNs: UInt32

  /// Computing the values.
  package let computeNs: UInt32

  /// Publishing the frame.
  package let publishNs: UInt32

  /// Takes times in nanoseconds; what exceeds 4.29 s counts as that.
  package init(waitNs: UInt64, computeNs: UInt64, publishNs: UInt64) {
    self.waitNs = UInt32(clamping: waitNs)
    self.computeNs = UInt32(clamping: computeNs)
    self.publishNs = UInt32(clamping: publishNs)
  }
}

/// The timings of a run's frames on their way from the sim's loop to the thread that sends them.
///
///     loop:    fills a page, about a second of frames ──► filled += 1
///     thread:  looks five times a second, encodes and sends it ──► taken += 1
///
/// The loop stores 12 bytes for a frame; it takes no lock, makes no system call and allocates nothing. If all
/// pages wait to be sent, the timings of further frames are lost, and the numbers of the first frames of the
/// next pages show it.
package final class TimingPages: @unchecked Sendable {
  /// The description of a page's content.
  package struct Head: Equatable, Sendable {
    /// Number of its first frame; each other one has the next number.
    package var firstSequence: UInt64 = 0
    /// Count of its frames.
    package var count = 0
    /// Ticks that began late, from the run's beginning to the page's last frame.
    package var lateTicks: UInt64 = 0

    /// A page's description; by default that of an empty page.
    package init(firstSequence: UInt64 = 0, count: Int = 0, lateTicks: UInt64 = 0) {
      (self.firstSequence, self.count, self.lateTicks) = (firstSequence, count, lateTicks)
    }
  }

  /// Frames of one page: even if each takes ten bytes, the message stays below the limit of 256 KiB.
  package static let pageFrames = 8192

  /// Pages: with five looks a second, 650,000 frames a second find room.
  package static let pageCount = 16

  /// Time after which a page is complete.
  package static let pageNs: UInt64 = 1_000_000_000

  /// Of the loop: when the first frame's timing came, by the monotonic clock.
  package private(set) var firstNs: UInt64?

  private let frames: UnsafeMutablePointer<FrameTiming>
  private let heads: UnsafeMutablePointer<Head>

  /// Pages that were completed; written by the loop.
  private let filled = Atomic<Int>(0)

  /// Pages that were sent; written by the thread.
  private let taken = Atomic<Int>(0)

  /// Of the loop: the open page, and when it was opened; count 0: none is open.
  private var open = Head()
  private var openedNs: UInt64 = 0
  private var page: UnsafeMutablePointer<FrameTiming>

  /// Makes empty pages, and touches their memory.
  package init() {
    let count = Self.pageCount * Self.pageFrames
    frames = .allocate(capacity: count)
    frames.initialize(repeating: FrameTiming(waitNs: 0, computeNs: 0, publishNs: 0), count: count)
    heads = .allocate(capacity: Self.pageCount)
    heads.initialize(repeating: Head(), count: Self.pageCount)
    page = frames
  }

  deinit {
    frames.deallocate()
    heads.deallocate()
  }
}

// MARK: - The loop

extension TimingPages {
  /// Adds the timing of a frame.
  ///
  /// - Parameters:
  ///   - timing: Its timing.
  ///   - sequence: Its number.
  ///   - nowNs: Now, by the monotonic clock.
  ///   - lateTicks: Ticks that began late so far.
  package func add(_ timing: FrameTiming, sequence: UInt64, nowNs: UInt64, lateTicks: UInt64) {
    if open.count == 0 {
      let index = filled.load(ordering: .relaxed)
      // Pairs with the release in `take`.
      guard index - taken.load(ordering: .acquiring) < Self.pageCount else { return }
      page = frames + index % Self.pageCount * Self.pageFrames
      open.firstSequence = sequence
      openedNs = nowNs
      if firstNs == nil { firstNs = nowNs }
    }
    page[open.count] = timing
    open.count += 1
    open.lateTicks = lateTicks
    if open.count == Self.pageFrames || nowNs >= openedNs + Self.pageNs { close() }
  }

  /// Completes the open page, if there is one.
  package func close() {
    guard open.count > 0 else { return }
    let index = filled.load(ordering: .relaxed)
    heads[index % Self.pageCount] = open
    open.count = 0
    // Pairs with the acquiring load in `take`.
    filled.store(index + 1, ordering: .releasing)
  }
}

// MARK: - The thread

extension TimingPages {
  /// Hands over all complete pages, oldest first.
  package func take(_ use: (Head, UnsafeBufferPointer<FrameTiming>) -> Void) {
    var index = taken.load(ordering: .relaxed)
    while index < filled.load(ordering: .acquiring) {
      let place = index % Self.pageCount
      let head = heads[place]
      use(head, UnsafeBufferPointer(start: frames + place * Self.pageFrames, count: head.count))
      index += 1
      taken.store(index, ordering: .releasing)
    }
  }
}
