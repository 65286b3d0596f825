// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Orrery
import OrreryBase
import OrreryCommandLine
import OrreryFrame
import OrreryPublisher
import OrreryScene
import OrrerySceneBuilder
import OrrerySim
import OrreryWire

/// How a scene is simulated and published: the options that `sim` and `orrery run` share.
///
/// `orrery run` passes them on to its sim, so each option is declared, checked and described once.
package struct PublishingArguments: ParsableArguments {
  @OptionGroup(title: "What Runs") package var scene: SceneArguments
  @OptionGroup(title: "What Runs") package var shown: ShownArguments
  @OptionGroup(title: "How Long") package var length: RunLength
  @OptionGroup(title: "Machine") package var kernels: KernelArguments
  @OptionGroup(title: "Machine") package var frames: FrameArguments
  @OptionGroup(title: "Machine") package var ring: RingArguments
  @OptionGroup(title: "Subscribers") package var subscribers: WaitingArguments
  @OptionGroup(title: "Other Machines") package var remote: RemoteArguments

  @Option(
    help: """
      Write what is done for each tick and when to this file, a trace for Perfetto. Each program adds to a file that \
      is there, so that all of a run share one; 'orrery run' begins it anew.
      """)
  package var timeline: String?

  @OptionGroup package var log: LogArguments

  package init() {}

  /// Refuses a timeline that would be written over the scene, or on standard output, which has the report.
  package func validate() throws {
    try CommandLineProgram.checkOutputs([("--timeline", timeline)], inputs: [scene.scene])
  }

  /// Loads the scene and adds the requested columns.
  ///
  /// - Parameter shard: Which part of the scene is planned.
  /// - Returns: The plan.
  /// - Throws: `Failure`, as `SceneArguments.plan` does.
  package func plan(shard: Shard = .whole) throws(Failure) -> ScenePlan {
    var plan = try scene.plan(shard: shard)
    if let columns = shown.columns { plan.show(columns.properties) }
    return plan
  }

  /// Options for running and publishing the scene.
  ///
  /// - Parameters:
  ///   - run: Name of the run.
  ///   - rate: The scene's tick rate; it converts `--duration` to ticks.
  /// - Returns: The options of a `Simulation`.
  /// - Throws: `Failure` for an unusable segment name, keys or address.
  package func options(run: String, rate: TickRate) throws(Failure) -> SimOptions {
    var options = SimOptions(run: run)
    options.tickCount = length.tickCount(rate: rate)
    options.slotCount = ring.slots
    options.ringMemory = ring.ringMemory?.bytes
    options.waitFor = subscribers.waitFor
    if let wait = subscribers.wait { options.waitSeconds = wait }
    options.stallLimitSeconds = subscribers.stallLimit
    options.carrier = try carrier()
    options.events = shown.events
    options.threadCount = kernels.threads.count
    if case .tcp(let endpoint, let keys) = try address() {
      (options.listen, options.keys) = (endpoint, keys)
    }
    frames.apply(to: &options)
    if let set = try? kernels.instructionSet() { options.instructionSet = set }
    return options
  }

  /// The file that holds the ring.
  ///
  /// - Throws: `Failure` for an unusable segment name.
  package func carrier() throws(Failure) -> Carrier {
    try Failure.of { try ring.shmName.map { try Carrier(name: $0) } ?? .memory }
  }

  /// The address to listen at, checked before anything is built; nil if there is none.
  private func address() throws(Failure) -> WireAddress? {
    guard let listen = remote.listen else { return nil }
    return try Failure.of { try WireAddress.tcp(listen, keysIn: remote.keys, CurveKeys.server) }
  }
}

/// What subscribers see of views.
package struct ShownArguments: ParsableArguments {
  @Option(help: "Which events of views subscribers get: none, completions, or all.")
  package var events = RecordedEvents.completions

  @Option(
    help: """
      Properties of views that have a column though nothing in the scene changes them, for 'orrery control \
      set': x,y,opacity,scale,rotation,blur, or all.
      """)
  package var columns: ViewColumns?

  package init() {}
}

/// The frame ring.
package struct RingArguments: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help:
      "Slots of the frame ring, \(OptionRanges.slots). Default: by frame size, rate and memory.")
  package var slots: UInt64?

  @Option(
    parsing: .unconditional,
    help: "Memory of the frame ring, at most, as 512M or 2GiB. Default: an eighth of the free.")
  package var ringMemory: ByteCount?

  @Option(
    help: """
      Give the frame ring a name in /dev/shm, for tools that map a path; letters, digits, '.', '-' and '_'. \
      Whoever may open it must be trusted not to truncate it.
      """)
  package var shmName: String?

  package init() {}

  /// Refuses numbers out of range, and two sizes.
  package func validate() throws {
    try OptionRanges.slots.check("--slots", slots)
    guard slots == nil || ringMemory == nil else {
      throw ValidationError("--slots and --ring-memory exclude each other: both size the ring")
    }
  }
}

/// For whom the sim waits, and how long.
package struct WaitingArguments: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: """
      Subscribers that must have joined before the first tick, \(OptionRanges.waitFor); 'orrery run' also waits for \
      its renderer and logger.
      """)
  package var waitFor: UInt64 = 0

  @Option(
    parsing: .unconditional,
    help: "Seconds to wait for these subscribers, \(OptionRanges.wait). Default: 60.")
  package var wait: Double?

  @Option(
    parsing: .unconditional,
    help: """
      Lockstep: seconds to wait for a subscriber that makes no progress, \(Self.stallLimitRange); it is dropped then.
      """)
  package var stallLimit: Double = 10

  package init() {}

  /// Refuses numbers out of range.
  package func validate() throws {
    try OptionRanges.waitFor.check("--wait-for", waitFor)
    try OptionRanges.wait.check("--wait", wait)
    try Self.stallLimitRange.check("--stall-limit", stallLimit)
  }

  private static let stallLimitRange = OptionRange(0.01...86_400, "seconds")
}

/// The way to other machines.
package struct RemoteArguments: ParsableArguments {
  @Option(
    help:
      "Serve other machines at tcp://ADDRESS:PORT; beyond the loopback address only with --keys."
  )
  package var listen: String?

  @Option(help: "Directory with server.key and clients/; see orrery keygen.")
  package var keys: String?

  package init() {}

  /// Refuses keys that nobody is to show.
  package func validate() throws {
    guard keys == nil || listen != nil else { throw ValidationError("--keys needs --listen") }
  }
}

extension RecordedEvents: ExpressibleByArgument {}

/// Properties of views, separated by commas.
package struct ViewColumns: ExpressibleByArgument, CustomStringConvertible {
  /// The named properties, or all of them for `all`.
  package let properties: Set<ViewProperty>

  /// Reads names, or `all`; nil if a name is unknown.
  package init?(argument: String) {
    if argument == "all" {
      properties = Set(ViewProperty.allCases)
      return
    }
    let words = argument.split(separator: ",", omittingEmptySubsequences: false)
    let found = words.compactMap { ViewProperty(rawValue: String($0)) }
    guard found.count == words.count else { return nil }
    properties = Set(found)
  }

  /// The names, as they are typed.
  package var description: String { properties.map(\.rawValue).sorted().joined(separator: ",") }
}
