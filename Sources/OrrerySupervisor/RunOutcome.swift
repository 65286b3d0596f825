// SPDX-License-Identifier: Apache-2.0

import OrreryBase

/// How a program that failed has ended.
package struct ChildEnd: Equatable {
  package let name: String
  package let status: ChildStatus

  /// Creates the end of the program of this name.
  package init(name: String, status: ChildStatus) {
    (self.name, self.status) = (name, status)
  }
}

/// The results of a run: the programs' reports and failures.
package struct RunOutcome {
  /// The sim's report at its end.
  package var sim: SimReport?

  /// The subscribers' reports, in the order in which they ended.
  package var subscribers: [SubscriberReportMessage] = []

  /// Programs that failed, in the order in which they ended.
  package var ends: [ChildEnd] = []

  /// Creates an outcome without reports.
  package init() {}

  /// Why the run failed; nil if it succeeded.
  ///
  /// The first program that failed gives the exit status.
  package var failure: Failure? {
    guard let first = ends.first else { return nil }
    let text = ends.map { end in
      switch end.status {
      case .exited(let code): "\(end.name) ended with exit code \(code)"
      case .killed(let signal): "\(end.name) was killed by signal \(signal)"
      }
    }.joined(separator: "; ")
    if case .exited(let code) = first.status, let status = ExitStatus(rawValue: code) {
      return Failure(status, text)
    }
    return Failure(.unavailable, text)
  }

  /// The summary for people.
  package var text: String {
    var lines: [String] = []
    if let sim { lines.append(sim.text) }
    for subscriber in subscribers.sorted(by: { $0.program < $1.program }) {
      lines.append(subscriber.text)
    }
    let files = subscribers.flatMap(\.files).sorted()
    for (index, file) in files.enumerated() {
      lines.append((index == 0 ? "files      " : "           ") + file)
    }
    return lines.isEmpty ? "" : lines.joined(separator: "\n") + "\n"
  }

  /// The summary for programs.
  package var json: String {
    ReportLine.encode(
      Document(sim: sim, subscribers: subscribers, failure: failure?.description),
      schema: "orrery.run.v1") + "\n"
  }

  private struct Document: Encodable {
    let sim: SimReport?
    let subscribers: [SubscriberReportMessage]
    let failure: String?
  }
}
