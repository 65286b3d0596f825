// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// Connections that are no open pages: at most so many, so that those who connect and are silent keep nobody out.
///
/// Used on the server's thread only.
final class OpenConnections: @unchecked Sendable {
  /// Connections at a time; a browser opens six.
  static let countMax = 128

  /// Oldest first.
  private var channels: [any Channel] = []

  /// Counts a connection; the oldest one is closed if there are too many.
  func add(_ channel: any Channel) {
    channels.append(channel)
    if channels.count > Self.countMax { channels.removeFirst().close(promise: nil) }
  }

  /// Counts it no more: it has closed, or has become a page.
  func remove(_ channel: any Channel) { channels.removeAll { $0 === channel } }
}
