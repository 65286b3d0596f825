// SPDX-License-Identifier: Apache-2.0

import Orrery

/// A named object whose properties commands animate.
///
///     Scene("mine") {
///       AnimatedView("card", .box(width: 240, height: 160, cornerRadius: 12, color: .indigo))
///         .transition(.move(edge: .top).combined(with: .opacity))
///         .hidden()
///     } commands: {
///       Command(at: 1) { .show("card") }.withAnimation(.easeInOut)
///     }
public struct AnimatedView: Hashable, Sendable {
  /// Its name in commands; 1...100 bytes of UTF-8, unique in a scene.
  public var name: String

  /// Its elements, from the lowest; 1...1000.
  public var elements: [ViewElement]

  /// Position of its centre in the scene; nil is the middle of the scene.
  public var position: CGPoint?

  /// The size that transitions use, in points; nil is the size of its elements.
  public var size: CGSize?

  /// Values of its properties at the start.
  public var initial = ViewValues()

  /// Whether it is hidden at the start.
  public var isHidden = false

  /// Its transition; nil: it appears and disappears at once.
  public var transition: AnyTransition?

  /// The name of its parent, the view that it moves with.
  public var parent: String?

  /// Tracks of keyframes that play from the start.
  public var keyframes: [KeyframeLoop] = []

  /// Phases that it plays from the start, for ever.
  public var phases: [ViewPhase] = []

  /// Makes a view.
  ///
  /// - Parameters:
  ///   - name: Its name in commands.
  ///   - elements: Its elements, from the lowest.
  public init(_ name: String, _ elements: ViewElement...) {
    self.init(name, elements: elements)
  }

  /// Makes a view from an array of elements.
  ///
  /// - Parameters:
  ///   - name: Its name in commands.
  ///   - elements: Its elements, from the lowest.
  public init(_ name: String, elements: [ViewElement]) {
    self.name = name
    self.elements = elements
  }
}
