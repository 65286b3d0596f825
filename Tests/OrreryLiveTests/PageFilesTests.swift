// SPDX-License-Identifier: Apache-2.0

import OrreryLive
import Testing

/// The page is whole, small, and needs nothing from elsewhere.
@Suite struct PageFilesTests {
  private let texts = PageFiles.files.mapValues {
    String(decoding: $0.bytes.readableBytesView, as: UTF8.self)
  }

  @Test func everyFileThatIsNamedIsThere() throws {
    let page = try #require(texts["/"])
    #expect(page.contains("<html lang="))
    var found = 0
    for (path, text) in texts {
      for match in text.matches(of: /(?:from|src=|href=)\s*"(\/[^"]+)"/) {
        found += 1
        #expect(texts[String(match.1)] != nil, "\(path) names \(match.1)")
      }
    }
    #expect(found > 10)
  }

  @Test func theContentSecurityPolicyAllowsAllOfIt() throws {
    let page = try #require(texts["/"])
    #expect(!page.contains(/<script(?![^>]*src=)/), "a script within the page")
    #expect(!page.contains(/<style|\sstyle=|\son[a-z]+=/), "a style or a handler within the page")
    for (path, text) in texts {
      let addresses = text.matches(of: /https?:\/\/[a-z0-9.]+/).map { String($0.0) }
      #expect(addresses.allSatisfy { $0 == "http://www.w3.org" }, "\(path): \(addresses)")
      #expect(!text.contains(/\beval\(|new Function\(|innerHTML/), "\(path)")
    }
  }

  @Test func itIsSmall() {
    let bytes = PageFiles.files.values.reduce(0) { $0 + $1.bytes.readableBytes }
    #expect(bytes > 20_000 && bytes < 200_000, "\(bytes) bytes")
  }
}
