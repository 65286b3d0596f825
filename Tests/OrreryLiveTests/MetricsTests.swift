// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase
import OrreryFrame
import OrreryLive
import TestSupport
import Testing

/// Goal: what is scraped is what processes have counted, in the form that the convention asks for.
///
/// Method: counters pages of this process; the text line by line. `MetricsProcessTests` has it read by Prometheus's own
/// parser.
@Suite struct MetricsTextTests {
  private static func text(_ base: TemporaryBase, runs: Set<String> = []) throws -> [String] {
    let readings = try CounterDirectory(base: base.path).readings().readings
    return MetricsText.text(readings, runs: runs, wallOffsetNs: 1_000).split(separator: "\n").map(
      String.init)
  }

  private static func sim(_ run: String, _ base: TemporaryBase) throws -> CounterPage {
    let page = try CounterPage(
      SimCounter.self, facts: ["program": "sim", "run": run, "scene": #"a"b\c"#],
      in: CounterDirectory(base: base.path))
    page.set(SimCounter.frames.rawValue, 12)
    page.set(SimCounter.periodNs.rawValue, 16_666_667)
    page.set(SimCounter.publishedNs.rawValue, 1_000_000_500)
    for ns in [UInt64(900), 1_000, 3_000_000, 20_000_000_000] {
      page.record(SimCounter.workTimesNs.rawValue, ns: ns)
    }
    return page
  }

  @Test func countersAreInTheirUnits() throws {
    let base = try TemporaryBase()
    let pages = try [Self.sim("demo.1of2", base), Self.sim("other", base)]
    let subscriber = try CounterPage(
      SubscriberCounter.self, facts: ["program": "logger", "run": "demo", "transport": "memory"],
      in: CounterDirectory(base: base.path))
    subscriber.set(SubscriberCounter.missed.rawValue, 3)
    let text = try Self.text(base)
    for line in [
      "# TYPE orrery_sim_frames counter", "# UNIT orrery_sim_period_seconds seconds",
      #"orrery_sim_frames_total{run="demo",shard="1"} 12"#,
      #"orrery_sim_frames_total{run="other"} 12"#,
      #"orrery_sim_period_seconds{run="other"} 0.016666667"#,
      #"orrery_sim_published_timestamp_seconds{run="other"} 1.0000015"#,
      #"orrery_sim_work_seconds_bucket{run="other",le="0.000001"} 1"#,
      #"orrery_sim_work_seconds_bucket{run="other",le="0.005"} 3"#,
      #"orrery_sim_work_seconds_bucket{run="other",le="10.0"} 3"#,
      #"orrery_sim_work_seconds_bucket{run="other",le="+Inf"} 4"#,
      #"orrery_sim_work_seconds_sum{run="other"} 20.0030019"#,
      #"orrery_subscriber_missed_frames_total{run="demo",program="logger",pid="\#(getpid())"} 3"#,
      "orrery_unreadable_counters 0",
    ] {
      #expect(text.contains(line), "\(line)")
    }
    #expect(text.contains { $0.contains(#"scene="a\"b\\c""#) })
    #expect(text.last == "# EOF")
    // Each family once, and all its samples below it.
    let families = text.filter { $0.hasPrefix("# TYPE") }
    #expect(Set(families).count == families.count)
    let one = try Self.text(base, runs: ["demo"])
    #expect(!one.contains { $0.contains(#"run="other""#) })
    #expect(one.contains { $0.contains(#"run="demo",shard="1""#) })
    withExtendedLifetime(pages) {}
  }

  /// Two pages of one name, as of a process that follows a run twice, would be one sample twice.
  @Test func noSampleStandsTwice() throws {
    let base = try TemporaryBase()
    let pages = try [Self.sim("demo", base), Self.sim("demo", base)]
    let samples = try Self.text(base).filter { !$0.hasPrefix("#") }
    #expect(Set(samples.map { $0.prefix { $0 != " " } }).count == samples.count)
    withExtendedLifetime(pages) {}
  }

  @Test func withoutProcessesThereIsAnEnd() throws {
    let text = try Self.text(TemporaryBase())
    #expect(text.last == "# EOF" && text.filter { !$0.hasPrefix("#") }.count == 1)
  }
}

/// Goal: nobody but a client of this machine is answered, and no client keeps another one out.
///
/// Method: a client of sockets sends what no collector sends; afterwards a scrape must be answered.
@Suite struct MetricsServerTests {
  private final class Fixture {
    let server: MetricsServer
    let port: Int

    init() throws {
      server = try MetricsServer(host: "127.0.0.1", port: 0, source: MetricsSource([]))
      port = try #require(
        Int(server.address.split(separator: ":").last?.prefix { $0.isNumber } ?? ""))
    }

    deinit { server.close() }

    var host: String { "127.0.0.1:\(port)" }

    func get(_ path: String, _ lines: [String] = [], host: String? = nil) throws -> Int {
      let client = try #require(LoopbackClient(port: port))
      return client.get(path, lines, host: host ?? self.host).status
    }
  }

  @Test func onlyScrapesOfThisMachineAreAnswered() throws {
    let fixture = try Fixture()
    let client = try #require(LoopbackClient(port: fixture.port))
    let answer = client.get("/metrics", host: fixture.host)
    #expect(answer.status == 200)
    #expect(answer.headers["content-type"] == MetricsText.type)
    #expect(try fixture.get("/metrics?x=1") == 200)
    #expect(try fixture.get("/metrics", host: "localhost:\(fixture.port)") == 200)
    #expect(try fixture.get("/") == 404)
    #expect(try fixture.get("/metrics", host: "evil.example:\(fixture.port)") == 421)
    #expect(try fixture.get("/metrics", ["Origin: http://evil.example"]) == 403)
    #expect(try fixture.get("/metrics", ["Content-Length: 1000"]) == 413)
    #expect(throws: Failure.self) {
      try MetricsServer(host: "127.0.0.1", port: fixture.port, source: MetricsSource([]))
    }
  }

  @Test func aThousandHostileRequestsKeepNobodyOut() throws {
    let fixture = try Fixture()
    var random = SeededRandom(seed: 5)
    var silent: [LoopbackClient] = []
    for number in 0..<1000 {
      let client = try #require(LoopbackClient(port: fixture.port))
      switch number % 5 {
      case 0: client.send("POST /metrics HTTP/1.1\r\nHost: \(fixture.host)\r\n\r\n")
      case 1: client.send((0..<200).map { _ in UInt8(truncatingIfNeeded: random.next()) })
      case 2: client.send("GET /\(String(repeating: "a", count: 2000)) HTTP/1.1\r\n\r\n")
      case 3: client.send("GET /metrics HTTP/1.1\r\nX: " + String(repeating: "y", count: 70_000))
      default: silent.append(client)
      }
    }
    #expect(try fixture.get("/metrics") == 200)
    withExtendedLifetime(silent) {}
  }
}
