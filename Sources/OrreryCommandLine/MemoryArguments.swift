// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import OrreryBase

/// Argument: the memory that a program may use.
package struct MemoryArguments: ParsableArguments {
  @Option(
    help: """
      Memory of its own that this program may use, 16MiB or more; it ends with exit code 71 where that is too little. \
      What it shares with a sim does not count.
      """)
  package var memoryLimit: ByteCount?

  package init() {}

  /// Refuses a limit that no program could keep.
  package func validate() throws {
    guard let memoryLimit, memoryLimit.bytes < 16 << 20 else { return }
    throw ValidationError("--memory-limit \(memoryLimit.argument): use 16MiB or more")
  }
}

/// A command with a limit on its memory, which is set before it runs.
package protocol MemoryLimited: ParsableCommand {
  /// The argument.
  var memory: MemoryArguments { get }

  /// How it ends when it is over its limit.
  static var memoryKind: MemoryLimit.Kind { get }
}

extension MemoryLimited {
  /// It does one thing.
  package static var memoryKind: MemoryLimit.Kind { .command }

  /// Sets the limit, if one is given.
  ///
  /// - Parameters:
  ///   - program: The command's words, for messages.
  ///   - isJSON: Whether its errors are reported as JSON, too.
  /// - Throws: `Failure` when the system has no thread left.
  func limitMemory(program: String, isJSON: Bool) throws(Failure) {
    guard let limit = memory.memoryLimit else { return }
    try Failure.of {
      try MemoryLimit.set(limit.bytes, argument: limit.argument, kind: Self.memoryKind) { failure in
        failure.report(program: program, isJSON: isJSON)
        // Other threads go on, so nothing of theirs may be torn down.
        _exit(failure.status.rawValue)
      }
    }
  }
}
