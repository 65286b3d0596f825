// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Runs a program to its end, and returns its output.
///
/// `Process` closes all other descriptors of this process in the program, which may run for minutes: it must not hold
/// what other tests have open meanwhile.
///
/// - Parameters:
///   - program: Its path, or a name that is looked up in PATH.
///   - arguments: Its arguments.
///   - folder: Where it runs; nil: where this process does.
///   - hasErrors: Whether its standard error is part of the output.
/// - Returns: What it wrote.
/// - Throws: What starting it met.
package func output(
  of program: String, _ arguments: [String], in folder: String? = nil, hasErrors: Bool = false
) throws -> Data {
  let process = Process()
  let output = Pipe()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  process.arguments = [program] + arguments
  process.currentDirectoryURL = folder.map { URL(fileURLWithPath: $0) }
  process.standardOutput = output
  if hasErrors { process.standardError = output }
  try process.run()
  let data = output.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  return data
}
