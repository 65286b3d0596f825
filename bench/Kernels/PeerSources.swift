// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The files of bench/peers, embedded in this program, so that peers can be built wherever it runs.
enum PeerSources {
  /// Writes all files.
  static func write(to folder: URL) throws {
    for (name, bytes) in files { try Data(bytes).write(to: folder.appendingPathComponent(name)) }
  }

  /// Names and contents.
  static var files: [(name: String, bytes: [UInt8])] {
    [
      ("calibration.cpp", PackageResources.calibration_cpp),
      ("changes.cpp", PackageResources.changes_cpp),
      ("closed.h", PackageResources.closed_h),
      ("column_peers.py", PackageResources.column_peers_py),
      ("components.cpp", PackageResources.components_cpp),
      ("handover.h", PackageResources.handover_h),
      ("highway.cpp", PackageResources.highway_cpp),
      ("iceoryx.cpp", PackageResources.iceoryx_cpp),
      ("intrinsics.cpp", PackageResources.intrinsics_cpp),
      ("ispc.cpp", PackageResources.ispc_cpp),
      ("kernels.ispc", PackageResources.kernels_ispc),
      ("lanes.h", PackageResources.lanes_h),
      ("peer.h", PackageResources.peer_h),
      ("plain.cpp", PackageResources.plain_cpp),
      ("record_peers.py", PackageResources.record_peers_py),
      ("ring.cpp", PackageResources.ring_cpp),
      ("rust_iceoryx.py", PackageResources.rust_iceoryx_py),
      ("sleef.cpp", PackageResources.sleef_cpp),
      ("springs.h", PackageResources.springs_h),
      ("tracks.cpp", PackageResources.tracks_cpp),
      ("tracks.h", PackageResources.tracks_h),
      ("wakes.cpp", PackageResources.wakes_cpp),
      ("zeromq.cpp", PackageResources.zeromq_cpp),
    ]
  }
}
