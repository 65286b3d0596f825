// SPDX-License-Identifier: Apache-2.0

/// The colours of a plot, for light and for dark paper.
package struct ChartColors: Sendable {
  /// Behind everything.
  let paper: UInt32
  /// Lines of the grid.
  let grid: UInt32
  /// Titles and names.
  let text: UInt32
  /// Numbers at the axes.
  let quiet: UInt32
  /// Limits and crosses.
  let limit: UInt32
  /// The series, one after the other.
  let series: [UInt32]

  /// All of them, in an order that light and dark ones share.
  var all: [UInt32] { [paper, grid, text, quiet, limit] + series }

  /// For light paper.
  package static let light = ChartColors(
    paper: 0xffff_ffff, grid: 0xe3e6_eeff, text: 0x1d23_30ff, quiet: 0x5f67_79ff,
    limit: 0xbe12_3cff, series: [0x1d4e_d8ff, 0xd946_00ff, 0x0f8a_5fff, 0x7c3a_edff, 0x0e74_90ff])

  /// For dark paper.
  package static let dark = ChartColors(
    paper: 0x1417_20ff, grid: 0x2b31_40ff, text: 0xe8eb_f2ff, quiet: 0x9aa3_b5ff,
    limit: 0xfb71_85ff, series: [0x7aa2_ffff, 0xff9f_5aff, 0x4ade_a0ff, 0xc4a2_ffff, 0x5cd5_eeff])
}
