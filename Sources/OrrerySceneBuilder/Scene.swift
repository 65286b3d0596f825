// SPDX-License-Identifier: Apache-2.0

import Orrery
import Foundation

/// A scene to simulate: the size of the picture, and its content.
///
///     let scene = Scene("mine", size: CGSize(width: 1280, height: 720), seed: 7) {
///       Row(currencies: ["EUR", "JPY", "CHF"])
///         .marquee(speed: 60, direction: .left)
///       OrbitSystem(height: 500, moons: 5)
///     }
///
/// A scene is a description and accepts any value. Every value is checked when the scene is
/// planned, and all errors are reported at once.
public struct Scene: Hashable, Sendable {
  /// The scene's name, 1...100 bytes of UTF-8.
  public var name: String

  /// Size of the picture in points, each side 1...16384.
  public var size: CGSize

  /// Colour of the background.
  public var background: Color

  /// Ticks per second, 0.01...1000000.
  public var rate: TickRate

  /// Seed of all random numbers.
  public var seed: UInt64

  /// The language of currency names, as a locale identifier such as `en` or `zh_Hans`.
  public var locale: String

  /// Which side is leading; nil is the direction in which the language is written.
  ///
  /// Right to left the scene is mirrored: positions and x count from the right edge.
  public var layoutDirection: LayoutDirection?

  /// The date of time 0, in Unix seconds, for clocks.
  public var dateSeconds: Double

  /// The time zone of clocks, by its identifier in the IANA database, such as `Europe/London`.
  public var timeZone: String

  /// The content of the scene, numbered in this order.
  public var content: [SceneContent]

  /// Commands to its views; of two commands at the same time the first one here comes first.
  public var commands: [Command]

  /// Makes a scene.
  ///
  /// - Parameters:
  ///   - name: 1...100 bytes of UTF-8.
  ///   - size: Points, each side 1...16384.
  ///   - background: Colour of the background.
  ///   - rate: Ticks per second, 0.01...1000000.
  ///   - seed: Seed of all random numbers.
  ///   - locale: The language of currency names.
  ///   - layoutDirection: Which side is leading; nil is the direction of the language.
  ///   - dateSeconds: The date of time 0, in Unix seconds.
  ///   - timeZone: The time zone of clocks.
  ///   - content: Rows, orbit systems, fields, texts, views, accordions, flowing texts, clocks.
  ///   - commands: Commands to the views.
  public init(
    _ name: String, size: CGSize = CGSize(width: 1280, height: 720), background: Color = .white,
    rate: TickRate = 60, seed: UInt64 = 0, locale: String = "en",
    layoutDirection: LayoutDirection? = nil, dateSeconds: Double = 0, timeZone: String = "GMT",
    @SceneBuilder content: () -> [SceneContent],
    @SceneCommandBuilder commands: () -> [Command] = { [] }
  ) {
    self.name = name
    self.size = size
    self.background = background
    self.rate = rate
    self.seed = seed
    self.locale = locale
    self.layoutDirection = layoutDirection
    self.dateSeconds = dateSeconds
    self.timeZone = timeZone
    self.content = content()
    self.commands = commands()
  }
}
