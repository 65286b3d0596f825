// SPDX-License-Identifier: Apache-2.0

/// A transition that has a named `AnyTransition`.
protocol ErasableTransition: Transition {
  var erased: AnyTransition { get }
}
