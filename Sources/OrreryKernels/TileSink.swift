// SPDX-License-Identifier: Apache-2.0

import CKernelTable

/// A kernel that computes whole tiles, a lane group at a time.
///
/// A group's motion is begun at the tile's first tick, asked for its values there, and stepped to the
/// next. A tile of eight ticks has two groups under way at once: the operations of a motion wait for
/// each other, those of two motions do not.
protocol TileKernel {
  /// The state of one lane group, in registers.
  associatedtype Motion

  /// Fields that it computes: 1 or 2.
  static var fieldCount: Int { get }

  /// Whether a tile of eight ticks has two groups under way at once: if the registers hold them.
  static var isPaired: Bool { get }

  /// A group's motion at the tile's first tick.
  func begin(_ group: LaneGroup) -> Motion

  /// The values of both fields, in units of the columns; the second counts only if there are two.
  func values(_ motion: Motion) -> (Lanes, Lanes)

  /// Moves on to the next tick.
  func step(_ motion: inout Motion)

  /// Called after the tile's last tick, with the motion at that tick.
  func end(_ motion: Motion, _ group: LaneGroup)
}

extension TileKernel {
  @inline(__always)
  static var fieldCount: Int { 1 }

  @inline(__always)
  static var isPaired: Bool { true }

  /// Keeps nothing.
  @inline(__always)
  func end(_ motion: Motion, _ group: LaneGroup) {}
}

/// Sixteen entities of a tile.
struct LaneGroup {
  /// Index in the block, and of the group's parameters in their columns.
  let index: Int
  /// Ticks from that of the parameters to the tile's first one.
  let elapsed: UInt32
  /// Units per 1.0: the kernel multiplies its values, or their parameters, by this.
  let scale: Lanes
}

/// Runs a kernel with the output that its tile asks for.
@inline(__always)
func run(_ kernel: some TileKernel, _ tile: UnsafeMutablePointer<kernel_tile>) {
  run(kernel, tile, except: { _ in false }, with: kernel)
}

/// The same, with another kernel for some of the lane groups, and perhaps for their neighbours.
@inline(__always)
func run(
  _ kernel: some TileKernel, _ tile: UnsafeMutablePointer<kernel_tile>,
  except isOther: (_ group: Int) -> Bool, with other: some TileKernel
) {
  if tile.pointee.format == KERNEL_FIXED16 {
    TileSink<FixedOutput>(tile).fill(kernel, except: isOther, with: other)
  } else if tile.pointee.streams == 0 {
    TileSink<FloatOutput>(tile).fill(kernel, except: isOther, with: other)
  } else {
    TileSink<FloatStream>(tile).fill(kernel, except: isOther, with: other)
    kernel_store_fence()
  }
}

/// Stores a tile's values into a column for each tick, and adds them to the ticks' hashes.
private struct TileSink<O: Output> {
  private let tile: UnsafeMutablePointer<kernel_tile>
  private let ticks: Int
  private let count: Int
  private let elapsed: UInt32
  private let hashTicks: UInt32
  private let scale: Lanes
  /// Keys of the first lane group of the first two fields.
  private let keys: (Words, Words)
  /// Columns of the first tick, kept here: the compiler must assume that a store may change the tile.
  private let firstColumns: (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?)

  @inline(__always)
  init(_ tile: UnsafeMutablePointer<kernel_tile>) {
    self.tile = tile
    ticks = Int(tile.pointee.ticks)
    count = Int(tile.pointee.count)
    elapsed = tile.pointee.elapsed
    hashTicks = tile.pointee.hash_ticks
    scale = O.scale(tile)
    let first = tile.pointee.first_entity
    keys = (
      HashTerms.keys(first: first, field: kernel_field_key(tile, 0)),
      HashTerms.keys(first: first, field: kernel_field_key(tile, 1))
    )
    firstColumns = (kernel_column(tile, 0, 0), kernel_column(tile, 1, 0))
  }

