// SPDX-License-Identifier: Apache-2.0

import OrreryBase

/// Reads files of `--frame-times`.
package enum FrameTimesText {
  /// The lines of a file, without the first.
  ///
  /// - Parameters:
  ///   - text: The whole text.
  ///   - file: The file's name, for errors.
  /// - Returns: The times in the file's order.
  /// - Throws: `Failure` for the first line that has a wrong form or is incomplete.
  package static func parse<Times: FrameTimes>(
    _ text: String, file: String
  ) throws(Failure) -> [Times] {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.popLast() == "" else {
      throw Failure(.badData, "\(file): the last line has no end")
    }
    let columns = Times.columns.joined(separator: ",")
    guard lines.first == columns[...] else {
      throw Failure(.badData, "\(file), line 1: '\(lines.first ?? "")' instead of '\(columns)'")
    }
    var all: [Times] = []
    all.reserveCapacity(lines.count)
    for (index, line) in lines.enumerated().dropFirst() {
      guard let times = times(line) as Times? else {
        throw Failure(.badData, "\(file), line \(index + 1): '\(line)' has no '\(columns)'")
      }
      all.append(times)
    }
    return all
  }

  /// The times of a line; nil if a cell is no number, or if one is missing.
  private static func times<Times: FrameTimes>(_ line: Substring) -> Times? {
    var cells: [UInt64?] = []
    for word in line.split(separator: ",", omittingEmptySubsequences: false) {
      let number = UInt64(word)
      guard number != nil || word.isEmpty else { return nil }
      cells.append(number)
    }
    return Times(cells: cells)
  }
}
