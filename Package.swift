// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import CompilerPluginSupport
import PackageDescription

/// Targets are in the order in which data flows through them; `tools/draw-modules` draws them in ARCHITECTURE.md.
let package = Package(
  name: "orrery",
  products: [
    .library(name: "Orrery", targets: ["Orrery"]),
    .library(name: "OrrerySceneBuilder", targets: ["OrrerySceneBuilder"]),
    .library(name: "OrreryMacros", targets: ["OrreryMacros"]),
    .library(name: "OrreryRuns", targets: ["OrreryRuns"]),
  ],
  traits: [
    .trait(
      name: "Macros",
      description: "The macros of OrreryMacros; they need swift-syntax, which nothing else does")
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-protobuf", from: "1.39.0"),
    // Neither fetched nor built without the trait.
    .package(url: "https://github.com/swiftlang/swift-syntax", from: "603.0.1"),
  ],
  targets: base + scene + macros + simulation + frames + subscribers
    + (isSanitized
      ? sharingTests : commands + examples + sharingTests + otherTests + allocationCounterTarget))

// With `ORRERY_ONLY=OrreryTraceTests,logger` those targets and what they need, so that one module and its tests are
// built in a minute or two.
if let only = Context.environment["ORRERY_ONLY"] {
  var wanted = Set(only.split(separator: ",").map(String.init))
  var left = Array(wanted)
  while let name = left.popLast() {
    for dependency in package.targets.first(where: { $0.name == name })?.dependencies ?? [] {
      switch dependency {
      case .targetItem(let name, _), .byNameItem(let name, _):
        if wanted.insert(name).inserted { left.append(name) }
      default: continue
      }
    }
  }
  package.targets.removeAll { !wanted.contains($0.name) }
  package.products.removeAll { !wanted.contains($0.name) }
  if !wanted.contains("OrreryMacrosPlugin") { package.dependencies.removeLast() }
}

/// Every Swift target: imports that are not declared and warnings are errors.
func module(
  _ name: String, _ dependencies: [Target.Dependency] = [], path: String? = nil,
  resources: [Resource]? = nil, exclude: [String] = [], flags: [String] = []
) -> Target {
  .target(
    name: name, dependencies: dependencies, path: path ?? "Sources/\(name)", exclude: exclude,
    resources: resources, swiftSettings: strict + (flags.isEmpty ? [] : [.unsafeFlags(flags)]))
}

func program(
  _ name: String, _ dependencies: [Target.Dependency], path: String, resources: [Resource] = []
) -> Target {
  .executableTarget(
    name: name, dependencies: dependencies, path: path, resources: resources, swiftSettings: strict)
}

/// Tests are compiled without optimisation, which takes two fifths of the time, unless they compute for long themselves.
func test(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  let isOptimised = ["Orrery", "OrreryFault", "OrreryFrame", "OrreryKernels", "OrrerySim"]
    .contains(name)
  return .testTarget(
    name: "\(name)Tests", dependencies: dependencies, path: "Tests/\(name)Tests",
    swiftSettings: strict + (isOptimised ? [] : [.unsafeFlags(["-Onone"])]))
}

nonisolated var strict: [SwiftSetting] { [.treatAllWarnings(as: .error)] }

var arguments: Target.Dependency {
  .product(name: "ArgumentParser", package: "swift-argument-parser")
}
var logging: Target.Dependency { .product(name: "Logging", package: "swift-log") }
/// Of the program `live` only.
var nio: [Target.Dependency] {
  ["NIOCore", "NIOPosix", "NIOHTTP1", "NIOWebSocket"].map {
    .product(name: $0, package: "swift-nio")
  }
}
var protobuf: Target.Dependency { .product(name: "SwiftProtobuf", package: "swift-protobuf") }

/// What everything stands on.
var base: [Target] {
  [
    .target(name: "CLinux"),
    module("OrreryBase", ["CLinux", logging]),
    module("OrreryDocument"),
    module(
      "OrreryMessages", ["OrreryBase", protobuf],
      resources: [.embedInCode("orrery.binpb"), .embedInCode("foxglove.binpb")],
      exclude: ["orrery.proto", "foxglove.proto"]),
  ]
}

