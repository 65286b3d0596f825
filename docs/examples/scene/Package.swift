// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let package = Package(
  name: "mine",
  dependencies: [.package(name: "orrery", path: "../../..")],
  targets: [
    .executableTarget(
      name: "mine",
      dependencies: [
        .product(name: "Orrery", package: "orrery"),
        .product(name: "OrrerySceneBuilder", package: "orrery"),
      ])
  ])
