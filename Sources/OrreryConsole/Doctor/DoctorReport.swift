// SPDX-License-Identifier: Apache-2.0

import OrreryBase

/// What `orrery doctor` prints.
package struct DoctorReport: Codable, Equatable, Sendable {
  /// The kind and version of its JSON.
  package static let schema = "orrery.doctor.v1"

  /// All checks, in the order in which they are printed.
  package let checks: [DoctorCheck]
  /// The number of checks that found something to be done.
  package let findings: Int

  package init(_ checks: [DoctorCheck]) {
    self.checks = checks
    findings = checks.count { !$0.isFine }
  }

  /// One line of JSON.
  package var json: String { ReportLine.encode(self, schema: Self.schema) + "\n" }

  /// For people: a line for each check, and below a finding its cost and its remedy.
  package var text: String {
    let lines = checks.flatMap { check in
      let first = "\(check.isFine ? "ok     " : "finding")  \(check.name): \(check.found)"
      let below = [("cost", check.cost), ("remedy", check.remedy)].compactMap { title, text in
        text.map { "         \((title + ":").alignedLeft(8))\($0)" }
      }
      return [first] + below
    }
    let last = findings == 0 ? "nothing found" : counted(findings, "finding")
    return (lines + [last]).joined(separator: "\n") + "\n"
  }
}
