// SPDX-License-Identifier: Apache-2.0

import CKernelTable

/// A kernel that computes whole tiles: its columns, and the computation of one lane group.
protocol TileKernel {
  /// Computes a lane group's values at each of the tile's ticks.
  func evaluate<O: Output>(_ group: TileSink<O>.Group)
}

/// Runs a kernel with the output that its tile asks for.
@inline(__always)
func run(_ kernel: some TileKernel, _ tile: UnsafeMutablePointer<kernel_tile>) {
  if tile.pointee.format == KERNEL_FIXED16 {
    TileSink<FixedOutput>(tile).forEachGroup(kernel)
  } else if tile.pointee.streams == 0 {
    TileSink<FloatOutput>(tile).forEachGroup(kernel)
  } else {
    TileSink<FloatStream>(tile).forEachGroup(kernel)
    kernel_store_fence()
  }
}

/// Stores a tile's values into a column for each tick, and adds them to the ticks' hashes.
struct TileSink<O: Output> {
  private let ticks: Int
  private let elapsed: UInt32
  private let tile: UnsafeMutablePointer<kernel_tile>
  private let count: Int
  private let hashes: Bool
  /// Keys of the first lane group of the first two fields.
  private let keys: (Words, Words)
  private let scale: Lanes
  /// Columns of the first tick, kept here: the compiler must assume that a store may change the tile.
  private let firstColumns: (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?)

  @inline(__always)
  init(_ tile: UnsafeMutablePointer<kernel_tile>) {
    self.tile = tile
    ticks = Int(tile.pointee.ticks)
    elapsed = tile.pointee.elapsed
    count = Int(tile.pointee.count)
    hashes = tile.pointee.hashes != 0
    let first = tile.pointee.first_entity
    keys = (
      HashTerms.keys(first: first, field: kernel_field_key(tile, 0)),
      HashTerms.keys(first: first, field: kernel_field_key(tile, 1))
    )
    scale = O.scale(tile)
    firstColumns = (kernel_column(tile, 0, 0), kernel_column(tile, 1, 0))
  }

  /// Runs a kernel on each lane group of the block.
  @inline(__always)
  func forEachGroup(_ kernel: some TileKernel) {
    let whole = count / Lanes.scalarCount
    if ticks == 1 {
      // A loop of its own, compiled without the loop over ticks.
      for index in 0..<whole {
        kernel.evaluate(Group(index: index, valueCount: Lanes.scalarCount, ticks: 1, sink: self))
      }
    } else {
      for index in 0..<whole {
        kernel.evaluate(
          Group(index: index, valueCount: Lanes.scalarCount, ticks: ticks, sink: self))
      }
    }
    let tailCount = count % Lanes.scalarCount
    if tailCount != 0 {
      kernel.evaluate(Group(index: whole, valueCount: tailCount, ticks: ticks, sink: self))
    }
  }

  /// One lane group; the last of a block may be partial.
  struct Group {
    /// Index in the block, and of the group's parameters in their columns.
    let index: Int
    fileprivate let valueCount: Int
    /// Ticks to compute.
    let ticks: Int
    fileprivate let sink: TileSink

    /// Ticks from that of the parameters to the tile's first one.
    @inline(__always)
    var elapsed: UInt32 { sink.elapsed }

    /// Units per 1.0: the kernel multiplies its values, or their parameters, by this.
    @inline(__always)
    var scale: Lanes { sink.scale }

    /// Stores and hashes the group's values of one field, in units, at a tick of the tile, counted from
    /// 0.
    @inline(__always)
    func write(_ values: Lanes, tick: Int) {
      let bits = O.bits(values)
      sink.store(bits, self, field: 0, tick: tick)
      if sink.hashes { sink.add(terms(bits, sink.keys.0), tick: tick) }
    }

    /// Stores and hashes the group's values of two fields, in units, at a tick of the tile.
    @inline(__always)
    func write(_ first: Lanes, _ second: Lanes, tick: Int) {
      let bits = (O.bits(first), O.bits(second))
      sink.store(bits.0, self, field: 0, tick: tick)
      sink.store(bits.1, self, field: 1, tick: tick)
      if sink.hashes {
        // Both fields together: one addition to memory.
        sink.add(terms(bits.0, sink.keys.0) &+ terms(bits.1, sink.keys.1), tick: tick)
      }
    }

    /// The hash terms of one field's values.
    @inline(__always)
    private func terms(_ bits: Words, _ firstKeys: Words) -> SIMD8<UInt64> {
      let keys =
        firstKeys &+ HashTerms.keyStep &* UInt32(truncatingIfNeeded: index * Lanes.scalarCount)
      let words = O.bare(bits)
      if valueCount == Lanes.scalarCount { return HashTerms.terms(words ^ keys) }
      return HashTerms.terms(words, keys: keys, valueCount: valueCount)
    }
  }

  @inline(__always)
  private func store(_ bits: Words, _ group: Group, field: Int, tick: Int) {
    let first = field == 0 ? firstColumns.0 : firstColumns.1
    guard let column = tick == 0 ? first : kernel_column(tile, field, tick) else { return }
    if group.valueCount == Lanes.scalarCount {
      O.store(bits, column + group.index * O.groupBytes)
    } else {
      O.store(bits, column + group.index * O.groupBytes, valueCount: group.valueCount)
    }
  }

  @inline(__always)
  private func add(_ terms: SIMD8<UInt64>, tick: Int) {
    UnsafeMutableRawPointer(kernel_hash_sums(tile, tick))
      .assumingMemoryBound(to: SIMD8<UInt64>.self).pointee &+= terms
  }
}
