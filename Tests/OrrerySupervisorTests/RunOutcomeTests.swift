// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrrerySupervisor
import Testing

/// What a run says of the programs that failed: the first one's code, and all of them by name.
@Suite struct RunOutcomeTests {
  @Test func theFirstFailureDecides() throws {
    var outcome = RunOutcome()
    #expect(outcome.failure == nil)
    outcome.ends = [
      ChildEnd(name: "logger", status: .exited(74)), ChildEnd(name: "sim", status: .exited(69)),
    ]
    let failure = try #require(outcome.failure)
    #expect(failure.status == .inputOutput)
    #expect(
      failure.description == "logger ended with exit code 74; sim ended with exit code 69")
  }
}
