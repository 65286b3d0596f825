// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase

/// Measurements of other people's whole programs beside Orrery: a file of `tools/bench-whole-peer` or
/// `tools/bench-browser`.
package struct PeerResult: Codable, Equatable, Sendable {
  /// The document's kind and version.
  package static let schema = "orrery.bench-peers.v1"

  /// A figure of one of them.
  package struct Figure: Codable, Equatable, Sendable {
    /// The measured quantity, equal for all figures that are compared: "recorded after, p99, 100,000".
    package let what: String
    /// Who did it: "Orrery", or a peer's name.
    package let subject: String
    /// The figure.
    package let value: Double
    /// Its unit: µs, pictures a second.
    package let unit: String
    /// Which figures are good.
    package let better: StudyRow.Better

    /// A figure.
    package init(
      _ what: String, _ subject: String, _ value: Double, unit: String,
      better: StudyRow.Better = .smaller
    ) {
      (self.what, self.subject, self.value) = (what, subject, value)
      (self.unit, self.better) = (unit, better)
    }
  }

  /// The document's kind and version, as written in the file.
  package var schema = PeerResult.schema
  /// What the peers are.
  package let title: String
  /// The command line that measures it again.
  package let command: String
  /// The figures; figures that are compared are neighbours.
  package let figures: [Figure]

  /// A result.
  package init(title: String, command: String, figures: [Figure]) {
    (self.title, self.command, self.figures) = (title, command, figures)
  }

  /// The name of Orrery's own figures.
  package static let ours = "Orrery"

  /// Orrery's advantage as a factor: 2 if a peer takes twice as long, or does half as much.
  ///
  /// - Returns: Nil for Orrery's own figures, if Orrery has no such figure, or if one of the two is 0.
  package func advantage(over figure: Figure) -> Double? {
    guard figure.subject != Self.ours, figure.value > 0,
      let mine = figures.first(where: { $0.what == figure.what && $0.subject == Self.ours }),
      mine.value > 0
    else { return nil }
    return figure.better == .smaller ? figure.value / mine.value : mine.value / figure.value
  }
}

// MARK: - Files

extension PeerResult {
  /// Bytes of a file that is read, at most.
  private static let bytesMax = 16 << 20

  /// Reads a file.
  ///
  /// - Throws: `Failure` for a file that is missing, too large, of another version, or no result of peers.
  package static func read(_ path: String) throws(Failure) -> PeerResult {
    let data = try WholeFile.read(path, bytesMax: bytesMax)
    guard let result = try? JSONDecoder().decode(PeerResult.self, from: data),
      result.schema == schema
    else {
      throw Failure(.badData, "\(path): no result of peers: its schema is not \(schema)")
    }
    if let bad = result.figures.first(where: { !($0.value.isFinite && $0.value >= 0) }) {
      throw Failure(.badData, "\(path): '\(bad.what)' of \(bad.subject) is \(bad.value)")
    }
    return result
  }
}
