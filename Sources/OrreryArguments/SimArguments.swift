// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Orrery
import OrreryBase
import OrreryFrame
import OrreryPublisher
import OrreryScene
import OrrerySim
import OrreryWire

/// The arguments of `sim`.
package struct SimArguments: ParsableArguments {
  @OptionGroup package var scene: SceneArguments
  @OptionGroup package var length: RunLength
  @OptionGroup package var kernels: KernelArguments
  @OptionGroup package var frames: FrameArguments

  @Option(name: .customLong("run"), help: "Name of the run: letters, digits, '.', '-' and '_'.")
  package var runName: String

  @Flag(help: "Do not wait for the clock: ticks follow each other as fast as they can.")
  package var unpaced = false

  @Option(
    parsing: .unconditional,
    help: "Slots of the frame ring, 2 to 65536. Default: by the size of a frame.")
  package var slots: UInt64?

  @Option(help: "live: the sim never waits. lockstep: it waits for every subscriber.")
  package var delivery = DeliveryArgument.live

  @Option(
    parsing: .unconditional,
    help: "Lockstep: seconds to wait for a subscriber that does not get on; it is dropped then.")
  package var stallLimit: Double = 10

  @Option(
    help: """
      Give the frame ring a name in /dev/shm, for tools that map a path; letters, digits, '.', '-' and '_'. \
      Whoever may open it must be trusted not to truncate it.
      """)
  package var shmName: String?

  @Option(parsing: .unconditional, help: "Subscribers that must have joined before the first tick.")
  package var waitFor: UInt64 = 0

  @Option(
    help:
      "Serve other machines at tcp://ADDRESS:PORT; beyond the loopback address only with --keys."
  )
  package var listen: String?

  @Option(help: "Directory with server.key and clients/; see orrery keygen.")
  package var keys: String?
  @Option(help: "What subscribers are told of views: none, completions, or all events.")
  package var events = RecordedEvents.completions

  @Option(
    help: """
      Properties of views that have a column though nothing in the scene changes them, for 'orrery control \
      set': x,y,opacity,scale,rotation,blur, or all.
      """)
  package var columns: ViewColumns?

  @Flag(help: "Print progress and the report as lines of JSON.")
  package var json = false

  package init() {}

  /// Refuses values out of range and options that exclude each other.
  package func validate() throws {
    if let slots, !(2...65_536).contains(slots) {
      throw ValidationError("--slots \(slots): use 2 to 65536")
    }
    guard stallLimit.isFinite, (0.01...86_400).contains(stallLimit) else {
      throw ValidationError("--stall-limit \(stallLimit): use 0.01 to 86400 seconds")
    }
    guard keys == nil || listen != nil else { throw ValidationError("--keys needs --listen") }
    guard waitFor <= 256 else { throw ValidationError("--wait-for \(waitFor): use 0 to 256") }
  }

  /// Loads the scene and adds the requested columns.
  ///
  /// - Throws: `Failure`, as `SceneArguments.plan` does.
  package func plan() throws(Failure) -> ScenePlan {
    var plan = try scene.plan()
    if let columns { plan.show(columns.properties) }
    return plan
  }

  /// Options for running and publishing the scene.
  ///
  /// - Parameter rate: The scene's tick rate; it converts `--duration` to ticks.
  /// - Returns: The options of a `Simulation`.
  /// - Throws: `Failure` for an unusable segment name, keys or address.
  package func options(rate: TickRate) throws(Failure) -> SimOptions {
    var options = SimOptions(run: runName)
    options.isPaced = !unpaced
    options.tickCount = length.tickCount(rate: rate)
    options.delivery = delivery.value
    options.slotCount = slots
    options.waitFor = waitFor
    options.stallLimitSeconds = stallLimit
    do throws(FrameError) {
      options.carrier =
        try shmName.map { (name) throws(FrameError) in try Carrier(name: name) } ?? .memory
    } catch {
      throw Failure(error)
    }
    options.events = events
    options.threadCount = kernels.threads
    (options.listen, options.keys) = try listening()
    frames.apply(to: &options)
    if let set = try? kernels.instructionSet() { options.instructionSet = set }
    return options
  }

  /// The endpoint to listen at and its keys, checked before anything is built.
  private func listening() throws(Failure) -> (WireEndpoint?, CurveKeys?) {
    guard let listen else { return (nil, nil) }
    do {
      let keys: CurveKeys? = if let keys { try CurveKeys.server(directory: keys) } else { nil }
      let endpoint = try WireEndpoint(listen)
      if keys == nil, !endpoint.isLoopback { throw WireError.needsKeys(endpoint: endpoint.text) }
      return (endpoint, keys)
    } catch let error as KeyError {
      throw Failure(error)
    } catch let error as WireError {
      throw Failure(error)
    } catch {
      throw Failure(.unavailable, error)
    }
  }
}

extension RecordedEvents: ExpressibleByArgument {}

/// Properties of views, separated by commas.
package struct ViewColumns: ExpressibleByArgument {
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
}

/// `live` or `lockstep`.
package enum DeliveryArgument: String, ExpressibleByArgument, CaseIterable {
  case live
  case lockstep

  /// The delivery mode of this name.
  package var value: Delivery { self == .live ? .live : .lockstep }
}
