// SPDX-License-Identifier: Apache-2.0

import OrreryMessages
import OrreryTrace

extension TraceArchive {
  /// The messages of one of Orrery's topics; see `messages(topics:fromNs:toNs:)`.
  package func messages(of topic: Topic) -> TraceArchiveMessages {
    messages(topics: [topic.rawValue])
  }
}
