// SPDX-License-Identifier: Apache-2.0

import CLinux
import Foundation
import OrreryBase
import OrreryConsole
import TestSupport
import Testing

/// Goal: lines of any bytes come whole and in order, however they arrive, and long ones are told apart.
///
/// Method: a pipe whose pieces are written one at a time, each when the reader is about to wait for it; then lines
/// and pieces drawn at random, compared with a plain split.
@Suite struct LineInputTests {
  /// Reads what the pieces say, line by line.
  ///
  /// - Returns: The lines, and before which of them the reader waited.
  private static func read(
    _ pieces: [[UInt8]], bytesMax: Int
  ) throws -> (lines: [LineInput.Line], waits: [Int]) {
    var ends: [CInt] = [-1, -1]
    // No process that another test starts just now keeps an end of it.
    try #require(linux_pipe(&ends) == 0)
    // A descriptor's owner would let go of it after its last use.
    let source = ends[0]
    defer { close(source) }
    var sink: CInt? = ends[1]
    var left = pieces[...]
    var lines: [LineInput.Line] = []
    var waits: [Int] = []
    var input = LineInput(bytesMax: bytesMax, descriptor: source)
    while true {
      let line = try input.next(beforeWaiting: {
        waits.append(lines.count)
        guard let number = sink else { return }
        if let piece = left.popFirst() {
          #expect(write(number, piece, piece.count) == piece.count)
        } else {
          close(number)
          sink = nil
        }
      })
      guard let line else {
        // The end stays the end.
        #expect(try input.next(beforeWaiting: {}) == nil)
        return (lines, waits)
      }
      lines.append(line)
    }
  }

  private static func whole(_ text: String) -> LineInput.Line { .whole(Array(text.utf8)) }

  private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  @Test func linesComeWithoutTheirEnds() throws {
    let found = try Self.read([Self.bytes("one\n\ntwo\n")], bytesMax: 10)
    #expect(found.lines == [Self.whole("one"), Self.whole(""), Self.whole("two")])
  }

  @Test func readerWaitsOnlyWhereNoLineIsLeft() throws {
    let found = try Self.read([Self.bytes("a\nb\n"), Self.bytes("c\n")], bytesMax: 10)
    #expect(found.lines == ["a", "b", "c"].map(Self.whole))
    #expect(found.waits == [0, 2, 3])
  }

  @Test func lastLineNeedsNoEnd() throws {
    #expect(try Self.read([Self.bytes("a\nb")], bytesMax: 10).lines == ["a", "b"].map(Self.whole))
    #expect(try Self.read([Self.bytes("a\n")], bytesMax: 10).lines == [Self.whole("a")])
    #expect(try Self.read([], bytesMax: 10).lines == [])
  }

  @Test func lineMayArriveInPieces() throws {
    let pieces = ["he", "l", "lo\nyo", "u\n"].map(Self.bytes)
    #expect(try Self.read(pieces, bytesMax: 10).lines == ["hello", "you"].map(Self.whole))
  }

  @Test(arguments: [[], [3], [4], [5], [6], [3, 6]])
  func lineMayHaveAsManyBytesAsAllowed(cuts: [Int]) throws {
    for (text, fits) in [("1234", true), ("12345", false), ("123456", false)] {
      let all = Self.bytes(text + "\nok\n")
      var pieces: [[UInt8]] = []
      var start = 0
      for cut in cuts + [all.count] {
        pieces.append(Array(all[start..<cut]))
        start = cut
      }
      let found = try Self.read(pieces, bytesMax: 4)
      #expect(found.lines == [fits ? Self.whole(text) : .tooLong, Self.whole("ok")], "\(text)")
    }
  }

  /// Whoever sends a line without an end must not fill the memory, and is told before the end comes.
  @Test func longLineIsToldOnceAndAtOnce() throws {
    let pieces = ["123456", "7890", "12\nok\n"].map(Self.bytes)
    let found = try Self.read(pieces, bytesMax: 4)
    #expect(found.lines == [.tooLong, Self.whole("ok")])
    #expect(found.waits.prefix(2) == [0, 1])
  }

