// SPDX-License-Identifier: Apache-2.0

import CFrameLayout
import Glibc
import OrreryBase

/// Why a ring could not be made, joined or read.
package enum FrameError: ExitStatusError, Equatable, CustomStringConvertible {
  /// A system call failed.
  case system(SystemCallError)
  /// A frame would be longer than what every protobuf reader accepts.
  case frameTooLarge(bytes: UInt64, limit: UInt64)
  /// The ring does not fit in the memory that is free.
  case notEnoughMemory(needed: UInt64, available: UInt64)
  /// The ring does not fit in its file system.
  case notEnoughSpace(path: String, needed: UInt64, available: UInt64)
  /// Not a valid name.
  case badSegmentName(String)
  /// A live sim has a ring of that name.
  case segmentTaken(path: String)
  /// The file with the ring's name belongs to another user, other users can access it, or it is no
  /// plain file.
  case unsafeSegment(path: String, owner: UInt32, mode: UInt32, links: UInt64)
  /// The segment's magic number is wrong.
  case notARing(found: UInt64)
  /// The other side was built for another layout.
  case layoutVersion(found: UInt32, expected: UInt32)
  /// The segment could be truncated under its readers.
  case notSealed
  /// A number in the segment's header contradicts its size.
  case corruptHeader(field: String, value: UInt64)
  /// The sim refused, with one of the `JOIN_REFUSED_` numbers.
  case refused(status: UInt32)
  /// The other side of the join socket broke the protocol.
  case badJoinMessage(bytes: Int)
  /// The sim died, or closed the connection, before it answered.
  case hungUp
  /// The sim and the subscriber belong to different users.
  case foreignUser(found: UInt32, expected: UInt32)

  package var description: String {
    switch self {
    case .system(let error):
      return error.description
    case .frameTooLarge(let bytes, let limit):
      return "a frame of \(bytes) bytes is over the limit of \(limit)"
    case .notEnoughMemory(let needed, let available):
      return "the ring needs \(needed) bytes of memory and \(available) are free;"
        + " use fewer --slots or --entities"
    case .notEnoughSpace(let path, let needed, let available):
      return "\(path): the ring needs \(needed) bytes and \(available) are free there;"
        + " use fewer --slots, no --shm-name, or a larger /dev/shm (mount -o remount,size=… /dev/shm)"
    case .badSegmentName(let name):
      return "--shm-name '\(name)': use 1 to 64 letters, digits, '.', '-' and '_',"
        + " beginning with a letter or digit"
    case .segmentTaken(let path):
      return "\(path): a live sim has its ring there; choose another --shm-name"
    case .unsafeSegment(let path, let owner, let mode, let links):
      return "\(path): must be a plain file of this user with mode 0600 and one name,"
        + " found owner \(owner), mode \(String(mode, radix: 8)), \(links) names"
    case .notARing(let found):
      return "not a frame ring: magic \(String(found, radix: 16))"
    case .layoutVersion(let found, let expected):
      return "frame layout version \(found), this program knows \(expected);"
        + " use sim and subscribers of one release"
    case .notSealed:
      return "the frame ring is not sealed against truncation"
    case .corruptHeader(let field, let value):
      return "corrupt ring header: \(field) is \(value)"
    case .refused(let status):
      return "the sim refused to be joined: " + Self.reason(status)
    case .badJoinMessage(let bytes):
      return "unexpected message of \(bytes) bytes on the join socket"
    case .hungUp:
      return "the sim hung up before it answered"
    case .foreignUser(let found, let expected):
      return "the peer runs as user \(found), not \(expected)"
    }
  }

  private static func reason(_ status: UInt32) -> String {
    switch status {
    case UInt32(JOIN_REFUSED_VERSION): "it knows another layout version"
    case UInt32(JOIN_REFUSED_FULL): "it has as many subscribers as it serves"
    case UInt32(JOIN_REFUSED_ENDED): "the run has ended"
    case UInt32(JOIN_REFUSED_SILENT): "this subscriber did not say in time who it is"
    default: "reason \(status)"
    }
  }
}

extension FrameError {
  /// Whether the run has ended, as far as the sim said or its silence says.
  package var isEnd: Bool {
    self == .hungUp || self == .refused(status: UInt32(JOIN_REFUSED_ENDED))
  }

  /// Exit code of a program that fails with this error.
  package var exitStatus: ExitStatus {
    switch self {
    case .notEnoughMemory, .notEnoughSpace: .resource
    case .badSegmentName: .usage
    case .segmentTaken: .nameTaken
    case .system(let error):
      // Rings are in memory; a socket is on the disk of the run's directory.
      error.errno == ENOSPC && error.call != "bind" ? .resource : error.exitStatus
    case .layoutVersion, .notARing, .corruptHeader, .badJoinMessage: .mismatch
    case .refused(let status):
      status == UInt32(JOIN_REFUSED_VERSION) ? .mismatch : .unavailable
    case .foreignUser, .notSealed, .unsafeSegment: .notPermitted
    case .frameTooLarge, .hungUp: .unavailable
    }
  }
}
