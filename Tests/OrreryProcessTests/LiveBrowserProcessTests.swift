// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// Goal: the page of `orrery live` does in a browser what it says, and everything by keys; imported animations show what
/// a browser shows.
///
/// Method: Tests/Browser/live_page.py drives Debian's Chromium by playwright; without them the test says so.
@Suite struct LiveBrowserProcessTests {
  private static let hasBrowser = {
    guard let place = try? Place(),
      let run = try? Program.run(
        "/bin/sh",
        [
          "-c",
          "command -v chromium && \(Program.python) -c 'import axe_playwright_python, playwright'",
        ],
        in: place)
    else { return false }
    return run.code == 0
  }()

  /// Method: Tests/Browser/web_animations.py asks the browser what animations made at random show.
  @Test(
    .enabled(if: hasBrowser, "no Chromium, playwright or axe: tools/install --test"),
    arguments: 1...3)
  func animationsOfThePageAreThoseOfTheScene(seed: Int) throws {
    let place = try Place()
    let run = try Program.run(
      Program.python,
      [Program.root + "/Tests/Browser/web_animations.py", Program.directory, "\(seed)"], in: place,
      seconds: patienceSeconds * 4)
    #expect(run.code == 0, "\(run.text)\n\(run.errorText)")
    #expect(run.text == "28800 values are those of Chromium \(seed)\n")
  }

  @Test(.enabled(if: hasBrowser, "no Chromium, playwright or axe: tools/install --test"))
  func thePageDoesWhatItSays() throws {
    let place = try Place()
    let run = try Program.run(
      Program.python, [Program.root + "/Tests/Browser/live_page.py", Program.directory], in: place,
      seconds: patienceSeconds * 4)
    #expect(run.code == 0, "\(run.text)\n\(run.errorText)")
    #expect(run.text.contains(/^\d+ checks passed\n/), "\(run.text)")
  }
}
