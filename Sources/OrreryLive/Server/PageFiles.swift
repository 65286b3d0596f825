// SPDX-License-Identifier: Apache-2.0

import CLivePage
import NIOCore

/// The files of the page, which are part of the program.
package enum PageFiles {
  /// A file as it is sent.
  package struct File: Sendable {
    /// Its media type.
    package let type: String
    /// Its content.
    package let bytes: ByteBuffer
  }

  /// By their paths.
  package static let files: [String: File] = Dictionary(
    uniqueKeysWithValues: (0..<live_page_file_count()).map { index in
      let file = live_page_file_at(index)
      let bytes = UnsafeRawBufferPointer(start: file.bytes, count: file.count)
      return (
        String(cString: file.path),
        File(type: String(cString: file.type), bytes: ByteBuffer(bytes: bytes))
      )
    })
}
