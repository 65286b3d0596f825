// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase
import OrrerySim

/// The machine's limits of one instruction set: a library built from bench/peers/calibration.cpp.
package struct CalibrationLibrary: Sendable {
  /// Addresses of arrays of bytes.
  package typealias Arrays = UnsafePointer<UnsafeMutableRawPointer?>

  /// The instruction set.
  package let isa: InstructionSet
  /// Moves one of `Stream` over arrays, with ordinary stores or past the caches.
  package let stream: @convention(c) (Int32, Int32, Arrays, UInt64) -> Void
  /// Moves streams all at once; false if there are too many.
  package let fused: @convention(c) (Int32, Int32, Int32, Int32, Arrays, UInt64) -> Bool
  /// Moves streams one after the other, block by block.
  package let blocks:
    @convention(c) (Int32, Int32, Int32, Int32, Arrays, UnsafePointer<UInt32>, UInt64, UInt64)
      -> Void
  /// Computes so many rounds of independent operations; says how many operations one is.
  package let arithmetic: @convention(c) (Int32, UInt64) -> Double

  /// These functions.
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

  /// Nil if the library cannot be loaded, or calibrates nothing.
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

/// What the machine can do, measured again between the groups of rows and at its best of all times.
package final class Calibration {
  /// A simple stream.
  package enum Stream: Int32, CaseIterable, Codable {
    case read
    case write
    case copy
    case triad

    /// Arrays that it touches.
    package var arrayCount: Int { [1, 1, 2, 3][Int(rawValue)] }
    /// In words of the table.
    package var name: String { "\(self)" }
  }

  /// Bandwidth of a stream over a working set.
  package struct Bandwidth: Codable {
    /// The instruction set.
    package let isa: String
    /// What is moved.
    package let stream: String
    /// Whether stores go past the caches.
    package let isNonTemporal: Bool
    /// Threads that share the work.
    package let threads: Int
    /// Of all arrays together.
    package let workingSetBytes: Int
    /// At its best.
    package var bytesPerSecond: Double

    /// A stream's bandwidth.
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
    /// At its best.
    package var operationsPerSecond: Double

    /// A rate of operations.
    package init(isa: String, isFused: Bool, threads: Int, operationsPerSecond: Double) {
      (self.isa, self.isFused, self.threads) = (isa, isFused, threads)
      self.operationsPerSecond = operationsPerSecond
    }
  }

  /// What streams of bytes come to.
  package private(set) var bandwidths: [Bandwidth] = []
  /// What independent operations come to.
  package private(set) var arithmetic: [Arithmetic] = []

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
    return Self.perSecond(calls, ns: end - begin)
  }
}

// MARK: - What times come to

extension Calibration {
  /// Rounds of operations in a call.
  private static let operationRounds = 10_000.0

  /// How many in a second, if so many took so long.
  package static func perSecond(_ count: Double, ns: UInt64) -> Double { count * 1e9 / Double(ns) }

  /// Operations of all threads.
  ///
  /// - Parameters:
  ///   - calls: In a second.
  ///   - operations: Of one round of a call.
  ///   - threads: That call at the same time.
  /// - Returns: In a second.
  package static func operationsPerSecond(
    calls: Double, operations: Double, threads: Int
  ) -> Double { calls * operations * operationRounds * Double(threads) }

  /// Bytes of a thread's part of each array: whole 256 bytes.
  package static func share(of workingSetBytes: Int, arrays: Int, threads: Int) -> Int {
    workingSetBytes / arrays / threads / 256 * 256
  }
}
