// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestSupport
import Testing

/// Goal: a monitoring system reads the counters of runs, also of a sim that is stopped.
///
/// Method: `orrery metrics` beside a sim and a logger, and the parser of PyPI's `prometheus-client`.
@Suite struct MetricsProcessTests {
  /// Scrapes an address twice and prints samples: the frames of run alpha, whether they grew, and what kinds there are.
  private static let script = """
    import sys, time, urllib.request
    from prometheus_client.openmetrics.parser import text_string_to_metric_families
    def scrape():
      with urllib.request.urlopen(sys.argv[1]) as answer:
        assert answer.headers["content-type"].startswith("application/openmetrics-text; version=1.0.0")
        return {family.name: family for family in text_string_to_metric_families(answer.read().decode())}
    def value(families, family, **labels):
      return [sample.value for sample in families[family].samples
        if all(sample.labels.get(key) == label for key, label in labels.items())]
    first = scrape()
    time.sleep(1)
    second = scrape()
    before, after = [value(one, "orrery_sim_frames", run="alpha")[0] for one in (first, second)]
    print("grows" if after > before else "stands still", second["orrery_sim_frames"].type,
      second["orrery_sim_work_seconds"].type, second["orrery_sim"].type,
      value(second, "orrery_sim_entities", run="alpha"),
      value(second, "orrery_subscriber_missed_frames", program="logger"))
    """

  @Test func countersAreScraped() throws {
    let place = try Place()
    let sim = try Program("sim", ["flags", "--run", "alpha"], in: place)
    let logger = try Program("logger", ["--run", "alpha", "--out", "a.mcap"], in: place)
    let metrics = try Program("orrery", ["metrics", "--listen", "127.0.0.1:0"], in: place)
    metrics.wait(for: "the address") { metrics.text.contains("\n") }
    let address = metrics.text.trimmingCharacters(in: .whitespacesAndNewlines)
    metrics.wait(for: "the logger") {
      let once = try? Program.run("orrery", ["metrics", "--once"], in: place)
      return once?.text.contains("orrery_subscriber_received_frames_total{run=\"alpha\"") == true
    }
    let moving = try Program.run(Program.python, ["-c", Self.script, address], in: place)
    #expect(
      moving.text == "grows counter histogram info [2] [0]\n",
      "\(moving.text)\(moving.errorText)")
    sim.signal(SIGSTOP)
    let stopped = try Program.run(Program.python, ["-c", Self.script, address], in: place)
    #expect(stopped.text.hasPrefix("stands still"), "\(stopped.text)\(stopped.errorText)")
    sim.signal(SIGCONT)
    let none = try Program.run("orrery", ["metrics", "other", "--once"], in: place)
    #expect(none.code == 0 && none.text.hasSuffix("# EOF\n") && !none.text.contains("alpha"))
    for program in [metrics, logger, sim] { program.signal(SIGINT) }
    for program in [metrics, logger, sim] { #expect(program.wait() == 0, "\(program.errorText)") }
  }

  @Test(arguments: ["10.0.0.1:9464", "*:9464", "9464", "127.0.0.1", "127.0.0.1:70000"])
  func onlyLoopbackIsListenedAt(address: String) throws {
    let run = try Program.run("metrics", ["--listen", address], in: Place())
    #expect(run.code == 64, "\(run.errorText)")
    #expect(
      run.errorText
        == "orrery metrics: --listen \(address): use 127.0.0.1:PORT; a collector there can forward it\n"
    )
  }

  /// The names that documents use are the ones that are answered.
  @Test func filesOfTheDocumentNameMetricsThatExist() throws {
    let place = try Place()
    let sim = try Program("sim", ["flags", "--run", "alpha"], in: place)
    let logger = try Program("logger", ["--run", "alpha", "--out", "a.mcap"], in: place)
    var text = ""
    // The sim has a page before its first frame, and a subscriber after it has joined.
    logger.wait(for: "counters of both") {
      text = (try? Program.run("orrery", ["metrics", "--once"], in: place).text) ?? ""
      return text.contains("orrery_subscriber_received_frames_total{")
        && text.contains("orrery_sim_published_timestamp_seconds{")
    }
    for file in ["rules.yml", "grafana.json", "collector.yaml"] {
      let content = try Repository.text("docs/how-to/monitoring/\(file)").split(separator: "\n")
        .filter { !$0.contains("record:") }.joined(separator: "\n")
      for match in content.matches(of: /orrery_[a-z_]+/) {
        #expect(
          text.contains("\n\(match.output){") || text.contains("\n\(match.output) "),
          "\(match.output)")
      }
    }
    let board = try Repository.text("docs/how-to/monitoring/grafana.json")
    #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(board.utf8)) }
    for program in [logger, sim] { program.signal(SIGINT) }
    for program in [logger, sim] { program.wait() }
  }
}
