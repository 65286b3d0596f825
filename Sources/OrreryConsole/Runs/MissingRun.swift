// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryFrame
import OrreryWire

extension Failure {
  /// The failure of a request to a run; if there is no run of that name, the nearest name is asked for.
  ///
  /// - Parameters:
  ///   - error: Why there is no answer.
  ///   - base: The directory of all runs.
  package init(ofRequest error: any Error, base: String = RunDirectory.base()) {
    guard case WireError.noRun(let name, 0) = error, let names = try? RunDirectory.names(in: base),
      let nearest = NearestName.find(name, among: names.filter { Self.isAlive($0, base) })
    else {
      self.init(error)
      return
    }
    self.init(
      .unavailable, "no run named '\(name)'; did you mean \(nearest)? all of them: orrery ps")
  }

  private static func isAlive(_ name: String, _ base: String) -> Bool {
    switch try? RunDirectory(name: name, base: base).state() {
    case .running, .stopped: true
    case .starting, .missing, .dead, nil: false
    }
  }
}
