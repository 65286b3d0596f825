// SPDX-License-Identifier: Apache-2.0

import OrrerySceneBuilder

/// What can be wrong with one value of a scene.
package enum SceneFault: Equatable, Sendable {
  /// The file is neither TOML nor JSON; why, in the parser's words.
  case syntax(String)
  /// A key that has no meaning here, and the nearest known key.
  case unknownKey(nearest: String?, known: [String])
  /// A key that other tools have and a scene file has not; what to write instead.
  case foreignKey(advice: String)
  /// A required value is missing.
  case missing(expected: String)
  /// A value of the wrong type.
  case wrongType(found: String, expected: String)
  /// NaN or infinite.
  case notFinite(Double, limit: SceneLimit)
  /// A number outside its range.
  case outOfRange(found: String, limit: SceneLimit)
  /// A seed below 0.
  case negativeSeed(Int)
  /// Both ends of a range are allowed, but the lower is above the upper.
  case wrongOrder(lower: Double, upper: Double)
  /// A number that is not larger than the number of another key.
  case notLarger(Double, thanKey: String, Double)
  /// An empty text or list.
  case empty(limit: SceneLimit)
  /// A text longer than the limit, in bytes of UTF-8.
  case tooLong(bytes: Int, limit: Int)
  /// A character that moves or hides others; its Unicode number.
  case controlCharacter(UInt32)
  /// An unknown name, and the known name nearest to it.
  case unknownName(found: String, kind: String, nearest: String?, known: [String])
  /// A region without a flag: there is nothing to draw.
  case noFlag(region: String)
  /// A currency whose first two letters have no flag, such as XAU.
  case noFlagOfCurrency(region: String)
  /// Keys that exclude each other.
  case conflicting([String])
  /// A row of width 0, which would be invisible.
  case noWidth
  /// More copies of a row's items fit across the picture than the limit.
  case tooManyCopies(found: Double, limit: Int)
  /// More entities than a frame holds.
  case tooManyEntities(found: Int, limit: Int)
  /// Copies of a scene of which only a shard is wanted.
  case copiesOfShard
  /// The run sets an entity count, but the scene has no field to take the entities.
  case noFields
  /// The run sets an entity count below the number of entities outside fields.
  case tooFewEntities(found: Int, fixed: Int)
  /// An invalid expression; why, and where in the text.
  case expression(String)
  /// A key that needs another key, which is missing.
  case onlyWith(key: String)
  /// A name that another view or row already has.
  case nameTaken(String)
  /// A name that several copies of an entry would have.
  case sharedName(copies: Int)
  /// Copies that are longer, written out, than a scene file may be.
  case copiesTooLong(bytes: Int, limit: Int)
  /// The name of an accordion's row, which can only be toggled.
  case onlyToggled(String)
  /// Views that are each other's parents in a circle, or more levels of parents than the limit.
  case tooManyParents(limit: Int)
  /// Commands that follow each other in a circle without any delay.
  case endlessInstant
  /// Rows of an accordion together with other things in one command without an animation.
  case mixedTaps
  /// An animation of a row that is not an endlessly repeated curve.
  case notEndless
  /// An animation or a transition that cannot be planned; why.
  case notPlannable(String)
  /// An unusable image; why.
  case image(String)
  /// A text that could not be measured; why, in the words of the measuring module.
  case notMeasured(String)
  /// A font or a file that the scene needs and this machine does not have; the text names it.
  case unavailable(String)
}

extension SceneFault: CustomStringConvertible {
  package var description: String {
    switch self {
    case .syntax(let why): why
    case .unknownKey(let nearest, let known):
      "unknown key; " + Self.suggestion(nearest, known)
    case .foreignKey(let advice): "scene files have no such key; \(advice)"
    case .missing(let expected): "missing; \(expected) is wanted"
    case .wrongType(let found, let expected): "\(found) is not \(expected)"
    case .notFinite(let found, let limit):
      "\(SceneNumber.text(found)) is not a number in \(limit)"
    case .outOfRange(let found, let limit): "\(found) is out of range \(limit)"
    case .negativeSeed(let seed): "\(seed) is out of range 0...\(UInt64.max)"
    case .wrongOrder(let lower, let upper):
      "the lower end \(SceneNumber.text(lower)) is above the upper end \(SceneNumber.text(upper))"
    case .notLarger(let found, let key, let other):
      "\(SceneNumber.text(found)) is not larger than \(key) (\(SceneNumber.text(other)))"
    case .empty(let limit): "empty; \(limit) are wanted"
    case .tooLong(let bytes, let limit): "\(bytes) bytes of UTF-8, more than \(limit)"
    case .controlCharacter(let number):
      "holds the control character U+" + SceneNumber.hexadecimal(number)
    case .unknownName(let found, let kind, let nearest, let known):
      "\(found) is not a known \(kind); " + Self.suggestion(nearest, known)
    case .noFlag(let region): "\(region) has no flag"
    case .noFlagOfCurrency(let region):
      "\(region) has no flag; use cells, with a text and a flag of your own or none:"
        + " { label = \"Gold\", flag = \"CH\" }"
    case .conflicting(let keys):
      "\(keys.joined(separator: " and ")) exclude each other; one is wanted"
    case .noWidth: "0 points wide"
    case .tooManyCopies(let found, let limit):
      "\(SceneNumber.text(found)) items fit across the picture, more than \(limit)"
    case .tooManyEntities(let found, let limit): "\(found) entities, more than \(limit)"
    case .copiesOfShard: "a scene in copies is not divided into shards"
    case .noFields: "the scene has no field, so its number of entities is fixed"
    case .tooFewEntities(let found, let fixed):
      "\(found) entities are fewer than the \(fixed) that the scene has outside its fields"
    case .expression(let why): why
    case .onlyWith(let key): "goes with \(key), which is not here"
    case .nameTaken(let name): "\(name) is the name of another view or row"
    case .sharedName(let copies):
      "\(copies) copies would have this name; write \(SceneRepeat.number) in it, for the copy's number"
    case .copiesTooLong(let bytes, let limit):
      "the copies are \(bytes) bytes when they are written out, more than \(limit)"
    case .onlyToggled(let name): "\(name) is a row of an accordion and can only be toggled"
    case .tooManyParents(let limit): "moves with itself, or through more than \(limit) views"
    case .endlessInstant:
      "commands follow each other in a circle without a delay; one of them needs a delay"
    case .mixedTaps:
      "rows of an accordion change together with other things; the command needs an animation"
    case .notEndless:
      "not a curve that repeats for ever, such as \"easeInOut(duration: 5).repeatForever()\""
    case .notPlannable(let why): why
    case .image(let why), .unavailable(let why): why
    case .notMeasured(let why): "cannot be measured: \(why)"
    }
  }

  /// `did you mean speed?`, or the list of known names if it is short.
  private static func suggestion(_ nearest: String?, _ known: [String]) -> String {
    if let nearest { return "did you mean \(nearest)?" }
    if known.isEmpty { return "the scene has none" }
    return known.count <= 20
      ? "known: \(known.sorted().joined(separator: ", "))" : "\(known.count) are known"
  }
}
