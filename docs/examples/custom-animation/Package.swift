// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let package = Package(
  name: "custom-animation",
  dependencies: [.package(name: "orrery", path: "../../..")],
  targets: [
    .executableTarget(
      name: "custom-animation",
      dependencies: [
        .product(name: "Orrery", package: "orrery")
      ])
  ])
