// SPDX-License-Identifier: Apache-2.0

/// The files of bench/peers, in the program's code: peers are built wherever the program is run.
enum PeerSources {
  /// Names and contents.
  static var files: [(name: String, bytes: [UInt8])] {
    [
      ("calibration.cpp", PackageResources.calibration_cpp),
      ("closed.h", PackageResources.closed_h),
      ("components.cpp", PackageResources.components_cpp),
      ("highway.cpp", PackageResources.highway_cpp),
      ("intrinsics.cpp", PackageResources.intrinsics_cpp),
      ("ispc.cpp", PackageResources.ispc_cpp),
      ("kernels.ispc", PackageResources.kernels_ispc),
      ("lanes.h", PackageResources.lanes_h),
      ("peer.h", PackageResources.peer_h),
      ("plain.cpp", PackageResources.plain_cpp),
      ("sleef.cpp", PackageResources.sleef_cpp),
      ("springs.h", PackageResources.springs_h),
    ]
  }
}
