// SPDX-License-Identifier: Apache-2.0

import CFrameLayout

/// Topics of announcements: the message's first eight bytes.
package enum AnnouncementTopic: String, CaseIterable, Sendable {
  /// A frame was published.
  case frame
  /// No frame will follow.
  case end

  /// The name, padded with zeros to eight bytes.
  var bytes: [UInt8] {
    var bytes = Array(rawValue.utf8)
    bytes += [UInt8](repeating: 0, count: 8 - bytes.count)
    return bytes
  }
}

extension announcement {
  /// Fills the fields that are the same for every announcement of a run.
  init(topic: AnnouncementTopic, generation: UInt64) {
    self.init()
    withUnsafeMutableBytes(of: &self.topic) { $0.copyBytes(from: topic.bytes) }
    self.generation = generation
    layout_version = UInt32(FRAME_LAYOUT_VERSION)
  }
}
