// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The file of `--frame-times`: a line for each frame, with commas between the cells.
///
/// Lines are kept in memory until there are 64 KiB of them, so at 60 Hz the program writes once in
/// ten seconds or more. A failed write does not disturb the program's own work: further lines are
/// dropped, and `finish` returns the failure.
package final class FrameTimesFile<Times: FrameTimes> {
  private let path: String
  private let file: FileDescriptor
  private var lines: [UInt8] = []
  private var isBegun = false
  private var failure: Failure?

  /// Bytes of lines that are kept.
  private static var bufferBytes: Int { 64 << 10 }

  /// Opens the file, or makes it.
  ///
  /// A file that is there is replaced when the first lines are written. So a program that fails
  /// before its first frame leaves the file as it was.
  ///
  /// - Parameter path: The file; a pipe or a device will do.
  /// - Throws: `Failure` if it cannot be opened.
  package init(path: String) throws(Failure) {
    self.path = path
    let number = try Failure.of(.inputOutput) {
      try systemCall("open", path) { open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o666) }
    }
    file = FileDescriptor(owning: number)
    // A line ends at 126 bytes: six numbers of up to twenty digits.
    lines.reserveCapacity(Self.bufferBytes + 128)
    lines += Array((Times.columns.joined(separator: ",") + "\n").utf8)
  }

  /// Adds a line.
  package func write(_ times: Times) {
    guard failure == nil else { return }
    let room = Times.columns.count * (DecimalDigits.countMax + 1)
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: room) { line in
      guard let line = line.baseAddress else { return }
      var end = line
      times.forEachCell { cell in
        if let cell { end += DecimalDigits.write(cell, to: end) }
        end.pointee = UInt8(ascii: ",")
        end += 1
      }
      end[-1] = UInt8(ascii: "\n")
      lines.append(contentsOf: UnsafeBufferPointer(start: line, count: end - line))
    }
    if lines.count >= Self.bufferBytes { writeLines() }
  }

  /// Writes the rest.
  ///
  /// - Returns: The first failure of all writes; nil: the file is complete.
  package func finish() -> Failure? {
    if failure == nil { writeLines() }
    return failure
  }

  private func writeLines() {
    do throws(SystemCallError) {
      if !isBegun { try empty() }
      isBegun = true
      try file.writeAll(lines, path: path)
    } catch {
      failure = Failure(.inputOutput, error)
    }
    lines.removeAll(keepingCapacity: true)
  }

  /// Removes what an earlier run has left; EINVAL: a pipe or a device has no length.
  private func empty() throws(SystemCallError) {
    do throws(SystemCallError) {
      try systemCall("ftruncate", path) { ftruncate(file.number, 0) }
    } catch  where error.errno == EINVAL {
    }
  }
}
