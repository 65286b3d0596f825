// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What is to be simulated: a picture's size, and what moves in it.
///
///     let scene = Scene("mine", size: CGSize(width: 1280, height: 720), seed: 7) {
///       Row(currencies: ["EUR", "JPY", "CHF"])
///         .marquee(speed: 60, direction: .left)
///       OrbitSystem(height: 500, moons: 5)
///     }
///
/// A scene is a description and holds whatever it is given; every value is checked when it is
/// planned, and all that is wrong is reported at once.
public struct Scene: Hashable, Sendable {
  /// The scene's name, 1...100 bytes of UTF-8.
  public var name: String

  /// Size of the picture in points, each side 1...16384.
  public var size: CGSize

  /// Colour behind everything.
  public var background: Color

  /// Ticks per second, 0.01...1000000.
  public var rate: TickRate

  /// Where all random numbers come from.
  public var seed: UInt64

  /// The language of currency names, as a locale identifier such as `en` or `zh_Hans`.
  public var locale: String

  /// The date of time 0, in Unix seconds; clocks show it.
  public var dateSeconds: Double

  /// The time zone of clocks, by its identifier in the IANA database, such as `Europe/London`.
  public var timeZone: String

  /// What stands in it; what comes first is numbered first.
  public var content: [SceneContent]

  /// What happens to its views; of two commands at one time the first one here comes first.
  public var commands: [Command]

  /// Makes a scene.
  ///
  /// - Parameters:
  ///   - name: 1...100 bytes of UTF-8.
  ///   - size: Points, each side 1...16384.
  ///   - background: Colour behind everything.
  ///   - rate: Ticks per second, 0.01...1000000.
  ///   - seed: Where all random numbers come from.
  ///   - locale: The language of currency names.
  ///   - dateSeconds: The date of time 0, in Unix seconds.
  ///   - timeZone: The time zone of clocks.
  ///   - content: Rows, orbit systems, fields, texts, views, accordions, flowing texts, clocks.
  ///   - commands: What happens to the views.
  public init(
    _ name: String, size: CGSize = CGSize(width: 1280, height: 720), background: Color = .white,
    rate: TickRate = 60, seed: UInt64 = 0, locale: String = "en", dateSeconds: Double = 0,
    timeZone: String = "GMT",
    @SceneBuilder content: () -> [SceneContent],
    @SceneCommandBuilder commands: () -> [Command] = { [] }
  ) {
    self.name = name
    self.size = size
    self.background = background
    self.rate = rate
    self.seed = seed
    self.locale = locale
    self.dateSeconds = dateSeconds
    self.timeZone = timeZone
    self.content = content()
    self.commands = commands()
  }
}
