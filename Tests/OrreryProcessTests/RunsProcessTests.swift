// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryRuns
import Testing

/// Goal: the example of the page about subscribers compiles, and follows a sim from its first frame to its end.
///
/// Method: the example stands here too; compare the page with this file's text, and run it on a sim that waits for it.
@Suite struct RunsProcessTests {
  private static func follow(_ address: RunAddress) throws -> [String] {
    var lines: [String] = []
    func print(_ items: Any...) { lines.append(items.map { "\($0)" }.joined(separator: " ")) }
    let run = try RunSubscriber(address, waitSeconds: 5)
    print("\(run.scene.entityCount) entities at \(run.scene.rate) Hz")
    var event = RunEvent.idle
    while !event.isLast {
      event = run.next { frame in
        if let x = frame.values(.x) { print(frame.sequence, frame.tick, x[0]) }
      }
    }
    print("\(run.receivedCount) received, \(run.missedCount) missed")
    return lines
  }

  @Test func theExampleOfThePageFollowsASim() throws {
    let place = try Place()
    let sim = try Program(
      "sim",
      [
        "flags", "--run", "swift", "--listen", "tcp://127.0.0.1:0", "--wait-for", "1", "--ticks",
        "30", "--lockstep",
      ], in: place)
    sim.wait(for: "where it listens") {
      sim.errorText.contains("listens at ") || !sim.isRunning
    }
    let line = try #require(
      sim.errorText.split(separator: "\n").first { $0.contains("listens at ") }, "\(sim.errorText)")
    let address = String(try #require(line.split(separator: " ").last))
    let lines = try Self.follow(.endpoint(address))
    #expect(sim.wait() == 0, "\(sim.errorText)")
    #expect(lines.count == 32 && lines.first?.hasSuffix(" entities at 60.0 Hz") == true, "\(lines)")
    #expect(lines.last == "30 received, 0 missed", "\(lines)")
    let wanted = try Program.run(
      "orrery", ["sample", "flags", "--at", "0.5", "--entity", "0", "--json"], in: place)
    let sample = try #require(
      try JSONSerialization.jsonObject(with: Data(wanted.text.utf8)) as? [String: Any])
    let x = try #require(sample["x"] as? Double)
    #expect(lines[30] == "30 30 \(Float(x))")
  }

  @Test func thePageShowsTheExample() throws {
    let page = try String(
      contentsOfFile: Program.root + "/docs/how-to/a-subscriber.md", encoding: .utf8)
    let source = try String(
      contentsOfFile: Program.root + "/Tests/OrreryProcessTests/RunsProcessTests.swift",
      encoding: .utf8)
    let block = try #require(
      page.components(separatedBy: "```swift\n").dropFirst().first?
        .components(separatedBy: "\n```").first)
    let lines = block.components(separatedBy: "\n")
    #expect(lines.prefix(2) == ["import OrreryRuns", ""])
    // The page names the address; the test gets it.
    let body = lines.dropFirst(3).map { "    \($0)\n" }.joined()
    #expect(
      lines.count > 3 && lines[2].hasPrefix("let run = try RunSubscriber(.endpoint(")
        && lines[2].hasSuffix("), waitSeconds: 5)"))
    #expect(source.contains("waitSeconds: 5)\n" + body + "    return lines\n"), "\(body)")
  }
}
