// SPDX-License-Identifier: Apache-2.0

import CKernelTable
import OrreryScene
import OrrerySim
import Testing

/// Goal: a tile of any number of ticks, in any format, past the caches or not, has the bits of its ticks
/// computed one by one, and its hashes are those of what lies in its columns.
///
/// Method: memory for eight ticks with guard values, against kernels of one tick and the hash kernel.
@Suite struct TileKernelTests {
  /// Kernels that compute whole tiles.
  static let kinds: [KernelKind] = [
    .marquee, .tween, .tableTween4, .tableTween5, .tableTween7, .mixedTween, .gridTween, .spring,
    .orbit,
  ]

  @Test(arguments: kinds, InstructionSet.supported)
  func tilesAreTheirTicks(kind: KernelKind, set: InstructionSet) {
    for count in [1, 15, 16, 17, 100, 2_048] {
      let columns = KernelColumns(count: count, seed: 1)
      for ticks in 1...8 {
        let tile = TileMemory(count: count)
        tile.describe(ticks: ticks, elapsed: 5)
        kind.evaluate(columns, in: tile.pointer, set)
        for tick in 0..<8 {
          let expected = tick < ticks ? single(kind, columns, tick: tick, set) : tile.untouched
          #expect(tile.words(tick: tick) == expected, "\(count) entities, tick \(tick)")
        }
      }
    }
  }

  /// An orbit's turns, however they are come by.
  @Test(arguments: InstructionSet.supported)
  func previousValuesTurnOn(set: InstructionSet) {
    let columns = KernelColumns(count: 100, seed: 2)
    let whole = TileMemory(count: 100)
    whole.describe(ticks: 8, elapsed: 0)
    KernelKind.orbit.evaluate(columns, in: whole.pointer, set)
    for first in 1..<8 {
      let later = TileMemory(count: 100)
      later.describe(ticks: 8 - first, elapsed: 99)
      for field in 0..<2 {
        kernel_set_previous(
          later.pointer, field, whole.pointer.floats(field: field, tick: first - 1))
      }
      KernelKind.orbit.evaluate(columns, in: later.pointer, set)
      #expect(later.words(tick: 0) == whole.words(tick: first))
      #expect(later.words(tick: 7 - first) == whole.words(tick: 7))
    }
  }

  @Test(arguments: kinds, InstructionSet.supported)
  func hashesAreThoseOfTheColumns(kind: KernelKind, set: InstructionSet) {
    for count in [1, 15, 16, 17, 101, 2_048] {
      for format in [KERNEL_FLOAT32, KERNEL_FIXED16] {
        let columns = KernelColumns(count: count, seed: 3)
        let tile = TileMemory(count: count)
        tile.describe(ticks: 8, elapsed: 1, format: format)
        tile.pointer.pointee.hash_ticks = ~0
        kind.evaluate(columns, in: tile.pointer, set)
        let sums = (0..<8).map { tile.pointer.hash(tick: $0) }
        tile.pointer.clearHashes(ticks: 8)
        set.kernels().hash(tile.pointer, kind == .orbit ? 2 : 1)
        #expect(sums == (0..<8).map { tile.pointer.hash(tick: $0) }, "\(count) entities")
        #expect(Set(sums).count == 8)
      }
    }
  }

