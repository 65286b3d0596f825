// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryScene
import OrrerySceneBuilder
import Testing

/// Goal: a shape of a Lottie file is as large as what the file draws, and nothing that is not there is read from it.
///
/// Method: small files by hand, whose bounds are known exactly.
@Suite struct LottieShapeTests {
  /// The elements of a layer with these shapes, in red.
  private static func elements(_ shapes: [[String: Any]]) throws -> [ViewElement] {
    let fill: [String: Any] = ["ty": "fl", "c": ["a": 0, "k": [1, 0, 0, 1]]]
    let layer: [String: Any] = ["ty": 4, "nm": "s", "ks": [:], "shapes": shapes + [fill]]
    let data = try JSONSerialization.data(
      withJSONObject: ["fr": 10, "op": 20, "w": 100, "h": 100, "layers": [layer]])
    let file = try SceneFile.decode(String(decoding: data, as: UTF8.self), file: "a.json")
    let views = file.scene.content.compactMap { if case .view(let view) = $0 { view } else { nil } }
    return try #require(views.first).elements
  }

  /// Only a closed path goes on from its last point to the first one, here in an arc below both.
  @Test(arguments: [(false, 10.0), (true, 15.0)])
  func openPathEndsAtItsLastPoint(isClosed: Bool, height: Double) throws {
    let path: [String: Any] = [
      "c": isClosed, "v": [[0, 0], [30, 10], [30, 0]], "i": [[0, 20], [0, 0], [0, 0]],
      "o": [[0, 0], [0, 0], [0, 20]],
    ]
    let found = try Self.elements([["ty": "sh", "ks": ["a": 0, "k": path]]])
    let box = ViewElement.box(width: 30, height: height, color: Color(rgba: 0xff00_00ff))
    #expect(found == [box.offset(x: 15, y: height / 2)])
  }
}
