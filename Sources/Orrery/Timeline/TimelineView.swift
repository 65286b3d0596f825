// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A view that is updated by a schedule: SwiftUI's view as a headless player.
///
///     var clock = TimelineView(.periodic(from: start, by: 1)) { context in
///       EmptyView().rotationEffect(.degrees(6 * context.date.timeIntervalSince(start)))
///     }
///     for frame in frames {
///       if let content = clock.update(at: frame) { draw(content) }
///     }
///
/// ``TimelinePlayer`` decides which entry of the schedule is shown when. In the body of another view its date
/// is the reference date plus the view's seconds, so that a picture depends on nothing else.
public struct TimelineView<Schedule: TimelineSchedule, Content: View>: View {
  /// The information for the content: the date of the entry, and how often entries come.
  public typealias Context = TimelineViewDefaultContext

  private let makeContent: (Context) -> Content
  private var player: TimelinePlayer<Schedule>

  /// Makes the view.
  ///
  /// - Parameters:
  ///   - schedule: When to update.
  ///   - content: The view at an entry.
  public init(_ schedule: Schedule, @ViewBuilder content: @escaping (Context) -> Content) {
    player = TimelinePlayer(schedule)
    makeContent = content
  }

  /// It has no body.
  public typealias Body = Never

  /// How often the schedule may ask for an update; a change asks the schedule again.
  public var mode: TimelineScheduleMode {
    get { player.mode }
    set { player.mode = newValue }
  }

  /// The shown context; nil before the first frame.
  public var context: Context? { player.context }

  /// The first entry that is not shown yet; nil if none is left or no frame was shown.
  public var nextEntry: Date? { player.nextEntry }

  /// Shows a frame.
  ///
  /// - Parameter now: Time of the frame. A time before the last frame's shows nothing new.
  /// - Returns: The view to show from now on, or nil if the entry has not changed.
  public mutating func update(at now: Date) -> Content? {
    player.update(at: now).map(makeContent)
  }

  /// The shown view; nil before the first frame.
  public var content: Content? { context.map(makeContent) }
}

extension TimelineView: PrimitiveView {
  func described(_ moment: ViewMoment) -> ViewDescription {
    let seconds = moment.seconds(for: "a timeline")
    var view = self
    _ = view.update(at: Date(timeIntervalSinceReferenceDate: 0))
    _ = view.update(at: Date(timeIntervalSinceReferenceDate: seconds))
    return view.content.description(moment.at(.content))
  }
}

@available(*, unavailable)
extension TimelineView: Sendable {}
