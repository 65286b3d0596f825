// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Where the programs of rows come from that are not Orrery.
package protocol TransportPrograms {
  /// Where they lie, and what else needs a file.
  var folder: URL { get }

  /// How to start a compiled program; nil if it is missing.
  func program(_ name: String, _ arguments: String...) -> HandoverProgram.Launch?

  /// How to start iceoryx2; nil if it is missing.
  func iceoryx2(_ arguments: String...) -> HandoverProgram.Launch?
}