  @Test(arguments: kinds, InstructionSet.supported)
  func storesPastTheCachesAreTheSame(kind: KernelKind, set: InstructionSet) {
    for count in [1, 16, 17, 2_048] {
      let columns = KernelColumns(count: count, seed: 4)
      let (cached, streamed) = (TileMemory(count: count), TileMemory(count: count))
      for tile in [cached, streamed] { tile.describe(ticks: 8, elapsed: 2) }
      streamed.pointer.pointee.streams = 1
      kind.evaluate(columns, in: cached.pointer, set)
      kind.evaluate(columns, in: streamed.pointer, set)
      for tick in 0..<8 { #expect(cached.words(tick: tick) == streamed.words(tick: tick)) }
    }
  }

  @Test(arguments: kinds, InstructionSet.supported)
  func halvesAreTheNearestUnits(kind: KernelKind, set: InstructionSet) {
    for count in [1, 15, 16, 17, 100] {
      let columns = KernelColumns(count: count, seed: 5)
      let (floats, halves) = (TileMemory(count: count), TileMemory(count: count))
      floats.describe(ticks: 8, elapsed: 2)
      halves.describe(ticks: 8, elapsed: 2, format: KERNEL_FIXED16)
      kind.evaluate(columns, in: floats.pointer, set)
      kind.evaluate(columns, in: halves.pointer, set)
      for tick in 0..<8 {
        for field in 0..<(kind == .orbit ? 2 : 1) {
          let values = floats.pointer.floats(field: field, tick: tick)
          let numbers = halves.halves(field: field, tick: tick)
          let expected = (0..<count).map {
            Int16((values[$0] * TileMemory.units).rounded(.toNearestOrEven))
          }
          #expect(Array(numbers[..<count]) == expected, "\(count) entities, tick \(tick)")
          #expect(numbers[count...].allSatisfy { $0 == TileMemory.guardHalf })
        }
      }
    }
  }

  /// One tick of the tile by itself.
  private func single(
    _ kind: KernelKind, _ columns: KernelColumns, tick: Int, _ set: InstructionSet
  ) -> [UInt32] {
    let tile = TileMemory(count: columns.count)
    tile.describe(ticks: 1, elapsed: kind == .orbit ? 5 : 5 + UInt32(tick))
    tile.pointer.pointee.skipped = UInt32(tick)
    kind.evaluate(columns, in: tile.pointer, set)
    return tile.words(tick: 0)
  }
}

/// A tile and memory for two columns at each of its ticks.
private final class TileMemory {
  static let units: Float = 16
  static let guardHalf = Int16(bitPattern: 0xabab)

  private let tile = KernelTile()
  private let columns: [UnsafeMutableRawPointer]
  private let count: Int

  init(count: Int) {
    self.count = count
    columns = (0..<16).map { _ in
      let bytes = (count + 31) / 16 * 64
      let memory = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 64)
      memory.initializeMemory(as: UInt8.self, repeating: 0xab, count: bytes)
      return memory
    }
    for field in 0..<2 {
      for tick in 0..<8 { kernel_set_column(pointer, field, tick, columns[field * 8 + tick]) }
    }
  }

  deinit { columns.forEach { $0.deallocate() } }

  var pointer: UnsafeMutablePointer<kernel_tile> { tile.pointer }

  func describe(ticks: Int, elapsed: UInt32, format: Int32 = KERNEL_FLOAT32) {
    pointer.pointee.ticks = UInt32(ticks)
    pointer.pointee.elapsed = elapsed
    pointer.pointee.format = UInt32(format)
    pointer.pointee.units = Self.units
    pointer.pointee.first_entity = 77
    for field in 0..<2 { kernel_set_field_key(pointer, field, UInt32(field) * 1_234_567) }
  }

  /// All words of both columns at a tick, those behind the end among them.
  func words(tick: Int) -> [UInt32] {
    [columns[tick], columns[8 + tick]].flatMap { column in
      (0..<count + 16).map { column.load(fromByteOffset: $0 * 4, as: UInt32.self) }
    }
  }

  /// What `words` gives where nothing was written.
  var untouched: [UInt32] { Array(repeating: 0xabab_abab, count: 2 * (count + 16)) }

  /// All whole numbers of a column at a tick, those behind the end among them.
  func halves(field: Int, tick: Int) -> [Int16] {
    (0..<count + 16).map {
      columns[field * 8 + tick].load(fromByteOffset: $0 * 2, as: Int16.self)
    }
  }
}
