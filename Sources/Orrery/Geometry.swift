// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Width and height in points; Foundation's own type, named here so that `import Orrery` is enough.
public typealias CGSize = Foundation.CGSize

/// A place in points, x to the right and y downward; Foundation's own type.
public typealias CGPoint = Foundation.CGPoint

/// An origin and a size in points; Foundation's own type.
public typealias CGRect = Foundation.CGRect

/// A length in points; Foundation's own type.
public typealias CGFloat = Foundation.CGFloat
