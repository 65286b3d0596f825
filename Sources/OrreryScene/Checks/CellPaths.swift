// SPDX-License-Identifier: Apache-2.0

import Orrery

/// The ways to the cells of one row: a row of nothing but currencies is written as `currencies`.
struct CellPaths {
  /// The way to the list.
  let list: ScenePath

  private let isCurrencies: Bool

  init(_ cells: [Cell], at row: ScenePath) {
    isCurrencies = cells.allSatisfy { if case .currency = $0 { true } else { false } }
    list = row.key(isCurrencies ? "currencies" : "cells")
  }

  /// The way to a cell's currency.
  func currency(_ index: Int) -> ScenePath {
    isCurrencies ? list.index(index) : list.index(index).key("currency")
  }

  /// The way to a cell's label.
  func label(_ index: Int) -> ScenePath { list.index(index).key("label") }

  /// The way to a cell's flag.
  func flag(_ index: Int) -> ScenePath { list.index(index).key("flag") }
}
