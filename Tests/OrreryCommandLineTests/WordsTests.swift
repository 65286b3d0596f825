// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrreryCommandLine
import Testing

/// Goal: the words that are made of arguments give another program the same arguments.
///
/// Method: a group with options of every kind and a group in it, there and back.
@Suite struct WordsTests {
  private static func words(_ line: String) throws -> [String] {
    try Outer.parse(line.split(separator: " ").map(String.init)).words
  }

  @Test(arguments: [
    "", "a.toml", "--frame-rate 2.5", "--mode slow", "--is-quiet", "--size 2MiB",
    "a.toml --frame-rate 0.5 --mode slow --is-quiet --name one --name two --size 1K",
  ])
  func whatIsGivenIsPassedOn(line: String) throws {
    #expect(try Self.words(line).joined(separator: " ") == line)
  }

  @Test(arguments: ["--mode fast", "--size 4MiB", "--mode fast --size 4MiB"])
  func defaultIsLeftOut(line: String) throws {
    #expect(try Self.words(line) == [])
  }

  /// An argument that must be given has no default, and then options beside it are passed on in any case.
  @Test func groupThatNeedsAnArgumentIsPassedOnInFull() throws {
    let group = try Needy.parse(["a.toml"])
    #expect(group.words == ["a.toml", "--seconds", "10.0"])
  }
}

private struct Outer: ParsableArguments {
  @Argument var file: String?
  @Option var frameRate: Double?
  @Option var mode = Mode.fast
  @Flag var isQuiet = false
  @OptionGroup var inner: Inner
}

private struct Inner: ParsableArguments {
  @Option var name: [String] = []
  @Option var size = ByteCount(4 << 20, argument: "4MiB")
}

private struct Needy: ParsableArguments {
  @Argument var file: String
  @Option var seconds: Double = 10
  @OptionGroup var inner: Inner
}

private enum Mode: String, ExpressibleByArgument { case fast, slow }
