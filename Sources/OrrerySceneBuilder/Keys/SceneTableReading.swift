// SPDX-License-Identifier: Apache-2.0

import Orrery

/// Reads typed values from one table of a scene file.
///
/// A missing value gives nil. A value of the wrong type gives nil too and records a fault.
package protocol SceneTableReading {
  func has(_ key: String) -> Bool
  func isArray(_ key: String) -> Bool

  /// Records a fault if a required key is missing.
  func require(_ key: String, _ expected: String)

  func number(_ key: String) -> Double?
  func integer(_ key: String) -> Int?
  func bool(_ key: String) -> Bool?
  func string(_ key: String) -> String?
  func strings(_ key: String, _ limit: SceneLimit) -> [String?]?
  func word<Word: RawRepresentable & CaseIterable>(_ key: String, kind: String) -> Word?
  where Word.RawValue == String

  func color(_ key: String) -> Color?
  func colors(_ key: String) -> [Color]?
  func font(_ key: String) -> Font?
  func point(_ key: String) -> CGPoint?
  func size(_ key: String) -> CGSize?
  func range(_ key: String) -> ValueRange?

  func rate(_ key: String) -> TickRate?
  func seed(_ key: String) -> UInt64?
  func dateSeconds(_ key: String) -> Double?

  func animation(_ key: String) -> Animation?
  func transition(_ key: String) -> AnyTransition?
  func curve(_ key: String) -> UnitCurve?
  func spring(_ key: String) -> Spring?
  func criteria(_ key: String) -> AnimationCompletionCriteria?
  func schedule(_ key: String) -> TimelineClock.Schedule?

  /// A table inside this one.
  func inner(_ key: String, known: [String]?) -> Self?

  /// An array of tables; nil marks an element of the wrong type.
  func tables(_ key: String, _ limit: SceneLimit, known: [String]?) -> [Self?]?
}
