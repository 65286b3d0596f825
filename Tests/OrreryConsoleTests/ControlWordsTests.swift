// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrreryConsole
import OrreryDocument
import OrreryWire
import Testing

/// Goal: what is written on the command line is what the sim is sent, and what makes no sense is refused before.
///
/// Method: each verb with its arguments, and with too few, too many and wrong ones.
@Suite struct ControlWordsTests {
  private static func words(_ line: String) throws -> ControlWords {
    try ControlWords(line.split(separator: " ").map(String.init))
  }

  static let right: [(String, ControlVerb, [String: DocumentValue])] = [
    ("pause", .pause, [:]), ("resume", .resume, [:]), ("stats", .stats, [:]),
    ("snapshot", .snapshot, [:]), ("quit", .quit, [:]),
    ("step", .step, [:]), ("step 0", .step, ["ticks": .integer(0)]),
    ("step 10", .step, ["ticks": .integer(10)]),
    ("seek", .seek, [:]), ("seek 0", .seek, ["tick": .integer(0)]),
    ("seek 9223372036854775807", .seek, ["tick": .integer(.max)]),
    ("speed 0.5", .speed, ["factor": .number(0.5)]),
    ("speed -2", .speed, ["factor": .number(-2)]),
    (
      "set a x=1 y=-2.5 b c=3", .set,
      [
        "views": .table([
          "a": .table(["x": .number(1), "y": .number(-2.5)]), "b": .table(["c": .number(3)]),
        ])
      ]
    ),
    // The same view again, and a value that is set twice: the last one counts.
    (
      "set a x=4 b y=2 a z=3", .set,
      [
        "views": .table([
          "a": .table(["x": .number(4), "z": .number(3)]), "b": .table(["y": .number(2)]),
        ])
      ]
    ),
    ("toggle a", .toggle, ["names": .array([.string("a")])]),
    ("toggle b a b", .toggle, ["names": .array([.string("b"), .string("a"), .string("b")])]),
  ]

  @Test(arguments: right)
  func wordsBecomeFields(line: String, verb: ControlVerb, fields: [String: DocumentValue]) throws {
    let words = try Self.words(line)
    #expect(words.verb == verb)
    #expect(words.fields == fields)
  }

  static let wrong: [(String, String)] = [
    ("", "a run's name and a verb are needed: pause, "), ("paus", "did you mean pause?"),
    ("frobnicate", "'frobnicate' is not a verb; known: "),
    ("show Mars.panel", "'show' is not a verb; did you mean toggle? known: "),
    ("stop", "'stop' is not a verb; did you mean quit? known: "),
    ("set a x=1 y=2 x=3", "set 'x=3': a has x twice"),
    // These are between programs.
    ("join", "'join' is not a verb"), ("leave", "'leave' is not a verb"),
    ("progress", "'progress' is not a verb"),
    ("pause now", "pause takes no 'now'"), ("quit 1", "quit takes no '1'"),
    ("step -1", "step '-1': one number is wanted"), ("step 1 2", "step '1 2': one number"),
    ("step 1.5", "step '1.5': one number"), ("step soon", "one number"),
    ("seek 1.2", "seek '1.2': a tick is wanted, from 0; for seconds there is --at"),
    ("seek 9223372036854775808", "a tick is wanted"), ("seek soon", "one number"),
    ("speed fast", "speed 'fast': one number"), ("speed inf", "one number"),
    ("speed nan", "one number"), ("speed 1 2", "speed '1 2': one number"),
    ("set", "set needs a view"), ("set a", "set needs a view"), ("set a x=1 b", "set needs a view"),
    ("set x=1", "set 'x=1': a view's name comes first"),
    ("set a x=one", "set 'x=one': a number is wanted"), ("set a x=", "a number is wanted"),
    ("set a x=1=2", "set 'x=1=2': a number is wanted"), ("set a x=inf", "a number is wanted"),
    ("toggle", "toggle needs a name"),
  ]

  @Test(arguments: wrong)
  func wrongWordsAreRefused(line: String, says: String) {
    #expect {
      try Self.words(line)
    } throws: { error in
      let text = (error as? ValidationError)?.message ?? "no ValidationError"
      return text.contains(says)
    }
  }

  @Test func verbsThatAreKnownAreNamed() {
    #expect {
      try Self.words("")
    } throws: { error in
      "\((error as? ValidationError)?.message ?? "")".hasSuffix(
        ": pause, resume, step, seek, speed, set, toggle, keep, stats, snapshot, quit")
    }
  }

  @Test func optionIsAFieldOfItsVerbs() throws {
    var words = try Self.words("set a x=1")
    try words.add("animation", nil)
    #expect(words.fields.keys.sorted() == ["views"])
    try words.add("animation", .string("spring()"))
    #expect(words.fields["animation"] == .string("spring()"))
    #expect {
      try words.add("ticks", .number(1))
    } throws: { error in
      (error as? ValidationError)?.message == "--ticks does not go with set"
    }
  }

  static let lacking = [
    ("seek", false), ("seek 1", true), ("speed", false), ("speed 1", true), ("step", true),
    ("pause", true),
  ]

  @Test(arguments: lacking)
  func whatLacksSomethingIsRefused(line: String, isEnough: Bool) throws {
    let words = try Self.words(line)
    if isEnough {
      try words.check()
    } else {
      #expect(throws: ValidationError.self) { try words.check() }
    }
  }

  @Test func seekTakesATickOrSeconds() throws {
    var words = try Self.words("seek")
    try words.add("seconds", .number(1))
    try words.check()
    words = try Self.words("seek 1")
    try words.add("seconds", .number(1))
    #expect(throws: ValidationError.self) { try words.check() }
  }
}