/// From a scene file to a checked plan.
var scene: [Target] {
  [
    module("Orrery"),
    module("OrrerySceneBuilder", ["Orrery", "OrreryDocument"]),
    .target(
      name: "CCairo", dependencies: ["CLinux"],
      cSettings: [.unsafeFlags(pangoIncludes)]),
    module("OrreryText", ["CCairo"]),
    module(
      "OrreryScene",
      [
        "Orrery", "OrreryBase", "OrreryDocument", "OrreryMessages", "OrrerySceneBuilder",
        "OrreryText",
      ],
      resources: builtInScenes.map { .embedInCode("Resources/\($0).toml") }),
  ]
}

/// `@Animatable`, where the trait `Macros` is on; empty otherwise.
var macros: [Target] {
  let isOn = TargetDependencyCondition.when(traits: ["Macros"])
  return [
    .target(
      name: "OrreryMacros",
      dependencies: ["Orrery", .target(name: "OrreryMacrosPlugin", condition: isOn)],
      swiftSettings: strict),
    .macro(
      name: "OrreryMacrosPlugin",
      dependencies: [
        "SwiftCompilerPlugin", "SwiftDiagnostics", "SwiftSyntax", "SwiftSyntaxBuilder",
        "SwiftSyntaxMacros",
      ]
      .map { .product(name: $0, package: "swift-syntax", condition: isOn) }, swiftSettings: strict),
  ]
}

/// Embedded one by one; `BuiltInScenes` reads each in code: without its name here it does not compile.
var builtInScenes: [String] {
  [
    "flags", "flags-linear", "flags-timer", "flow-text", "flow-text-as-written", "completions",
    "completions-as-written", "timeline", "timeline-as-written", "planets", "planets-as-written",
    "stress", "dashboard", "feed", "idle", "lottie-like", "storm", "ticker-wall",
  ]
}

/// Where Debian keeps the headers of Pango; asking pkg-config would print a warning per build.
///
/// Its libraries are not linked: loaded.S of `CCairo` loads them.
var pangoIncludes: [String] {
  [
    "/usr/include/cairo", "/usr/include/pango-1.0", "/usr/include/glib-2.0",
    "/usr/lib/x86_64-linux-gnu/glib-2.0/include", "/usr/lib/aarch64-linux-gnu/glib-2.0/include",
    "/usr/include/harfbuzz",
  ].flatMap { ["-isystem", $0] }
}

/// No two kernels share a function that is given their difference as an argument: that is a call in a loop.
var kernelFlags: [String] { ["-Xllvm", "-swiftmergefunc-threshold=0"] }

/// From a plan to the values of a tick.
var simulation: [Target] {
  [
    .target(name: "CKernelTable"),
    module("OrreryKernels", ["CKernelTable"], flags: kernelFlags),
    module(
      "OrreryKernelsAVX2", ["CKernelTable"], flags: kernelFlags + ["-Xcc", "-march=x86-64-v3"]),
    module(
      "OrreryKernelsAVX512", ["CKernelTable"],
      flags: kernelFlags + ["-Xcc", "-march=x86-64-v4", "-Xcc", "-mprefer-vector-width=512"]),
    module(
      "OrrerySim",
      ["CKernelTable", "CLinux", "Orrery", "OrreryBase", "OrreryScene", "OrrerySceneBuilder"]
        + kernelModules),
  ]
}

/// The same kernels, once for each instruction set of the architecture.
var kernelModules: [Target.Dependency] {
  #if arch(x86_64)
    ["OrreryKernels", "OrreryKernelsAVX2", "OrreryKernelsAVX512"]
  #else
    ["OrreryKernels"]
  #endif
}

/// From values to frames in shared memory, and the word that they are there.
var frames: [Target] {
  [
    .target(name: "CFrameLayout"),
    module("OrreryFrame", ["CFrameLayout", "CLinux", "OrreryBase", logging]),
    .systemLibrary(name: "CZeroMQ"),
    .systemLibrary(name: "CCompression"),
    module(
      "OrreryWire",
      [
        "CCompression", "CFrameLayout", "CLinux", "CZeroMQ", "OrreryBase", "OrreryDocument",
        "OrreryFrame", "OrreryMessages", logging, protobuf,
      ]),
    module(
      "OrreryRuns", ["OrreryBase", "OrreryFrame", "OrreryMessages", "OrreryWire", protobuf]),
    module(
      "OrreryPublisher",
      [
        "CLinux", "Orrery", "OrreryBase", "OrreryDocument", "OrreryFrame", "OrreryMessages",
        "OrreryScene", "OrrerySceneBuilder", "OrrerySim", "OrreryWire", logging, protobuf,
      ]),
  ]
}

