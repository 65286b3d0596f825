// SPDX-License-Identifier: Apache-2.0

/// When, and at which place of a tree of views, a view is evaluated.
struct ViewMoment {
  /// Seconds since the outermost view appeared; nil where a body must be the same at every time.
  let time: Double?

  /// The values that views read.
  let environment: EnvironmentValues

  /// The memory of the last evaluation of the tree; empty if nothing is kept.
  var memory = ViewMemory()

  /// Collects the values to keep; nil if nothing is kept.
  var recorder: ViewRecorder?

  /// Records changes of the tree's state; nil without state.
  var journal: StateJournal?

  private var place: [ViewStep] = []

  /// The outermost place.
  ///
  /// - Parameters:
  ///   - time: Seconds since the view appeared; nil where a body must be the same at every time.
  ///   - environment: What views read.
  init(time: Double? = nil, environment: EnvironmentValues = EnvironmentValues()) {
    (self.time, self.environment) = (time, environment)
  }

  /// The same moment for a view or modifier inside of this one.
  func at(_ step: ViewStep) -> ViewMoment {
    var moment = self
    moment.place.append(step)
    return moment
  }

  /// Seconds since the view appeared.
  ///
  /// - Precondition: The body may depend on time.
  func seconds(for name: String) -> Double {
    guard let time else {
      preconditionFailure("\(name) in a transition's or an animatable modifier's body")
    }
    recorder?.dependsOnTime = true
    return time
  }

  /// The value that was kept for this place; nil if there is none of the type.
  func remembered<Kept>(as type: Kept.Type = Kept.self) -> Kept? { memory[place] as? Kept }

  /// Keeps something for this place.
  func remember(_ kept: Any) { recorder?.memory[place] = kept }
}

/// A step from a view or modifier to one inside of it.
enum ViewStep: Hashable {
  case body
  case content
  case modifier
  /// The first branch of an `if` or `switch`.
  case first
  /// The other branch.
  case second
  /// The view that an `AnyView` hides, which has this type.
  case erased(ObjectIdentifier)
  /// A property of a view or modifier, by its label.
  case property(String)
}

/// The values that a tree of views keeps until it is evaluated again, by places in the tree.
struct ViewMemory {
  /// When it was collected, in seconds since the outermost view appeared.
  let time: Double

  private var kept: [[ViewStep]: Any] = [:]

  init(time: Double = 0) { self.time = time }

  var isEmpty: Bool { kept.isEmpty }

  subscript(place: [ViewStep]) -> Any? {
    get { kept[place] }
    set { kept[place] = newValue }
  }
}

/// Collects the values that views want to keep, while they are evaluated.
final class ViewRecorder {
  var memory: ViewMemory

  /// Whether there is a timeline or an animator.
  var dependsOnTime = false

  init(time: Double) { memory = ViewMemory(time: time) }
}
