// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryFrame
import OrreryWire

/// Follows a run, in the memory of its sim or from another machine.
///
///     let run = try RunSubscriber(.name("flags"))
///     var event = RunEvent.idle
///     while !event.isLast {
///       event = run.next { frame in print(frame.tick, frame.values(.x)?.first ?? 0) }
///     }
///     print(run.receivedCount, run.missedCount)
///
/// A sim waits for nobody, unless it runs in lockstep: a program that is slower than the ring misses frames, and
/// learns which. One thread at a time may use a subscriber.
public final class RunSubscriber {
  private let subscription: any RunSubscription
  private let floats: FloatColumns

  /// What the run shows.
  public let scene: RunScene

  /// Joins a run.
  ///
  /// - Parameters:
  ///   - address: Where the run is.
  ///   - name: This subscriber's name in the sim's reports.
  ///   - reading: Which frames are wanted.
  ///   - first: The first frame that is wanted; 0: the next one. Frames that are no longer in the ring count as missed.
  ///   - waitSeconds: How long to wait until the run is there.
  /// - Throws: `RunError`: there is no such run, or it cannot be joined.
  public init(
    _ address: RunAddress, as name: String = "swift", reading: FrameReading = .every,
    from first: UInt64 = 0, waitSeconds: Double = 0
  ) throws(RunError) {
    do {
      let joiner = RunJoiner(
        program: name, location: try address.location(), reading: reading.own, from: first,
        waitSeconds: waitSeconds)
      subscription = try joiner.visit().join()
      scene = try RunScene(subscription.source)
    } catch {
      throw RunError("\(error)")
    }
    floats = FloatColumns(subscription.source.layout)
  }

  /// Frames that were used whole.
  public var receivedCount: UInt64 { subscription.losses.receivedCount }

  /// Frames that were overwritten before they were used, or skipped.
  public var missedCount: UInt64 { subscription.losses.missedCount }

  /// Waits for the next frame, and lets `use` read it in place.
  ///
  /// A live run may overwrite the frame meanwhile: then the event is `missed`, and what was made of its values is void.
  ///
  /// - Parameters:
  ///   - seconds: How long to wait.
  ///   - use: Reads the frame, which must not be kept.
  /// - Returns: What happened. After `ended`, `died` and `dropped` nothing follows.
  /// - Throws: What `use` throws; the frame then counts as neither received nor missed.
  public func next<Failure: Error>(
    timeout seconds: Double = 1, _ use: (RunFrame) throws(Failure) -> Void
  ) throws(Failure) -> RunEvent {
    let source = subscription.source
    let timeoutNs = UInt64(min(max(seconds, 0), 1e9) * 1e9)
    let event = try subscription.next(timeoutNs: timeoutNs) { (view) throws(Failure) -> Bool in
      try use(RunFrame(view, source.layout, floats, scene))
      return source.isWhole(view)
    }
    if case .frame = event { subscription.report() }
    return RunEvent(event)
  }
}

/// Where a run is.
public enum RunAddress: Hashable, Sendable {
  /// A run of this user on this machine, by its name; if several sims make it, their frames are joined.
  case name(String)
  /// A sim that listens, as `tcp://HOST:PORT`, and the directory of keys, which another machine's sim needs.
  case endpoint(String, keys: String? = nil)

  fileprivate func location() throws -> RunLocation {
    switch self {
    case .name(let name): .run(name)
    case .endpoint(let text, let keys):
      .remote(try WireAddress.tcp(text, keysIn: keys, CurveKeys.client), isCompressed: false)
    }
  }
}

/// Which frames a subscriber wants.
public enum FrameReading: Hashable, Sendable {
  /// Every frame; those that were overtaken are missed.
  case every
  /// The newest whenever one is asked for; those between count as missed.
  case newest

  fileprivate var own: Reading { self == .every ? .every : .newest }
}

/// What a subscriber met.
public enum RunEvent: Hashable, Sendable {
  /// A whole frame was used, by its number.
  case frame(UInt64)
  /// These frames are gone.
  case missed(ClosedRange<UInt64>)
  /// Nothing came in time.
  case idle
  /// The run has ended in order, and every frame was used or missed.
  case ended
  /// The sim died.
  case died
  /// The sim dropped this subscriber, and why.
  case dropped(String)

  /// Whether nothing follows.
  public var isLast: Bool {
    switch self {
    case .frame, .missed, .idle: false
    case .ended, .died, .dropped: true
    }
  }

  fileprivate init(_ event: SubscriptionEvent) {
    self =
      switch event {
      case .frame(let sequence): .frame(sequence)
      case .missed(let gap): .missed(gap)
      case .idle: .idle
      case .ended: .ended
      case .simDied: .died
      case .dropped(let reason): .dropped("\(reason)")
      }
  }
}

/// Why a run was not joined, in one line.
public struct RunError: Error, Hashable, CustomStringConvertible {
  /// What failed, and where.
  public let description: String

  init(_ description: String) { self.description = description }
}
