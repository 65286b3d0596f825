// SPDX-License-Identifier: Apache-2.0

/// The parameters of a call, in order.
///
///     NotationSignature("_x1 _y1 _x2 _y2 duration?")
///
/// An underscore marks a parameter without label, a question mark an optional one.
struct NotationSignature {
  struct Parameter {
    let name: String
    let isLabelled: Bool
    let isOptional: Bool
  }

  let parameters: [Parameter]

  init(_ text: String) {
    parameters = text.split(separator: " ").map { word in
      Parameter(
        name: String(word.filter { $0 != "_" && $0 != "?" }),
        isLabelled: !word.hasPrefix("_"), isOptional: word.hasSuffix("?"))
    }
  }

  /// The signature in a message: `timingCurve(x1, y1, x2, y2, duration: …)`.
  func shown(_ call: String) -> String {
    if parameters.isEmpty { return call }
    let words = parameters.map { $0.isLabelled ? "\($0.name): …" : $0.name }
    return "\(call)(\(words.joined(separator: ", ")))"
  }

  func hasLabel(_ label: String) -> Bool {
    parameters.contains { $0.isLabelled && $0.name == label }
  }

  /// The arguments by their parameters' names; nil if they do not match this signature.
  func match(_ arguments: [NotationArgument]) -> [String: NotationArgument]? {
    var matched: [String: NotationArgument] = [:]
    var unlabelled = parameters.filter { !$0.isLabelled }[...]
    for argument in arguments {
      if let label = argument.label {
        guard hasLabel(label) else { return nil }
        matched[label] = argument
      } else {
        guard let parameter = unlabelled.popFirst() else { return nil }
        matched[parameter.name] = argument
      }
    }
    let isComplete = parameters.allSatisfy { $0.isOptional || matched[$0.name] != nil }
    return isComplete ? matched : nil
  }
}
