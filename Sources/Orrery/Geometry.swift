// SPDX-License-Identifier: Apache-2.0

/// `import Orrery` is enough for `CGFloat`, `CGPoint`, `CGSize`, `CGRect`, `Date` and `cos`, as
/// `import SwiftUI` is on a Mac.
///
/// Type aliases would be other names for the same types, between which a file that also imports
/// Foundation could not choose.
@_exported import Foundation
