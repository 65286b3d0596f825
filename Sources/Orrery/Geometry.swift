// SPDX-License-Identifier: Apache-2.0

/// `import Orrery` is enough for `CGFloat`, `CGPoint`, `CGSize`, `CGRect`, `Date` and `cos`, as
/// `import SwiftUI` is on a Mac.
///
/// Type aliases would not do: they would be ambiguous in a file that also imports Foundation.
@_exported import Foundation
