// SPDX-License-Identifier: Apache-2.0

/// A thing with a name, whose properties commands animate.
///
///     Scene("mine") {
///       AnimatedView("card", .box(width: 240, height: 160, cornerRadius: 12, color: .indigo))
///         .transition(.move(edge: .top).combined(with: .opacity))
///         .hidden()
///     } commands: {
///       Command(at: 1) { .show("card") }.withAnimation(.easeInOut)
///     }
public struct AnimatedView: Hashable, Sendable {
  /// What commands call it; 1...100 bytes of UTF-8, and only once in a scene.
  public var name: String

  /// What it shows, from the lowest; 1...1000.
  public var elements: [ViewElement]

  /// Where its centre stands in the scene; nil is the middle of the scene.
  public var position: CGPoint?

  /// The size that transitions count with, in points; nil is that of what it shows.
  public var size: CGSize?

  /// What its properties are at the start.
  public var initial = ViewValues()

  /// Whether it is not there at the start.
  public var isHidden = false

  /// How it comes and goes; nil: at once.
  public var transition: AnyTransition?

  /// The name of the view that it moves with.
  public var parent: String?

  /// Tracks of keyframes that play from the start.
  public var keyframes: [KeyframeLoop] = []

  /// Phases that it goes through from the start, for ever.
  public var phases: [ViewPhase] = []

  /// Makes a view.
  ///
  /// - Parameters:
  ///   - name: What commands call it.
  ///   - elements: What it shows, from the lowest.
  public init(_ name: String, _ elements: ViewElement...) {
    self.init(name, elements: elements)
  }

  /// Makes a view of elements that were made elsewhere.
  ///
  /// - Parameters:
  ///   - name: What commands call it.
  ///   - elements: What it shows, from the lowest.
  public init(_ name: String, elements: [ViewElement]) {
    self.name = name
    self.elements = elements
  }
}
