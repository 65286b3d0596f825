// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase

/// How a program that failed has ended.
package struct ChildEnd: Equatable {
  /// Name of the program.
  package let name: String
  /// Its exit code or signal.
  package let status: ChildStatus
  /// Why the supervisor killed it, in words; nil if it did not.
  package let reason: String?

  /// Creates the end of the program of this name.
  package init(name: String, status: ChildStatus, reason: String? = nil) {
    (self.name, self.status, self.reason) = (name, status, reason)
  }
}

/// The results of a run: the programs' reports and failures.
package struct RunOutcome {
  /// The sim's report at its end.
  package var sim: SimReport?

  /// The subscribers' reports, in the order in which they ended.
  package var subscribers: [SubscriberReportMessage] = []

  /// Processor time of the programs that have ended, and of those that they started, in seconds.
  package var processorSeconds: [String: Double] = [:]

  /// Programs that failed, in the order in which they ended.
  package var ends: [ChildEnd] = []

  /// Whether a second stop signal ended the run.
  package var isInterrupted = false

  /// Whether the sim was killed: it left files in the runtime directory then.
  package var hasKilledSim = false

  /// Files of which a program made only a part, since it was ended.
  package var incompleteOutputs: [String] = []

  /// Files that a program has finished and that are not there any more.
  package var lostOutputs: [String] = []

  /// Files that were asked for and of which nothing was made: no frame came, or the program was ended
  /// before it began with them.
  package var notMade: [String] = []

  /// Creates an outcome without reports.
  package init() {}

  /// Whether the run did not begin because a live sim has its name.
  package var lacksName: Bool {
    ends.first == ChildEnd(name: "sim", status: .exited(ExitStatus.nameTaken.rawValue))
  }

  /// Why the run failed; nil if it succeeded.
  ///
  /// The first program that failed gives the exit status.
  package var failure: Failure? {
    let lost = [("incomplete", incompleteOutputs), ("not made", notMade)].map { word, files in
      files.isEmpty ? "" : "; \(word): " + files.sorted().joined(separator: ", ")
    }.joined()
    if isInterrupted {
      return Failure(
        .interrupted, "interrupted" + (lost.isEmpty ? "; every output is complete" : lost))
    }
    guard let first = ends.first else {
      if lostOutputs.isEmpty { return nil }
      return Failure(
        .inputOutput,
        lostOutputs.joined(separator: ", ") + ": removed or moved after it was written")
    }
    let text =
      ends.map { end in
        if let reason = end.reason { return "\(end.name) \(reason)" }
        return switch end.status {
        case .exited(let code): "\(end.name) ended with exit code \(code)"
        case .killed(let signal): "\(end.name) was killed by signal \(signal)"
        }
      }.joined(separator: "; ") + lost
    if case .exited(let code) = first.status, let status = ExitStatus(rawValue: code) {
      return Failure(status, text)
    }
    return Failure(.unavailable, text)
  }

  /// Looks which of the files that were written are there no more.
  package mutating func findLostOutputs() {
    lostOutputs = subscribers.flatMap(\.files).filter { file in
      // A folder stands with the count of its pictures.
      let path = file.firstRange(of: "/ (").map { String(file[..<$0.lowerBound]) } ?? file
      return access(path, F_OK) != 0
    }
  }

  /// What limited the run; nil without a frame.
  package var limit: RunLimit? { RunLimit(sim, subscribers, processorSeconds: processorSeconds) }

  /// The summary for people.
  package var text: String {
    var lines: [String] = []
    if let limit {
      var first = ReportText()
      first.add("limit", limit.text)
      lines += first.lines
    }
    if let sim {
      // What a subscriber says of itself is newer than what the sim knows of it.
      lines.append(sim.text(hidingAccountsOf: subscribers.map(\.program)))
    }
    for subscriber in subscribers.sorted(by: { $0.program < $1.program }) {
      lines.append(subscriber.text)
    }
    let files = subscribers.flatMap(\.files).filter { !lostOutputs.contains($0) }.sorted()
    var list = ReportText()
    for (index, file) in files.enumerated() { list.addWhole(index == 0 ? "files" : "", file) }
    lines += list.lines
    return lines.isEmpty ? "" : lines.joined(separator: "\n") + "\n"
  }

  /// The summary's kind and version: docs/schemas/run.schema.json.
  package static let schema = "orrery.run.v2"

  /// The summary for programs.
  package var json: String {
    ReportLine.encode(
      Document(
        limit: limit, sim: sim, subscribers: subscribers,
        notMade: notMade.isEmpty ? nil : notMade.sorted(),
        failure: failure?.description),
      schema: Self.schema) + "\n"
  }

  private struct Document: Encodable {
    let limit: RunLimit?
    let sim: SimReport?
    let subscribers: [SubscriberReportMessage]
    let notMade: [String]?
    let failure: String?
  }
}
