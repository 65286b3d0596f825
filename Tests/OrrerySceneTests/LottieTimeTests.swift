// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryScene
import OrrerySceneBuilder
import Testing

/// Goal: a layer of a Lottie file moves in the file's time, along its path, by few keyframes.
///
/// Method: small files by hand, whose keyframes are known exactly.
@Suite struct LottieTimeTests {
  /// The view of a layer with this transform.
  private static func view(
    _ transform: [String: Any], _ times: [String: Any]
  ) throws -> AnimatedView {
    let layer: [String: Any] = ["ty": 1, "nm": "a", "sw": 10, "sh": 20, "ks": transform]
    let data = try JSONSerialization.data(
      withJSONObject: times.merging(["w": 100, "h": 100, "layers": [layer]]) { $1 })
    let file = try SceneFile.decode(String(decoding: data, as: UTF8.self), file: "a.json")
    let views = file.scene.content.compactMap { if case .view(let view) = $0 { view } else { nil } }
    return try #require(views.first)
  }

  /// Frames are numbers from -1e9 to 1e9.
  @Test(arguments: [-1_000_000_000, 0, 999_999_990])
  func framesMayBeFarFromZero(first: Int) throws {
    let keys: [[String: Any]] = [["t": first, "s": [0]], ["t": first + 10, "s": [100]]]
    let seen: [String: Any] = ["o": ["a": 1, "k": keys]]
    let view = try Self.view(seen, ["fr": 1, "ip": first, "op": first + 10])
    #expect(view.keyframes.map(\.steps) == [[.linear(1, duration: 10)]])
  }

  @Test func framesHaveLimits() throws {
    let late = #expect(throws: SceneError.self) {
      try Self.view([:], ["fr": 1, "ip": 999_999_990, "op": 1_000_000_001])
    }
    #expect("\(try #require(late))".contains("op: no number from"))
    let early = #expect(throws: SceneError.self) {
      try Self.view([:], ["fr": 1, "ip": -1_000_000_001, "op": -999_999_990])
    }
    #expect("\(try #require(early))".contains("ip: no number from"))
  }

  /// A path that is straight and even is one keyframe.
  @Test func evenPathIsOneKeyframe() throws {
    let keys: [[String: Any]] = [
      ["t": 0, "s": [0, 50], "to": [30, 0], "ti": [-30, 0]], ["t": 20, "s": [90, 50]],
    ]
    let view = try Self.view(["p": ["a": 1, "k": keys]], ["fr": 10, "op": 20])
    #expect(view.position == CGPoint(x: 0, y: 50))
    let steps = try #require(view.keyframes.first { $0.property == .x }).steps
    guard case .cubic(let x, let duration, let first?, let last?)? = steps.first, steps.count == 1
    else {
      Issue.record("\(steps.count) keyframes")
      return
    }
    #expect(abs(x - 90) < 1e-9)
    #expect(duration == 2)
    #expect(abs(first - 45) < 0.01)
    #expect(abs(last - 45) < 0.01)
  }
}
