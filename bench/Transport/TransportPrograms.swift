// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The provider of the rows' programs that are not Orrery's.
package protocol TransportPrograms {
  /// The folder of these programs and other files.
  var folder: URL { get }

  /// How to start a compiled program; nil if it is missing.
  func program(_ name: String, _ arguments: String...) -> HandoverProgram.Launch?

  /// How to start iceoryx2; nil if it is missing.
  func iceoryx2(_ arguments: String...) -> HandoverProgram.Launch?
}
