// SPDX-License-Identifier: Apache-2.0

import OrreryDocument
import OrrerySceneBuilder

/// The paths to the cells of one row; a row of only currencies is written as `currencies`.
struct CellPaths {
  /// The path to the list.
  let list: DocumentPath

  private let isCurrencies: Bool

  init(_ cells: [Cell], at row: DocumentPath) {
    isCurrencies = cells.allSatisfy { if case .currency = $0 { true } else { false } }
    list = row.key(isCurrencies ? "currencies" : "cells")
  }

  /// The path to a cell's currency.
  func currency(_ index: Int) -> DocumentPath {
    isCurrencies ? list.index(index) : list.index(index).key("currency")
  }

  /// The path to a cell's label.
  func label(_ index: Int) -> DocumentPath { list.index(index).key("label") }

  /// The path to a cell's flag.
  func flag(_ index: Int) -> DocumentPath { list.index(index).key("flag") }
}
