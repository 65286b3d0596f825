// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrreryBase
import OrreryConsole
import OrreryEval

/// Answers requests for numbers, line by line.
struct EvalCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "eval",
    abstract: "Answer requests for numbers: JSON lines in, JSON lines out.",
    usage: "orrery eval [OPTIONS]",
    discussion: """
      Example:
        echo '{"curve":"easeInOut","at":[0,0.25,1]}' | orrery eval
      A request that is wrong gets {"error":"…"} on its line.
      docs/reference/eval.md lists the requests.
      """)

  @Option(help: "Where values come from: library, or kernel, the sim's batches.")
  var path = Evaluator.Path.library

  func run() throws {
    let evaluator =
      switch path {
      case .library: Evaluator()
      case .kernel: Evaluator(kernels: BatchKernels())
      }
    var input = LineInput(bytesMax: EvalLimits.lineBytesMax)
    let output = LineOutput()
    do {
      while output.isWanted, let line = try input.next(beforeWaiting: output.flush) {
        switch line {
        case .whole(let bytes): if let text = evaluator.answer(bytes: bytes) { output.write(text) }
        case .tooLong: output.write(Evaluator.answerToLongLine)
        }
      }
      output.flush()
    } catch {
      output.flush()
      throw Failure(.inputOutput, error)
    }
  }
}

extension Evaluator.Path: ExpressibleByArgument {}
