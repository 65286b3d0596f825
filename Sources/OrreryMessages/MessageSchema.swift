// SPDX-License-Identifier: Apache-2.0

/// What a reader that has none of our code needs to decode our messages.
package enum MessageSchema {
  /// The `google.protobuf.FileDescriptorSet` of orrery.proto.
  package static var descriptorSet: [UInt8] { PackageResources.orrery_binpb }

  /// That of foxglove.proto and what it imports: messages that viewers draw.
  package static var viewerDescriptorSet: [UInt8] { PackageResources.foxglove_binpb }
}
