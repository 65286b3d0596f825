// SPDX-License-Identifier: Apache-2.0

import Foundation
import Orrery
import Testing

/// Goal: the names that `Orrery` takes over from Foundation stay usable where both are imported.
///
/// Method: that this compiles is the test; the values show that the types are Foundation's.
@Suite struct GeometryTests {
  @Test func namesAreFoundations() {
    let rectangle = CGRect(origin: CGPoint(x: 1, y: 2), size: CGSize(width: 3, height: 4))
    #expect("\((CGFloat).self)" == "CGFloat")
    let turned = ProjectionTransform(CGAffineTransform(a: 0, b: 1, c: -1, d: 0, tx: 0, ty: 0))
    #expect(turned.m12 == 1 && rectangle.width == 3)
  }
}