/// What the two subscribers do with frames.
var subscribers: [Target] {
  [
    .target(name: "CTrace"),
    module("OrreryTrace", ["CCompression", "CLinux", "CTrace", "OrreryBase"]),
    .target(name: "CDelta"),
    module("OrreryDelta", ["CDelta", "OrreryBase", "OrreryFrame"]),
    .target(name: "CDots"),
    module(
      "OrreryRender", ["CCairo", "CDots", "CLinux", "OrreryBase", "OrreryMessages", "OrreryText"]),
    module("OrrerySupervisor", ["CLinux", "OrreryBase"]),
    module(
      "OrreryPictures",
      [
        "CLinux", "OrreryBase", "OrreryFrame", "OrreryMessages", "OrreryRender", "OrrerySupervisor",
        "OrreryWire", protobuf,
      ]),
    module(
      "OrreryViewers",
      [
        "OrreryBase", "OrreryFrame", "OrreryMessages", "OrreryRender", "OrreryText", "OrreryWire",
        logging, protobuf,
      ]),
    module(
      "OrreryRecording",
      [
        "OrreryBase", "OrreryDelta", "OrreryFrame", "OrreryMessages", "OrreryTrace",
        "OrreryViewers", "OrreryWire", logging, protobuf,
      ]),
  ]
}