  /// Runs kernels on all lane groups of the block.
  @inline(__always)
  func fill<Other: TileKernel>(
    _ kernel: some TileKernel, except isOther: (Int) -> Bool, with other: Other
  ) {
    let whole = count / Lanes.scalarCount
    // Separate loops, so that values that are constant in a tile are not tested at each tick.
    if ticks == 1 {
      for index in 0..<whole {
        if isOther(index) {
          fillOne(index, other, Lanes.scalarCount)
        } else {
          fill(index, kernel, ticks: 1, Lanes.scalarCount)
        }
      }
    } else if ticks == Int(KERNEL_TILE_TICKS) {
      for index in stride(from: 0, to: whole & ~1, by: 2) {
        if !isOther(index) && !isOther(index + 1) {
          fillPair(index, kernel)
        } else if Other.isPaired {
          fillPair(index, other)
        } else {
          prefetchStores(index)
          fillOne(index, kernel, except: isOther, with: other)
          fillOne(index + 1, kernel, except: isOther, with: other)
        }
      }
      if whole & 1 != 0 { fillOne(whole - 1, kernel, except: isOther, with: other) }
    } else {
      for index in 0..<whole { fillOne(index, kernel, except: isOther, with: other) }
    }
    let tailCount = count % Lanes.scalarCount
    if tailCount != 0 { fillOne(whole, kernel, except: isOther, with: other, tailCount) }
  }

  @inline(__always)
  private func group(_ index: Int) -> LaneGroup {
    LaneGroup(index: index, elapsed: elapsed, scale: scale)
  }
}

// MARK: - One lane group

extension TileSink {
  @inline(__always)
  private func fillOne(
    _ index: Int, _ kernel: some TileKernel, except isOther: (Int) -> Bool,
    with other: some TileKernel, _ valueCount: Int = Lanes.scalarCount
  ) {
    if isOther(index) {
      fillOne(index, other, valueCount)
    } else {
      fillOne(index, kernel, valueCount)
    }
  }

  /// Brings the lines into the cache that two lane groups write eight groups later.
  ///
  /// Two groups at once write two lines side by side, one at a time does not: in memory its stores wait.
  @inline(__always)
  private func prefetchStores(_ index: Int) {
    if !O.isCached { return }
    for tick in 0..<Int(KERNEL_TILE_TICKS) {
      guard let column = kernel_column(tile, 0, tick) else { continue }
      let address = column + (index &+ 8) &* O.groupBytes
      kernel_prefetch_store(address)
      kernel_prefetch_store(address + O.groupBytes)
    }
  }

  /// Computes one lane group at all ticks: one copy of the code for all that call it.
  @inline(never)
  private func fillOne(_ index: Int, _ kernel: some TileKernel, _ valueCount: Int) {
    fill(index, kernel, ticks: ticks, valueCount)
  }

  /// Computes one lane group at any number of ticks; the last group of a block may be partial.
  @inline(__always)
  private func fill<K: TileKernel>(_ index: Int, _ kernel: K, ticks: Int, _ valueCount: Int) {
    let group = group(index)
    var motion = kernel.begin(group)
    write(motion, kernel, index, tick: 0, valueCount)
    for tick in 1..<max(ticks, 1) {
      kernel.step(&motion)
      write(motion, kernel, index, tick: tick, valueCount)
    }
    kernel.end(motion, group)
  }

  @inline(__always)
  private func write<K: TileKernel>(
    _ motion: K.Motion, _ kernel: K, _ index: Int, tick: Int, _ valueCount: Int
  ) {
    let values = kernel.values(motion)
    let (first, second) = (O.bits(values.0), O.bits(values.1))
    store(first, index, field: 0, tick: tick, valueCount)
    if K.fieldCount == 2 { store(second, index, field: 1, tick: tick, valueCount) }
    guard hashTicks & 1 << UInt32(truncatingIfNeeded: tick) != 0 else { return }
    var sum = terms(first, keys.0, index, valueCount)
    if K.fieldCount == 2 { sum &+= terms(second, keys.1, index, valueCount) }
    add(sum, tick: tick)
  }

  @inline(__always)
  private func store(_ bits: Words, _ index: Int, field: Int, tick: Int, _ valueCount: Int) {
    let first = field == 0 ? firstColumns.0 : firstColumns.1
    guard let column = tick == 0 ? first : kernel_column(tile, field, tick) else { return }
    if valueCount == Lanes.scalarCount {
      O.store(bits, column + index &* O.groupBytes)
    } else {
      O.store(bits, column + index &* O.groupBytes, valueCount: valueCount)
    }
  }

  /// The hash terms of one field's values.
  @inline(__always)
  private func terms(
    _ bits: Words, _ firstKeys: Words, _ index: Int, _ valueCount: Int
  ) -> SIMD8<UInt64> {
    let keys = keys(firstKeys, index)
    let words = O.bare(bits)
    if valueCount == Lanes.scalarCount { return HashTerms.terms(words ^ keys) }
    return HashTerms.terms(words, keys: keys, valueCount: valueCount)
  }

