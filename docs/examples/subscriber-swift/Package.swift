// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let package = Package(
  name: "follow",
  dependencies: [.package(name: "orrery", path: "../../..")],
  targets: [
    .executableTarget(
      name: "follow",
      dependencies: [
        .product(name: "OrreryRuns", package: "orrery")
      ])
  ])
