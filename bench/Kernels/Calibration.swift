// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase
import OrrerySim

/// The machine's limits of one instruction set: a library built from bench/peers/calibration.cpp.
struct CalibrationLibrary: Sendable {
  /// Addresses of arrays of bytes.
  typealias Arrays = UnsafePointer<UnsafeMutableRawPointer?>

  let isa: InstructionSet
  let stream: @convention(c) (Int32, Int32, Arrays, UInt64) -> Void
  let fused: @convention(c) (Int32, Int32, Int32, Int32, Arrays, UInt64) -> Bool
  let blocks:
    @convention(c) (Int32, Int32, Int32, Int32, Arrays, UnsafePointer<UInt32>, UInt64, UInt64)
      -> Void
  let arithmetic: @convention(c) (Int32, UInt64) -> Double

  /// Nil if the library cannot be loaded, or calibrates nothing.
  init?(_ built: PeerBuild.Built) {
    guard let isa = built.job.isa, let handle = dlopen(built.path, RTLD_NOW | RTLD_LOCAL),
      let stream = dlsym(handle, "calibration_stream"),
      let fused = dlsym(handle, "calibration_fused"),
      let blocks = dlsym(handle, "calibration_blocks"),
      let arithmetic = dlsym(handle, "calibration_arithmetic")
    else { return nil }
    self.isa = isa
    self.stream = unsafeBitCast(stream, to: type(of: self.stream))
    self.fused = unsafeBitCast(fused, to: type(of: self.fused))
    self.blocks = unsafeBitCast(blocks, to: type(of: self.blocks))
    self.arithmetic = unsafeBitCast(arithmetic, to: type(of: self.arithmetic))
  }
}

/// What the machine can do, measured again between the groups of rows and at its best of all times.
final class Calibration {
  /// A simple stream.
  enum Stream: Int32, CaseIterable, Codable {
    case read
    case write
    case copy
    case triad

    /// Arrays that it touches.
    fileprivate var arrayCount: Int { [1, 1, 2, 3][Int(rawValue)] }
    var name: String { "\(self)" }
  }

  /// Bandwidth of a stream over a working set.
  struct Bandwidth: Codable {
    let isa: String
    let stream: String
    let isNonTemporal: Bool
    let threads: Int
    /// Of all arrays together.
    let workingSetBytes: Int
    var bytesPerSecond: Double
  }

  /// Rate of independent operations.
  struct Arithmetic: Codable {
    let isa: String
    let isFused: Bool
    let threads: Int
    var operationsPerSecond: Double
  }

  private(set) var bandwidths: [Bandwidth] = []
  private(set) var arithmetic: [Arithmetic] = []

  private let libraries: [CalibrationLibrary]
  private let sizes: [Int]
  private let memory: FrameMemory
  private let pools: [WorkerPool]

  /// What the threads of a pool do at present.
  private final class Work: @unchecked Sendable {
    var run: (Int) -> Void = { _ in }
  }
  private let work = Work()

  /// Working sets: powers of two from 8 KiB on.
  ///
  /// - Parameters:
  ///   - libraries: One for each instruction set.
  ///   - largest: The largest working set in bytes.
  ///   - threads: Numbers of threads.
  /// - Throws: When a thread cannot be started.
  init(_ libraries: [CalibrationLibrary], largest: Int, threads: [Int]) throws(SystemCallError) {
    self.libraries = libraries
    sizes = sequence(first: 8 << 10) { $0 * 2 }.prefix { $0 <= largest }.map { $0 }
    memory = FrameMemory(
      bytes: libraries.isEmpty ? [] : [Int](repeating: largest, count: 3), destinations: 1)
    let work = work
    var pools: [WorkerPool] = []
    for count in threads {
      pools.append(
        try WorkerPool(threadCount: count) { [work] piece, _ in work.run(piece) })
    }
    self.pools = pools
    for library in libraries {
      for pool in pools {
        for isFused in [false, true] {
          arithmetic.append(
            Arithmetic(
              isa: library.isa.rawValue, isFused: isFused, threads: pool.threadCount,
              operationsPerSecond: 0))
        }
        for stream in Stream.allCases {
          for isNonTemporal in stream == .read ? [false] : [false, true] {
            for size in sizes {
              bandwidths.append(
                Bandwidth(
                  isa: library.isa.rawValue, stream: stream.name, isNonTemporal: isNonTemporal,
                  threads: pool.threadCount, workingSetBytes: size, bytesPerSecond: 0))
            }
          }
        }
      }
    }
  }

  /// Measures everything once more and keeps what is better.
  ///
  /// - Parameter ns: For each number.
  func measure(ns: UInt64) {
    var (bandwidth, rate) = (0, 0)
    for library in libraries {
      for pool in pools {
        for isFused in [false, true] {
          measure(&arithmetic[rate], library, pool, isFused: isFused, ns: ns)
          rate += 1
        }
        for stream in Stream.allCases {
          for isNonTemporal in stream == .read ? [false] : [false, true] {
            for _ in sizes {
              measure(
                &bandwidths[bandwidth], library, pool, stream, isNonTemporal: isNonTemporal, ns: ns)
              bandwidth += 1
            }
          }
        }
      }
    }
  }

  private func measure(
    _ result: inout Arithmetic, _ library: CalibrationLibrary, _ pool: WorkerPool, isFused: Bool,
    ns: UInt64
  ) {
    let operations = library.arithmetic(isFused ? 1 : 0, 1)
    work.run = { _ in _ = library.arithmetic(isFused ? 1 : 0, 10_000) }
    let calls = callsPerSecond(pool, ns: ns)
    let rate = calls * operations * 10_000 * Double(pool.threadCount)
    result.operationsPerSecond = max(result.operationsPerSecond, rate)
  }

  private func measure(
    _ result: inout Bandwidth, _ library: CalibrationLibrary, _ pool: WorkerPool,
    _ stream: Stream, isNonTemporal: Bool, ns: UInt64
  ) {
    // Each thread has a part of each array, in whole 256 bytes.
    let share = result.workingSetBytes / stream.arrayCount / pool.threadCount / 256 * 256
    let columns = memory.columns
    work.run = { piece in
      let arrays: [UnsafeMutableRawPointer?] = columns.map { $0 + piece * share }
      library.stream(stream.rawValue, isNonTemporal ? 1 : 0, arrays, UInt64(share))
    }
    let bytes = Double(share * stream.arrayCount * pool.threadCount)
    result.bytesPerSecond = max(result.bytesPerSecond, callsPerSecond(pool, ns: ns) * bytes)
  }

  /// Every thread calls once; again and again.
  private func callsPerSecond(_ pool: WorkerPool, ns: UInt64) -> Double {
    pool.run(pieceCount: pool.threadCount)
    var (calls, end) = (0.0, UInt64(0))
    let begin = Clock.monotonicNs()
    repeat {
      pool.run(pieceCount: pool.threadCount)
      calls += 1
      end = Clock.monotonicNs()
    } while end < begin + ns
    return calls * 1e9 / Double(end - begin)
  }

  /// The best bandwidth of a stream at a working set, of all instruction sets and ways to store.
  func best(_ stream: Stream, bytes: Int, threads: Int = 1) -> Double? {
    let all = bandwidths.filter {
      $0.stream == stream.name && $0.threads == threads && $0.workingSetBytes == bytes
    }
    return all.map(\.bytesPerSecond).max().flatMap { $0 > 0 ? $0 : nil }
  }
}
