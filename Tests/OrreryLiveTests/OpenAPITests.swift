// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryLive
import TestSupport
import Testing

/// Goal: docs/reference/live-openapi.json says what the server answers, and nothing else.
///
/// Method: every path is asked for, as it should be and as it should not; statuses, types and JSON have to be among what
/// the file has.
@Suite struct OpenAPITests {
  private let document: [String: Any]

  init() throws {
    let data = try Repository.data("docs/reference/live-openapi.json")
    document = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  private var paths: [String: [String: Any]] {
    get throws { try #require(document["paths"] as? [String: [String: Any]]) }
  }

  /// The response of a path for a status; references are followed.
  private func response(_ path: String, _ status: Int) throws -> [String: Any] {
    let operation = try #require(try paths[path]?["get"] as? [String: Any])
    let responses = try #require(operation["responses"] as? [String: [String: Any]])
    let response = try #require(responses["\(status)"], "\(path) has no \(status)")
    guard let name = (response["$ref"] as? String)?.split(separator: "/").last else {
      return response
    }
    let components = try #require(document["components"] as? [String: [String: Any]])
    return try #require(components["responses"]?[String(name)] as? [String: Any])
  }

  /// Checks an answer's status, type and JSON.
  private func check(_ answer: LoopbackClient.Answer, of path: String) throws {
    let content = try response(path, answer.status)["content"] as? [String: [String: Any]] ?? [:]
    let type = answer.headers["content-type"] ?? ""
    #expect((answer.headers["allow"] == "GET, HEAD") == (answer.status == 405), "\(path)")
    let media = try #require(content[type], "\(path): \(answer.status) as \(type)")
    guard type == "application/json" else { return }
    let faults = try LiveOpenAPI.schema(media["schema"]).faults(of: Data(answer.body))
    #expect(faults == [], "\(path): \(answer.text)")
  }

  @Test func everyPathAnswersAsTheFileSays() throws {
    let fixture = try ServerFixture { _ in
      #"{"schema":"orrery.curve-sheet.v1","error":"column 1: made up"}"#
    }
    let examples = [
      "/": ["/", "/?token=\(fixture.token)"],
      "/{file}": ["/main.js", "/style.css", "/icon.svg", "/a.js"],
      "/scene": ["/scene"], "/texts": ["/texts"], "/stats": ["/stats"],
      "/curve": ["/curve", "/curve?spec=smooth"],
      "/live": ["/live"], "/foxglove": ["/foxglove?token=\(fixture.token)"],
    ]
    #expect(try paths.keys.sorted() == examples.keys.sorted())
    for (path, addresses) in examples {
      for address in addresses {
        let client = try fixture.client()
        try check(client.get(address, [fixture.cookie], host: fixture.host), of: path)
        let head = client.get(address, [fixture.cookie], host: fixture.host, method: "HEAD")
        _ = try response(path, head.status)
        try check(fixture.client().get("/x" + address, host: fixture.host), of: path)
        try check(
          fixture.client().get(address, [fixture.cookie], host: "elsewhere"), of: path)
        try check(
          fixture.client().get(address, [fixture.cookie], host: fixture.host, method: "POST"),
          of: path)
        try check(
          fixture.client().get(
            address, [fixture.cookie, "Content-Length: 1"], host: fixture.host), of: path)
      }
    }
  }

  @Test func statsAreAsTheFileSays() throws {
    let fixture = try ServerFixture()
    fixture.begin()
    let page = try fixture.page()
    page.say(#"{"figures":{"fps":60,"draw_ms":1,"made_to_drawn_p50":2,"made_to_drawn_p99":3}}"#)
    fixture.publish(1)
    #expect(page.frame() == 1)
    fixture.server.hub.send(stats: ["paused": .bool(false)])
    fixture.server.hub.finish(.ended)
    #expect(page.text(with: "end") != nil)
    let answer = try fixture.client().get("/stats", [fixture.cookie], host: fixture.host)
    for key in ["figures", "stats", "end", "run", "bytes"] {
      #expect(answer.text.contains("\"\(key)\":"))
    }
    try check(answer, of: "/stats")
  }

  @Test func theFilesHaveNamesThatItAllows() throws {
    let operation = try #require(try paths["/{file}"]?["get"] as? [String: Any])
    let parameter = try #require((operation["parameters"] as? [[String: Any]])?.first)
    let schema = try LiveOpenAPI.schema(parameter["schema"])
    for path in PageFiles.files.keys where path != "/" {
      let faults = try schema.faults(of: Data("\"\(path.dropFirst())\"".utf8))
      #expect(faults == [], "\(path)")
    }
  }
}
