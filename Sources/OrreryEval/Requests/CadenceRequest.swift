// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryDocument

/// The order of cadences: slower ones are greater.
///
///     {"cadence":["minutes","live"]}
struct CadenceRequest: EvalRequest {
  static let keys = ["cadence"]

  private let cadences: [TimelineCadence]

  init(_ reader: RequestReader) throws(EvalError) {
    let words = try reader.strings("cadence", countMax: EvalLimits.entryCountMax)
    var cadences: [TimelineCadence] = []
    for (index, word) in words.enumerated() {
      guard let cadence = TimelineCadence.names.first(where: { $0.name == word })?.cadence else {
        throw EvalError(
          path: reader.path.key("cadence").index(index),
          reason: "\(DocumentValue.string(word).shown) is not known; allowed: "
            + TimelineCadence.names.map(\.name).joined(separator: ", "))
      }
      cadences.append(cadence)
    }
    self.cadences = cadences
  }

  /// `rises` says for each cadence but the first whether it is greater than the one before.
  func answer(_ kernels: (any KernelEvaluating)?) -> EvalAnswer {
    let rises = zip(cadences, cadences.dropFirst()).map { DocumentValue.bool($1 > $0) }
    return EvalAnswer([
      "sorted": .array(DocumentArray(cadences.sorted().map { .string($0.name) })),
      "rises": .array(DocumentArray(rises)),
    ])
  }
}

extension TimelineCadence {
  /// The names of requests and answers.
  static let names: [(name: String, cadence: TimelineCadence)] = [
    ("live", .live), ("seconds", .seconds), ("minutes", .minutes),
  ]

  /// Its name in an answer.
  var name: String {
    switch self {
    case .live: "live"
    case .seconds: "seconds"
    case .minutes: "minutes"
    }
  }
}
