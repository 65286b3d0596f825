// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase
import OrrerySim

/// A library that measures the machine's limits with one instruction set.
///
/// It is built from bench/peers/calibration.cpp.
package struct CalibrationLibrary: Sendable {
  /// Pointers to arrays of bytes.
  package typealias Arrays = UnsafePointer<UnsafeMutableRawPointer?>

  /// The instruction set.
  package let isa: InstructionSet
  /// Runs one `Stream` over arrays, with ordinary stores or past the caches.
  package let stream: @convention(c) (Int32, Int32, Arrays, UInt64) -> Void
  /// Moves all streams at once; returns false if there are too many.
  package let fused: @convention(c) (Int32, Int32, Int32, Int32, Arrays, UInt64) -> Bool
  /// Moves streams one after the other, block by block.
  package let blocks:
    @convention(c) (Int32, Int32, Int32, Int32, Arrays, UnsafePointer<UInt32>, UInt64, UInt64)
      -> Void
  /// Computes rounds of independent operations; returns the count of operations.
  package let arithmetic: @convention(c) (Int32, UInt64) -> Double

  /// Creates a library of these functions.
  package init(
    isa: InstructionSet,
    stream: @escaping @convention(c) (Int32, Int32, Arrays, UInt64) -> Void,
    fused: @escaping @convention(c) (Int32, Int32, Int32, Int32, Arrays, UInt64) -> Bool,
    blocks:
      @escaping @convention(c) (
        Int32, Int32, Int32, Int32, Arrays, UnsafePointer<UInt32>, UInt64, UInt64
      ) -> Void,
    arithmetic: @escaping @convention(c) (Int32, UInt64) -> Double
  ) {
    (self.isa, self.stream, self.fused) = (isa, stream, fused)
    (self.blocks, self.arithmetic) = (blocks, arithmetic)
  }

  /// Loads a built library; nil if it cannot be loaded or lacks a function.
  package init?(_ built: PeerBuild.Built) {
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

/// The machine's limits: measured again between the groups of rows, the best of all times counts.
package final class Calibration {
  /// A simple stream.
  package enum Stream: Int32, CaseIterable, Codable {
    case read
    case write
    case copy
    case triad

    /// Arrays that it touches.
    package var arrayCount: Int { [1, 1, 2, 3][Int(rawValue)] }
    /// The name in the table.
    package var name: String { "\(self)" }
  }

  /// Bandwidth of a stream over a working set.
  package struct Bandwidth: Codable {
    /// The instruction set.
    package let isa: String
    /// The name of the stream.
    package let stream: String
    /// Whether stores go past the caches.
    package let isNonTemporal: Bool
    /// Threads that share the work.
    package let threads: Int
    /// Bytes of all arrays together.
    package let workingSetBytes: Int
    /// The best measured bandwidth.
    package var bytesPerSecond: Double

    /// Creates a bandwidth of a stream.
    package init(
      isa: String, stream: String, isNonTemporal: Bool, threads: Int, workingSetBytes: Int,
      bytesPerSecond: Double
    ) {
      (self.isa, self.stream, self.isNonTemporal) = (isa, stream, isNonTemporal)
      (self.threads, self.workingSetBytes) = (threads, workingSetBytes)
      self.bytesPerSecond = bytesPerSecond
    }
  }

  /// Rate of independent operations.
  package struct Arithmetic: Codable {
    /// The instruction set.
    package let isa: String
    /// Whether an addition and a multiplication are one instruction.
    package let isFused: Bool
    /// Threads that share the work.
    package let threads: Int
    /// The best measured rate.
    package var operationsPerSecond: Double

    /// Creates a rate of operations.
    package init(isa: String, isFused: Bool, threads: Int, operationsPerSecond: Double) {
      (self.isa, self.isFused, self.threads) = (isa, isFused, threads)
      self.operationsPerSecond = operationsPerSecond
    }
  }

  /// Bandwidths of all streams.
  package private(set) var bandwidths: [Bandwidth] = []
  /// Rates of independent operations.
  package private(set) var arithmetic: [Arithmetic] = []

  private let libraries: [CalibrationLibrary]
  private let sizes: [Int]
  private let memory: FrameMemory
  private let pools: [WorkerPool]

  /// The current work of a pool's threads.
  private final class Work: @unchecked Sendable {
    var run: (Int) -> Void = { _ in }
  }
  private let work = Work()

  /// Creates a calibration; working sets are powers of two from 8 KiB on.
  ///
  /// - Parameters:
  ///   - libraries: One for each instruction set.
  ///   - largest: The largest working set in bytes.
  ///   - threads: Counts of threads to measure.
  /// - Throws: If a thread cannot be started.
  package init(_ libraries: [CalibrationLibrary], largest: Int, threads: [Int])
    throws(SystemCallError)
  {
    self.libraries = libraries
    sizes = sequence(first: 8 << 10) { $0 * 2 }.prefix { $0 <= largest }.map { $0 }
    memory = FrameMemory(
      bytes: libraries.isEmpty ? [] : [Int](repeating: largest, count: 3), destinations: 1)
    let work = work
    var pools: [WorkerPool] = []
    for count in threads {
      pools.append(
        try WorkerPool(threadCount: count) { [work] task, _ in work.run(task) })
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

  /// Measures everything once more and keeps the better figures.
  ///
  /// - Parameter ns: Time for each figure.
  package func measure(ns: UInt64) {
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
    work.run = { _ in _ = library.arithmetic(isFused ? 1 : 0, UInt64(Self.operationRounds)) }
    let calls = callsPerSecond(pool, ns: ns)
    let rate = Self.operationsPerSecond(
      calls: calls, operations: operations, threads: pool.threadCount)
    result.operationsPerSecond = max(result.operationsPerSecond, rate)
  }

  private func measure(
    _ result: inout Bandwidth, _ library: CalibrationLibrary, _ pool: WorkerPool,
    _ stream: Stream, isNonTemporal: Bool, ns: UInt64
  ) {
    let share = Self.share(
      of: result.workingSetBytes, arrays: stream.arrayCount, threads: pool.threadCount)
    let columns = memory.columns
    work.run = { task in
      let arrays: [UnsafeMutableRawPointer?] = columns.map { $0 + task * share }
      library.stream(stream.rawValue, isNonTemporal ? 1 : 0, arrays, UInt64(share))
    }
    let bytes = Double(share * stream.arrayCount * pool.threadCount)
    result.bytesPerSecond = max(result.bytesPerSecond, callsPerSecond(pool, ns: ns) * bytes)
  }

  /// Rate of calls, each of which runs the work once per thread.
  private func callsPerSecond(_ pool: WorkerPool, ns: UInt64) -> Double {
    pool.run(taskCount: pool.threadCount)
    var (calls, end) = (0.0, UInt64(0))
    let begin = Clock.monotonicNs()
    repeat {
      pool.run(taskCount: pool.threadCount)
      calls += 1
      end = Clock.monotonicNs()
    } while end < begin + ns
    return Self.perSecond(calls, ns: end - begin)
  }
}

// MARK: - Figures from times

extension Calibration {
  /// Rounds of operations in a call.
  private static let operationRounds = 10_000.0

  /// Rate per second of `count` calls in `ns`.
  package static func perSecond(_ count: Double, ns: UInt64) -> Double { count * 1e9 / Double(ns) }

  /// Rate of operations of all threads.
  ///
  /// - Parameters:
  ///   - calls: Calls per second.
  ///   - operations: Operations of one round of a call.
  ///   - threads: Count of threads that call at the same time.
  /// - Returns: Operations per second.
  package static func operationsPerSecond(
    calls: Double, operations: Double, threads: Int
  ) -> Double { calls * operations * operationRounds * Double(threads) }

  /// Bytes of a thread's part of each array, a multiple of 256.
  package static func share(of workingSetBytes: Int, arrays: Int, threads: Int) -> Int {
    workingSetBytes / arrays / threads / 256 * 256
  }
}