  /// The keys of a lane group.
  @inline(__always)
  private func keys(_ firstKeys: Words, _ index: Int) -> Words {
    firstKeys &+ HashTerms.keyStep &* UInt32(truncatingIfNeeded: index &* Lanes.scalarCount)
  }

  @inline(__always)
  private func add(_ terms: SIMD8<UInt64>, tick: Int) {
    UnsafeMutableRawPointer(kernel_hash_sums(tile, tick))
      .assumingMemoryBound(to: SIMD8<UInt64>.self).pointee &+= terms
  }
}

// MARK: - Two lane groups in a whole tile

extension TileSink {
  /// Computes two whole lane groups at eight ticks, both at once.
  ///
  /// Each tick stands here by itself: the addresses of its columns and its sums are then constants.
  @inline(__always)
  private func fillPair<K: TileKernel>(_ index: Int, _ kernel: K) {
    var left = kernel.begin(group(index))
    var right = kernel.begin(group(index + 1))
    let pair = Pair(index: index, sink: self)
    writePair(left, right, kernel, pair, 0)
    stepPair(&left, &right, kernel)
    writePair(left, right, kernel, pair, 1)
    stepPair(&left, &right, kernel)
    writePair(left, right, kernel, pair, 2)
    stepPair(&left, &right, kernel)
    writePair(left, right, kernel, pair, 3)
    stepPair(&left, &right, kernel)
    writePair(left, right, kernel, pair, 4)
    stepPair(&left, &right, kernel)
    writePair(left, right, kernel, pair, 5)
    stepPair(&left, &right, kernel)
    writePair(left, right, kernel, pair, 6)
    stepPair(&left, &right, kernel)
    writePair(left, right, kernel, pair, 7)
    kernel.end(left, group(index))
    kernel.end(right, group(index + 1))
  }

  /// What is the same at all ticks of a pair.
  private struct Pair {
    /// Offset of the first group's values in each column.
    let offset: Int
    /// The first group's keys of the first two fields; the second group's are `groupKeyStep` further.
    let keys: (Words, Words)

    @inline(__always)
    init(index: Int, sink: TileSink) {
      offset = index &* O.groupBytes
      keys = (sink.keys(sink.keys.0, index), sink.keys(sink.keys.1, index))
    }
  }

  /// From a lane group's keys to the next one's.
  @inline(__always)
  private static var groupKeyStep: UInt32 {
    HashTerms.keyStep &* UInt32(truncatingIfNeeded: Lanes.scalarCount)
  }

  @inline(__always)
  private func stepPair<K: TileKernel>(
    _ left: inout K.Motion, _ right: inout K.Motion, _ kernel: K
  ) {
    kernel.step(&left)
    kernel.step(&right)
  }

  @inline(__always)
  private func writePair<K: TileKernel>(
    _ left: K.Motion, _ right: K.Motion, _ kernel: K, _ pair: Pair, _ tick: Int
  ) {
    let (leftValues, rightValues) = (kernel.values(left), kernel.values(right))
    let first = (O.bits(leftValues.0), O.bits(rightValues.0))
    let second = (O.bits(leftValues.1), O.bits(rightValues.1))
    storePair(first, pair, field: 0, tick: tick)
    if K.fieldCount == 2 { storePair(second, pair, field: 1, tick: tick) }
    guard hashTicks & 1 << UInt32(truncatingIfNeeded: tick) != 0 else { return }
    // Both groups and fields together: one addition to memory.
    var sum = terms(first, pair.keys.0)
    if K.fieldCount == 2 { sum &+= terms(second, pair.keys.1) }
    add(sum, tick: tick)
  }

  @inline(__always)
  private func storePair(_ bits: (Words, Words), _ pair: Pair, field: Int, tick: Int) {
    guard let column = kernel_column(tile, field, tick) else { return }
    O.store(bits.0, column + pair.offset)
    O.store(bits.1, column + pair.offset + O.groupBytes)
  }

  @inline(__always)
  private func terms(_ bits: (Words, Words), _ keys: Words) -> SIMD8<UInt64> {
    HashTerms.terms(O.bare(bits.0) ^ keys)
      &+ HashTerms.terms(O.bare(bits.1) ^ (keys &+ Self.groupKeyStep))
  }
}