  /// In a process of its own, whose memory is the reader's: 64 MiB of zeros, without an end of a line.
  @Test func longLineTakesNoMemory() async {
    await #expect(processExitsWith: .success) {
      let base = try TemporaryBase()
      let path = base.path + "/line"
      let file = try systemCall("open", path) {
        open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
      }
      try systemCall("ftruncate", path) { ftruncate(file, 64 << 20) }
      var input = LineInput(bytesMax: 1000, descriptor: file)
      let first = try input.next(beforeWaiting: {})
      precondition(first == .tooLong)
      let before = try #require(Memory.residentBytes())
      var (most, readCount) = (before, 0)
      let second = try input.next(beforeWaiting: {
        most = max(most, Memory.residentBytes() ?? 0)
        readCount += 1
      })
      precondition(second == nil)
      precondition(readCount > 500, "\(readCount)")
      precondition(isSanitized || most < before + (16 << 20), "\(before) grew to \(most)")
      close(file)
      withExtendedLifetime(base) {}
    }
  }

  @Test func longLastLineIsToldOnce() throws {
    #expect(try Self.read([Self.bytes("12345")], bytesMax: 4).lines == [.tooLong])
    #expect(try Self.read(["12345", "6"].map(Self.bytes), bytesMax: 4).lines == [.tooLong])
  }

  /// Each read goes on behind what is left of a line, with all the room that there is.
  @Test func linesOfALongFileAreWhole() throws {
    let base = try TemporaryBase()
    let path = base.path + "/lines"
    let lines = (0..<400).map { "\($0) " + String(repeating: "x", count: 900 + $0 % 7) }
    try lines.joined(separator: "\n").write(toFile: path, atomically: false, encoding: .utf8)
    let file = try systemCall("open", path) { open(path, O_RDONLY | O_CLOEXEC) }
    defer { close(file) }
    var input = LineInput(bytesMax: 1000, descriptor: file)
    for (index, line) in lines.enumerated() {
      try #require(try input.next(beforeWaiting: {}) == Self.whole(line), "line \(index)")
    }
    #expect(try input.next(beforeWaiting: {}) == nil)
  }

  @Test func failingReadIsToldWithItsCause() throws {
    // A directory cannot be read.
    let folder = try systemCall("open", "/") { open("/", O_RDONLY | O_CLOEXEC) }
    defer { close(folder) }
    var input = LineInput(bytesMax: 4, descriptor: folder)
    #expect(
      throws: SystemCallError(call: "read", path: "standard input", errno: EISDIR)
    ) { try input.next(beforeWaiting: {}) }
  }

  @Test func anyPiecesGiveTheSameLines() throws {
    for seed in 1...UInt64(60 * testEffort) {
      var random = SeededRandom(seed: seed)
      let bytesMax = Int.random(in: 1...9, using: &random)
      let all = (0..<Int.random(in: 0...120, using: &random)).map { _ in
        Int.random(in: 0..<6, using: &random) == 0
          ? UInt8(ascii: "\n") : UInt8.random(in: 11...255, using: &random)
      }
      var pieces: [[UInt8]] = []
      var rest = all[...]
      while !rest.isEmpty {
        pieces.append(Array(rest.prefix(Int.random(in: 1...20, using: &random))))
        rest = rest.dropFirst(pieces[pieces.count - 1].count)
      }
      var expected = all.split(
        separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false
      ).map { $0.count <= bytesMax ? LineInput.Line.whole(Array($0)) : .tooLong }
      // What follows the last end is a line only if there is something.
      if expected.last == .whole([]) { expected.removeLast() }
      let found = try Self.read(pieces, bytesMax: bytesMax)
      try #require(found.lines == expected, "seed \(seed)")
    }
  }
}
