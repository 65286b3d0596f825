// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrrerySceneBuilder

/// Random numbers by index: a counter-based generator.
///
/// Each number is a function of the seed, the stream and its own index, so any thread can compute
/// any of them directly, in any order, and one more entity changes no other's numbers. The index
/// and the key each pass through the finaliser of SplitMix64, so that streams are not shifted
/// copies of one another.
package struct CounterRandom: Sendable {
  private let key: UInt64

  /// The purpose of a stream.
  package enum Use: UInt64, Sendable {
    case orbitSystem = 1
    case field = 2
  }

  /// Numbers that one entity can draw.
  package static let drawsPerEntity: UInt64 = 16

  /// Makes one stream.
  ///
  /// - Parameters:
  ///   - seed: The scene's seed.
  ///   - use: The stream's purpose.
  ///   - index: Index of the orbit system or field among the scene's, from 0.
  package init(seed: UInt64, use: Use, index: Int) {
    var hash = StableHash()
    hash.combine(seed)
    hash.combine(use.rawValue)
    hash.combine(UInt64(index))
    key = hash.value
  }

  /// 64 random bits.
  ///
  /// - Parameters:
  ///   - entity: The entity's index in the stream.
  ///   - draw: Which of its numbers; less than `drawsPerEntity`.
  /// - Returns: The bits; equal arguments give equal bits.
  package func bits(_ entity: Int, draw: UInt64) -> UInt64 {
    assert(draw < Self.drawsPerEntity, "draw \(draw)")
    let number = UInt64(entity) &* Self.drawsPerEntity &+ draw
    return StableHash.mix(StableHash.mix(number &* 0x9e37_79b9_7f4a_7c15) ^ key)
  }

  /// A number in [0, 1), a multiple of 2^-53.
  package func unit(_ entity: Int, draw: UInt64) -> Double {
    // Signed: the conversion is one instruction then.
    Double(Int64(bitPattern: bits(entity, draw: draw) >> 11)) * 0x1p-53
  }

  /// A number between both ends of a range.
  package func value(_ range: ValueRange, _ entity: Int, draw: UInt64) -> Double {
    min(range.lower + (range.upper - range.lower) * unit(entity, draw: draw), range.upper)
  }

  /// A whole number in `0..<count`.
  package func index(_ count: Int, _ entity: Int, draw: UInt64) -> Int {
    Int(bits(entity, draw: draw).multipliedFullWidth(by: UInt64(count)).high)
  }
}
