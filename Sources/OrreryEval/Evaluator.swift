// SPDX-License-Identifier: Apache-2.0

import OrreryDocument

/// Answers requests for values: a line of JSON in, a line of JSON out.
///
/// `docs/reference/eval.md` describes requests and answers. A wrong request gets an `error`, with the
/// path to the error and the allowed values; no line can end the program.
package struct Evaluator: Sendable {
  /// The source of values.
  package enum Path: String, CaseIterable, Sendable {
    /// The library, in Double.
    case library
    /// The sim's batches; the library where no batch can answer.
    case kernel
  }

  /// The kernels; nil: the library answers everything.
  let kernels: (any KernelEvaluating)?

  /// An evaluator that uses the library.
  package init() { kernels = nil }

  /// An evaluator that uses kernels where they can answer.
  ///
  /// - Parameter kernels: Evaluates with batches.
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
    guard bytes.count <= EvalLimits.lineBytesMax else { return Self.answerToLongLine }
    let request: DocumentValue
    do throws(DocumentError) {
      request = try JSONParser.parse(bytes)
    } catch {
      return Self.failure("not JSON at byte \(error.offset + 1): \(error.reason)")
    }
    do throws(EvalError) {
      return Self.line(try answer(request))
    } catch {
      return Self.failure("\(error)")
    }
  }

  /// The answer to a line above the length limit.
  package static var answerToLongLine: String {
    failure("the line is longer than \(EvalLimits.lineBytesMax) bytes")
  }

  private static func failure(_ reason: String) -> String {
    line(["error": .string(reason)])
  }

  /// The kind and version of an answer: docs/schemas/eval.schema.json.
  package static let schema = "orrery.eval.v2"

  /// An answer as a line that begins with its schema.
  private static func line(_ answer: DocumentTable) -> String {
    var table: DocumentTable = ["schema": .string(schema)]
    for member in answer.members { table.append(member.key, member.value) }
    return JSONWriter.text(.table(table), .answer)
  }

  /// The kinds of requests, each with its key.
  private static let kinds: [(key: String, request: any EvalRequest.Type)] = [
    ("curve", CurveRequest.self), ("spring", SpringRequest.self),
    ("animation", AnimationRequest.self), ("script", ScriptRequest.self),
    ("schedule", ScheduleRequest.self), ("transition", TransitionRequest.self),
    ("keyframes", KeyframesRequest.self), ("orbit", OrbitRequest.self),
    ("marquee", MarqueeRequest.self), ("ticker", TickerRequest.self), ("flow", FlowRequest.self),
    ("detector", DetectorRequest.self), ("phases", PhasesRequest.self),
    ("label", LabelRequest.self), ("tracker", TrackerRequest.self),
    ("vector", VectorRequest.self), ("cadence", CadenceRequest.self),
  ]

  private func answer(_ request: DocumentValue) throws(EvalError) -> DocumentTable {
    guard let table = request.table else {
      throw EvalError(path: DocumentPath(), reason: "\(request.shown) is not an object")
    }
    let found = Self.kinds.filter { table.has($0.key) }
    // A kind's key may also be a member of another kind, such as `animation` in a request for phases.
    let kind = found.first { kind in found.allSatisfy { kind.request.keys.contains($0.key) } }
    guard let kind else {
      let known = Self.kinds.map(\.key).joined(separator: ", ")
      throw EvalError(
        path: DocumentPath(),
        reason: found.isEmpty
          ? "no key says what is asked for; one is wanted of \(known)"
          : "\(found.map(\.key).joined(separator: " and ")) exclude each other; one is wanted")
    }
    let reader = try RequestReader(request, at: DocumentPath(), known: kind.request.keys)
    var answer = try kind.request.init(reader).answer(kernels)
    if kernels != nil {
      answer.table.append("path", .string(answer.isFromKernel ? "kernel" : "library"))
    }
    return answer.table
  }
}

/// One kind of request.
protocol EvalRequest: SendableMetatype {
  /// The allowed keys.
  static var keys: [String] { get }

  /// Reads and checks a request.
  init(_ reader: RequestReader) throws(EvalError)

  /// Answers the request, from the kernels if there are any and they can answer.
  func answer(_ kernels: (any KernelEvaluating)?) throws(EvalError) -> EvalAnswer
}

/// An answer, and whether its values came from a kernel.
struct EvalAnswer {
  var table: DocumentTable
  var isFromKernel: Bool

  init(_ table: DocumentTable, isFromKernel: Bool = false) {
    self.table = table
    self.isFromKernel = isFromKernel
  }
}

extension DocumentValue {
  /// An array of numbers.
  static func numbers(_ numbers: some Sequence<Double>) -> DocumentValue {
    .array(DocumentArray(numbers.map { .number($0) }))
  }

  /// An array of tables.
  static func tables(_ tables: [DocumentTable]) -> DocumentValue {
    .array(DocumentArray(tables.map { .table($0) }))
  }
}
