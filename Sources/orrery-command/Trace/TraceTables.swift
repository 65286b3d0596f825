// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase

/// The Python program that writes tables, and the Python that runs it.
enum TraceTables {
  /// Path of this program.
  static func ownPath() throws(Failure) -> String {
    let path = withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) {
      (buffer) -> String? in
      guard let start = buffer.baseAddress else { return nil }
      let count = readlink("/proc/self/exe", start, buffer.count)
      guard count > 0, count < buffer.count else { return nil }
      return String(
        decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
    }
    guard let path else { throw Failure(.unavailable, "/proc/self/exe cannot be read") }
    return path
  }

  /// Path of `tools/trace_export.py`, in a folder above this program's or the one that `ORRERY_TOOLS` names.
  static func script() throws(Failure) -> String {
    if let tools = getenv("ORRERY_TOOLS") { return String(cString: tools) + "/trace_export.py" }
    var folder = try ownPath()[...]
    // From .build/x86_64-unknown-linux-gnu/release/orrery up to the sources.
    for _ in 0..<6 {
      guard let slash = folder.lastIndex(of: "/") else { break }
      folder = folder[..<slash]
      let path = folder + "/tools/trace_export.py"
      if access(String(path), R_OK) == 0 { return String(path) }
    }
    throw Failure(
      .unavailable,
      "tools/trace_export.py is not in a folder above this program; ORRERY_TOOLS names its folder")
  }

  /// Python: that of `ORRERY_PYTHON`, or of `.venv` beside the tools, or the system's.
  private static func python(beside script: String) -> String {
    if let python = getenv("ORRERY_PYTHON") { return String(cString: python) }
    let own =
      script.split(separator: "/", omittingEmptySubsequences: false).dropLast(2)
      .joined(separator: "/") + "/.venv/bin/python"
    return access(own, X_OK) == 0 ? own : "python3"
  }

  /// Becomes Python.
  ///
  /// - Parameter words: The script and its arguments.
  /// - Throws: `Failure` if there is no Python.
  static func replaceThisProcess(with words: [String]) throws(Failure) {
    let python = python(beside: words.first ?? "")
    var arguments: [UnsafeMutablePointer<CChar>?] = ([python] + words).map { strdup($0) }
    arguments.append(nil)
    execvp(python, arguments)
    let reason = errno
    for argument in arguments { free(argument) }
    throw Failure(
      .unavailable,
      "\(python) cannot be run: \(String(cString: strerror(reason))); arrow and parquet need Python 3 with pyarrow"
    )
  }
}