/// The programs: arguments in, exit codes out; and what `orrery eval` and `orrery curve` do.
var commands: [Target] {
  [
    module(
      "OrreryEval",
      [
        "Orrery", "OrreryBase", "OrreryDocument", "OrreryMessages", "OrreryPlot", "OrreryScene",
        "OrrerySceneBuilder", "OrrerySim",
      ]),
    .target(
      name: "CVersion",
      cSettings: [
        .define("ORRERY_COMMIT", to: "\"\(built("ORRERY_COMMIT"))\""),
        .define("ORRERY_SWIFT", to: "\"\(built("ORRERY_SWIFT"))\""),
      ]),
    module("OrreryCommandLine", ["CVersion", "OrreryBase", "OrreryDocument", arguments]),
    module("OrreryPlot", ["CCairo", "Orrery", "OrreryBase", "OrreryScene", "OrreryText"]),
    module(
      "OrreryTraceTools",
      ["OrreryBase", "OrreryDocument", "OrreryMessages", "OrreryTrace", protobuf]),
    module(
      "OrreryReplay",
      [
        "Orrery", "OrreryBase", "OrreryDelta", "OrreryDocument", "OrreryFrame", "OrreryMessages",
        "OrreryPictures", "OrreryPlot", "OrreryPublisher", "OrreryScene", "OrrerySceneBuilder",
        "OrrerySim", "OrreryTrace", "OrreryTraceTools", "OrreryWire", protobuf,
      ]),
    module(
      "OrreryRecordingArguments",
      [
        "OrreryBase", "OrreryCommandLine", "OrreryMessages", "OrreryRecording", "OrreryTrace",
        "OrreryViewers", arguments,
      ]),
    module(
      "OrreryArguments",
      [
        "Orrery", "OrreryBase", "OrreryCommandLine", "OrreryFrame", "OrreryPublisher",
        "OrreryRecordingArguments", "OrreryScene", "OrrerySceneBuilder", "OrrerySim",
        "OrrerySupervisor", "OrreryWire", arguments,
      ]),
    module(
      "OrreryConsole",
      [
        "CLinux", "OrreryBase", "OrreryCommandLine", "OrreryDocument", "OrreryFrame", "OrreryScene",
        "OrrerySceneBuilder", "OrrerySim", "OrrerySupervisor", "OrreryText", "OrreryWire",
        arguments,
      ]),
    program(
      "sim",
      [
        "OrreryArguments", "OrreryBase", "OrreryCommandLine", "OrreryConsole", "OrreryPublisher",
        arguments,
      ],
      path: "Sources/sim"),
    module(
      "OrrerySubscriber",
      [
        "OrreryBase", "OrreryCommandLine", "OrreryDocument", "OrreryFrame", "OrrerySupervisor",
        "OrreryWire", arguments,
      ]),
    program(
      "renderer",
      [
        "OrreryArguments", "OrreryBase", "OrreryCommandLine", "OrreryPictures", "OrreryRender",
        "OrrerySubscriber", "OrreryWire", arguments,
      ],
      path: "Sources/renderer"),
    program(
      "logger",
      [
        "OrreryBase", "OrreryCommandLine", "OrreryRecording", "OrreryRecordingArguments",
        "OrrerySubscriber", "OrreryTrace", "OrreryViewers", "OrreryWire", arguments,
      ],
      path: "Sources/logger"),
    .target(
      name: "CLivePage", exclude: ["page"], cSettings: [.unsafeFlags(["-std=c23"])]),
    module(
      "OrreryLive",
      [
        "CLivePage", "OrreryBase", "OrreryDocument", "OrreryFrame", "OrreryMessages", "OrreryWire",
        protobuf,
      ] + nio),
    program(
      "live",
      [
        "OrreryBase", "OrreryCommandLine", "OrreryEval", "OrreryLive", "OrrerySubscriber",
        "OrreryViewers", arguments, logging,
      ],
      path: "Sources/live"),
    program(
      "metrics", ["OrreryBase", "OrreryCommandLine", "OrreryLive", "OrreryWire", arguments],
      path: "Sources/metrics"),
    program(
      "orrery",
      [
        "CLinux", "Orrery", "OrreryArguments", "OrreryBase", "OrreryCommandLine", "OrreryConsole",
        "OrreryDocument", "OrreryEval", "OrreryFrame", "OrreryMessages", "OrreryPlot",
        "OrreryPictures", "OrreryPublisher", "OrreryRecordingArguments", "OrreryRender",
        "OrreryReplay", "OrreryScene", "OrrerySceneBuilder", "OrrerySim", "OrrerySupervisor",
        "OrreryTrace", "OrreryTraceTools",
        "OrreryWire", arguments,
      ],
      path: "Sources/orrery-command",
      resources: ["parquet_samples", "trace_export"].map { .embedInCode("Python/\($0).py") }),
    module(
      "OrreryBench",
      [
        "CFrameLayout", "CKernelTable", "CLinux", "Orrery", "OrreryBase", "OrreryCommandLine",
        "OrreryDelta", "OrreryDocument", "OrreryFrame", "OrreryMessages", "OrreryPlot",
        "OrreryPublisher", "OrreryRender", "OrreryReplay", "OrreryScene", "OrrerySim", "OrreryText",
        "OrreryTrace", "OrreryWire", arguments,
      ],
      path: "bench",
      resources: peerSources.map { .embedInCode("peers/\($0)") },
      // Started by programs of tools/, from the checkout, which keep their figures in results.
      exclude: [
        "Program", "peers/browser", "peers/whole.cpp", "peers/whole_recorder.py", "results",
      ]),
    program("bench", ["OrreryBench", "OrreryCommandLine"], path: "bench/Program"),
  ]
}

/// The examples in Swift, built and run with the tests; each is a package of its own, too, which `tools/check` builds.
var examples: [Target] {
  let folder = "docs/examples"
  return [
    program(
      "example-animation", ["Orrery"], path: "\(folder)/custom-animation/Sources/custom-animation"),
    program(
      "example-scene", ["Orrery", "OrrerySceneBuilder"], path: "\(folder)/scene/Sources/mine"),
    program("example-follow", ["OrreryRuns"], path: "\(folder)/subscriber-swift/Sources/follow"),
    module("Card", ["Orrery"], path: "\(folder)/ui-test/Sources/Card"),
    .testTarget(
      name: "CardTests", dependencies: ["Card"], path: "\(folder)/ui-test/Tests/CardTests",
      exclude: ["card.csv", "card.toml"], swiftSettings: strict),
  ]
}

