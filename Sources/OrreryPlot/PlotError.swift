// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryText

/// Why a picture was not written.
package enum PlotError: ExitStatusError, Equatable, CustomStringConvertible {
  /// Not enough memory for the pixels.
  case outOfMemory(PictureSize)
  /// A text cannot be drawn.
  case text(TextError)
  /// The file cannot be written.
  case file(SystemCallError)

  package var description: String {
    switch self {
    case .outOfMemory(let size): "no memory for a picture of \(size) pixels"
    case .text(let error): "\(error)"
    case .file(let error): "\(error)"
    }
  }

  package var exitStatus: ExitStatus {
    if case .file = self { .inputOutput } else { .unavailable }
  }
}
