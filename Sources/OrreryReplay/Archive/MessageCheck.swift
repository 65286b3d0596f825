// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryMessages
import OrreryTrace

/// Finds messages of frames that no run makes, among the messages of a trace in the order of the file.
package struct MessageCheck {
  /// Rates of the runs whose scenes were met, by their random numbers.
  private var rates: [UInt64: TickRate] = [:]

  package init() {}

  /// Whether a run may have published a message; true of what is no frame.
  package mutating func isPossible(_ message: TraceMessage) -> Bool {
    if message.topic == Topic.scene.rawValue {
      let scene = SceneHead(message.bytes)
      rates[scene.generation] = scene.rate
      return true
    }
    // Without a scene it is somebody else's topic.
    guard let kind = MessageHead.Kind(topic: message.topic), !rates.isEmpty else { return true }
    return MessageHead(kind, message.bytes).map { $0.isPossible(at: rates[$0.generation]) } ?? false
  }
}
