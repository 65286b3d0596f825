// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryRecording
import OrreryTrace
import Testing

/// What a logger makes of the frames it is given.
@Suite struct RecorderTests {
  @Test func traceThatCannotBeMadeIsNamed() {
    #expect {
      try Recorder.open(path: "/nonexistent/a.mcap", compression: .none, overwrite: false)
    } throws: { error in
      (error as? Failure)?.status == .inputOutput && "\(error)".contains("/nonexistent/a.mcap")
    }
  }
}
