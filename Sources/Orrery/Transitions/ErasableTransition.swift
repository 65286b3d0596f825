// SPDX-License-Identifier: Apache-2.0

/// A transition that knows what it is called among those of any kind.
protocol ErasableTransition: Transition {
  var erased: AnyTransition { get }
}
