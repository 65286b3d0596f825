// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryDocument
import OrreryFrame
import OrreryWire

/// One run as `orrery ps` shows it: what its lock says, and what its sim answers.
package struct RunStatus: Sendable {
  /// What a run is doing.
  package enum State: String, Sendable {
    case running
    case paused
    /// A sim is taking the run's directory.
    case starting
    /// The sim plans and builds its scene.
    case preparing
    /// A signal or a debugger has stopped the sim.
    case stopped
    /// The sim is alive and did not answer in time.
    case silent
  }

  /// The run's name.
  package let name: String
  /// What it is doing.
  package let state: State
  /// Why nothing else is known, for people; nil if the sim answered.
  package let reason: String?
  /// The sim's process; nil if it is not known.
  package let processID: Int64?
  /// Time since the sim took the run; nil if it is not known.
  package let ageSeconds: Double?
  /// Fields of the sim's answer to `stats`; empty without one.
  package let stats: [String: DocumentValue]

  /// A run whose sim answered `stats`.
  package init(name: String, stats: [String: DocumentValue]) {
    self.name = name
    state = stats["paused"] == .bool(true) ? .paused : .running
    reason = nil
    processID = stats["pid"]?.integer
    ageSeconds = stats["age_s"]?.number
    self.stats = stats.filter { !["id", "ok", "run"].contains($0.key) }
  }

  /// A run whose sim did not answer.
  ///
  /// - Parameters:
  ///   - name: The run's.
  ///   - state: What is known.
  ///   - reason: Why there is no answer.
  ///   - owner: What the sim wrote into its lock.
  ///   - nowSeconds: The wall clock's time since 1970.
  package init(
    name: String, state: State, reason: String, owner: RunOwner? = nil,
    nowSeconds: UInt64 = Clock.wallNs() / 1_000_000_000
  ) {
    self.name = name
    self.state = state
    self.reason = reason
    processID = owner?.processID.map(Int64.init)
    ageSeconds = owner?.sinceSeconds.map { Double(nowSeconds - min($0, nowSeconds)) }
    stats = [:]
  }

  /// As a program reads it: the fields of `stats`, and what is known without an answer.
  var fields: DocumentValue {
    var fields = stats
    fields["name"] = .string(name)
    fields["state"] = .string(state.rawValue)
    fields["reason"] = reason.map(DocumentValue.string)
    fields["pid"] = processID.map(DocumentValue.integer)
    fields["age_s"] = ageSeconds.map(DocumentValue.number)
    return .table(DocumentTable(fields))
  }
}

extension RunStatus {
  /// Time that a sim has for its answer, in seconds; it takes milliseconds.
  package static let answerSeconds = 1.0

  /// Asks one run.
  ///
  /// - Parameters:
  ///   - directory: The run's.
  ///   - answerSeconds: How long to wait for the answer.
  /// - Throws: `WireError`: `noRun`, `runDied` or `runEnded` if there is no such run.
  package init(
    asking directory: RunDirectory, answerSeconds: Double = Self.answerSeconds
  ) throws(WireError) {
    let name = directory.name
    let address = WireAddress.run(directory)
    let owner = directory.owner
    if directory.isPreparing {
      self.init(
        name: name, state: .preparing, reason: "its scene; no tick yet", owner: owner)
      return
    }
    do throws(WireError) {
      let client = try ControlClient(address)
      let answer = try client.ask(.stats, timeoutSeconds: answerSeconds)
      self.init(name: name, stats: answer.fields)
    } catch {
      switch error {
      case .noRun, .runDied, .runEnded: throw error
      case .runStopped(_, let processID):
        self.init(
          name: name, state: .stopped,
          reason: "by a signal or a debugger; kill -CONT \(processID) lets it go on", owner: owner)
      case .noAnswer(_, let seconds):
        let isStarting = (try? directory.state()) == .starting
        self.init(
          name: name, state: isStarting ? .starting : .silent,
          reason: "no answer within \(seconds) s", owner: owner)
      default: self.init(name: name, state: .silent, reason: error.description, owner: owner)
      }
    }
  }

  /// Asks all runs of this user, many at a time.
  ///
  /// - Parameters:
  ///   - base: The directory of all runs.
  ///   - answerSeconds: How long to wait for each answer.
  /// - Returns: The runs that are alive, by name.
  /// - Throws: `RunDirectoryError` when the directory of all runs cannot be used.
  package static func all(
    in base: String = RunDirectory.base(), answerSeconds: Double = Self.answerSeconds
  ) throws(RunDirectoryError) -> [RunStatus] {
    let directories = try RunDirectory.names(in: base).compactMap { name in
      try? RunDirectory(name: name, base: base)
    }
    var all: [RunStatus] = []
    var left = directories[...]
    while !left.isEmpty {
      all += ask(Array(left.prefix(askedMax)), answerSeconds: answerSeconds)
      left = left.dropFirst(askedMax)
    }
    return all
  }

  /// Runs that are asked at the same time, each by a thread of its own.
  private static let askedMax = 32

  private static func ask(_ directories: [RunDirectory], answerSeconds: Double) -> [RunStatus] {
    let found = Monitor([RunStatus?](repeating: nil, count: directories.count))
    BackgroundThread.concurrently(directories.count) { index in
      let status = try? RunStatus(asking: directories[index], answerSeconds: answerSeconds)
      found.change { $0[index] = status }
    }
    return found.read { $0 }.compactMap(\.self)
  }
}
