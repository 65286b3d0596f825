// SPDX-License-Identifier: Apache-2.0

extension TimelineClock {
  /// `kind = "clock"` in a scene file.
  package static let table = SceneTable(
    .clock, base: TimelineClock(.everyMinute), checkedLast: ["schedule"],
    [
      .required(
        "schedule", \.schedule, .schedule,
        "times of its updates, in seconds after the start; minutes are those of the scene's "
          + "`time-zone`"),
      .key(
        "format", \.format,
        .text("made of the fields below, spaces and `:` `.` `,` `-` `/`") { .clockFormat($0) },
        "`HH` hours, `mm` minutes, `ss` seconds, `S` tenths, `SS` hundredths, `SSS` thousandths"),
      .key("font", \.font, .font),
      .key("color", \.color, .color),
      .optional(
        "position", \.position, .position, "of its centre", default: "the middle of the picture"),
    ])
}

extension SceneValueType where Value == TimelineClock.Schedule {
  fileprivate static let schedule = SceneValueType(
    "schedule",
    range: "times within \(SceneLimits.schedule), intervals as under `command`",
    expected: "a schedule such as \"periodic(from: 0, by: 1)\"",
    schema: .definition("schedule"), read: { $0.schedule($1) },
    text: TOMLText.schedule, check: { .schedule($0) })
}
