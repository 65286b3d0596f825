// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import TestSupport
import Testing

/// Goal: a page of `orrery live` gets a run's frames, steers it, and learns of its end.
///
/// Method: a sim, `live` beside it, and a client of sockets that speaks as the page does.
@Suite struct LiveProcessTests {
  /// A live page that waits for a run of planets.
  private struct Setting {
    let place: Place
    let live: Program
    let port: Int
    let token: String

    /// A run that shows itself.
    init(run words: [String]) throws {
      place = try Place()
      live = try Program("orrery", ["run"] + words, in: place)
      let program = live
      program.wait(for: "the address") {
        program.errorText.contains("token=") || !program.isRunning
      }
      let match = try #require(
        program.errorText.firstMatch(
          of: /to watch and steer it: http:\/\/127\.0\.0\.1:(\d+)\/\?token=([0-9a-f]{32})\n/))
      port = try #require(Int(match.1))
      token = String(match.2)
    }

    init() throws {
      place = try Place()
      live = try Program("live", ["seen", "--wait", "300"], in: place)
      let program = live
      program.wait(for: "the address") { program.text.contains("\n") || !program.isRunning }
      let match = try #require(
        program.text.firstMatch(of: /^http:\/\/127\.0\.0\.1:(\d+)\/\?token=([0-9a-f]{32})\n/))
      port = try #require(Int(match.1))
      token = String(match.2)
    }

    /// Starts the run, for so many seconds of its time.
    func start(duration: Int) throws -> Program {
      try Program(
        "sim", ["planets", "--run", "seen", "--wait-for", "1", "--duration", String(duration)],
        in: place)
    }

    var host: String { "127.0.0.1:\(port)" }

    /// A page that has opened.
    func page() throws -> Viewer {
      let client = try #require(LoopbackClient(port: port))
      let answer = client.upgrade(
        "/live", ["Cookie: orrery-live-\(port)=\(token)", "Origin: http://\(host)"], host: host)
      #expect(answer.status == 101, "\(answer)")
      return Viewer(client)
    }
  }

  /// A page that acknowledges every frame that it gets, and keeps the last one and all texts.
  private final class Viewer {
    let client: LoopbackClient
    private(set) var sequence: UInt64 = 0
    private(set) var tick: UInt64 = 0
    private(set) var texts: [String] = []

    init(_ client: LoopbackClient) { self.client = client }

    /// Takes messages until something holds.
    func wait(for what: String, until condition: () -> Bool) {
      let endNs = Clock.monotonicNs() + patienceNs
      while !condition() {
        switch Clock.monotonicNs() < endNs ? client.message() : nil {
        case .text(let text): texts.append(text)
        case .binary(let bytes):
          (sequence, tick) = (number(bytes, at: 8), number(bytes, at: 16))
          client.say(#"{"drawn":\#(sequence),"run":1}"#)
        case .close, nil:
          Issue.record("waited for \(what); texts: \(texts.suffix(5))")
          return
        }
      }
    }

    /// Asks for something and waits for the answer.
    func ask(_ words: String, id: Int) -> String {
      client.say("{\(words),\"id\":\(id)}")
      var answer = ""
      wait(for: "the answer to \(words)") {
        answer = texts.last { $0.contains("\"id\":\(id),") } ?? ""
        return !answer.isEmpty
      }
      return answer
    }

    private func number(_ bytes: [UInt8], at offset: Int) -> UInt64 {
      bytes[offset..<offset + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
  }

  @Test func aPageSeesARunAndSteersIt() throws {
    let setting = try Setting()
    let page = try setting.page()
    let sim = try setting.start(duration: 100_000)
    page.wait(for: "frames") { page.sequence >= 10 }
    page.wait(for: "the times of ticks") { page.texts.contains { $0.contains("timings") } }
    page.wait(for: "the sim's account") {
      page.texts.contains { $0.contains("subscriber_accounts") }
    }
    #expect(page.ask(#""do":"pause""#, id: 1).contains(#""ok":true"#))
    #expect(page.ask(#""do":"seek","seconds":100"#, id: 2).contains(#""ok":true"#))
    page.wait(for: "the frame of the seek") { page.tick == 6000 }
    #expect(page.ask(#""do":"step","ticks":1"#, id: 3).contains(#""ok":true"#))
    page.wait(for: "the frame of the step") { page.tick == 6001 }
    #expect(page.ask(#""do":"toggle","names":["nothing"]"#, id: 4).contains(#""ok":false"#))
    let client = try #require(LoopbackClient(port: setting.port))
    let scene = client.get(
      "/scene", ["Cookie: orrery-live-\(setting.port)=\(setting.token)"], host: setting.host)
    #expect(scene.text.contains("Mars.header"))
    setting.live.signal(SIGTERM)
    page.wait(for: "the end") { page.texts.contains(#"{"end":"left"}"#) }
    #expect(setting.live.wait() == 0)
    sim.signal(SIGTERM)
    sim.wait()
  }

  @Test func theEndOfTheRunReachesThePageAndThenTheProgramEnds() throws {
    let setting = try Setting()
    let page = try setting.page()
    let sim = try setting.start(duration: 1)
    page.wait(for: "the end") { page.texts.contains(#"{"end":"ended"}"#) }
    #expect(page.sequence == 60, "the last frame comes before the end")
    #expect(page.client.isClosed())
    #expect(setting.live.wait() == 0)
    #expect(setting.live.text.contains("received"), "the report: \(setting.live.text)")
    #expect(sim.wait() == 0)
  }

  @Test func aRunShowsItself() throws {
    let setting = try Setting(run: ["planets", "--live", "--only", "trace", "--out", "o"])
    let page = try setting.page()
    page.wait(for: "frames") { page.sequence >= 10 }
    setting.live.signal(SIGINT)
    page.wait(for: "the end") { page.texts.contains { $0.hasPrefix(#"{"end":"#) } }
    #expect(setting.live.wait() == 0)
    #expect(setting.live.text.contains("\nlive          received "), "\(setting.live.text)")
  }

  @Test func theDeathOfTheSimReachesThePage() throws {
    let setting = try Setting()
    let page = try setting.page()
    let sim = try setting.start(duration: 100_000)
    page.wait(for: "a frame") { page.sequence > 0 }
    sim.signal(SIGKILL)
    page.wait(for: "the end") { page.texts.contains(#"{"end":"died"}"#) }
    #expect(setting.live.wait() == 69)
    #expect(setting.live.errorText.contains("died after frame"))
  }

  @Test func withJSONTheAddressIsOnStandardErrorAndThePortIsTheOneAskedFor() throws {
    let place = try Place()
    let holder = try Program("live", ["none", "--wait", "300", "--json"], in: place)
    holder.wait(for: "the address") { holder.errorText.contains("token=") || !holder.isRunning }
    #expect(holder.text.isEmpty)
    let port = try #require(holder.errorText.firstMatch(of: /127\.0\.0\.1:(\d+)/)?.1)
    let other = try Program.run("live", ["none", "--port", String(port)], in: place)
    #expect(other.code == 69)
    #expect(
      other.errorText.contains("--port \(port) of 127.0.0.1 cannot be had"), "\(other.errorText)")
    // The token is for who reads the line, not for who lists processes.
    let words = try String(contentsOfFile: "/proc/\(holder.processID)/cmdline", encoding: .utf8)
    #expect(!words.contains("token"))
    holder.signal(SIGTERM)
    holder.wait()
  }
}
