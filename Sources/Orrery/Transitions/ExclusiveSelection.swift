// SPDX-License-Identifier: Apache-2.0

/// The state of an accordion: at most one of its rows is open, and which one is all there is.
///
/// Rows are told apart by their identity and not by what they are called: two rows of one name do
/// not open together.
public struct ExclusiveSelection<ID: Hashable> {
  /// The row that is open, or nil.
  public private(set) var open: ID?

  /// Makes the state.
  ///
  /// - Parameter open: The row that is open; nil if all are closed.
  public init(open: ID? = nil) {
    self.open = open
  }

  /// Whether a row is open.
  ///
  /// - Parameter id: The row.
  /// - Returns: True for at most one of all rows.
  public func isOpen(_ id: ID) -> Bool { id == open }

  /// What a tap on a row does: opens it and closes the one that is open, or closes it.
  ///
  /// - Parameter id: The row.
  /// - Returns: What changed.
  @discardableResult
  public mutating func tap(_ id: ID) -> Change { set(isOpen(id) ? nil : id) }

  /// Opens one row, or none; what is open already is not opened again.
  ///
  /// - Parameter id: The row, or nil to close all.
  /// - Returns: What changed; nothing if the state was this one.
  @discardableResult
  public mutating func set(_ id: ID?) -> Change {
    defer { open = id }
    return id == open ? Change() : Change(closed: open, opened: id)
  }

  /// What became different.
  public struct Change {
    /// The row that is no longer open; its panel is to be removed.
    public let closed: ID?

    /// The row that is open now; its panel is to be inserted.
    public let opened: ID?

    fileprivate init(closed: ID? = nil, opened: ID? = nil) {
      self.closed = closed
      self.opened = opened
    }

    /// Whether there is nothing to animate.
    public var isEmpty: Bool { closed == nil && opened == nil }
  }
}

extension ExclusiveSelection: Equatable {}
extension ExclusiveSelection: Hashable {}
extension ExclusiveSelection: Sendable where ID: Sendable {}
extension ExclusiveSelection.Change: Equatable {}
extension ExclusiveSelection.Change: Hashable {}
extension ExclusiveSelection.Change: Sendable where ID: Sendable {}
