// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrreryCommandLine
import OrreryPublisher
import OrrerySim

extension ColumnFormat.Kind: ExpressibleByArgument {}

extension SimOptions.Stores: ExpressibleByArgument {}

extension HashMode: ExpressibleByArgument {}

/// How values are written into the frame ring.
package struct FrameArguments: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: """
      Ticks that may be computed early, \(Self.lookAheadRange), by blocks. Default: a quarter of the slots.
      """)
  package var lookAhead: UInt64?

  @Option(help: "float32, or fixed16: 16-bit columns where a 16th of a point is fine enough.")
  package var format = ColumnFormat.Kind.float32

  @Option(help: "auto: past the caches if the ring is larger than they are; or cached, streaming.")
  package var stores = SimOptions.Stores.auto

  @Option(help: "Values in a frame's hash: full, rolling (every eighth block, in turn) or off.")
  package var hash = HashMode.full

  package init() {}

  /// Refuses a look-ahead of more ticks than a tile has.
  package func validate() throws {
    try Self.lookAheadRange.check("--look-ahead", lookAhead)
  }

  private static let lookAheadRange = OptionRange(0...SimOptions.lookAheadMax)

  /// Copies these options into the options of a run.
  package func apply(to options: inout SimOptions) {
    options.lookAhead = lookAhead
    options.output = format
    options.stores = stores
    options.hashMode = hash
  }
}