/// What `--version` says of this build: `tools/build` sets it, and a plain `swift build` leaves it unknown.
///
/// Not `Context.gitInformation`: SwiftPM keeps the evaluated manifest as long as its text and the environment are the
/// same, and would go on naming an old commit. A new commit compiles the one file of `CVersion` and the small
/// `OrreryCommandLine`, and links the programs: nothing else depends on it.
func built(_ name: String) -> String {
  let value = Context.environment[name] ?? ""
  return value.isEmpty ? "unknown" : value
}

/// What `bench` compiles when it is run, and not when Orrery is built; see bench/Kernels/PeerSources.swift.
var peerSources: [String] {
  [
    "calibration.cpp", "changes.cpp", "closed.h", "column_peers.py", "components.cpp", "handover.h",
    "highway.cpp",
    "iceoryx.cpp", "intrinsics.cpp", "ispc.cpp", "kernels.ispc", "lanes.h", "peer.h", "plain.cpp",
    "record_peers.py",
    "ring.cpp", "rust_iceoryx.py", "sleef.cpp", "springs.h", "tracks.cpp",
    "tracks.h", "wakes.cpp", "zeromq.cpp",
  ]
}

/// Tests of what threads and processes share: `tools/check` runs them under sanitizers, and builds nothing else.
var sharingTests: [Target] {
  [
    test("OrreryTrace", ["OrreryBase", "OrreryTrace", "TestSupport"]),
    .target(name: "TestSupport", dependencies: ["OrreryBase"], path: "Tests/TestSupport"),
    test("OrreryBase", ["CLinux", "OrreryBase", "TestSupport"]),
    test(
      "OrreryFrame",
      [
        "CFrameLayout", "CLinux", "OrreryBase", "OrreryFrame", "OrreryMessages", "TestSupport",
        protobuf,
      ]),
    test(
      "OrreryWire",
      [
        "CFrameLayout", "CLinux", "CZeroMQ", "OrreryBase", "OrreryDocument", "OrreryFrame",
        "OrreryMessages", "OrreryWire", "TestSupport", protobuf,
      ]),
    test(
      "OrreryFault",
      [
        "CFrameLayout", "CLinux", "Orrery", "OrreryBase", "OrreryFrame", "OrreryMessages",
        "OrreryPublisher", "OrreryRecording", "OrreryTrace", "OrreryWire", "TestSupport", protobuf,
      ]),
    test(
      "OrrerySim",
      [
        "CKernelTable", "Orrery", "OrreryBase", "OrreryMessages", "OrreryScene",
        "OrrerySceneBuilder", "OrrerySim", "TestSupport",
      ] + allocationCounter),
    test(
      "OrreryPublisher",
      [
        "Orrery", "OrreryBase", "OrreryDocument", "OrreryFrame", "OrreryMessages",
        "OrreryPublisher", "OrreryRender", "OrreryScene", "OrrerySim", "OrreryWire", "TestSupport",
        protobuf,
      ]),
  ]
}

