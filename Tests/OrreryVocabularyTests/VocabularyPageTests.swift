// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Goal: what docs/reference/vocabulary.md says is there is used in the vocabulary's files, which compile.
@Suite struct VocabularyPageTests {
  private static let files = ["Values", "Motion", "View", "Animator", "State", "Shape"].map {
    "Tests/OrreryVocabularyTests/\($0)Vocabulary.swift"
  }

  @Test func everyNameOfThePageIsUsed() throws {
    let page = try Repository.text("docs/reference/vocabulary.md")
    let start = try #require(page.range(of: "## What is there"))
    let end = try #require(page.range(of: "Not SwiftUI's"))
    // Every second piece between backticks is a name, with a label list perhaps.
    let names = page[start.upperBound..<end.lowerBound].split(
      separator: "`", omittingEmptySubsequences: false
    )
    .enumerated().filter { $0.offset % 2 == 1 }
    .map { $0.element.prefix { $0 != "(" }.drop { $0 == "." } }
    #expect(names.count > 100)
    let sources = try Self.files.map { try Repository.text($0) }.joined()
    let words = Set(sources.split { !($0.isLetter || $0.isNumber) })
    for name in Set(names) {
      let parts = name.split { $0 == "." || $0 == " " }
      #expect(parts.allSatisfy { words.contains($0) }, "no use of \(name)")
    }
  }
}
