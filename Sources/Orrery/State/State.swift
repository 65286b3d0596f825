// SPDX-License-Identifier: Apache-2.0

/// State of a view or modifier, which a ``ViewPlayer`` keeps while the view is at its place of the tree.
///
///     struct Card: View {
///       @State private var isOpen = false
///
///       var body: some View { EmptyView().scaleEffect(isOpen ? 1 : 0.5) }
///
///       func toggle() { withAnimation(.bouncy) { isOpen.toggle() } }
///     }
///
///     var card = ViewPlayer(Card())
///     card.update(at: 1) { $0.toggle() }
///
/// Nothing happens on a screen: a program changes state in the body of ``ViewPlayer/update(at:_:)``.
/// A view that no player plays has its initial state, and setting it has no effect, as in SwiftUI.
@propertyWrapper
public struct State<Value> {
  private let box: StateBox<Value>

  /// Makes state.
  ///
  /// - Parameter value: Its value when the view appears.
  public init(wrappedValue value: Value) { box = StateBox(value) }

  /// Makes state.
  ///
  /// - Parameter value: Its value when the view appears.
  public init(initialValue value: Value) { box = StateBox(value) }

  /// The value.
  public var wrappedValue: Value {
    get { box.location?.value ?? box.initial }
    nonmutating set { box.location?.value = newValue }
  }

  /// Reads and sets the value; given to other views.
  public var projectedValue: Binding<Value> {
    guard let location = box.location else { return .constant(box.initial) }
    return Binding(get: { location.value }, set: { location.value = $0 })
  }
}

extension State where Value: ExpressibleByNilLiteral {
  /// Makes state that is nil when the view appears.
  public init() { self.init(wrappedValue: nil) }
}

extension State: ConnectedProperty {
  func connect(_ moment: ViewMoment) {
    if let kept = moment.remembered(as: StateLocation<Value>.self) {
      box.location = kept
    } else if moment.recorder != nil {
      box.location = StateLocation(box.initial, journal: moment.journal)
    }
    if let location = box.location { moment.remember(location) }
  }
}

/// A view goes from thread to thread but is used by one at a time, and so is its player.
extension State: @unchecked Sendable where Value: Sendable {}

/// What copies of one view share.
private final class StateBox<Value> {
  let initial: Value

  /// Where the value is kept; nil while no player plays the view.
  var location: StateLocation<Value>?

  init(_ initial: Value) { self.initial = initial }
}

/// The value of one state at one place of a view that is played.
private final class StateLocation<Value> {
  private let journal: StateJournal?

  var value: Value {
    didSet {
      guard let journal, journal.isWriting else { return }
      let (old, new) = (oldValue, value)
      journal.note(undo: { self.value = old }, redo: { self.value = new })
    }
  }

  init(_ value: Value, journal: StateJournal?) {
    (self.value, self.journal) = (value, journal)
  }
}
