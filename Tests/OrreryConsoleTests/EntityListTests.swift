// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryMessages
import OrreryScene
import Testing

/// Goal: `orrery sample --entity` understands numbers, ranges and names as people write them.
///
/// Method: read lists, right and wrong, for a scene of twenty entities with some names.
@Suite struct EntityListTests {
  /// Names of entities 4 to 9: a view each, but 6 to 8 share one.
  private static let names: EntityNames = {
    var layout = Orrery_SceneLayout()
    layout.names = [
      ("Mars.panel", 4, 0), ("Mars.header", 5, 0), ("Mars.moon", 6, 3), ("opacity card", 9, 0),
      ("opacity", 10, 0), ("card", 11, 0), ("a, b", 12, 0), ("3", 13, 0),
    ].map { name, first, count in
      var message = Orrery_EntityName()
      message.name = name
      message.firstEntity = UInt32(first)
      message.entityCount = UInt32(count)
      return message
    }
    return EntityNames(layout)
  }()

  private static func numbers(_ arguments: [String]) throws(Failure) -> [Int] {
    try EntityList(arguments, names: names, entityCount: 20).numbers
  }

  @Test(arguments: [
    ("0", [0]), ("19,0", [19, 0]), ("1 2,3 , 4", [1, 2, 3, 4]), ("3-7", [3, 4, 5, 6, 7]),
    ("7-7", [7]), ("2,1-3,2", [2, 1, 3]), ("Mars.header", [5]), ("Mars.moon", [6, 7, 8]),
    ("Mars.moon[1]", [7]), ("Mars", [4, 5, 6, 7, 8]), ("Mars.header Mars", [5, 4, 6, 7, 8]),
    ("0,Mars.panel 3-4", [0, 4, 3]), ("opacity card", [9]), ("card opacity", [11, 10]),
    ("opacity card opacity,card", [9, 10, 11]), ("a, b", [12]), ("3", [3]), (" 3 ", [3]),
  ])
  func listMeans(text: String, numbers: [Int]) throws {
    #expect(try Self.numbers([text]) == numbers)
  }

  @Test func argumentsAddUp() throws {
    #expect(try Self.numbers(["18", "Mars.header,2", "opacity card"]) == [18, 5, 2, 9])
    // Quotation marks in the shell keep words apart or together.
    #expect(try Self.numbers(["opacity", "card"]) == [10, 11])
  }

  @Test func noListMeansAllEntities() throws {
    #expect(try Self.numbers([]) == Array(0..<20))
    #expect(try EntityList([], names: Self.names, entityCount: 20).ranges == [0..<20])
  }

  @Test func rangesNeitherTouchNorOverlap() throws {
    let list = try EntityList(
      ["7-9 2,1-3,2", "4", "8-12 19"], names: Self.names, entityCount: 20)
    #expect(list.ranges == [1..<5, 7..<13, 19..<20])
    #expect(list.numbers == [7, 8, 9, 2, 1, 3, 4, 10, 11, 12, 19])
  }

  @Test(arguments: [
    ("20", "--entity 20: the scene has entities 0 to 19"),
    ("0-20", "--entity 0-20: the scene has entities 0 to 19"),
    ("99999999999999999999", "--entity 99999999999999999999: the scene has entities 0 to 19"),
    ("7-3", "--entity 7-3: the range ends before it begins"),
    ("Mras", "--entity Mras: the scene has no such entity; did you mean Mars?"),
    (
      "0,Mars.haeder",
      "--entity Mars.haeder: the scene has no such entity; did you mean Mars.header?"
    ),
    ("opacity crad", "--entity crad: the scene has no such entity; did you mean card?"),
    (
      "Mars.moon[3]",
      "--entity Mars.moon[3]: the scene has no such entity; did you mean Mars.moon?"
    ),
    ("planetarium", "--entity planetarium: the scene has no such entity"),
    ("1.5", "--entity 1.5: the scene has no such entity"),
    ("-3", "--entity -3: the scene has no such entity; did you mean 3?"),
    ("", "--entity : it names no entity"),
    (" , ", "--entity  , : it names no entity"),
  ])
  func whatTheSceneDoesNotHaveIsRefused(text: String, reason: String) {
    do throws(Failure) {
      let numbers = try Self.numbers([text])
      Issue.record("\(text) means \(numbers)")
    } catch {
      #expect(error.status == .usage)
      #expect(error.description == reason)
    }
  }

  @Test func sceneWithoutNamesSaysSo() {
    #expect(throws: Failure.self) {
      try EntityList(["Mars"], names: EntityNames(Orrery_SceneLayout()), entityCount: 2)
    }
    do throws(Failure) {
      _ = try EntityList(["Mars"], names: EntityNames(Orrery_SceneLayout()), entityCount: 2)
    } catch {
      #expect(
        error.description
          == "--entity Mars: the scene has no such entity, and none with a name; 0 is the first one"
      )
    }
  }
}
