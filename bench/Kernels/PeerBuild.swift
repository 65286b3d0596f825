// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import OrrerySim

/// Compiles the peers' sources, which are embedded in this program, with the compiler on PATH.
///
/// Building Orrery does not need that compiler; without it there are no peers.
package struct PeerBuild: ~Copyable {
  /// The built libraries, in the order of the table.
  package private(set) var libraries: [Built] = []

  /// Libraries that could not be built, with the reason, a line each.
  package private(set) var missing: [String] = []

  /// The compiler's name and version; nil if there is none.
  package let compiler: String?

  private let folder: URL

  /// A library in a file.
  package struct Built: Sendable {
    /// The job of the library.
    package let job: Job
    /// Path of the library.
    package let path: String

    /// A library that a job has built.
    package init(job: Job, path: String) { (self.job, self.path) = (job, path) }
  }

  /// A library to build.
  package struct Job: Sendable {
    /// The family name of its rows.
    package let family: String
    /// Its source file in bench/peers.
    package let source: String
    /// Additional flags of the compiler.
    package var flags: [String] = []
    /// Flags of the linker.
    package var linked: [String] = []
    /// A required header, and the package that has it.
    package var header: (name: String, package: String)?
    /// The instruction set, for calibration.
    package var isa: InstructionSet?
    /// Whether it only calibrates.
    package var isCalibration = false
    /// An ISPC source that is compiled first, to an object to link.
    package var ispc: String?
  }

  /// Builds all libraries that can be built.
  ///
  /// - Parameters:
  ///   - sets: The instruction sets to measure.
  ///   - ofViews: Whether to build the peers of views, and of the others only the library that measures the
  ///     machine's limits.
  /// - Throws: If the sources cannot be written to a temporary folder.
  package init(sets: [InstructionSet], ofViews: Bool = false) throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("orrery-peers-\(ProcessInfo.processInfo.processIdentifier)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try PeerSources.write(to: folder)
    guard let found = Tool.compiler() else {
      compiler = nil
      missing = ["no g++ on PATH, so no peers and no limits: apt-get install g++"]
      return
    }
    compiler = found.version
    build(
      ofViews
        ? PeerBuild.jobs(sets).filter(\.isCalibration) + [PeerBuild.changes]
        : PeerBuild.jobs(sets), compiler: found.path)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// The libraries to build for some instruction sets.
  package static func notes(_ things: String, _ compiler: String?, missing: [String]) -> [String] {
    [compiler.map { "\(things) built with \($0)" }].compactMap { $0 }
      + missing.map { "left out: \($0)" }
  }

  package static func jobs(_ sets: [InstructionSet]) -> [Job] {
    var jobs: [Job] = []
    for set in sets {
      jobs.append(
        Job(
          family: "calibration", source: "calibration.cpp",
          flags: ["-ffp-contract=off", "-DWIDTH=\(set.vectorBytes)"] + set.flags, isa: set,
          isCalibration: true))
    }
    for set in sets.reversed() where set != .baseline {
      let title = set == .avx512 ? "AVX-512" : "AVX2"
      let sleef = Job(
        family: "SLEEF \(title)", source: "sleef.cpp", flags: set.flags, linked: ["-lsleef"],
        header: ("sleef.h", "libsleef-dev"))
      let highway = Job(
        family: "Highway \(title)", source: "highway.cpp",
        // Without these it falls back to 128 bits.
        flags: set.flags + ["-maes", "-mpclmul"],
        header: ("hwy/highway.h", "libhwy-dev"))
      jobs += [
        Job(family: "\(title) by hand", source: "intrinsics.cpp", flags: set.flags), sleef,
        highway,
      ]
    }
    #if arch(x86_64)
      let native = ["-march=native"]
      let mathLibrary = ["-lmvec", "-lm"]
    #else
      let native = ["-mcpu=native"]
      let mathLibrary = ["-lm"]
    #endif
    jobs.append(
      Job(
        family: "C++ arrays", source: "plain.cpp", flags: native + ["-ffast-math"],
        linked: mathLibrary))
    if sets.contains(.avx512) {
      jobs.append(
        Job(
          family: "C++ arrays, 512 bits", source: "plain.cpp",
          flags: native + ["-ffast-math", "-mprefer-vector-width=512"], linked: mathLibrary))
    }
    jobs.append(Job(family: "entity-component arrays", source: "components.cpp", flags: native))
    jobs.append(Job(family: "C++ players", source: "tracks.cpp", flags: native))
    jobs.append(Job(family: "ISPC", source: "ispc.cpp", flags: native, ispc: "kernels.ispc"))
    return jobs
  }

  /// The peers of views that are interrupted, or end.
  package static var changes: Job {
    let arrays = jobs([.baseline]).first { $0.source == "plain.cpp" }
    return Job(
      family: "C++", source: "changes.cpp", flags: arrays?.flags ?? [], linked: arrays?.linked ?? []
    )
  }

  /// Runs the jobs on all cores.
  private mutating func build(_ jobs: [Job], compiler: String) {
    let folder = folder
    var results = [Result<Built, Reason>?](repeating: nil, count: jobs.count)
    results.withUnsafeMutableBufferPointer { results in
      nonisolated(unsafe) let results = results
      DispatchQueue.concurrentPerform(iterations: jobs.count) { index in
        results[index] = Self.build(jobs[index], number: index, compiler: compiler, folder: folder)
      }
    }
    for (job, result) in zip(jobs, results) {
      switch result {
      case .success(let built): libraries.append(built)
      case .failure(let reason): missing.append("\(job.family): \(reason.text)")
      case nil: break
      }
    }
  }

  /// Why a library was not built.
  private struct Reason: Error {
    let text: String
  }

  private static func build(
    _ job: Job, number: Int, compiler: String, folder: URL
  ) -> Result<Built, Reason> {
    let common = ["-std=c++17", "-O3", "-fPIC", "-I", folder.path] + job.flags
    if let header = job.header {
      let probe = Tool.run(
        compiler, common + ["-x", "c++", "-fsyntax-only", "-include", header.name, "/dev/null"])
      if probe != nil {
        return .failure(Reason(text: "no \(header.package): apt-get install \(header.package)"))
      }
    }
    let object = folder.appendingPathComponent("\(number).o").path
    let library = folder.appendingPathComponent("\(number).so").path
    var objects = [object]
    if let source = job.ispc {
      guard let ispc = Tool.find("ispc") else { return .failure(Reason(text: "no ispc on PATH")) }
      let kernels = folder.appendingPathComponent("ispc-\(number).o").path
      let words = [
        "-O3", "--opt=fast-math", "--pic", "--target=host", "-o", kernels,
        folder.appendingPathComponent(source).path,
      ]
      if let error = Tool.run(ispc, words) { return .failure(Reason(text: error)) }
      objects.append(kernels)
    }
    let source = folder.appendingPathComponent(job.source).path
    if let error = Tool.run(compiler, common + ["-c", "-o", object, source]) {
      return .failure(Reason(text: error))
    }
    // Linked without -ffast-math, which would switch denormal numbers off for the whole program.
    if let error = Tool.run(compiler, ["-shared", "-o", library] + objects + job.linked) {
      return .failure(Reason(text: error))
    }
    return .success(Built(job: job, path: library))
  }
}

extension InstructionSet {
  /// Bytes of a vector register.
  fileprivate var vectorBytes: Int {
    switch self {
    case .baseline: 16
    case .avx2: 32
    case .avx512: 64
    }
  }

  /// Flags that select the instruction set.
  fileprivate var flags: [String] {
    switch self {
    case .baseline: []
    case .avx2: ["-march=x86-64-v3"]
    case .avx512: ["-march=x86-64-v4", "-mprefer-vector-width=512"]
    }
  }
}
