// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase
import OrreryScene

/// The Python programs that write and read tables, and the Python that runs them: pyarrow is there, and not here.
enum PythonTables {
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

  /// Python: that of `ORRERY_PYTHON`, or of `.venv` in a folder above this program, or the system's.
  static func python() throws(Failure) -> String {
    if let python = getenv("ORRERY_PYTHON") { return String(cString: python) }
    var folder = try ownPath()[...]
    // From .build/x86_64-unknown-linux-gnu/release/orrery up to the sources.
    for _ in 0..<6 {
      guard let slash = folder.lastIndex(of: "/") else { break }
      folder = folder[..<slash]
      let own = folder + "/.venv/bin/python"
      if access(String(own), X_OK) == 0 { return String(own) }
    }
    return "python3"
  }

  /// The samples of a table in Parquet.
  ///
  /// - Parameter path: The file.
  /// - Returns: The table as CSV, or so much of it that it is longer than a scene may be.
  /// - Throws: `Failure` if there is no Python, or the table cannot be read.
  static func samples(inParquet path: String) throws(Failure) -> String {
    let python = try python()
    let program = String(decoding: PackageResources.parquet_samples_py, as: UTF8.self)
    let run: (hasSucceeded: Bool, text: String)
    do throws(SystemCallError) {
      run = try ChildProcess.run(
        python, ["-c", program, path, "\(SceneLimits.fileBytesMax)"])
    } catch {
      throw missing(python, errno: error.errno)
    }
    if run.hasSucceeded { return run.text }
    // The program's exit code, and the reason; nothing if it was killed.
    let words = run.text.split(separator: " ", maxSplits: 1)
    let status = words.first.flatMap { Int32($0) }.flatMap(ExitStatus.init(rawValue:))
    throw Failure(
      status ?? .unavailable, "\(path): \(words.last ?? "Python ended while it read the table")")
  }

  private static func missing(_ python: String, errno: CInt) -> Failure {
    Failure(
      .unavailable,
      "\(python) cannot be run: \(String(cString: strerror(errno))); arrow and parquet need Python 3 with pyarrow"
    )
  }

  /// Becomes Python, with the program that this one has in its code: so it is found wherever this one is.
  ///
  /// - Parameter words: The program's arguments.
  /// - Throws: `Failure` if there is no Python.
  static func replaceThisProcess(with words: [String]) throws(Failure) {
    let python = try python()
    let text = String(decoding: PackageResources.trace_export_py, as: UTF8.self)
    var arguments = ([python, "-c", text] + words).map { strdup($0) }
    arguments.append(nil)
    execvp(python, arguments)
    let reason = errno
    for argument in arguments { free(argument) }
    throw missing(python, errno: reason)
  }
}
