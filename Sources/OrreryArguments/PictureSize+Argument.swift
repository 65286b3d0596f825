// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrreryBase

extension PictureSize: ExpressibleByArgument {
  /// Reads `1280x720`.
  package init?(argument: String) { self.init(argument) }
}
