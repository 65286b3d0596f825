// SPDX-License-Identifier: Apache-2.0

import OrreryScene

/// Answers requests for numbers: a line of JSON in, a line of JSON out.
///
/// `docs/eval.md` describes requests and answers. A request that is wrong gets `{"error":"…"}`, with
/// the way to what is wrong and what is allowed instead; nothing that a line may hold ends the program.
package struct Evaluator: Sendable {
  /// Where values come from.
  package enum Path: String, CaseIterable, Sendable {
    /// The library, in Double.
    case library
    /// The batches that the sim runs, where there is one; the library elsewhere.
    case kernel
  }

  /// The kernels to ask; nil: the library.
  let kernels: (any KernelEvaluating)?

  /// An evaluator that asks the library.
  package init() { kernels = nil }

  /// An evaluator that asks kernels where they have an answer.
  ///
  /// - Parameter kernels: Whom to ask.
  package init(kernels: any KernelEvaluating) { self.kernels = kernels }

  /// The answer to one request.
  ///
  /// - Parameter line: A line without its end.
  /// - Returns: A line without its end; nil for a blank line.
  package func answer(_ line: String) -> String? { answer(bytes: Array(line.utf8)) }

  /// The answer to one request in bytes that need not be UTF-8.
  ///
  /// - Parameter bytes: A line without its end.
  /// - Returns: A line without its end; nil for a blank line.
  package func answer(bytes: [UInt8]) -> String? {
    if bytes.allSatisfy({ $0 == 0x20 || (0x09...0x0d).contains($0) }) { return nil }
    do {
      guard bytes.count <= EvalLimits.lineBytes else { throw Self.tooLong }
      return JSONText.text(.object(try members(try JSONParser.parse(bytes))))
    } catch {
      return Self.failure("\(error)")
    }
  }

  /// The answer to a line longer than any may be.
  package static var answerToLongLine: String { failure("\(tooLong)") }

  private static var tooLong: EvalError {
    EvalError(path: "", reason: "the line is longer than \(EvalLimits.lineBytes) bytes")
  }

  private static func failure(_ reason: String) -> String {
    JSONText.text(.object([JSONMember(key: "error", value: .string(reason))]))
  }

  /// What may be asked for, by the key that says so.
  private static let kinds: [(key: String, request: any EvalRequest.Type)] = [
    ("curve", CurveRequest.self), ("spring", SpringRequest.self),
    ("animation", AnimationRequest.self), ("script", ScriptRequest.self),
    ("schedule", ScheduleRequest.self), ("transition", TransitionRequest.self),
    ("keyframes", KeyframesRequest.self), ("orbit", OrbitRequest.self),
    ("marquee", MarqueeRequest.self), ("ticker", TickerRequest.self), ("flow", FlowRequest.self),
    ("detector", DetectorRequest.self),
  ]

  private func members(_ value: JSONValue) throws(EvalError) -> [JSONMember] {
    guard case .object(let members) = value else {
      throw EvalError(path: "", reason: "\(value.shown) is not an object")
    }
    let found = Self.kinds.filter { kind in members.contains { $0.key == kind.key } }
    guard found.count == 1, let kind = found.first else {
      let known = Self.kinds.map(\.key).joined(separator: ", ")
      throw EvalError(
        path: "",
        reason: found.isEmpty
          ? "no key says what is asked for; one is wanted of \(known)"
          : "\(found.map(\.key).joined(separator: " and ")) exclude each other; one is wanted")
    }
    let reader = try RequestReader(value, at: "", known: kind.request.keys)
    var answer = try kind.request.init(reader).answer(kernels)
    if kernels != nil {
      answer.members.append(
        JSONMember(key: "path", value: .string(answer.isFromKernel ? "kernel" : "library")))
    }
    return answer.members
  }
}

/// One kind of request.
protocol EvalRequest: SendableMetatype {
  /// Every key that it may have.
  static var keys: [String] { get }

  /// Reads and checks it.
  init(_ reader: RequestReader) throws(EvalError)

  /// Answers it, from kernels if there are any and they can.
  func answer(_ kernels: (any KernelEvaluating)?) throws(EvalError) -> EvalAnswer
}

/// What an answer says, and who said it.
struct EvalAnswer {
  var members: [JSONMember]
  var isFromKernel: Bool

  init(_ members: KeyValuePairs<String, JSONValue>, isFromKernel: Bool = false) {
    self.members = members.map { JSONMember(key: $0.key, value: $0.value) }
    self.isFromKernel = isFromKernel
  }
}

extension JSONValue {
  /// An array of numbers.
  static func numbers(_ numbers: some Sequence<Double>) -> JSONValue {
    .array(numbers.map { .number($0) })
  }
}
