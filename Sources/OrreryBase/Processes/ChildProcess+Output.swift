// SPDX-License-Identifier: Apache-2.0

import Glibc

extension ChildProcess {
  /// Runs a program to its end, without input.
  ///
  /// - Parameters:
  ///   - path: The program; without a slash, a name that is looked up in PATH.
  ///   - arguments: Those after its name.
  ///   - capturesErrors: Whether the text is that of its standard error, and not of its standard output; the other one is
  ///     discarded.
  /// - Returns: Whether it ended with 0, and the text.
  /// - Throws: `SystemCallError` if it cannot be started.
  package static func run(
    _ path: String, _ arguments: [String], capturesErrors: Bool = false
  ) throws(SystemCallError) -> (hasSucceeded: Bool, text: String) {
    let pipe = try PipeEnds(path)
    let captured = StandardFile.descriptor(pipe.writing.number)
    let process = try ChildProcess(
      path, arguments, output: capturesErrors ? .nothing : captured,
      errors: capturesErrors ? captured : .nothing)
    let output = pipe.closingWriter()
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(output.number, &chunk, chunk.count)
      if count > 0 { bytes += chunk[..<count] }
      guard count > 0 || count < 0 && errno == EINTR else { break }
    }
    return (process.wait() == .exited(0), String(decoding: bytes, as: UTF8.self))
  }
}
