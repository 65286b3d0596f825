// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let package = Package(
  name: "card",
  dependencies: [.package(name: "orrery", path: "../../..")],
  targets: [
    .target(name: "Card", dependencies: [.product(name: "Orrery", package: "orrery")]),
    .testTarget(name: "CardTests", dependencies: ["Card"], exclude: ["card.csv", "card.toml"]),
  ])
