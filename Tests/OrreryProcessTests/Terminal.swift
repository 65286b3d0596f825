// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import TestSupport
import Testing

/// A terminal in which a command runs: tmux, which types keys and says what the screen shows.
final class Terminal {
  private let place: Place
  private let socket: String

  init(_ command: String, columns: Int = 80, rows: Int = 24, in place: Place) throws {
    (self.place, socket) = (place, place.runtime + "/tmux")
    let run = try tmux(
      "-u", "-f", "/dev/null", "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)",
      "env PATH=\(Program.directory):$PATH LC_ALL=C.UTF-8 \(command)")
    #expect(run.code == 0, "\(run.errorText)")
  }

  @discardableResult
  func tmux(_ words: String...) throws -> (code: Int32?, text: String, errorText: String) {
    try Program.run("/usr/bin/tmux", ["-S", socket] + words, in: place)
  }

  func type(_ keys: String...) throws {
    for key in keys { try tmux("send-keys", key) }
  }

  var screen: String { (try? tmux("capture-pane", "-p").text) ?? "" }

  /// The same with the sequences that set colours.
  var colors: String { (try? tmux("capture-pane", "-p", "-e").text) ?? "" }

  /// Waits until the screen is as wanted, and returns it.
  @discardableResult
  func wait(for what: String, until condition: (String) -> Bool) -> String {
    var text = ""
    if !Clock.wait(
      seconds: patienceSeconds, everyNs: 20_000_000,
      until: {
        text = screen
        return condition(text)
      })
    {
      Issue.record("waited for \(what): \(text)")
    }
    return text
  }

  deinit { _ = try? tmux("kill-server") }
}
