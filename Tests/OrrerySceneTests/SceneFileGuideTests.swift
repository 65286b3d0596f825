// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryScene
import OrrerySceneBuilder
import TestSupport
import Testing

/// Goal: docs/reference/scene-file.md says what the code does.
///
/// Method: read the page; compare its tables with those that read, write and check scenes, look up
/// every key with its range, and decode every example.
@Suite struct SceneFileGuideTests {
  private let guide: String

  init() throws { guide = try Repository.text("docs/reference/scene-file.md") }

  /// The rows of each table, by its heading.
  private var tables: [String: [String]] {
    var tables: [String: [String]] = [:]
    for section in guide.components(separatedBy: "\n## `").dropFirst() {
      let lines = section.split(separator: "\n").map(String.init)
      let rows = lines.drop { $0 != "|---|---|---|---|---|" }.dropFirst().prefix {
        $0.hasPrefix("|")
      }
      tables[String(section.prefix { $0 != "`" })] = Array(rows)
    }
    return tables
  }

  @Test(arguments: NumberKey.all)
  func rangeIsInTheTable(key: NumberKey) throws {
    let rows = try #require(tables[key.table], "\(key.table)")
    let row = try #require(
      rows.first { $0.hasPrefix("| `\(key.key)` |") }, "\(key.table) \(key.key)")
    #expect(row.contains("\(key.limit)".replacing("...6.283185307179586", with: "...2π")), "\(row)")
  }

  @Test func everyTableOfTheCodeIsOnThePageAndNoOther() {
    let headings = SceneGuide.tables.map(\.heading)
    #expect(Set(headings).count == headings.count)
    #expect(tables.keys.sorted() == headings.sorted())
  }

  /// If a key was changed, the message has the rows that the page must have.
  @Test(arguments: SceneGuide.tables.indices)
  func rowsAreThoseOfTheCode(index: Int) {
    let (heading, rows) = SceneGuide.tables[index]
    #expect(tables[heading] == rows, "write under `\(heading)`:\n\(rows.joined(separator: "\n"))")
  }

  @Test func examplesAreScenes() {
    let examples = guide.components(separatedBy: "```toml\n").dropFirst().compactMap {
      $0.components(separatedBy: "\n```").first
    }
    #expect(examples.count >= 5)
    for example in examples { #expect(problems(example).isEmpty, "\(example)") }
  }
}
