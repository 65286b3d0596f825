// SPDX-License-Identifier: Apache-2.0

import OrreryWire
import TOMLKit

extension [String: ControlValue] {
  /// The fields as a TOML table, which the scene file's decoder reads.
  var table: TOMLTable {
    let table = TOMLTable()
    for (key, value) in self { table[key] = value.toml }
    return table
  }
}

extension ControlValue {
  fileprivate var toml: any TOMLValueConvertible {
    switch self {
    case .bool(let value): return value
    case .integer(let value): return Int(value)
    case .number(let value): return value
    case .string(let value): return value
    case .array(let values):
      let array = TOMLArray()
      for value in values { array.append(value.toml) }
      return array
    case .object(let fields): return fields.table
    }
  }
}
