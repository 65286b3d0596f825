// SPDX-License-Identifier: Apache-2.0

/// SwiftUI's modifiers of events, which a headless view does not have: using one does not compile.
extension View {
  /// Events are left out.
  @available(*, unavailable, message: "a headless view has no events; call what it does yourself")
  public func onAppear(perform action: (() -> Void)? = nil) -> Self { self }

  /// Events are left out.
  @available(*, unavailable, message: "a headless view has no events; call what it does yourself")
  public func onDisappear(perform action: (() -> Void)? = nil) -> Self { self }

  /// Events are left out.
  @available(*, unavailable, message: "a headless view has no events; call what it does yourself")
  public func onChange<V: Equatable>(
    of value: V, initial: Bool = false, _ action: @escaping () -> Void
  ) -> Self { self }

  /// Events are left out.
  @available(*, unavailable, message: "a headless view has no events; call what it does yourself")
  public func onChange<V: Equatable>(
    of value: V, initial: Bool = false, _ action: @escaping (_ old: V, _ new: V) -> Void
  ) -> Self { self }

  /// Events are left out.
  @available(*, unavailable, message: "a headless view has no events; call what it does yourself")
  public func onChange<V: Equatable>(
    of value: V, perform action: @escaping (_ new: V) -> Void
  ) -> Self { self }

  /// Events are left out.
  @available(*, unavailable, message: "a headless view has no events; call what it does yourself")
  public func onReceive<P, Output>(
    _ publisher: P, perform action: @escaping (Output) -> Void
  ) -> Self { self }

  /// Events are left out.
  @available(*, unavailable, message: "a headless view has no events; call what it does yourself")
  public func onTapGesture(count: Int = 1, perform action: @escaping () -> Void) -> Self { self }

  /// Events are left out.
  @available(*, unavailable, message: "a headless view has no events; call what it does yourself")
  public func onLongPressGesture(
    minimumDuration: Double = 0.5, perform action: @escaping () -> Void
  ) -> Self { self }

  /// Events are left out.
  @available(*, unavailable, message: "a headless view has no events; call what it does yourself")
  public func onHover(perform action: @escaping (Bool) -> Void) -> Self { self }

  /// Events are left out.
  @available(*, unavailable, message: "a headless view has no events; call what it does yourself")
  public func gesture<G>(_ gesture: G) -> Self { self }

  /// Tasks are left out.
  @available(*, unavailable, message: "a headless view runs no tasks; run what it does yourself")
  public func task(
    priority: TaskPriority = .userInitiated, _ action: @escaping @Sendable () async -> Void
  ) -> Self { self }

  /// Tasks are left out.
  @available(*, unavailable, message: "a headless view runs no tasks; run what it does yourself")
  public func task<ID: Equatable>(
    id value: ID, priority: TaskPriority = .userInitiated,
    _ action: @escaping @Sendable () async -> Void
  ) -> Self { self }

  /// The environment of views is left out.
  @available(
    *, unavailable, message: "the environment is the player's: set ViewPlayer.environment"
  )
  public func environment<V>(_ keyPath: WritableKeyPath<EnvironmentValues, V>, _ value: V) -> Self {
    self
  }

  /// Scrolling is left out.
  @available(*, unavailable, message: "scrolling is left out")
  public func scrollTransition<V: View>(
    _ transition: (PlaceholderContentView<Self>, TransitionPhase) -> V
  ) -> Self { self }
}
