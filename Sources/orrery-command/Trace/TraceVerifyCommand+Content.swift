// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase
import OrreryReplay

extension TraceVerifyCommand {
  /// Simulates the runs of files without damage again; ends the program if a frame differs.
  ///
  /// Several files are one trace if they are of one run; otherwise each is one.
  func verifyContent() throws(Failure) {
    var isEqual = true
    for check in try checks() {
      var check = check
      let report = try check.run()
      Standard.output(
        (json ? ReportLine.encode(report, schema: ContentCheck.Report.schema) : report.text)
          + "\n")
      isEqual = isEqual && report.isEqual
    }
    if !isEqual { Glibc.exit(ExitStatus.unmet.rawValue) }
  }

  private func checks() throws(Failure) -> [ContentCheck] {
    if files.count > 1, let archive = try? FrameArchive(paths: files) {
      return try ContentCheck.checks(of: archive)
    }
    var checks: [ContentCheck] = []
    // A file without a scene is no trace of a run: its container is all that there is to check.
    for file in files where try FrameArchive.hasFrames(file) {
      checks += try ContentCheck.checks(of: FrameArchive(paths: [file]))
    }
    return checks
  }
}
