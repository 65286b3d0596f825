// SPDX-License-Identifier: Apache-2.0

/// Motions of a field's discs, as tables in one line.
extension TOMLText {
  static func tween(_ tween: FieldTween) -> String {
    table(
      move(tween.property, tween.from, tween.end) + [
        ("duration", range(tween.duration)),
        ("curve", tween.curve == .easeInOut ? nil : curve(tween.curve)),
        ("autoreverses", tween.autoreverses ? nil : "false"),
      ])
  }

  static func spring(_ spring: FieldSpring) -> String {
    table(
      move(spring.property, spring.from, spring.end) + [
        ("response", range(spring.response)), ("damping-ratio", range(spring.dampingRatio)),
        ("every", range(spring.every)),
      ])
  }

  private static func move(
    _ property: ViewProperty, _ from: ValueRange?, _ end: FieldMoveEnd
  ) -> [(key: String, value: String?)] {
    let last: (key: String, value: String?) =
      switch end {
      case .to(let to): ("to", range(to))
      case .distance(let distance): ("distance", range(distance))
      }
    return [
      ("property", property == .x ? nil : string(property.rawValue)), ("from", from.map(range)),
      last,
    ]
  }
}
