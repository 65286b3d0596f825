// SPDX-License-Identifier: Apache-2.0

/// The state of an accordion: which of its rows is open, at most one.
///
/// Rows are identified by their identity and not by their names: two rows with equal names do not
/// open together.
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

  /// Taps a row: opens it and closes the open one, or closes it if it is open.
  ///
  /// - Parameter id: The row.
  /// - Returns: The change.
  @discardableResult
  public mutating func tap(_ id: ID) -> Change { set(isOpen(id) ? nil : id) }

  /// Opens one row, or none; an open row is not opened again.
  ///
  /// - Parameter id: The row, or nil to close all.
  /// - Returns: The change; empty if the state was this one.
  @discardableResult
  public mutating func set(_ id: ID?) -> Change {
    defer { open = id }
    return id == open ? Change() : Change(closed: open, opened: id)
  }

  /// A change of the open row.
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
