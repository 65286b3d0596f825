// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryDocument
import OrreryFrame
import OrreryWire

/// Asks the sim for what pages want, one request after the other, and how it is while a page is open: on a thread of
/// its own, since an answer may take as long as a tick.
package final class LiveSteering: Sendable {
  private struct State {
    var requests: [(request: ControlRequest, client: Int)] = []
    var isEnding = false
  }

  private let state: Monitor<State>
  private let thread: BackgroundThread

  /// Requests that may wait; more are refused.
  private static let requestsMax = 64

  /// Seconds to wait for an answer.
  private static let timeoutSeconds = 5.0

  /// How often the sim is asked how it is.
  private static let statsNs: UInt64 = 500_000_000

  /// Steers the run at this location; nil if there is no sim to ask: of shards that meet in a directory.
  ///
  /// - Parameters:
  ///   - location: Where the run is.
  ///   - hub: Gets the answers.
  /// - Throws: `Failure` when the system has no thread left.
  package convenience init?(_ location: RunLocation, hub: LiveHub) throws(Failure) {
    guard let find = Self.address(of: location) else { return nil }
    try self.init(hub: hub) {
      ControlClient.asking(timeoutSeconds: Self.timeoutSeconds, find)
    }
  }

  /// Finds the sim to ask.
  private typealias Find = @Sendable () throws(WireError) -> WireAddress

  /// Steers by these requests.
  ///
  /// - Parameters:
  ///   - hub: Gets the answers.
  ///   - connect: Called on the thread that asks.
  /// - Throws: `Failure` when the system has no thread left.
  package init(
    hub: LiveHub, _ connect: @escaping @Sendable () -> ControlClient.Ask
  ) throws(Failure) {
    let state = Monitor(State())
    self.state = state
    thread = try Failure.of(.resource) {
      try BackgroundThread {
        let ask = connect()
        while true {
          let step = state.wait(atMostNs: Self.statsNs) { state -> (ControlRequest, Int)?? in
            if state.isEnding { return .some(nil) }
            return state.requests.isEmpty ? nil : .some(state.requests.removeFirst())
          }
          if case .some(nil) = step { return }
          if case .some(let (request, client)?) = step {
            hub.answer(Self.perform(request, ask), id: request.id, to: client)
          }
          guard hub.hasClients, let stats = try? ask(.stats, [:]) else { continue }
          hub.send(stats: stats.filter { $0.key != "id" && $0.key != "ok" })
        }
      }
    }
  }

  /// Queues a request of a page; does not wait.
  ///
  /// - Returns: False if too many wait.
  package func ask(_ request: ControlRequest, client: Int) -> Bool {
    state.change { state in
      guard state.requests.count < Self.requestsMax else { return false }
      state.requests.append((request, client))
      return true
    }
  }

  /// Ends the thread, which may wait for an answer that is overdue.
  package func end() {
    state.change { $0.isEnding = true }
    thread.join()
  }

  private static func perform(
    _ request: ControlRequest, _ ask: ControlClient.Ask
  ) -> ControlReply {
    do throws(WireError) {
      return .done(try ask(request.verb, request.fields))
    } catch .refused(let reason) {
      return .refused(reason)
    } catch {
      return .refused("\(error)")
    }
  }

  /// Finds the sim to ask, or the first of several, which has all views.
  private static func address(of location: RunLocation) -> Find? {
    switch location {
    case .run(let name):
      return { () throws(WireError) in
        guard let directory = try? RunDirectory.shards(of: name).first else {
          throw .noRun(name: name, waitedSeconds: 0)
        }
        return .run(directory)
      }
    case .remote(let address, _): return { () throws(WireError) in address }
    case .remoteShards(let addresses, _):
      guard let first = addresses.first else { return nil }
      return { () throws(WireError) in first }
    case .rendezvous: return nil
    }
  }
}
