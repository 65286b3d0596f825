// SPDX-License-Identifier: Apache-2.0

import Orrery

// What follows is as one would write it on a Mac, but for this import: state, bindings and the
// environment.

struct Card: View {
  @State private var isOpen = false
  @State private var position: CGSize = .zero
  @State private var selection: Int?

  init() {}

  init(isOpen: Bool) { _isOpen = State(initialValue: isOpen) }

  var body: some View {
    Handle(isOpen: $isOpen, x: $position.width.animation(.linear(duration: 2)))
      .scaleEffect(isOpen ? 1 : 0.5)
      .offset(position)
      .opacity(selection == nil ? 1 : 0.5)
  }

  func toggle() {
    withAnimation(.linear(duration: 1)) {
      isOpen.toggle()
    }
  }

  func drag(to size: CGSize) {
    position = size
  }

  func select(_ item: Int?) {
    withAnimation(.linear(duration: 4)) { selection = item }
  }

  var handle: Handle { Handle(isOpen: $isOpen, x: $position.width.animation(.linear(duration: 2))) }
}

struct Handle: View {
  @Binding var isOpen: Bool
  @Binding var x: CGFloat

  var body: some View {
    Leaf().rotationEffect(.degrees(isOpen ? 90 : 0))
  }

  func push(by distance: CGFloat) { x += distance }
}

/// A modifier with state, as design systems have them.
struct Pressable: ViewModifier {
  @State private var scale: CGFloat = 0.5
  @Environment(\.accessibilityReduceMotion) private var reduceMotion

  func body(content: Content) -> some View {
    content.scaleEffect(reduceMotion ? 1 : scale)
  }
}

private struct AccentKey: EnvironmentKey {
  static let defaultValue = 0.5
}

extension EnvironmentValues {
  var accent: Double {
    get { self[AccentKey.self] }
    set { self[AccentKey.self] = newValue }
  }
}

struct Accented: View {
  @Environment(\.accent) private var accent
  @Environment(\.layoutDirection) private var direction: LayoutDirection

  var body: some View {
    Leaf().opacity(accent).offset(y: direction == .rightToLeft ? -1 : 1)
  }
}

/// A wrapper whose content reads the environment, too.
struct AccentedWave: View, Animatable {
  @Environment(\.accent) private var accent
  var animatableData: Double

  var body: some View {
    Accented().offset(x: accent * sin(animatableData))
  }
}

enum StateVocabulary {
  static func bindings() -> [Double] {
    var number = 1.0
    let binding = Binding(get: { number }, set: { number = $0 })
    binding.wrappedValue += 1
    let animated = Binding(get: { number }) { value, transaction in
      number = transaction.animation == nil ? value : -value
    }
    animated.transaction(Transaction(animation: .linear)).wrappedValue = 3
    let optional = Binding<Double?>(binding)
    optional.wrappedValue = nil
    let sure = Binding(optional)
    sure?.wrappedValue = 5
    let size = Binding.constant(CGSize(width: 7, height: 8))
    size.height.wrappedValue = 9
    let same = Binding(projectedValue: binding.projectedValue)
    return [number, same.wrappedValue, size.wrappedValue.height, optional.wrappedValue ?? 0]
  }
}
