// SPDX-License-Identifier: Apache-2.0

import OrreryMessages
import SwiftProtobuf
import Testing

/// Goal: a reader that has none of our code finds the messages of every topic in the topic's descriptors.
@Suite struct TopicTests {
  @Test(arguments: Topic.allCases) func descriptorsHaveTheTopicsMessages(topic: Topic) throws {
    let set = try Google_Protobuf_FileDescriptorSet(serializedBytes: topic.descriptorSet)
    let names = set.file.flatMap { file in file.messageType.map { "\(file.package).\($0.name)" } }
    #expect(names.contains(topic.schemaName), "\(names)")
  }

  /// Traces that were recorded are read by these.
  @Test func namesStayAsTheyAre() {
    #expect(
      Topic.allCases.map(\.rawValue) == [
        "/orrery/scene", "/orrery/frames", "/orrery/deltas", "/orrery/digests", "/orrery/loss",
        "/orrery/events", "/orrery/timings", "/orrery/statistics", "/orrery/points",
        "/orrery/views", "/orrery/transform", "/orrery/log",
      ])
    #expect(Topic.allCases.allSatisfy { $0.rawValue.hasPrefix(Topic.prefix) })
  }
}