var otherTests: [Target] {
  [
    test("Orrery", ["Orrery", "TestSupport"]),
    test("OrreryVocabulary", ["Orrery", "TestSupport"]),
    // The same files, behind a link, in the mode of older code.
    .testTarget(
      name: "OrreryVocabularySwift5Tests", dependencies: ["Orrery", "TestSupport"],
      path: "Tests/OrreryVocabularySwift5Tests",
      swiftSettings: strict + [.swiftLanguageMode(.v5), .unsafeFlags(["-Onone"])]),
    test("OrrerySceneBuilder", ["Orrery", "OrrerySceneBuilder"]),
    test("OrreryText", ["OrreryText"]),
    test(
      "OrreryScene",
      [
        "Orrery", "OrreryBase", "OrreryDocument", "OrreryMessages", "OrreryScene",
        "OrrerySceneBuilder", "TestSupport",
      ]),
    test(
      "OrreryRender",
      [
        "CCairo", "CDots", "OrreryBase", "OrreryMessages", "OrreryRender", "OrreryText",
        "TestSupport",
      ]),
    test("OrreryKernels", ["CKernelTable", "Orrery", "OrreryScene", "OrrerySim"]),
    test("OrreryMessages", ["OrreryBase", "OrreryMessages", "TestSupport", protobuf]),
    test("OrreryDocument", ["OrreryDocument", "OrreryScene", "TestSupport"]),
    test("OrreryEval", ["OrreryBase", "OrreryDocument", "OrreryEval", "TestSupport"]),
    test(
      "OrreryDifferential",
      [
        "Orrery", "OrreryDocument", "OrreryEval", "OrreryMessages", "OrreryScene",
        "OrrerySceneBuilder", "OrrerySim", "TestSupport",
      ]),
    test(
      "OrreryConsole",
      [
        "CLinux", "Orrery", "OrreryBase", "OrreryConsole", "OrreryDocument", "OrreryFrame",
        "OrreryMessages", "OrreryScene", "OrrerySceneBuilder", "OrrerySim", "OrrerySupervisor",
        "OrreryWire",
        "TestSupport", arguments,
      ]),
    test("OrreryCommandLine", ["OrreryBase", "OrreryCommandLine", arguments]),
    test("OrrerySupervisor", ["OrreryBase", "OrrerySupervisor", "TestSupport"]),
    test(
      "OrreryPictures",
      [
        "OrreryBase", "OrreryFrame", "OrreryMessages", "OrreryPictures", "OrreryRender",
        "OrreryWire", "TestSupport", protobuf,
      ]),
    test(
      "OrreryRecording",
      [
        "OrreryBase", "OrreryDelta", "OrreryFrame", "OrreryMessages", "OrreryRecording",
        "OrreryTrace", "OrreryViewers", "OrreryWire", "TestSupport", protobuf,
      ]),
    test(
      "OrreryArguments",
      [
        "Orrery", "OrreryArguments", "OrreryBase", "OrreryCommandLine", "OrreryFrame",
        "OrreryPublisher", "OrreryScene", "OrrerySceneBuilder", "OrrerySim", "OrrerySupervisor",
        "OrreryWire", "TestSupport", arguments,
      ]),
    test(
      "OrreryRuns",
      [
        "OrreryBase", "OrreryFrame", "OrreryMessages", "OrreryRuns", "TestSupport", protobuf,
      ]),
    test(
      "OrrerySubscriber",
      [
        "OrreryBase", "OrreryFrame", "OrrerySubscriber", "OrreryWire", "TestSupport", arguments,
      ]),
    test(
      "OrreryLive",
      [
        "OrreryBase", "OrreryDocument", "OrreryFrame", "OrreryLive", "OrreryMessages", "OrreryWire",
        "TestSupport", protobuf,
      ] + nio),
    test(
      "OrreryBench",
      [
        "OrreryBench", "OrreryArguments", "OrreryBase", "OrreryFrame", "OrreryScene", "OrrerySim",
        "OrreryTrace", "TestSupport", arguments,
      ]),
    test(
      "OrreryDelta",
      ["OrreryBase", "OrreryDelta", "OrreryFrame", "OrreryMessages", "TestSupport", protobuf]),
    test(
      "OrreryTraceTools",
      ["OrreryBase", "OrreryMessages", "OrreryTrace", "OrreryTraceTools", "TestSupport", protobuf]),
    test(
      "OrreryReplay",
      [
        "Orrery", "OrreryBase", "OrreryDelta", "OrreryDocument", "OrreryFrame", "OrreryMessages",
        "OrreryPlot", "OrreryPublisher", "OrreryReplay", "OrreryScene", "OrrerySim",
        "OrreryTrace", "OrreryTraceTools", "OrreryWire", "TestSupport", protobuf,
      ]),
    test("OrreryPlot", ["OrreryBase", "OrreryPlot", "OrreryScene", "TestSupport"]),
    test(
      "OrreryProcess",
      ["OrreryBase", "OrreryMessages", "OrreryTrace", "TestSupport", protobuf]),
    .testTarget(name: "TidyTests", path: "Tests/TidyTests", swiftSettings: strict),
  ]
}

/// Counts calls of malloc in tests, by standing in for it; a sanitizer does the same and bears no other.
var allocationCounter: [Target.Dependency] { isSanitized ? [] : ["CAllocationCounter"] }
var allocationCounterTarget: [Target] {
  [.target(name: "CAllocationCounter", path: "Tests/CAllocationCounter")]
}

/// Whether `tools/check` builds for a sanitizer.
var isSanitized: Bool { Context.environment["ORRERY_SANITIZER"] != nil }
