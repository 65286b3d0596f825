// SPDX-License-Identifier: Apache-2.0

import Orrery
import Testing

/// Goal: a change through a binding reaches the value behind it, in the binding's transaction.
///
/// Method: a binding that writes down each change and its animation.
@Suite struct BindingTests {
  private final class Size {
    var (width, height) = (0.0, 0.0)
    var animations: [Animation?] = []
  }

  private let size = Size()

  private var binding: Binding<(width: Double, height: Double)> {
    Binding(
      get: { [size] in (size.width, size.height) },
      set: { [size] value, transaction in
        (size.width, size.height) = value
        size.animations.append(transaction.animation)
      })
  }

  /// A part of a value changes in the transaction of the whole, and leaves the other parts.
  @Test func partsChangeInTheTransactionOfTheWhole() {
    binding.width.wrappedValue = 2
    binding.transaction(Transaction(animation: .linear)).height.wrappedValue = 3
    binding.animation(.easeIn).wrappedValue.width += 4
    #expect((size.width, size.height) == (6, 3))
    #expect(size.animations == [nil, .linear, .easeIn])
  }
}
