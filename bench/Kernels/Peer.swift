// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase

/// A peer's implementation of a task, which it advances tick by tick.
package protocol PeerWork: AnyObject {
  /// Advances by the variant's ticks; stores values into `columns` if the implementation has such.
  func tick(_ columns: UnsafePointer<UnsafeMutablePointer<Float>?>)

  /// Copies the values of the last tick to columns, if `tick` did not store them there.
  func values(_ columns: UnsafePointer<UnsafeMutablePointer<Float>?>)
}

/// One implementation of a kind of motion.
package struct PeerVariant: Sendable {
  /// The library's name, for the table.
  package let family: String
  /// Distinguishes variants of a library; may be empty.
  package let name: String
  /// The kind of motion.
  package let kind: KernelKind
  /// Nil if unknown, as for objects on the heap.
  package let traffic: Traffic?
  /// Additions and multiplications per entity and tick; 0 if unknown.
  package let operations: Int
  /// Whether an orbit's centre is in its values.
  package let hasCenter: Bool
  /// Ticks that one call computes.
  package var ticks = 1
  /// Limit of entities: larger tasks would take minutes.
  package var countMax = Int.max
  /// Whether it is off by more than the tolerance after an hour.
  package var drifts = false
  /// Makes an implementation for a task.
  package let make: @Sendable (KernelTask) -> any PeerWork

  /// Creates a variant that has not been checked yet.
  package init(
    family: String, name: String, kind: KernelKind, traffic: Traffic?, operations: Int,
    hasCenter: Bool, countMax: Int = .max, drifts: Bool = false,
    make: @escaping @Sendable (KernelTask) -> any PeerWork
  ) {
    (self.family, self.name, self.kind) = (family, name, kind)
    (self.traffic, self.operations, self.hasCenter) = (traffic, operations, hasCenter)
    (self.countMax, self.drifts, self.make) = (countMax, drifts, make)
  }
}

/// A library of peers in a file, built by `PeerBuild`.
package enum PeerLibrary {
  private typealias Create =
    @convention(c) (Int32, UInt64, Double, UnsafePointer<UnsafePointer<Double>?>)
    -> OpaquePointer?
  private typealias Use =
    @convention(c) (OpaquePointer, UnsafePointer<UnsafeMutablePointer<Float>?>) -> Void
  private typealias Destroy = @convention(c) (OpaquePointer) -> Void

  /// The functions of a library that a peer calls.
  private struct Functions: Sendable {
    let create: Create
    let tick: Use
    let values: Use
    let destroy: Destroy
  }

  /// A loaded library's functions, and what it says of its variants.
  private struct Loaded {
    let functions: Functions
    let variants: Range<Int32>
    let kind: (Int32) -> String
    let name: (Int32) -> String
    let number: @convention(c) (Int32, Int32) -> Int32

    func traffic(_ variant: Int32) -> Traffic {
      Traffic(
        reads: Double(number(variant, 0)), updates: Double(number(variant, 1)),
        writes: Double(number(variant, 2)))
    }
  }

  /// The variants of a library that move as Orrery's kernels do; nil if it cannot be loaded.
  package static func variants(of built: PeerBuild.Built) -> [PeerVariant]? {
    guard let loaded = load(built.path) else { return nil }
    return loaded.variants.compactMap { variant in
      guard let known = KernelKind(rawValue: loaded.kind(variant)) else { return nil }
      let functions = loaded.functions
      var result = PeerVariant(
        family: built.job.family, name: loaded.name(variant), kind: known,
        traffic: loaded.traffic(variant), operations: Int(loaded.number(variant, 3)),
        hasCenter: loaded.number(variant, 4) != 0,
        make: { task in
          Work(functions, variant: variant, count: task.count, columns: task.columns)
        })
      result.ticks = Int(loaded.number(variant, 5))
      return result
    }
  }

  /// The work of a library's variants of another kind, without parameters.
  ///
  /// - Parameters:
  ///   - kind: The kind, as the library names it.
  ///   - built: The library.
  ///   - count: Entities of each.
  /// - Returns: Names, bytes of an entity (nil: unknown), and work; nothing if the library cannot be loaded.
  package static func work(
    _ kind: String, of built: PeerBuild.Built, count: Int
  ) -> [(name: String, traffic: Traffic?, work: any PeerWork)] {
    guard let loaded = load(built.path) else { return [] }
    return loaded.variants.filter { loaded.kind($0) == kind }.map { variant in
      let traffic = loaded.traffic(variant)
      return (
        loaded.name(variant), traffic.bytes > 0 ? traffic : nil,
        Work(loaded.functions, variant: variant, count: count, columns: [])
      )
    }
  }

  private static func load(_ path: String) -> Loaded? {
    guard let handle = dlopen(path, RTLD_NOW | RTLD_LOCAL),
      let create = dlsym(handle, "peer_create"), let tick = dlsym(handle, "peer_tick"),
      let values = dlsym(handle, "peer_values"), let destroy = dlsym(handle, "peer_destroy"),
      let count = dlsym(handle, "peer_count"), let kind = dlsym(handle, "peer_kind"),
      let name = dlsym(handle, "peer_name"), let number = dlsym(handle, "peer_number")
    else { return nil }
    let functions = Functions(
      create: unsafeBitCast(create, to: Create.self), tick: unsafeBitCast(tick, to: Use.self),
      values: unsafeBitCast(values, to: Use.self),
      destroy: unsafeBitCast(destroy, to: Destroy.self))
    let text: (UnsafeMutableRawPointer, Int32) -> String = { function, variant in
      typealias Text = @convention(c) (Int32) -> UnsafePointer<CChar>
      return String(cString: unsafeBitCast(function, to: Text.self)(variant))
    }
    return Loaded(
      functions: functions,
      variants: 0..<unsafeBitCast(count, to: (@convention(c) () -> Int32).self)(),
      kind: { text(kind, $0) }, name: { text(name, $0) },
      number: unsafeBitCast(number, to: (@convention(c) (Int32, Int32) -> Int32).self))
  }

  /// A C++ object of a library.
  private final class Work: PeerWork {
    private let functions: Functions
    private let handle: OpaquePointer

    init(_ functions: Functions, variant: Int32, count: Int, columns: [[Double]]) {
      self.functions = functions
      let storage = columns.map { column in
        let memory = UnsafeMutableBufferPointer<Double>.allocate(capacity: max(column.count, 1))
        _ = memory.initialize(from: column)
        return memory
      }
      defer { for memory in storage { memory.deallocate() } }
      let pointers = storage.map { UnsafePointer($0.baseAddress) }
      guard
        let handle = functions.create(
          variant, UInt64(count), KernelTask.tickSeconds, pointers)
      else { preconditionFailure("a peer of \(count) was not made") }
      self.handle = handle
    }

    deinit { functions.destroy(handle) }

    func tick(_ columns: UnsafePointer<UnsafeMutablePointer<Float>?>) {
      functions.tick(handle, columns)
    }

    func values(_ columns: UnsafePointer<UnsafeMutablePointer<Float>?>) {
      functions.values(handle, columns)
    }
  }
}

/// A mixture: a fifth of each kind, one after the other.
package final class MixedWork: PeerWork {
  private let parts: [(work: any PeerWork, firstColumn: Int)]

  /// Creates work of each variant on its part of the task.
  package init(_ variants: [PeerVariant], _ task: KernelTask) {
    var firstColumn = 0
    parts = zip(variants, task.parts).map { variant, part in
      defer { firstColumn += part.kind.fieldCount }
      return (variant.make(part), firstColumn)
    }
  }

  /// Advances by a tick.
  package func tick(_ columns: UnsafePointer<UnsafeMutablePointer<Float>?>) {
    for (work, firstColumn) in parts { work.tick(columns + firstColumn) }
  }

  /// Copies the values of the last tick.
  package func values(_ columns: UnsafePointer<UnsafeMutablePointer<Float>?>) {
    for (work, firstColumn) in parts { work.values(columns + firstColumn) }
  }
}

extension PeerVariant {
  /// Mixtures of a library's variants; none if the library lacks a kind.
  ///
  /// One mixture takes the first variant of each kind. If some kinds have variants with stores past
  /// the caches, a second mixture takes those.
  package static func mixtures(of variants: [PeerVariant]) -> [PeerVariant] {
    guard let family = variants.first?.family else { return [] }
    let choices = [false, true].map { isPastCaches in
      KernelKind.simple.compactMap { kind -> PeerVariant? in
        let all = variants.filter { $0.kind == kind && !$0.hasCenter }
        let past = all.first { $0.name.contains("streamed") }
        return (isPastCaches ? past : nil) ?? all.first ?? variants.first { $0.kind == kind }
      }
    }
    var mixtures: [PeerVariant] = []
    for (index, choice) in choices.enumerated()
    where choice.count == KernelKind.simple.count
      && (index == 0 || choice.map(\.name) != choices[0].map(\.name))
    {
      let traffics = choice.compactMap(\.traffic)
      let traffic = traffics.count < choice.count ? nil : Traffic(mean: traffics)
      mixtures.append(
        PeerVariant(
          family: family, name: index == 0 ? "" : "streamed", kind: .mixed,
          traffic: traffic, operations: 0, hasCenter: choice.contains { $0.hasCenter },
          countMax: choice[0].countMax, drifts: choice.contains { $0.drifts },
          make: { task in MixedWork(choice, task) }))
    }
    return mixtures
  }
}

extension Traffic {
  /// Creates the mean of several.
  package init(mean all: [Traffic]) {
    let count = Double(max(all.count, 1))
    reads = all.reduce(0) { $0 + $1.reads } / count
    updates = all.reduce(0) { $0 + $1.updates } / count
    writes = all.reduce(0) { $0 + $1.writes } / count
  }
}
